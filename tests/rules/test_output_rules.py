"""Labels, outputs, metrics and rates: what each rule finds beside its own example."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check, compile_spec
from tfpc.rules.standard import whole_spec

WORDS = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    words = FIELD[16]
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  when(train) {
    shuffle
  }
  batch(32)
}

model classifier from images {
  LAYERS
  flatten
  dense(10)
}
"""
WITH_LABEL = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = LABEL
  }
}

model classifier from images {
  flatten
  LAST
}

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = LOSS
  metrics = [METRIC]
}
"""


def checked(blocks):
    """All of it, without a look at data."""
    return check(Source("x.tfp", whole_spec(blocks)), Options(look_at_data=False))


def slugs(blocks):
    """What is loud."""
    return [p.slug for p in checked(blocks).diagnostics if p.severity > Severity.NOTE]


def words(field, layers="embedding(6, 8)"):
    """A spec with that field and those first layers."""
    return WORDS.replace("FIELD", field).replace("LAYERS", layers)


ID = "embedding-id-out-of-range"


@pytest.mark.parametrize(
    ("blocks", "found"),
    [
        (words("int64(classes = 6)"), []),
        (words("int64(classes = 7)"), [ID]),
        (words("int64"), []),
        (words("float32"), [ID]),
        (words("int64(classes = 6)", "flatten\n  embedding(6, 8)"), []),
        (words("int64(classes = 7)", "flatten\n  embedding(6, 8)"), [ID]),
        (words("int64(classes = 6)", "dense(16)\n  embedding(6, 8)"), [ID]),
        (words("int64(classes = 6)", "dense(16, relu6)\n  embedding(7, 8)"), [ID]),
        (words("int64(classes = 6)", "dense(16, tanh)\n  embedding(7, 8)"), [ID]),
        (words("int64(classes = 6)", "dropout(0.1)\n  embedding(6, 8)"), [ID]),
    ],
)
def test_embeddings(blocks, found):
    assert slugs(blocks) == found


def test_the_message_of_fractions():
    text = render_all(checked(words("float32")).diagnostics)
    assert "`embedding` needs whole numbers" in text
    assert "is given float32[?, 16], which may have fractions" in text
    text = render_all(
        checked(
            words("int64(classes = 6)", "dense(9, tanh)\n  embedding(7, 8)")
        ).diagnostics
    )
    assert "count from zero" in text
    assert "is given values from -1 on" in text


@pytest.mark.parametrize(
    ("layers", "given"),
    [
        ("embedding(6, 8)", "int64[?, 16]"),
        (
            "merge(concat) {\n path { embedding(6, 8) }\n path { embedding(6, 4) }\n }",
            "int64[?, 16]",
        ),
        ("flatten\n embedding(6, 8)", "float32[?, 16]"),
        ("dense(4)", "float32[?, 16]"),
        (
            "merge(concat) {\n path { embedding(6, 8)\n flatten }\n path { dense(4) }\n }",
            "float32[?, 16]",
        ),
    ],
)
def test_numbers_of_words_stay_whole(layers, given):
    """In the plan, and in the program, where nothing is cast then."""
    source = Source("x.tfp", whole_spec(words("int64(classes = 6)", layers)))
    done = compile_spec(source, Options(look_at_data=False), ".")
    assert not done.failed, render_all(done.diagnostics)
    assert str(done.plan.model.input) == given
    is_whole = given.startswith("int64")
    assert ('dtype="int64", name="words")' in done.program) == is_whole
    assert ("tf.cast(words, tf.float32)" in done.program) != is_whole


def measured(label, last, loss, metric):
    """A spec with that label, end, loss and metric."""
    spec = WITH_LABEL.replace("LABEL", label).replace("LAST", last)
    return spec.replace("LOSS", loss).replace("METRIC", metric)


METRIC, TARGET = "metric-does-not-fit-output", "output-dimension-vs-target"


@pytest.mark.parametrize(
    ("label", "last", "loss", "metric", "found"),
    [
        ("float32", "dense(1)", "mse", "mae", []),
        ("float32", "dense(1)", "mse", "accuracy", [METRIC]),
        ("float32", "dense(1)", "mse", "auc", [METRIC]),
        ("float32[3]", "dense(3)", "mse", "mae", []),
        ("float32[2]", "dense(3)", "mse", "mae", [TARGET]),
        ("float32", "dense(3)", "huber", "mae", [TARGET]),
        ("float32[3]", "dense(2)", "crossentropy", "accuracy", [TARGET]),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "mae", [METRIC]),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "precision", [METRIC]),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "recall", [METRIC]),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "top_k(k = 3)", [METRIC]),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "top_k(k = 2)", []),
        ("int64(classes = 3)", "dense(3)", "crossentropy", "auc", []),
        ("int64(classes = 2)", "dense(2)", "crossentropy", "precision", []),
        ("int64(classes = 2)", "dense(1)", "crossentropy", "recall", []),
        (
            "int64(classes = 1)",
            "dense(1)",
            "crossentropy",
            "accuracy",
            ["only-one-class"],
        ),
        (
            "int64(classes = 1)",
            "dense(3)",
            "crossentropy",
            "accuracy",
            ["only-one-class"],
        ),
        (
            "int64(classes = 3)",
            "dense(4)",
            "crossentropy",
            "accuracy",
            ["more-scores-than-classes"],
        ),
        (
            "int64(classes = 4)",
            "dense(3)",
            "crossentropy",
            "accuracy",
            ["labels-out-of-range"],
        ),
        # One unit for more than two classes is not a second finding.
        (
            "int64(classes = 3)",
            "dense(1)",
            "crossentropy",
            "accuracy",
            ["labels-out-of-range"],
        ),
    ],
)
def test_labels_and_outputs(label, last, loss, metric, found):
    assert slugs(measured(label, last, loss, metric)) == found


def test_a_folder_above_the_classes(tmp_path):
    """The folder that was unpacked, with one folder in it that holds the classes."""
    for name in "ab":
        (tmp_path / "photos" / "train").mkdir(parents=True, exist_ok=True)
        (tmp_path / "photos" / "train" / f"{name}.png").write_bytes(b"")
    spec = whole_spec('data digits {\n  train = image_folder("photos")\n}\n')
    spec = spec.replace("dense(10)", "dense(digits.classes)").replace("(32)", "(2)")
    problems = check(Source(str(tmp_path / "x.tfp"), spec), Options()).diagnostics
    (problem,) = [each for each in problems if each.severity > Severity.NOTE]
    assert problem.slug == "only-one-class"
    assert problem.primary.text == 'the only class is "train"'
    assert problem.fix.text == "name the folder whose sub-folders are the classes"


SIGMOID = "sigmoid-vs-label-rank"


@pytest.mark.parametrize(
    ("label", "last", "loss", "found"),
    [
        (
            "int64(classes = 3)",
            "dense(3, activation = sigmoid)",
            "crossentropy",
            [SIGMOID],
        ),
        ("int64(classes = 3)", "dense(3)\n  sigmoid", "crossentropy", [SIGMOID]),
        ("int64(classes = 3)", "dense(3)\n  hard_sigmoid", "crossentropy", [SIGMOID]),
        ("float32[3]", "dense(3)\n  sigmoid", "crossentropy", [SIGMOID]),
        ("int64(classes = 2)", "dense(2)\n  sigmoid", "crossentropy", [SIGMOID]),
        ("int64(classes = 2)", "dense(1)\n  sigmoid", "crossentropy", []),
        ("float32[3]", "dense(3)\n  sigmoid", "mse", []),
        (
            "int64(classes = 3)",
            "dense(3)\n  sigmoid",
            "crossentropy(from_logits = true)",
            ["softmax-and-from-logits"],
        ),
    ],
)
def test_sigmoids(label, last, loss, found):
    metric = "mae" if loss == "mse" else "accuracy"
    assert slugs(measured(label, last, loss, metric)) == found


HIGH = ["learning-rate-too-high"]


@pytest.mark.parametrize(
    ("optimizer", "found"),
    [
        ("adam(0.1)", HIGH),
        ("adam(0.09)", []),
        ("adamw(1)", HIGH),
        ("rmsprop(0.5)", HIGH),
        ("sgd(1)", []),
        ("sgd(10)", HIGH),
        ("sgd(9.9, momentum = 0.9)", []),
        ("adam(cosine(peak = 0.1))", HIGH),
        ("adam(constant(peak = 0.01))", []),
        ("adam(polynomial_decay(peak = 0.2))", HIGH),
        ("adam(exponential_decay(peak = 0.2, decay_rate = 0.5, every = 1epoch))", HIGH),
        ("adam(piecewise_constant([1epoch], [0.01, 0.2]))", HIGH),
        ("sgd(piecewise_constant([1epoch], [0.01, 0.2]))", []),
    ],
)
def test_learning_rates(optimizer, found):
    train = f"train classifier {{\n  epochs = 2\n  optimizer = {optimizer}\n"
    assert slugs(train + "  loss = crossentropy\n}") == found


BIAS = "bias-before-batch-normalization"


@pytest.mark.parametrize(
    ("layers", "count"),
    [
        ("conv2d(8, 3)\n  batch_normalization", 1),
        ("conv2d(8, 3, use_bias = true)\n  batch_normalization", 1),
        ("conv2d(8, 3, use_bias = false)\n  batch_normalization", 0),
        ("conv2d(8, 3, activation = relu)\n  batch_normalization", 0),
        ("conv2d(8, 3)\n  relu\n  batch_normalization", 0),
        ("flatten\n  dense(8)\n  batch_normalization", 1),
        ("flatten\n  dense(8)\n  layer_normalization", 0),
        ("repeat(3) {\n conv2d(8, 3, padding = same)\n batch_normalization\n }", 1),
        ("conv2d(8, 3) as above\n batch_normalization\n add(above)", 0),
    ],
)
def test_biases(layers, count):
    model = f"model classifier from images {{\n  {layers}\n  flatten\n  dense(10)\n}}"
    found = checked(model).diagnostics
    assert [each.slug for each in found] == [BIAS] * count


def test_what_a_bias_changes_is_taken_away():
    """The rule's own claim: on numbers, with any bias."""
    import random

    draw = random.Random(0)
    values = [draw.gauss(0, 1) for _ in range(100)]

    def normalized(bias):
        moved = [value + bias for value in values]
        mean = sum(moved) / len(moved)
        variance = sum((value - mean) ** 2 for value in moved) / len(moved)
        return [(value - mean) / (variance + 1e-3) ** 0.5 for value in moved]

    assert normalized(3.0) == pytest.approx(normalized(0.0), abs=1e-12)


@pytest.mark.parametrize(
    ("monitor", "found"),
    [
        ("log(every = 1step)", ["per-step-host-work"]),
        ("log(every = 2steps)", []),
        ("tensorboard(every = 1step)", ["per-step-host-work"]),
        ("tensorboard", []),
    ],
)
def test_host_work(monitor, found):
    assert slugs(f"observe {{\n  {monitor}\n}}") == found


def test_a_short_try_may_be_looked_at_step_by_step(pictures):
    spec = whole_spec("""
data digits {
  train = image_folder("ten_pictures")
}

model classifier from images {
  flatten
  dense(2)
}

observe {
  log(every = 1step)
}
""")
    rules = {"per-step-host-work"}

    def found(batch):
        text = spec.replace("batch(32)", f"batch({batch})")
        source = Source(str(pictures / "x.tfp"), text)
        return check(source, Options(rules=rules)).diagnostics

    assert not found(2)
    assert not found(1)
