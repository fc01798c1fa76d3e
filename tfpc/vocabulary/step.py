"""What a step is: a word that acts on every example of a pipeline."""

from __future__ import annotations

from typing import ClassVar

from tfpc.types.element import Element
from tfpc.types.fragment import Fragment, Name, name, tuple_of
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.word import Mismatch, Word

KEY = tuple_of(name("epoch"), name("index"))
SEED = name("SEED")


class Step(Word):
    """A step of a pipeline.

    random: it draws, and differs from epoch to epoch; streams: how many random
    numbers an example takes. batchable: its code works on a batch as on one example.
    makes_float: it makes float numbers of each value for itself, so it may come late.
    moves_pixels: it gives a picture other places or another size, as it would any
    picture of that size.
    """

    family: ClassVar[str] = "step"
    random: ClassVar[bool] = False
    streams: ClassVar[int] = 0
    batchable: ClassVar[bool] = False
    makes_float: ClassVar[bool] = False
    moves_pixels: ClassVar[bool] = False
    acts_on: ClassVar[tuple[Content, ...]] = ()

    @property
    def moves_values(self) -> bool:
        """Whether it only chooses or moves values, without changing any."""
        return False

    @property
    def reads(self) -> tuple[str, ...]:
        """The components that it looks at besides the one that it acts on."""
        return ()

    def target(self, element: Element) -> str | Mismatch:
        """The name of the component that the step acts on."""
        names = element.of_content(*self.acts_on)
        wanted = " or ".join(content.value for content in self.acts_on)
        if not names:
            return Mismatch(
                f"`{self.word}` has nothing to act on",
                f"needs {wanted}, has {element}",
                f"`{self.word}` acts on {wanted}, and at this place there is none.",
                self.missing_fix(element),
            )
        if len(names) > 1:
            return Mismatch(
                f"`{self.word}` could act on {' or '.join(f'`{n}`' for n in names)}",
                f"{len(names)} components hold {wanted}",
                fix=f"name one: `{self.word}({names[0]}, ...)`",
            )
        return names[0]

    def missing_fix(self, element: Element) -> str:
        """What to type where there is nothing to act on."""
        if Content.IMAGE in self.acts_on and element.of_content(Content.ENCODED_IMAGE):
            return "decode the picture above it: `decode_jpeg(channels = 3)`"
        return f"remove `{self.word}`, or move it"

    def transfer(self, element: Element) -> Element | Mismatch:
        """The element after the step, for single examples (no batch in the shapes)."""
        target = self.target(element)
        if isinstance(target, Mismatch):
            return target
        return self.transfer_at(element, target)

    def transfer_at(self, element: Element, target: str) -> Element | Mismatch:
        """The same where it is known which component the step acts on."""
        after = self.transfer_tensor(element[target])
        return after if isinstance(after, Mismatch) else element.replaced(target, after)

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """The component after the step."""
        raise NotImplementedError

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """The component after the step, as program text.

        component: the variable that holds it; before: its type for single examples.
        In scope are `epoch` and `index` (KEY) and SEED; stream: the number of this
        step's first random number.
        """
        raise NotImplementedError

    def code_with(
        self, component: Name, others: tuple[Name, ...], before: Tensor, stream: int
    ) -> Fragment:
        """The same, given what it `reads` too."""
        return self.code(component, before, stream)
