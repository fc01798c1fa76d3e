"""Other ways to use a GPU's memory than to take what is needed."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, field_validator

from tfpc.types.fragment import Fragment, call
from tfpc.types.quantity import SIZE_UNITS, Bytes
from tfpc.vocabulary.settings import Memory

MEBIBYTE = SIZE_UNITS["MiB"]


class Limit(Memory):
    """Never more than `size` of each GPU's memory, which is taken at once.

    Each GPU becomes one logical device with that limit. TensorFlow counts it in whole
    MiB. The libraries of CUDA need some hundred MiB more. This has not been run on GPUs.
    """

    word: ClassVar[str] = "limit"
    example: ClassVar[str] = "memory = limit(70GiB)"
    positional: ClassVar[tuple[str, ...]] = ("size",)
    size: Bytes = Field(description="how much of each GPU's memory, `70GiB`")

    @field_validator("size")
    @classmethod
    def countable(cls, size: Bytes) -> Bytes:
        """TensorFlow counts in MiB. Raises ValueError in the user's words."""
        if size.number < MEBIBYTE:
            raise ValueError("must be 1MiB or more")
        return size

    def code(self, reporter: Fragment, *, asked: bool) -> Fragment:
        """The call that sets the limit, in MiB."""
        return call("memory_limit", reporter, self.size.number // MEBIBYTE)


class Async(Memory):
    """CUDA's own allocator (`cudaMallocAsync`), against fragmentation.

    It helps where memory runs out though enough is free in pieces. It takes what is
    needed, as `growth` does. This has not been run on GPUs.
    """

    word: ClassVar[str] = "async"
    example: ClassVar[str] = "memory = async"
    environment: ClassVar[tuple[tuple[str, str], ...]] = (
        ("TF_GPU_ALLOCATOR", "cuda_malloc_async"),
    )

    def code(self, reporter: Fragment, *, asked: bool) -> Fragment:
        """The call that says it; the environment has set it."""
        return call("memory_async", reporter)
