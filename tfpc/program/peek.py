"""One batch on its way through a pipeline, for `tfpc peek`: every step, one after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
import tensorflow as tf

from tfpc.program.contact_sheet import contact_sheet, scale_of_pictures
from tfpc.program.peek_figures import PeekFigures
from tfpc.program.run import Run
from tfpc.program.source import Source
from tfpc.program.unreadable import unreadable_named


@dataclasses.dataclass(frozen=True)
class PeekStep:
    """A step that changes a component, or what the source gives of one.

    number: its place in the chain, from one; 0 for the source. kind: what the
    component is after it: "encoded", "picture", "label" or "other". change: from
    (epoch, index, component, others) to the component after the step; reads: the
    others.
    """

    number: int
    component: str
    kind: str
    change: Callable[..., tf.Tensor] | None = None
    reads: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class PeekWalk:
    """The way of the first `batch` examples.

    keys: (epoch, index) of examples in their order, with what else is needed to read
    them if the order comes with that; read: from a key without its epoch to what the
    source gives.
    """

    source: Source
    keys: tf.data.Dataset
    batch: int
    read: Callable[..., tuple[tf.Tensor, ...]]
    given: list[PeekStep]
    steps: list[PeekStep]

    @property
    def stages(self) -> list[PeekStep]:
        """What has a value: the source's components, then every step."""
        return [*self.given, *self.steps]

    def through(
        self, epoch: tf.Tensor, index: tf.Tensor, *rest: tf.Tensor
    ) -> tuple[tf.Tensor, ...]:
        """The index of an example, and its value at each stage."""
        values = list(self.read(index, *rest))
        names = [step.component for step in self.given]
        now = dict(zip(names, values, strict=True))
        for step in self.steps:
            assert step.change is not None
            read = [now[component] for component in (step.component, *step.reads)]
            now[step.component] = step.change(epoch, index, *read)
            values.append(now[step.component])
        return index, *values

    def examples(self) -> Iterator[tuple[int, list[np.ndarray]]]:
        """(index, its value at each stage) of every example of the batch.

        Raises InputError if one can't be read.
        """
        keys = self.keys.take(self.batch)
        with unreadable_named(self.source, self.source.keys, self.read):
            keys = completed_keys(self.source, keys)
        # One at a time: pictures as they are in their files may be large.
        with unreadable_named(self.source, lambda: keys, self.through):
            for index, *values in keys.map(self.through).as_numpy_iterator():
                yield int(index), [as_array(value) for value in values]


def as_array(value: object) -> np.ndarray:
    """The value as an array; text whole, which NumPy's own kind would cut."""
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


def with_first_epoch(keys: tf.data.Dataset) -> tf.data.Dataset:
    """(epoch, index, ...) for keys that come without an epoch."""
    return keys.map(lambda *key: (tf.constant(0, tf.int64), *key))


def completed_keys(source: Source, keys: tf.data.Dataset) -> tf.data.Dataset:
    """The keys with all that is needed to read them.

    What is kept in memory is found by its index alone. Here it is not kept, so records
    are looked for in their files.
    """
    if len(keys.element_spec) > len(source.keys().element_spec):
        return keys
    places = [(int(epoch), int(index)) for epoch, index in keys.as_numpy_iterator()]
    epochs, indices = np.array(places, np.int64).reshape(-1, 2).T
    wanted = np.zeros(source.count, bool)
    wanted[indices] = True
    member = tf.constant(wanted)
    found = source.keys().filter(lambda index, *rest: tf.gather(member, index))
    rests = {int(index): rest for index, *rest in found.take(int(wanted.sum()))}
    columns = zip(*(rests[int(index)] for index in indices), strict=True)
    parts = (epochs, indices, *(tf.stack(column) for column in columns))
    return tf.data.Dataset.from_tensor_slices(parts)


def peek_batch(
    run: Run, mode: str, split: str, walk: PeekWalk, most_pictures: int
) -> None:
    """Tells of a batch by one event `peeked`, and draws the pictures in it.

    Raises InputError if an example can't be read.
    """
    indices: list[int] = []
    figures = [PeekFigures(step.kind) for step in walk.stages]
    drawn: list[list[np.ndarray]] = [[] for _ in walk.stages]
    for index, values in walk.examples():
        before: dict[str, np.ndarray] = {}
        each = zip(walk.stages, figures, drawn, values, strict=True)
        for step, figure, pictures, value in each:
            figure.add(value, before.get(step.component))
            before[step.component] = value
            is_drawn = step.kind == "picture" and value.ndim == 3
            if is_drawn and len(indices) < most_pictures:
                pictures.append(value)
        indices.append(index)
    stages = [
        {"step": step.number, "component": step.component, **figure.told()}
        for step, figure in zip(walk.stages, figures, strict=True)
    ]
    run.reporter.event(
        "peeked",
        mode=mode,
        split=split,
        count=walk.source.count,
        examples=indices,
        stages=stages,
        rows=draw_pictures(run, mode, walk.stages, figures, drawn),
    )


def draw_pictures(
    run: Run,
    mode: str,
    steps: list[PeekStep],
    figures: list[PeekFigures],
    drawn: list[list[np.ndarray]],
) -> list[dict[str, object]]:
    """Writes `peek-MODE.png` into the run's folder; says what its rows are."""
    rows: list[dict[str, object]] = []
    pictures: list[list[np.ndarray]] = []
    scales: list[tuple[float, float]] = []
    for step, figure, row in zip(steps, figures, drawn, strict=True):
        if not row or figure.changed == 0:
            continue
        scale = scale_of_pictures(figure.dtype, figure.low, figure.high)
        stretched = scale not in ((0.0, 1.0), (0.0, 255.0))
        rows.append(
            {
                "step": step.number,
                "component": step.component,
                "pictures": len(row),
                "stretched": list(scale) if stretched else None,
            }
        )
        pictures.append(row)
        scales.append(scale)
    if rows:
        png = tf.io.encode_png(contact_sheet(pictures, scales))
        (run.folder / f"peek-{mode}.png").write_bytes(png.numpy())
    return rows
