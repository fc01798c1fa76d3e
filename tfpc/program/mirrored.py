"""Several devices of one machine, each with a copy of all variables."""

from __future__ import annotations

from collections.abc import Iterator

import tensorflow as tf

from tfpc.program.failures import DeviceError
from tfpc.program.reporter import Reporter

REDUCTIONS = {
    "nccl": tf.distribute.NcclAllReduce,
    "hierarchical": tf.distribute.HierarchicalCopyAllReduce,
    "one_device": tf.distribute.ReductionToOneDevice,
}


def mirrored_gpus(
    reporter: Reporter, count: int | None, reduce: str, place: str
) -> tf.distribute.Strategy:
    """The first `count` GPUs, or all. Raises DeviceError if there are fewer.

    TensorFlow itself says nothing of a GPU that is missing, and puts its replica on
    the CPU. reduce: one of REDUCTIONS, or `auto` (NCCL where it is there). This has
    not been run on GPUs.
    """
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus or len(gpus) < (count or 1):
        asked = "GPUs" if count is None else f"{count} GPU{'s' * (count > 1)}"
        seen = f"sees {len(gpus)}" if gpus else "sees none"
        raise DeviceError(f"the spec asks for {asked}, and TensorFlow {seen}", place)
    used = [f"/gpu:{number}" for number in range(count or len(gpus))]
    reporter.decided("devices", ", ".join(used), f"TensorFlow sees {len(gpus)} GPUs")
    if reduce == "auto":
        return tf.distribute.MirroredStrategy(used)
    return tf.distribute.MirroredStrategy(used, REDUCTIONS[reduce]())


def mirrored_cpus(reporter: Reporter, count: int) -> tf.distribute.Strategy:
    """The processor as `count` devices, to try out what needs several."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    parts = [tf.config.LogicalDeviceConfiguration()] * count
    tf.config.set_logical_device_configuration(cpu, parts)
    reporter.decided("devices", f"{count} parts of the CPU", "the spec says so")
    return tf.distribute.MirroredStrategy([f"/cpu:{n}" for n in range(count)])


def divided(
    strategy: tf.distribute.Strategy, batches: tf.data.Dataset
) -> Iterator[tuple[tf.Tensor, ...]]:
    """An iterator whose batches lie on the replicas, a part of each on every one."""
    return iter(strategy.experimental_distribute_dataset(batches))


def check_share(
    strategy: tf.distribute.Strategy, batch: int, reporter: Reporter, place: str
) -> None:
    """Raises DeviceError if a batch leaves a replica without an example.

    A batch of b on n replicas is cut into parts of ceil(b / n), the last ones smaller.
    """
    replicas = strategy.num_replicas_in_sync
    part = -(-batch // replicas)
    if batch <= (replicas - 1) * part:
        busy = -(-batch // part)
        raise DeviceError(
            f"a batch of {batch} is cut into {busy} parts of at most {part}, which "
            f"leaves {replicas - busy} of {replicas} devices without work",
            place,
        )
    if batch % replicas:
        reporter.warn(
            "uneven-batch",
            f"a batch of {batch} does not divide among {replicas} devices: the last "
            f"one does {batch - (replicas - 1) * part} examples a step, the others "
            f"{part}",
        )
