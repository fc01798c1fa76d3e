"""Steps that may say by name which component they act on."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias, get_args

from pydantic import Field

from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.types.element import Element
from tfpc.vocabulary.bare_name import BareName
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.word import Mismatch


class OfComponent(BareName):
    """The name of a component, `label`."""

    what = "the name of a component"
    example = "label"


ComponentName: TypeAlias = Annotated[str, OfComponent]


class NamedStep(Step):
    """A step on the only component of its kind, or on the one that it names first."""

    led_by: ClassVar[str] = "component"
    component: ComponentName | None = Field(
        None, description="which one, where there are several (default: the only one)"
    )

    def target(self, element: Element) -> str | Mismatch:
        """The named component, if it is of the right kind; else the only one that is."""
        if self.component is None:
            return super().target(element)
        missing = not_there(self.word, self.component, element, self.options())
        if missing is not None:
            return missing
        return self.unfit_content(self.component, element) or self.component

    @classmethod
    def options(cls) -> tuple[str, ...]:
        """The bare words that could stand where the name does."""
        if not cls.positional:
            return ()
        found = get_args(cls.model_fields[cls.positional[0]].annotation)
        return tuple(each for each in found if isinstance(each, str))

    def unfit_content(self, component: str, element: Element) -> Mismatch | None:
        """Why the step can't act on a component."""
        tensor = element[component]
        if tensor.content in self.acts_on:
            return None
        wanted = " or ".join(content.value for content in self.acts_on)
        return Mismatch(
            f"`{self.word}` acts on {wanted}, and `{component}` is none",
            f"`{component}` is {tensor}",
            fix=self.missing_fix(element)
            if not element.of_content(*self.acts_on)
            else f"name another one: `{element.of_content(*self.acts_on)[0]}`",
            argument="component",
        )


def not_there(
    word: str, component: str, element: Element, options: tuple[str, ...] = ()
) -> Mismatch | None:
    """Why a component can't be acted on: there is none of that name.

    options: other bare words that could have been meant.
    """
    if component in element.names:
        return None
    listed = ", ".join(f"`{name}`" for name in element.names)
    return Mismatch(
        f"there is no `{component}` for `{word}` to act on",
        f"here there is {element}",
        fix=did_you_mean(component, (*element.names, *options)) or f"there is {listed}",
        argument="component",
    )
