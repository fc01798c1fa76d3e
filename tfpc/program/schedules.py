"""Learning rates that change from step to step."""

from __future__ import annotations

import itertools

import keras


class Warmup(keras.optimizers.schedules.LearningRateSchedule):
    """Rises in a line to `peak` for `warmup` steps, then another schedule begins.

    That one counts its own steps from zero.
    """

    def __init__(
        self,
        peak: float,
        warmup: int,
        after: keras.optimizers.schedules.LearningRateSchedule,
    ) -> None:
        self.peak = peak
        self.warmup = warmup
        self.after = after

    def __call__(self, step: int) -> keras.KerasTensor:
        """The learning rate of a step, float32."""
        step = keras.ops.cast(step, "float32")
        rising = self.peak * step / self.warmup
        after = self.after(keras.ops.maximum(step - self.warmup, 0.0))
        return keras.ops.where(step < self.warmup, rising, after)

    def get_config(self) -> dict[str, object]:
        """The arguments."""
        return {"peak": self.peak, "warmup": self.warmup, "after": self.after}


def check_warmup(warmup: int, steps: int) -> None:
    """Raises ValueError if the warm-up leaves no step of the training."""
    if warmup >= steps:
        raise ValueError(
            f"the learning rate rises for {warmup} steps, but the training has only "
            f"{steps}: shorten the warm-up, or train for longer"
        )


def warmed_up(
    peak: float,
    warmup: int,
    steps: int,
    after: keras.optimizers.schedules.LearningRateSchedule,
) -> keras.optimizers.schedules.LearningRateSchedule:
    """The schedule with a warm-up before it, if there is one.

    steps: of the whole training. Raises ValueError if the warm-up leaves none of them.
    """
    check_warmup(warmup, steps)
    return Warmup(peak, warmup, after) if warmup else after


def constant(
    peak: float, warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises in a line for `warmup` steps to `peak`, where it stays.

    Raises ValueError if the warm-up is as long as the training.
    """
    # From `peak` to `peak`: Keras has no schedule for what does not change.
    staying = keras.optimizers.schedules.PolynomialDecay(peak, 1, peak)
    return warmed_up(peak, warmup, steps, staying)


def cosine(
    peak: float, floor: float, warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises in a line for `warmup` steps to `peak`, then falls along half a cosine.

    It reaches `floor` after `steps` steps in all. Raises ValueError if the warm-up
    leaves no step to fall in.
    """
    check_warmup(warmup, steps)
    return keras.optimizers.schedules.CosineDecay(
        initial_learning_rate=0.0 if warmup else peak,
        decay_steps=steps - warmup,
        alpha=floor / peak,
        warmup_target=peak if warmup else None,
        warmup_steps=warmup,
    )


def polynomial_decay(
    peak: float, floor: float, power: float, warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises in a line for `warmup` steps to `peak`, then falls as a power of the rest.

    It reaches `floor` after `steps` steps in all. Raises ValueError if the warm-up
    leaves no step to fall in.
    """
    check_warmup(warmup, steps)
    falling = keras.optimizers.schedules.PolynomialDecay(
        peak, steps - warmup, floor, power
    )
    return warmed_up(peak, warmup, steps, falling)


def exponential_decay(
    peak: float,
    decay_rate: float,
    every: int,
    staircase: bool,
    warmup: int,
    steps: int,
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises for `warmup` steps to `peak`, then falls by a factor in `every` steps.

    Raises ValueError if the warm-up is as long as the training.
    """
    # A small part of an epoch can come to no step at all.
    falling = keras.optimizers.schedules.ExponentialDecay(
        peak, max(every, 1), decay_rate, staircase
    )
    return warmed_up(peak, warmup, steps, falling)


def piecewise_constant(
    boundaries: list[int], values: list[float], warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """`values[0]` in the steps below `boundaries[0]`, and so on; `values[-1]` at last.

    Before, it rises in a line for `warmup` steps. Raises ValueError if that leaves no
    step to one of the values.
    """
    for low, high in itertools.pairwise([warmup, *boundaries]):
        if low >= high:
            raise ValueError(
                f"the learning rate should change after {low} steps, and again after "
                f"{high}: move the boundaries apart, or shorten the warm-up"
            )
    # Keras keeps a value in the step of its boundary, too.
    ends = [boundary - warmup - 1 for boundary in boundaries]
    pieces = keras.optimizers.schedules.PiecewiseConstantDecay(ends, values)
    return warmed_up(values[0], warmup, steps, pieces)
