"""What a right spec says once it is decoded, with its defaults and its places."""

from __future__ import annotations

import pytest

from tfpc.diagnostics.span import Source
from tfpc.resolve.resolve import resolve
from tfpc.spec.decode import decode_data
from tfpc.spec.expectation import expectations
from tfpc.syntax.parser import parse
from tfpc.types.quantity import Epochs, Percent, Seconds, Steps
from tfpc.vocabulary.bare_name import OfMetric
from tfpc.vocabulary.convolution import Conv2d
from tfpc.vocabulary.monitor import Checkpoint, StopEarly
from tfpc.vocabulary.optimizer import Adam
from tfpc.vocabulary.settings import Float32, Single
from tfpc.vocabulary.structure import Residual

SPEC = """\
let size = 32

data cifar {
  train = image_folder("data/${size}")
  validation = split(20%)
  test = split(100, seed = 3)
  limit = 1_000
}

pipeline images from cifar {
  decode_jpeg(channels = 3)
  resize(size, size)
  when(train) {
    shuffle
    random_flip(horizontal) as flipped
  }
  normalize(mean = [1, 2.5, 3], std = [1.0, 1.0, 1.0])
  batch(8 * 16)
}

model classifier from images {
  conv2d(32, [3, 5], strides = 2, padding = same, activation = relu)
  residual(shortcut = conv2d(32, 1)) {
    repeat(2) {
      conv2d(32, 3, padding = same)
    }
  }
  flatten
  dropout(0.5)
  dense(cifar.classes)
}

train classifier {
  epochs = 3
  optimizer = adam(cosine(peak = 1e-3, warmup = 0.5epochs), weight_decay = 0)
  loss = crossentropy(from_logits = true)
  metrics = [accuracy]
}

observe {
  log(every = 100steps)
  checkpoint(every = 30min, monitor = validation.accuracy)
  stop_early(validation.loss, patience = 3epochs)
}

strategy = single
seed = 7
determinism = true
"""


@pytest.fixture(scope="module")
def spec(spec_of):
    return spec_of(SPEC)


def test_data(spec):
    data = spec.data
    assert (data.name, data.label, data.limit, data.schema) == (
        "cifar",
        "label",
        1000,
        None,
    )
    assert list(data.sources) == ["train", "validation", "test"]
    assert data.sources["train"].word.folder == "data/32"
    assert data.sources["validation"].word.part == Percent(0.2)
    assert (data.sources["test"].word.part, data.sources["test"].word.seed) == (100, 3)


def test_splits_stand_in_the_order_in_which_they_are_used(spec_of):
    data = spec_of(
        'data d {\n  test = tfrecord("c")\n  train = tfrecord("a")\n}\n'
    ).data
    assert list(data.sources) == ["train", "test"]


def test_pipeline(spec):
    pipeline = spec.pipeline
    assert (pipeline.name, pipeline.data) == ("images", "cifar")
    words = [placed.word.word for placed in pipeline.steps]
    assert words == ["decode_jpeg", "resize", "when", "normalize", "batch"]
    assert pipeline.steps[2].word.mode == "train"
    assert [each.alias for each in pipeline.steps[2].body] == [None, "flipped"]
    assert pipeline.steps[3].word.mean == (1, 2.5, 3)
    assert pipeline.steps[4].word.size == 128


def test_model(spec):
    first, residual, *rest = spec.model.layers
    assert first.word == Conv2d(
        filters=32, kernel_size=(3, 5), strides=2, padding="same", activation="relu"
    )
    assert isinstance(residual.word, Residual)
    assert residual.word.shortcut == Conv2d(filters=32, kernel_size=1)
    (repeat,) = residual.body
    assert (repeat.word.count, repeat.body[0].word.filters) == (2, 32)
    assert [placed.word.word for placed in rest] == ["flatten", "dropout", "dense"]
    assert rest[-1].word.units == 10


def test_train(spec):
    train = spec.train
    assert (train.model, train.epochs) == ("classifier", 3)
    optimizer = train.optimizer.word
    assert isinstance(optimizer, Adam)
    assert optimizer.learning_rate.warmup == Epochs(0.5)
    assert (optimizer.weight_decay, optimizer.beta_1) == (0, 0.9)
    assert train.loss.word.from_logits is True
    assert [metric.word.word for metric in train.metrics] == ["accuracy"]


def test_monitors(spec):
    log, checkpoint, stop = (placed.word for placed in spec.monitors)
    assert log.every == Steps(100)
    assert checkpoint == Checkpoint(every=Seconds(1800), monitor="validation.accuracy")
    assert stop == StopEarly(monitor="validation.loss", patience=Epochs(3))


def test_settings(spec, spec_of):
    settings = (spec.strategy.word, spec.precision, spec.seed, spec.determinism)
    assert settings == (Single(), Float32(), 7, True)
    plain = spec_of('data d {\n  train = tfrecord("a")\n}\n')
    settings = (plain.strategy, plain.precision, plain.seed, plain.determinism)
    assert settings == (None, Float32(), 42, False)


def test_a_spec_may_be_a_part_of_one(spec_of):
    plain = spec_of('data d {\n  train = tfrecord("a")\n}\n')
    assert (plain.pipeline, plain.model, plain.train, plain.monitors) == (
        None,
        None,
        None,
        (),
    )


def test_every_argument_knows_its_place(spec):
    resize = spec.pipeline.steps[1]
    assert {name: span.text for name, span in resize.argument_spans.items()} == {
        "height": "size",
        "width": "size",
    }
    assert resize.span.text == "resize(size, size)"
    assert resize.values["height"].origin.text == "32"
    assert resize.values["height"].how == "set by `let size`"
    crossentropy = spec.train.loss
    assert crossentropy.argument_spans["from_logits"].text == "true"


def test_names_may_be_given_by_position_or_by_name(spec_of):
    def word(text):
        return spec_of(SPEC.replace("dropout(0.5)", text)).model.layers[3].word

    assert word("dense(3, relu)") == word("dense(activation = relu, units = 3)")
    assert word("dense(3, activation = relu)") == word("dense(3, relu)")


def test_a_word_without_arguments_needs_no_parentheses(spec_of):
    with_them = spec_of(SPEC.replace("flatten", "flatten()"))
    assert with_them.model.layers[2].word == spec_of(SPEC).model.layers[2].word


def test_a_let_may_be_a_whole_word(spec_of):
    optimizer = "adam(cosine(peak = 1e-3, warmup = 0.5epochs), weight_decay = 0)"
    text = "let best = sgd(0.1)\n" + SPEC.replace(optimizer, "best")
    assert spec_of(text).train.optimizer.word.learning_rate == 0.1


def test_a_let_may_be_an_option(spec_of):
    text = "let after = relu\n" + SPEC.replace(
        "activation = relu", "activation = after"
    )
    assert spec_of(text).model.layers[0].word.activation == "relu"


def test_schema(spec_of):
    schema = spec_of(
        'data d {\n  train = tfrecord("a")\n  label = y\n  schema {\n'
        '    x = float32[28, 28]\n    y = int64(classes = 10, key = "class")\n  }\n}\n'
    ).data.schema
    assert list(schema) == ["x", "y"]
    assert schema["x"].word.shape == (28, 28)
    assert (schema["y"].word.classes, schema["y"].word.key) == (10, "class")


def test_a_data_block_can_be_decoded_alone():
    text = 'data d {\n  train = tfrecord("a")\n}\nmodel nonsense\n'
    document, _ = parse(Source("x", text))
    resolved, _ = resolve(document, (), lambda node, fact: None)
    data, problems = decode_data(resolved.items[0])
    assert problems == []
    assert data.sources["train"].word.files == "a"
    text = "data d {\n  train = nonsense\n}\n"
    document, _ = parse(Source("x", text))
    resolved, _ = resolve(document, (), lambda node, fact: None)
    data, problems = decode_data(resolved.items[0])
    assert data is None
    assert len(problems) == 1


def test_expectations_say_what_a_field_takes():
    found = expectations(Conv2d)
    assert found["filters"].in_words() == "a whole number"
    assert found["padding"].in_words() == "`valid` or `same`"
    assert found["use_bias"].in_words() == "`true` or `false`"
    assert found["kernel_size"].in_words() == (
        "a whole number, or a list in `[ ]` of 2 whole numbers"
    )
    assert expectations(Residual)["shortcut"].in_words() == "`identity`, or a layer"
    assert expectations(Adam)["learning_rate"].in_words() == "a number, or a schedule"
    assert (
        expectations(StopEarly)["monitor"].in_words() == "a metric, `validation.loss`"
    )
    assert expectations(Checkpoint)["monitor"].name is OfMetric


def test_a_truth_value_is_no_number(decode_text):
    for old, new in (
        ("decode_jpeg(channels = 3)", "decode_jpeg(channels = true)"),
        ("dropout(0.5)", "dropout(false)"),
        ("epochs = 3\n", "epochs = true\n"),
        ("limit = 1_000", "limit = true"),
        ("seed = 7", "seed = true"),
    ):
        spec, problems = decode_text(SPEC.replace(old, new))
        assert spec is None
        assert [problem.code for problem in problems] == ["TFP103"]


def test_a_fix_replaces_only_what_stands_there(decode_text):
    _, (problem,) = decode_text(SPEC.replace("dropout(0.5)", "dropout(50%)"))
    assert problem.fix.text == "write `0.5`"
    assert [edit.replacement for edit in problem.fix.edits] == ["0.5"]
    # The name of a `let`, and what stands on the command line, are no text to replace.
    text = "let rate = 50%\n" + SPEC.replace("dropout(0.5)", "dropout(rate)")
    _, (problem,) = decode_text(text)
    assert (problem.fix.text, problem.fix.edits) == ("write `0.5`", ())
    _, (problem,) = decode_text(SPEC, "dropout.rate=50%")
    assert (problem.fix.text, problem.fix.edits) == ("write `0.5`", ())


def test_only_a_spelling_is_mended_unasked(decode_text):
    _, (problem,) = decode_text(SPEC.replace("padding = same", 'padding = "same"', 1))
    assert problem.fix.safe
    _, (problem,) = decode_text(SPEC.replace("dropout(0.5)", "dropout(50%)"))
    assert not problem.fix.safe


def test_an_argument_that_is_misspelt_is_not_also_missing(decode_text):
    _, problems = decode_text(SPEC.replace("dropout(0.5)", "dropout(rat = 0.5)"))
    assert [problem.fix.text for problem in problems] == ["did you mean `rate`?"]


def test_an_argument_is_given_once(decode_text):
    _, problems = decode_text(SPEC.replace("dropout(0.5)", "dropout(0.5, rate = 0.1)"))
    assert [problem.headline for problem in problems] == ["`rate` is given twice"]
