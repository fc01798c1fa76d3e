"""What is asked of TensorFlow for the memory of GPUs, by a list of devices that has some."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.tensorflow


class Said:
    """A reporter that keeps what was decided."""

    def __init__(self):
        self.lines = []

    def decided(self, what, value, why):
        self.lines.append((what, value, why))


@pytest.fixture
def memory(monkeypatch):
    """The part, whose TensorFlow has `machine.gpus` and notes in `machine.calls`."""
    from tfpc.program import memory

    machine = SimpleNamespace(gpus=["GPU:0", "GPU:1"], calls=[])

    def noted(name):
        return lambda *given: machine.calls.append((name, *given))

    config = SimpleNamespace(
        list_physical_devices=lambda kind: machine.gpus if kind == "GPU" else ["CPU:0"],
        experimental=SimpleNamespace(set_memory_growth=noted("growth")),
        set_logical_device_configuration=noted("logical"),
        LogicalDeviceConfiguration=memory.tf.config.LogicalDeviceConfiguration,
    )
    monkeypatch.setattr(memory, "tf", SimpleNamespace(config=config))
    return SimpleNamespace(part=memory, machine=machine, said=Said())


@pytest.mark.parametrize(
    ("asked", "why"), [(True, "the spec says so"), (False, "the default")]
)
def test_growth_is_set_on_all_gpus_and_said(memory, asked, why):
    memory.part.memory_growth(memory.said, asked=asked)
    assert memory.machine.calls == [
        ("growth", "GPU:0", True),
        ("growth", "GPU:1", True),
    ]
    assert memory.said.lines == [("memory", "grows as it is needed", why)]


def test_a_limit_makes_one_logical_device_of_each_gpu(memory):
    memory.part.memory_limit(memory.said, 70 * 1024)
    names = [call[:2] for call in memory.machine.calls]
    # Growth beside it is refused by TensorFlow.
    assert names == [("logical", "GPU:0"), ("logical", "GPU:1")]
    for *_, configurations in memory.machine.calls:
        (only,) = configurations
        assert only.memory_limit == 71_680
    assert memory.said.lines == [
        ("memory", "71,680 MiB of each GPU", "the spec says so")
    ]


def test_async_grows_too(memory):
    memory.part.memory_async(memory.said)
    assert [call[0] for call in memory.machine.calls] == ["growth", "growth"]
    assert "CUDA" in memory.said.lines[0][1]


def test_without_a_gpu_it_is_said_that_nothing_is_done(memory):
    memory.machine.gpus = []
    memory.part.memory_growth(memory.said, asked=True)
    memory.part.memory_limit(memory.said, 1024)
    memory.part.memory_async(memory.said)
    assert memory.machine.calls == []
    assert [line[:2] for line in memory.said.lines] == [
        ("memory", "nothing to set")
    ] * 3


def test_the_default_says_nothing_without_a_gpu(memory):
    memory.machine.gpus = []
    memory.part.memory_growth(memory.said, asked=False)
    assert memory.said.lines == []


def test_tensorflow_takes_the_limit_that_is_made():
    import tensorflow as tf
    from tensorflow.python.eager.context import Context, PhysicalDevice

    gpu = PhysicalDevice("/physical_device:GPU:0", "GPU")
    context = Context()
    context._physical_devices = [gpu]
    context._physical_device_to_index = {gpu: 0}
    context._visible_device_list = [gpu]
    context._memory_growth_map = {gpu: None}
    only = tf.config.LogicalDeviceConfiguration(memory_limit=2048)
    context._virtual_device_map = {gpu: [only]}
    options = context._compute_gpu_options()
    assert list(options.experimental.virtual_devices[0].memory_limit_mb) == [2048]
