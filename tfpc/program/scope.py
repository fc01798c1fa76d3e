"""Checks before the first step that every variable belongs to the strategy."""

from __future__ import annotations

from collections.abc import Sequence

import keras
import tensorflow as tf


def check_scope(
    strategy: tf.distribute.Strategy, *owners: Sequence[keras.Variable]
) -> None:
    """Raises RuntimeError and names the variables made outside `strategy.scope()`."""
    outside = [
        variable.path
        for variables in owners
        for variable in variables
        if not strategy.extended.variable_created_in_scope(variable.value)
    ]
    if outside:
        raise RuntimeError(
            f"made outside strategy.scope(): {', '.join(outside)}. They would live on "
            "one device only"
        )
