"""The program has the monitors that a spec asks for, and nothing of the others."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec
from tfpc.rules.standard import whole_spec

MEASURED = """\
data flowers {
  train = tfrecord("flowers-*.tfrecord")
  schema {
    sizes = float32[4]
    label = int64(classes = 3)
  }
}

pipeline measures from flowers {
  shuffle
  batch(32)
}

model classifier from measures {
  dense(3)
}

train classifier {
  epochs = 2
  optimizer = sgd(learning_rate = 0.1)
  loss = crossentropy
}
"""


def program(text):
    """What is written for a spec, without looking at its data."""
    done = compile_spec(Source("spec.tfp", text), Options(look_at_data=False), ".")
    assert done.program is not None, render_all(done.diagnostics)
    return done.program


def observing(monitors):
    return whole_spec(f"observe {{\n{monitors}\n}}\n")


def test_charts_alone_bring_no_pictures():
    text = program(observing("  tensorboard"))
    assert "charts = Charts(run, None)" in text
    assert "class Tensorboard(Monitor)" in text
    assert "ShownPictures" not in text
    assert "pictures.keep" not in text


def test_pictures_are_taken_in_the_step_and_before_what_the_device_does():
    text = program(observing('  tensorboard("c", images = 2)'))
    step = text[text.index("    def train_step(") :]
    step = step[: step.index("with tf.GradientTape()")]
    assert step.index("pictures.keep(image)") < step.index("on_device(image)")
    # uint8, whatever the range of what is made of it.
    assert "ShownPictures(charts, 2, (8, 8, 1), low=0, high=255)" in text


def test_what_is_no_picture_is_not_shown_but_warned_of():
    text = program(MEASURED + "\nobserve {\n  tensorboard(images = 4)\n}\n")
    assert "ShownPictures" not in text
    assert '"the model takes float32[4], which is no picture: charts show none"' in text


def test_a_checkpoint_comes_after_what_it_remembers():
    text = program(observing("  checkpoint\n  tensorboard\n  stop_after(1min)"))
    assert "[stop_after, tensorboard, checkpoint]" in text
    assert "Checkpoint(run, [stop_after, tensorboard], keep=3, epochs=1)" in text


def test_no_monitors_no_code():
    text = program(observing("  log(every = 5steps)"))
    for word in ("Charts", "StopAfter", "tfevents", "memory_limit"):
        assert word not in text


@pytest.mark.parametrize(
    ("setting", "call"),
    [
        ("", "memory_growth(run.reporter, asked=False)"),
        ("memory = growth", "memory_growth(run.reporter, asked=True)"),
        ("memory = limit(1.5GiB)", "memory_limit(run.reporter, 1536)"),
        ("memory = async", "memory_async(run.reporter)"),
    ],
)
def test_memory_is_set_before_any_device_is_asked_for(setting, call):
    text = program(whole_spec(f"{setting}\n"))
    assert text.index(f"    {call}") < text.index("strategy = one_device(")
    allocator = 'os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async"'
    assert (allocator in text) is (setting == "memory = async")
    if allocator in text:
        assert text.index(allocator) < text.index("import tensorflow")
