"""`mirrored`: one machine, several devices, each with a copy of all variables."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from tfpc.types.fragment import Fragment, call
from tfpc.vocabulary.settings import Strategy


class Mirrored(Strategy):
    """Several GPUs of one machine: each batch is divided among them.

    Every GPU has a copy of all variables; gradients are added up before each update
    (`tf.distribute.MirroredStrategy`). `batch(n)` stays the size of the whole batch.
    `cpus = n` divides the processor into n devices instead: slower than one, it shows
    without a GPU that a spec does the same on several. On GPUs it has not been run.
    """

    word: ClassVar[str] = "mirrored"
    example: ClassVar[str] = "strategy = mirrored(gpus = 4)"
    several: ClassVar[bool] = True
    gpus: Literal["all"] | Annotated[int, Field(ge=1)] = Field(
        "all", description="how many GPUs, or `all` that the machine has"
    )
    cpus: Annotated[int, Field(ge=1, le=64)] | None = Field(
        None,
        description="into how many devices the processor is divided (default: none)",
    )
    reduce: Literal["auto", "nccl", "hierarchical", "one_device"] = Field(
        "auto", description="how gradients are added up; `auto` is NCCL between GPUs"
    )

    @model_validator(mode="after")
    def one_kind(self) -> Self:
        """GPUs or parts of the processor."""
        if self.cpus is not None and "gpus" in self.model_fields_set:
            raise ValueError("takes `gpus` or `cpus`, not both")
        return self

    @property
    def replicas(self) -> int | None:
        """How many devices; None for all GPUs of a machine."""
        if self.cpus is not None:
            return self.cpus
        return None if self.gpus == "all" else self.gpus

    def code(self, reporter: Fragment, place: str) -> Fragment:
        """The strategy, made where the program runs."""
        if self.cpus is not None:
            return call("mirrored_cpus", reporter, self.cpus)
        return call("mirrored_gpus", reporter, self.replicas, self.reduce, place)
