"""What turns gradients into new weights."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field, ValidationInfo, field_validator

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.schedule import Schedule
from tfpc.vocabulary.word import Word

Rate = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Decay = Annotated[float, Field(ge=0, lt=1)]
WeightDecay = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Optimizer(Word):
    """An optimizer; its learning rate is a number or a schedule."""

    family: ClassVar[str] = "optimizer"
    positional: ClassVar[tuple[str, ...]] = ("learning_rate",)
    keras_name: ClassVar[str]
    learning_rate: Rate | Schedule = Field(
        description="a number, or a schedule such as `cosine(...)`"
    )

    def code(self, learning_rate: Fragment) -> Fragment:
        """The Keras optimizer; arguments that have Keras's own default are left out."""
        given = {
            name: getattr(self, name)
            for name, info in type(self).model_fields.items()
            if name != "learning_rate" and getattr(self, name) != info.default
        }
        return call(f"keras.optimizers.{self.keras_name}", learning_rate, **given)


class Sgd(Optimizer):
    """Gradient descent, with momentum if asked for."""

    word: ClassVar[str] = "sgd"
    example: ClassVar[str] = "sgd(learning_rate = 0.1, momentum = 0.9)"
    keras_name: ClassVar[str] = "SGD"
    momentum: Decay = Field(0.0, description="how much of the last update is kept")
    nesterov: bool = Field(False, description="Nesterov's momentum")
    weight_decay: WeightDecay | None = Field(
        None, description="the share of each weight taken away, times learning rate"
    )

    @field_validator("nesterov")
    @classmethod
    def needs_momentum(cls, nesterov: bool, info: ValidationInfo) -> bool:
        """Keras ignores it without. Raises ValueError in the user's words."""
        if nesterov and info.data.get("momentum") == 0:
            raise ValueError("does nothing without `momentum`; write `momentum = 0.9`")
        return nesterov


class Adam(Optimizer):
    """Adam ("Adam: A Method for Stochastic Optimization", Kingma and Ba, 2014)."""

    word: ClassVar[str] = "adam"
    example: ClassVar[str] = "adam(learning_rate = 1e-3)"
    keras_name: ClassVar[str] = "Adam"
    beta_1: Decay = Field(0.9, description="decay of the mean of gradients")
    beta_2: Decay = Field(0.999, description="decay of the mean of their squares")
    epsilon: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        1e-7, description="keeps the division from zero"
    )
    weight_decay: WeightDecay | None = Field(
        None, description="the share of each weight taken away, times learning rate"
    )


class AdamW(Adam):
    """`adam` whose weights shrink apart from the gradient.

    All weights do, biases too ("Decoupled Weight Decay Regularization", Loshchilov and
    Hutter, 2017).
    """

    word: ClassVar[str] = "adamw"
    example: ClassVar[str] = "adamw(learning_rate = 1e-3, weight_decay = 0.01)"
    keras_name: ClassVar[str] = "AdamW"
    weight_decay: WeightDecay = Field(
        0.004, description="the share of each weight taken away, times learning rate"
    )


class RmsProp(Optimizer):
    """Divides each gradient by a running mean of its size (Hinton, 2012)."""

    word: ClassVar[str] = "rmsprop"
    example: ClassVar[str] = "rmsprop(learning_rate = 1e-3)"
    keras_name: ClassVar[str] = "RMSprop"
    rho: Decay = Field(0.9, description="decay of the mean of squares")
    momentum: Decay = Field(0.0, description="how much of the last update is kept")
    epsilon: Annotated[float, Field(gt=0, allow_inf_nan=False)] = Field(
        1e-7, description="keeps the division from zero"
    )
    centered: bool = Field(
        False, description="whether the mean gradient is taken away first"
    )
    weight_decay: WeightDecay | None = Field(
        None, description="the share of each weight taken away, times learning rate"
    )
