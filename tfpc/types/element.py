"""One example, or a batch of them: named tensors in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass

from tfpc.types.tensor import Content, Dimension, Tensor


@dataclass(frozen=True, slots=True)
class Element:
    """The components of an example by name: `(image = uint8[?, ?, 3], label = int64[])`."""

    components: tuple[tuple[str, Tensor], ...]

    def __str__(self) -> str:
        """As an assertion in a spec says it."""
        inner = ", ".join(f"{name} = {tensor}" for name, tensor in self.components)
        return f"({inner})"

    def __getitem__(self, name: str) -> Tensor:
        """The component of that name. Raises KeyError."""
        return dict(self.components)[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(name for name, _ in self.components)

    def of_content(self, *contents: Content) -> tuple[str, ...]:
        """The names of the components that hold one of these."""
        return tuple(
            name for name, tensor in self.components if tensor.content in contents
        )

    def replaced(self, name: str, tensor: Tensor) -> Element:
        """The same with another type for one component."""
        return Element(
            tuple(
                (each, tensor if each == name else old) for each, old in self.components
            )
        )

    def batched(self, size: Dimension) -> Element:
        """The same with a batch in front of every component."""
        return Element(
            tuple((name, tensor.batched(size)) for name, tensor in self.components)
        )

    @property
    def is_static(self) -> bool:
        """Whether every component has a known shape."""
        return all(tensor.is_static for _, tensor in self.components)

    @property
    def bytes(self) -> int | None:
        """The size of an example in memory, if that is known."""
        sizes = [tensor.bytes for _, tensor in self.components]
        known = [size for size in sizes if size is not None]
        return sum(known) if len(known) == len(sizes) else None
