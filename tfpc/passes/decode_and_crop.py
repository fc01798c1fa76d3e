"""A JPEG that is cropped right after decoding is decoded only where it is kept. Exact.

The window is decoded with a margin of two pixels, which is cut off after: the colors
of a JPEG are shared between neighbours, so a window decoded without it differs at its
border.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from tfpc.plan.ir import Chain, Change, Plan, StepNode
from tfpc.types.element import Element
from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.decode import DecodeJpeg
from tfpc.vocabulary.images import CenterCrop, RandomCrop
from tfpc.vocabulary.resized_crop import RandomResizedCrop
from tfpc.vocabulary.step import KEY, SEED, Step
from tfpc.vocabulary.word import Mismatch


class DecodeAndCrop(Step):
    """`decode_jpeg`, then a crop, as one step."""

    word: ClassVar[str] = "decode_jpeg + crop"
    acts_on: ClassVar[tuple[Content, ...]] = (Content.ENCODED_IMAGE,)
    decode: DecodeJpeg
    crop: CenterCrop | RandomCrop | RandomResizedCrop

    def target(self, element: Element) -> str | Mismatch:
        """What is decoded."""
        return self.decode.target(element)

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """What both give, one after the other."""
        decoded = self.decode.transfer_tensor(tensor)
        return self.crop.transfer_tensor(decoded)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """One operation of the program."""
        window = (component, self.crop.height, self.crop.width, self.decode.channels)
        if isinstance(self.crop, RandomResizedCrop):
            return call(
                "decode_and_random_resized_crop",
                *window,
                *self.crop.window,
                KEY,
                SEED,
                stream,
                **self.crop.scaling,
            )
        if isinstance(self.crop, RandomCrop):
            return call("decode_and_random_crop", *window, KEY, SEED, stream)
        return call("decode_and_center_crop", *window)


def decode_and_crop(plan: Plan) -> Plan:
    """Joins the two wherever they follow each other."""
    chains = {mode: joined(chain) for mode, chain in plan.chains.items()}
    if all(len(chains[m].nodes) == len(plan.chains[m].nodes) for m in chains):
        return plan
    change = Change(
        "decode_and_crop",
        "`decode_jpeg` and the crop below it become one",
        "only the part of a picture that is kept is decoded",
    )
    return replace(plan, chains=chains, changes=(*plan.changes, change))


def joined(chain: Chain) -> Chain:
    """The chain with each such pair as one node."""
    nodes: list[StepNode] = []
    for node in chain.nodes:
        last = nodes[-1] if nodes else None
        if (
            last is not None
            and isinstance(last.step, DecodeJpeg)
            and isinstance(node.step, CenterCrop | RandomCrop | RandomResizedCrop)
            and node.target == last.target
            and not is_padded(node.step)
        ):
            step = DecodeAndCrop(decode=last.step, crop=node.step)
            nodes[-1] = replace(node, step=step, before=last.before)
        else:
            nodes.append(node)
    return replace(chain, nodes=tuple(nodes))


def is_padded(crop: Step) -> bool:
    """Whether zeros are put around the picture first, which needs all of it."""
    return isinstance(crop, RandomCrop) and crop.padding > 0
