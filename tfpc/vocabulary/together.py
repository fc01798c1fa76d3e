"""The same steps with the same draws for several pictures of an example."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.fragment import Fragment, Name, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.component import ComponentName
from tfpc.vocabulary.images import Resize
from tfpc.vocabulary.resized_crop import RandomResizedCrop
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.stream import StreamStep
from tfpc.vocabulary.word import Mismatch, Word


class Together(Word):
    """Does the same to several pictures of an example: a picture and its mask.

    Each step in the braces acts on every picture that is named, and a random step draws
    once for all of them: the same window, the same flip. They must have the same height
    and width, which is checked before the program runs where it is known, else for each
    example. Only steps that move pixels may stand in the braces: crops, flips,
    `resize`. What changes values stands outside, and names its picture:
    `random_brightness(image, 0.1)`.

    A mask holds numbers of classes, between which there is nothing. `nearest = mask`
    makes steps that scale take the nearest pixel of it; without `nearest`, such steps
    are refused beside pictures with one channel of whole numbers.
    """

    word: ClassVar[str] = "together"
    family: ClassVar[str] = "step"
    example: ClassVar[str] = "together(image, mask) { random_flip(horizontal) }"
    all_positional: ClassVar[str] = "components"
    has_body: ClassVar[bool] = True
    components: Annotated[tuple[ComponentName, ...], Field(min_length=2)] = Field(
        description="the names of the pictures, two or more"
    )
    nearest: ComponentName | tuple[ComponentName, ...] | None = Field(
        None, description="pictures that are scaled by taking the nearest pixel"
    )

    @property
    def by_nearest(self) -> tuple[str, ...]:
        """The pictures that are scaled so."""
        if self.nearest is None:
            return ()
        return (self.nearest,) if isinstance(self.nearest, str) else self.nearest

    def adapted(self, step: Step, component: str) -> Step:
        """A step as it acts on one of the pictures."""
        if component in self.by_nearest and isinstance(
            step, Resize | RandomResizedCrop
        ):
            return step.model_copy(update={"method": "nearest"})
        return step

    def unfit(self, step: Step) -> Mismatch | None:
        """Why a step can't stand in the braces."""
        word = step.word
        headline = f"`{word}` can't stand in `together`"
        if getattr(step, "component", None) is not None:
            return Mismatch(
                f"`{word}` names a picture inside `together`",
                "acts on all that `together` names",
                fix=f"leave the name out, or move `{word}` out of the braces",
                argument="component",
            )
        if step.moves_pixels:
            return None
        if isinstance(step, StreamStep):
            return Mismatch(
                headline,
                "acts on whole examples",
                fix=f"move `{word}` out of the braces",
            )
        if Content.ENCODED_IMAGE in step.acts_on:
            return Mismatch(
                headline,
                "each picture is decoded for itself",
                fix=f"decode above `together`, each by its name: "
                f"`{word}({self.components[0]})`",
            )
        return Mismatch(
            headline,
            "changes values, not only places",
            "if one of them is a mask, the numbers of its classes would become others.",
            f"move it out of the braces and name the picture: "
            f"`{word}({self.components[0]}, ...)`",
        )


class SameSize(Step):
    """Checks of each example that a picture is as large as another one."""

    word: ClassVar[str] = "together"
    component: str
    like: str

    @property
    def reads(self) -> tuple[str, ...]:
        """The other picture."""
        return (self.like,)

    def transfer_tensor(self, tensor: Tensor) -> Tensor:
        """The type stays."""
        return tensor

    def code_with(
        self, component: Name, others: tuple[Name, ...], before: Tensor, stream: int
    ) -> Fragment:
        """An assertion."""
        return call("same_size", component, *others, (self.component, self.like))
