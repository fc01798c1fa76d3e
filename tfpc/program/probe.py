"""What TensorFlow has on this machine: a program of its own, started by `tfpc doctor`.

It writes one JSON object a line, stage by stage, so that a crash or hang leaves what
was found before it. What it does with GPUs has not been run on GPUs.
"""

from __future__ import annotations

import json
from typing import Any


def probe_machine(path: str) -> None:
    """Writes what there is into the file `path`, stage after stage."""
    with open(path, "w", encoding="utf-8") as file:

        def tell(stage: str, **values: Any) -> None:
            file.write(json.dumps({"stage": stage, **values}, default=str) + "\n")
            file.flush()

        try:
            probe_stages(tell)
        except BaseException as problem:
            said = str(problem).strip()
            tell("failed", kind=type(problem).__name__, message=said)


def probe_stages(tell: Any) -> None:
    """Import, devices, a gradient on the CPU, one on each GPU."""
    import tensorflow as tf

    build = tf.sysconfig.get_build_info()
    tell("imported", version=tf.__version__, file=tf.__file__, build=dict(build))
    import keras

    tell("keras", version=keras.__version__)
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        # What others have on it is to stay there.
        tf.config.experimental.set_memory_growth(gpu, True)
    details = [tf.config.experimental.get_device_details(gpu) for gpu in gpus]
    tell("devices", gpus=details)
    probe_gradient("/cpu:0")
    tell("computed")
    for number in range(len(gpus)):
        try:
            probe_gradient(f"/gpu:{number}")
        except Exception as problem:
            tell("gpu_failed", gpu=number, message=str(problem).strip())
        else:
            tell("gpu_computed", gpu=number)


def probe_gradient(device: str) -> None:
    """A step of training in small: a convolution, its gradient, an update."""
    import keras
    import tensorflow as tf

    with tf.device(device):
        layer = keras.layers.Conv2D(2, 3)
        images = tf.ones((2, 8, 8, 3))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer(images) ** 2)
        gradients = tape.gradient(loss, layer.trainable_variables)
        optimizer = keras.optimizers.SGD(0.1)
        optimizer.apply_gradients(
            zip(gradients, layer.trainable_variables, strict=True)
        )
        if not bool(tf.math.is_finite(loss)):
            raise ArithmeticError("the loss of a small step is not finite")
