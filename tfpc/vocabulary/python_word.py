"""`python "module:function"(...)`: a function of the user's own, by its place."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from tfpc.types.element import Element
from tfpc.types.fragment import Call, Fragment, Literal, Mapping, Name, call
from tfpc.types.tensor import Tensor
from tfpc.vocabulary.layer import Layer
from tfpc.vocabulary.loss import Loss
from tfpc.vocabulary.metric import Metric
from tfpc.vocabulary.scores import Scores
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.word import Mismatch, Word


class PythonWord(Word):
    """What all of them have.

    function: `module:function`, the module as Python imports it from the spec's folder;
    arguments: by name, as the spec gives them; place: the line of the spec.
    """

    word: ClassVar[str] = "python"
    positional: ClassVar[tuple[str, ...]] = ("function",)
    function: str = Field(description="where it is: `module:function`")
    arguments: tuple[tuple[str, object], ...] = Field(
        (), description="what it is given, by name"
    )
    place: str = Field("", description="the line of the spec")

    @property
    def short_name(self) -> str:
        """The function's own name."""
        return self.function.rpartition(":")[2]

    def called(self, method: str, *arguments: object) -> Call:
        """`PYTHON.method("module:function", "spec.tfp:3:5", {...}, ...)`."""
        given = Mapping(tuple((key, Literal(value)) for key, value in self.arguments))
        return call(f"PYTHON.{method}", self.function, self.place, given, *arguments)


class PythonStep(PythonWord, Step):
    """A step that is a function of the components that its parameters name.

    A parameter `seed` is given the two numbers, int32[2], of this example in this epoch,
    for the `stateless` operations of TensorFlow. What stands behind `->` is what the
    function returns, in that order; without it, it returns its first component again,
    with the same type.
    """

    example: ClassVar[str] = 'python "augment:gentle"(strength = 0.2)'
    streams: ClassVar[int] = 1

    def transfer(self, element: Element) -> Element | Mismatch:
        """Its type is said, not computed: see `plan/lower_python.py`."""
        return element


class PythonLayer(PythonWord, Layer):
    """A function from tensor to tensor, or what makes a Keras layer or a whole model.

    If all that the function needs is given, it is called once and what it makes is put
    on the tensor; else its first parameter is the tensor. `-> (float32[64])` says what
    it gives for one example; without it, it keeps the type. makes: whether it makes a
    layer or model; gives: the type behind it, with the batch in front.
    """

    example: ClassVar[str] = 'python "layers:attention"(heads = 4) -> (float32[64])'
    makes: bool = Field(False, description="whether it makes a layer or a model")
    gives: object = Field(None, description="the type behind it")

    @property
    def output_activation(self) -> str | None:
        """Not known: what a function does to its scores is not seen."""
        return OPAQUE

    def transfer(self, tensor: Tensor) -> Tensor | Mismatch:
        """As the spec says it."""
        return self.gives if isinstance(self.gives, Tensor) else tensor

    def applied(self, name: str, tensor: Fragment) -> Call:
        """The layer of that name, used on a tensor."""
        assert isinstance(self.gives, Tensor)
        dtype = Name(f"tf.{self.gives.dtype}")
        spec = call("tf.TensorSpec", self.gives.shape, dtype)
        method = "made_layer" if self.makes else "layer"
        return self.called(method, name, tensor, spec)


class PythonLoss(PythonWord, Loss):
    """A function of label and scores that gives the loss of each example, float[batch].

    A class is made once with the arguments, and its `call` is the function.
    """

    example: ClassVar[str] = 'python "losses:focal"(gamma = 2.0)'

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """What it takes is its own affair; the program looks at what it gives."""
        return None

    def code(
        self,
        label: Tensor,
        scores: Scores,
        label_code: Fragment,
        scores_code: Fragment,
    ) -> Fragment:
        """Checked to be one number for each example."""
        return self.called("losses", label_code, scores_code)


class PythonMetric(PythonWord, Metric):
    """A Keras metric of the user's, or a function of label and scores to float[batch],
    whose mean is taken. better: whether more or less of it is better.
    """

    example: ClassVar[str] = 'python "metrics:f1"(threshold = 0.5)'

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.short_name

    def fit(self, label: Tensor, scores: Scores) -> Mismatch | None:
        """What it takes is its own affair."""
        return None

    def code(self, label: Tensor, scores: Scores) -> Fragment:
        """A Keras metric."""
        return self.called("metric", self.short_name)


# What an output has gone through if a function of the user's gave it.
OPAQUE = "?"
BY_FAMILY: dict[str, type[PythonWord]] = {
    "step": PythonStep,
    "layer": PythonLayer,
    "loss": PythonLoss,
    "metric": PythonMetric,
}
