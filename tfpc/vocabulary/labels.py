"""Steps on labels: another first number, a share for each class."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import Field

from tfpc.types.element import Element
from tfpc.types.fragment import Fragment, Literal, Name, Operation, call
from tfpc.types.tensor import Content, Tensor
from tfpc.vocabulary.component import ComponentName, not_there
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.word import Mismatch


class LabelStep(Step):
    """A step on the label, or on the component that it names."""

    acts_on: ClassVar[tuple[Content, ...]] = (Content.LABEL,)
    batchable: ClassVar[bool] = True
    component: ComponentName | None = Field(
        None, description="the name of a component (default: the label)"
    )

    def target(self, element: Element) -> str | Mismatch:
        """The named component, else the only label."""
        if self.component is None:
            return super().target(element)
        return not_there(self.word, self.component, element) or self.component

    def missing_fix(self, element: Element) -> str:
        """A component that is a label may have another name."""
        return f"name the component: `{self.word}({element.names[-1]}, ...)`"

    def unfit(self, tensor: Tensor) -> Mismatch | None:
        """Why the component is not one class number."""
        if tensor.is_integer and tensor.shape == ():
            return None
        why = "a class is one whole number for each example."
        fix = "use a label that is int64: `label = int64(classes = 10)`"
        if tensor.is_float and tensor.shape and tensor.content is Content.LABEL:
            why = "it has a share for each class already."
            fix = f"remove `{self.word}`, or move it to where the label is a number"
        elif tensor.content in (Content.IMAGE, Content.ENCODED_IMAGE):
            fix = "name the component that holds a class number"
        headline = f"`{self.word}` needs a class number for each example"
        return Mismatch(headline, f"it is {tensor}", why, fix)


class Offset(LabelStep):
    """Adds a number to a label: `-1` for labels that count from one.

    The schema of such a label says `int64` alone, since `classes` stands for numbers
    that count from zero.
    """

    word: ClassVar[str] = "offset"
    example: ClassVar[str] = "offset(label, -1)"
    positional: ClassVar[tuple[str, ...]] = ("component", "n")
    component: ComponentName = Field(description="the name of the label")
    n: Annotated[int, Field(ge=-(2**31), le=2**31)] = Field(
        description="what is added, `-1` to count from zero instead of one"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """The same dtype, its range moved."""
        problem = self.unfit(tensor)
        if problem is not None:
            return problem
        if tensor.low is None or tensor.high is None:
            return replace(tensor, classes=None)
        low, high = tensor.low + self.n, tensor.high + self.n
        if low < 0:
            return Mismatch(
                f"`offset` by {self.n} brings labels below zero",
                f"here they are in {tensor.low:g}..{tensor.high:g}",
                "the data says how many classes there are, and those count from zero.",
                "leave `classes` out of the schema if they count from one, "
                "else remove `offset`",
                argument="n",
            )
        return replace(tensor, low=low, high=high, classes=int(high) + 1)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """A sum."""
        sign = "-" if self.n < 0 else "+"
        return Operation(sign, component, Literal(abs(self.n)))


class OneHot(LabelStep):
    """Makes a row of a class number: 1 at the place of its class, 0 at all others.

    With it `crossentropy` and `accuracy` compare rows. Without `classes` there are as
    many as the label is known to have. A label that is not below `classes` stops the
    run; by itself `tf.one_hot` makes a row of zeros of it.
    """

    word: ClassVar[str] = "one_hot"
    example: ClassVar[str] = "one_hot(label, 10)"
    positional: ClassVar[tuple[str, ...]] = ("component", "classes")
    classes: Annotated[int, Field(ge=2, le=2**24)] | None = Field(
        None, description="how many classes there are (default: those of the label)"
    )

    def transfer_tensor(self, tensor: Tensor) -> Tensor | Mismatch:
        """float32[classes] in 0..1."""
        problem = self.unfit(tensor)
        if problem is not None:
            return problem
        classes = self.classes or tensor.classes
        if classes is None:
            return Mismatch(
                "`one_hot` doesn't know how many classes there are",
                f"the label is {tensor}",
                "neither `one_hot` nor the data says it.",
                "say how many: `one_hot(classes = 10)`",
            )
        if tensor.classes is not None and tensor.classes > classes:
            return Mismatch(
                f"`one_hot` makes rows of {classes}, "
                f"the label has {tensor.classes} classes",
                f"the label is {tensor} in 0..{tensor.classes - 1}",
                f"class {classes} has no place in such a row.",
                f"write `classes = {tensor.classes}`, or leave it out",
                argument="classes",
            )
        return Tensor("float32", (classes,), tensor.content, 0, 1, classes)

    def code(self, component: Name, before: Tensor, stream: int) -> Fragment:
        """https://www.tensorflow.org/api_docs/python/tf/one_hot, of checked labels."""
        classes = self.classes or before.classes
        if before.classes is not None:
            return call("tf.one_hot", component, classes)
        return call("tf.one_hot", call("checked_label", component, classes), classes)
