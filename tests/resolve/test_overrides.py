"""`--set path=value`: what it reaches, and that it does what an edit would do."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.span import Source
from tfpc.resolve.paths import all_paths
from tfpc.resolve.resolve import resolve
from tfpc.resolve.tree import Entry
from tfpc.spec.decode import decode
from tfpc.spec.model import Spec
from tfpc.syntax.parser import parse

SPEC = """\
data digits {
  train = tfrecord("train-*.tfrecord")
  validation = split(20%, seed = 1)
  limit = 100
  schema {
    image = string(key = "image/encoded")
    label = int64(classes = 10)
  }
}

pipeline images from digits {
  decode_png(channels = 1)
  when(train) {
    shuffle
    random_crop(8, 8, padding = 2) as cropped
  }
  normalize(mean = [127.5], std = [127.5])
  batch(32)
}

model classifier from images {
  conv2d(8, 3, activation = relu)
  repeat(2) {
    residual(shortcut = conv2d(8, 1)) {
      batch_normalization
    }
  }
  flatten
  dense(20) as hidden
  dense(10) as scores
}

train classifier {
  epochs = 2
  optimizer = adam(cosine(peak = 1e-3, warmup = 1epoch))
  loss = crossentropy
  metrics = [accuracy]
}

observe {
  log(every = 10steps)
  checkpoint(keep = 3)
}

strategy = auto
seed = 7
"""


def spec_of(text: str, *settings: str) -> Spec:
    document, problems = parse(Source("spec.tfp", text))
    assert document is not None, problems
    resolved, problems = resolve(document, settings, lambda node, fact: 10)
    assert resolved is not None, [problem.headline for problem in problems]
    spec, problems = decode(resolved)
    assert spec is not None, [problem.headline for problem in problems]
    return spec


def words_of(spec: Spec) -> object:
    """All that a spec says, without where it says it."""

    def of_placed(placed):
        return placed.word, placed.alias, [of_placed(each) for each in placed.body]

    data, pipeline, model, train = spec.data, spec.pipeline, spec.model, spec.train
    return (
        {name: of_placed(each) for name, each in data.sources.items()},
        (data.label, data.limit),
        {name: of_placed(each) for name, each in (data.schema or {}).items()},
        [of_placed(each) for each in pipeline.steps],
        [of_placed(each) for each in model.layers],
        (train.epochs, of_placed(train.optimizer), of_placed(train.loss)),
        [of_placed(each) for each in train.metrics],
        [of_placed(each) for each in spec.monitors],
        (spec.strategy.word, spec.precision, spec.seed, spec.determinism),
    )


# The override, and the same change made in the text.
CHANGES = {
    "train.epochs=5": ("epochs = 2", "epochs = 5"),
    "train.classifier.epochs=5": ("epochs = 2", "epochs = 5"),
    "classifier.epochs=5": ("epochs = 2", "epochs = 5"),
    "seed=1": ("seed = 7", "seed = 1"),
    "strategy=single": ("strategy = auto", "strategy = single"),
    "determinism=true": ("seed = 7", "seed = 7\ndeterminism = true"),
    "precision=float32": ("seed = 7", "seed = 7\nprecision = float32"),
    "data.limit=3": ("limit = 100", "limit = 3"),
    "digits.limit=3": ("limit = 100", "limit = 3"),
    "data.digits.limit=3": ("limit = 100", "limit = 3"),
    'data.train.files="x"': ('"train-*.tfrecord"', '"x"'),
    'data.train=image_folder("x")': (
        'tfrecord("train-*.tfrecord")',
        'image_folder("x")',
    ),
    "data.validation.part=10": ("split(20%, seed = 1)", "split(10, seed = 1)"),
    "data.validation.seed=2": ("seed = 1)", "seed = 2)"),
    "data.label=image": ("limit = 100", "limit = 100\n  label = image"),
    'data.test=tfrecord("t")': ("limit = 100", 'limit = 100\n  test = tfrecord("t")'),
    "data.schema.label.classes=5": ("classes = 10", "classes = 5"),
    'data.schema.label.key="y"': ("int64(classes", 'int64(key = "y", classes'),
    "pipeline.images.batch.size=64": ("batch(32)", "batch(64)"),
    "pipeline.batch.size=64": ("batch(32)", "batch(64)"),
    "images.batch.size=64": ("batch(32)", "batch(64)"),
    "batch.size=64": ("batch(32)", "batch(64)"),
    "pipeline.shuffle.buffer=100": ("shuffle", "shuffle(buffer = 100)"),
    "pipeline.when.shuffle.buffer=100": ("shuffle", "shuffle(buffer = 100)"),
    "cropped.padding=1": ("padding = 2", "padding = 1"),
    "random_crop.height=4": ("crop(8, 8", "crop(4, 8"),
    "pipeline.normalize.mean=[1.0]": ("mean = [127.5]", "mean = [1.0]"),
    "model.hidden.units=5": ("dense(20)", "dense(5)"),
    "hidden.units=5": ("dense(20)", "dense(5)"),
    "hidden.activation=relu": ("dense(20)", "dense(20, relu)"),
    "model.conv2d.filters=9": ("conv2d(8, 3", "conv2d(9, 3"),
    "model.repeat.count=3": ("repeat(2)", "repeat(3)"),
    "model.residual.shortcut=identity": ("= conv2d(8, 1)", "= identity"),
    "model.residual.shortcut.filters=9": ("conv2d(8, 1)", "conv2d(9, 1)"),
    "model.repeat.residual.batch_normalization.momentum=0.5": (
        "batch_normalization",
        "batch_normalization(momentum = 0.5)",
    ),
    "train.optimizer=sgd(0.1)": (
        "adam(cosine(peak = 1e-3, warmup = 1epoch))",
        "sgd(0.1)",
    ),
    "train.optimizer.learning_rate=0.1": (
        "cosine(peak = 1e-3, warmup = 1epoch)",
        "0.1",
    ),
    "train.optimizer.learning_rate.peak=0.1": ("peak = 1e-3", "peak = 0.1"),
    "train.optimizer.learning_rate.floor=1e-9": (
        "warmup = 1epoch",
        "warmup = 1epoch, floor = 1e-9",
    ),
    "train.optimizer.beta_1=0.5": ("1epoch))", "1epoch), beta_1 = 0.5)"),
    "train.loss.from_logits=true": ("crossentropy", "crossentropy(from_logits = true)"),
    "train.metrics=[]": ("[accuracy]", "[]"),
    "observe.log.every=1step": ("10steps", "1step"),
    "log.every=1step": ("10steps", "1step"),
    "observe.checkpoint.every=2epochs": ("keep = 3", "keep = 3, every = 2epochs"),
}


@pytest.mark.parametrize("override", CHANGES)
def test_an_override_is_an_edit(override):
    old, new = CHANGES[override]
    assert SPEC.count(old) >= 1
    edited = words_of(spec_of(SPEC.replace(old, new, 1)))
    assert words_of(spec_of(SPEC, override)) == edited
    assert override == "precision=float32" or edited != words_of(spec_of(SPEC))


def present_paths() -> dict[str, str]:
    document, _ = parse(Source("spec.tfp", SPEC))
    assert document is not None
    resolved, _ = resolve(document, (), lambda node, fact: 10)
    assert resolved is not None
    found = all_paths(resolved.items)
    return {path: each.span.text for path, each in found.items() if each is not None}


@pytest.mark.parametrize("path", present_paths())
def test_setting_what_is_there_changes_nothing(path):
    override = f"{path}={present_paths()[path]}"
    assert words_of(spec_of(SPEC, override)) == words_of(spec_of(SPEC))


def test_many_paths_are_tried():
    paths = present_paths()
    assert len(paths) > 30
    assert {"seed", "train.epochs", "model.hidden.units"} <= set(paths)


def test_the_last_override_wins():
    settings = ("train.epochs=5", "train.epochs=6", "seed=1", "seed=2")
    spec = spec_of(SPEC, *settings)
    assert (spec.train.epochs, spec.seed) == (6, 2)


def test_overrides_build_on_each_other():
    settings = ("train.optimizer=sgd(0.1)", "train.optimizer.momentum=0.5")
    word = spec_of(SPEC, *settings).train.optimizer.word
    assert (word.word, word.learning_rate, word.momentum) == ("sgd", 0.1, 0.5)


def test_a_value_says_that_it_was_set_on_the_command_line(resolve_text):
    resolved, _ = resolve_text("seed = 7\n", "seed=1")
    entry = resolved.items[0]
    assert isinstance(entry, Entry)
    assert (entry.value.content, entry.value.how) == (1, "set by --set")
    assert str(entry.value.span) == "command line:1:12"
    assert entry.value.origin == entry.value.span


def test_an_override_may_use_a_let_and_says_so(resolve_text):
    resolved, _ = resolve_text("let other = 3\nseed = 7\n", "seed=other")
    value = resolved.items[0].value
    assert (value.content, value.how) == (3, "set by `let other`")
    assert value.span.source.name == "command line"


def test_a_deep_path_of_equal_words_ends(resolve_text):
    depth = 60
    text = (
        "model m from p {\n"
        + "residual {\n" * depth
        + "dense(3)\n"
        + "}\n" * depth
        + "}"
    )
    path = ".".join(["residual"] * (depth // 2))
    resolved, problems = resolve_text(text, f"{path}.x=1")
    assert resolved is None
    assert problems[0].code == "TFP110"


@pytest.mark.parametrize("text", [SPEC, "a = digits.classes\n" + SPEC])
def test_a_wrong_value_for_the_data_is_told_once(resolve_text, text):
    resolved, problems = resolve_text(text, "digits.limit=1/0", facts={"classes": 10})
    assert resolved is None
    assert [problem.headline for problem in problems] == ["this divides by zero"]
