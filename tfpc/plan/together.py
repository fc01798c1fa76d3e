"""`together` in a chain: a node for each of its pictures, all with the same draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Label
from tfpc.diagnostics.span import Span
from tfpc.diagnostics.suggestion import did_you_mean
from tfpc.spec.model import Placed
from tfpc.types.element import Element
from tfpc.types.tensor import Content
from tfpc.types.value import Symbol, Value
from tfpc.vocabulary.images import Resize
from tfpc.vocabulary.resized_crop import RandomResizedCrop
from tfpc.vocabulary.step import Step
from tfpc.vocabulary.together import SameSize, Together


@dataclass(frozen=True, slots=True)
class Use:
    """A step in a chain.

    component: what it acts on, None for what it finds itself; last: whether it is the
    last one that draws the same.
    """

    placed: Placed[Step]
    component: str | None = None
    last: bool = True


def uses_in(placed: Placed[Together], element: Element) -> Iterator[Use]:
    """The steps of a `together` whose pictures have been looked at, in their order."""
    word = placed.word
    first, *others = word.components
    size = element[first].shape
    if size is not None and None in size:
        for other in others:
            check = SameSize(component=other, like=first)
            yield Use(Placed(check, placed.span, {}, {}), other)
    for number, inner in enumerate(placed.body, 1):
        asserted = inner.asserted
        if number == len(placed.body):
            asserted += placed.asserted
        for component in word.components:
            step = word.adapted(inner.word, component)
            last = component == word.components[-1]
            each = replace(inner, word=step, asserted=asserted if last else ())
            yield Use(each, component, last)


def problems_of(placed: Placed[Together], element: Element) -> list[Diagnostic]:
    """Why the pictures that a `together` names can't be treated alike."""
    places = named_at(placed, "components")
    word = placed.word
    for component, place in (*places, *named_at(placed, "nearest")):
        if component not in element.names:
            return [not_there(component, place, element)]
        if element[component].content is not Content.IMAGE:
            return [no_picture(component, place, element)]
    for number, (component, place) in enumerate(places):
        if component in word.components[:number]:
            return [error("TFP201", f"`{component}` is named twice", place, fix="once")]
    for component, place in named_at(placed, "nearest"):
        if component not in word.components:
            said = f"`nearest` names `{component}`, which `together` does not"
            return [error("TFP201", said, place, fix=f"add `{component}`")]
    return unlike_sizes(places, element) or between_classes(placed, element)


def named_at(placed: Placed[Together], argument: str) -> list[tuple[str, Span]]:
    """The components that an argument names, each with its place."""
    value = placed.values.get(argument)
    if value is None:
        return []
    values = value.content if isinstance(value.content, tuple) else (value,)
    return [(word_of(each), each.span) for each in values]


def word_of(value: Value) -> str:
    """A bare word."""
    assert isinstance(value.content, Symbol)
    return value.content.word


def not_there(component: str, place: Span, element: Element) -> Diagnostic:
    """A name that no component has."""
    listed = ", ".join(f"`{name}`" for name in element.names)
    return error(
        "TFP201",
        f"there is no `{component}` for `together` to act on",
        place,
        f"here there is {element}",
        fix=did_you_mean(component, element.names) or f"there is {listed}",
    )


def no_picture(component: str, place: Span, element: Element) -> Diagnostic:
    """A component that can't be cut or turned."""
    encoded = element[component].content is Content.ENCODED_IMAGE
    pictures = element.of_content(Content.IMAGE)
    listed = " and ".join(f"`{name}`" for name in pictures)
    return error(
        "TFP201",
        f"`together` acts on pictures, and `{component}` is none",
        place,
        f"is {element[component]}",
        fix=f"decode it above: `decode_png({component}, channels = 1)`"
        if encoded
        else f"name pictures; here there is {listed or 'none'}",
    )


def unlike_sizes(places: list[tuple[str, Span]], element: Element) -> list[Diagnostic]:
    """Pictures whose heights and widths are known and differ, or only of one known."""
    (first, at), *others = places
    size = (element[first].shape or ())[:2]
    for other, place in others:
        if (element[other].shape or ())[:2] == size:
            continue
        known = None not in (*size, *(element[other].shape or ()))
        return [
            error(
                "TFP201",
                f"`{first}` and `{other}` have "
                + ("different sizes" if known else "sizes that may differ"),
                place,
                f"is {element[other]}",
                labels=(Label(at, f"is {element[first]}"),),
                why="the same window shows the same part only where the sizes are equal.",
                fix="bring both to one size above, or leave both as they are in the files",
            )
        ]
    return []


def between_classes(placed: Placed[Together], element: Element) -> list[Diagnostic]:
    """A step that makes values between those of what could be a mask."""
    word = placed.word
    if word.nearest is not None:
        return []
    suspects = [
        name
        for name in word.components
        if element[name].is_integer and (element[name].shape or (0,))[-1] == 1
    ]
    for inner in placed.body:
        step = inner.word
        scales = isinstance(step, Resize | RandomResizedCrop)
        if not scales or step.method == "nearest" or not suspects:
            continue
        mask = suspects[-1]
        named = ", ".join(word.components)
        return [
            error(
                "TFP201",
                f"`{step.word}` makes values between those of `{mask}`",
                inner.span,
                f"`{mask}` is {element[mask]}",
                labels=(Label(placed.span, "does not say how it is scaled"),),
                why="if they are numbers of classes, half-way from 3 to 5 is class 4.",
                fix=f"write `together({named}, nearest = {mask})`, or `nearest = []` if "
                "they are shades of gray",
            )
        ]
    return []
