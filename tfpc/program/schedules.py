"""Learning rates that change from step to step."""

from __future__ import annotations

import keras


def cosine(
    peak: float, floor: float, warmup: int, steps: int
) -> keras.optimizers.schedules.LearningRateSchedule:
    """Rises in a line for `warmup` steps to `peak`, then falls along half a cosine.

    It reaches `floor` after `steps` steps in all. Raises ValueError if the warm-up
    leaves no step to fall in.
    """
    if warmup >= steps:
        raise ValueError(
            f"the learning rate rises for {warmup} steps, but the training has only "
            f"{steps}: shorten the warm-up, or train for longer"
        )
    return keras.optimizers.schedules.CosineDecay(
        initial_learning_rate=0.0 if warmup else peak,
        decay_steps=steps - warmup,
        alpha=floor / peak,
        warmup_target=peak if warmup else None,
        warmup_steps=warmup,
    )
