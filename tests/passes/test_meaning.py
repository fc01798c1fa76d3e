"""No pass changes what a spec means: with and without, the same elements come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tfpc.codegen.program import generate
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.passes.order import PASSES, optimize

pytestmark = [pytest.mark.tensorflow, pytest.mark.slow]

SPEC = """
data photos {{
  train = {source}
  validation = split(20%)
{schema}}}

pipeline images from photos {{
{steps}
}}

model classifier from images {{
  flatten
  dense(2)
}}

train classifier {{
  epochs = 2
  optimizer = sgd(learning_rate = 0.1)
  loss = crossentropy
}}
"""
SOURCES = {
    "pictures": ('image_folder("pictures")', ""),
    "records": (
        'tfrecord("records/*.tfrecord")',
        "  schema {\n    image = string\n    label = int64(classes = 2)\n  }\n",
    ),
}
COLORS = [
    "random_brightness(0.3)",
    "random_contrast(0.5..1.5)",
    "random_saturation(0.0..2.0)",
    "random_hue(0.2)",
]
LABELS = [
    [],
    ["one_hot"],
    ["one_hot(label, 2)"],
    ["offset(label, 1)", "offset(label, -1)", "one_hot(classes = 2)"],
]
AREAS = st.sampled_from(["0.08..1.0", "0.5..0.6"])


@st.composite
def pipelines(draw):
    """The lines of a pipeline that lints without an error."""
    lines = ["decode_jpeg(channels = 3)"]
    if draw(st.booleans()):
        lines.append("resize(16, 18)")
    height, width = (16, 18) if len(lines) == 2 else (20, 24)
    cached = draw(st.sampled_from(["none", "after decoding", "encoded", "late"]))
    normalize = "normalize(mean = [120.0, 110.0, 100.0], std = [60.0, 61.0, 62.0])"
    place = draw(st.sampled_from(["early", "middle", "late", "none"]))
    if cached == "encoded":
        lines.insert(0, "cache(memory)")
    if place == "early":
        lines.append(normalize)
    if cached == "after decoding":
        lines.append("cache(memory)")
    crop = draw(st.sampled_from(["none", "plain", "padded", "resized"]))
    size = f"{height - 4}, {width - 6}"
    training = draw(
        st.sampled_from(["", "shuffle", "shuffle(buffer = 5)", "shuffle(buffer = 90)"])
    )
    train = [training] if training else []
    if crop == "plain":
        train.append(f"random_crop({size})")
    elif crop == "padded":
        train.append(f"random_crop({size}, padding = 3)")
    elif crop == "resized":
        train.append(f"random_resized_crop({size}, area = {draw(AREAS)})")
    if cached == "late":
        lines.append("cache(memory)")
    if place == "middle":
        lines.append(normalize)
    if draw(st.booleans()):
        train.append("random_flip(horizontal)")
    if draw(st.booleans()):
        train.append("random_flip(vertical)")
    if place in ("late", "none"):
        # Colors are those of whole numbers.
        train += draw(st.lists(st.sampled_from(COLORS), max_size=3))
    if train:
        lines.append("when(train) { " + " \n ".join(train) + " }")
    if crop != "none":
        lines.append(f"when(eval) {{ center_crop({size}) }}")
    elif len(lines) == 1 or (len(lines) == 2 and "cache(memory)" in lines):
        # Without a resize or a crop the size is not known.
        lines.append("resize(16, 18)")
    if place == "late":
        lines.append(normalize)
    lines += draw(st.sampled_from(LABELS))
    batch = f"batch({draw(st.integers(1, 9))})"
    if draw(st.booleans()):
        lines.append(batch)
    else:
        lines.insert(max(lines.index(line) for line in lines[-2:]), batch)
    if draw(st.booleans()):
        lines.append(f"prefetch({draw(st.integers(1, 3))})")
    return lines


def elements(module, data):
    """What both modes give, after what the device does to it."""
    from itertools import islice

    given = list(module.train_dataset(data))
    batches = -(
        -module.open_sources(data)["validation"].count // module.EVALUATION_BATCH
    )
    evaluated = list(islice(module.evaluation_dataset("validation", data), batches))
    results = []
    for mode, batch in [("train", b) for b in given] + [("eval", b) for b in evaluated]:
        image, *rest = batch
        on_device = getattr(module, "on_device", None) or getattr(
            module, f"{mode}_on_device", None
        )
        image = image if on_device is None else on_device(image)
        parts = [image.numpy(), *(part.numpy() for part in rest)]
        if mode == "eval":
            # Fillers weigh nothing, and may be anything.
            parts = [part[parts[-1] == 1] for part in parts]
        results.append(parts)
    return results


def both(data, load, source, lines, passes):
    """The elements without any pass, and with these."""
    text, schema = SOURCES[source]
    steps = "\n".join(f"  {line}" for line in lines)
    spec = SPEC.format(source=text, schema=schema, steps=steps)
    compiled = check(Source(str(data / "x.tfp"), spec), Options())
    assume(not compiled.failed)
    plain = load(generate(optimize(compiled.plan, ()), "."))
    rewritten = load(generate(optimize(compiled.plan, passes), "."))
    return elements(plain, data), elements(rewritten, data)


def assert_equal(one, other):
    assert len(one) == len(other) > 0
    for first, second in zip(one, other, strict=True):
        for a, b in zip(first, second, strict=True):
            np.testing.assert_array_equal(a, b)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(source=st.sampled_from(sorted(SOURCES)), lines=pipelines())
def test_all_passes_together_give_the_same_elements(data, load, source, lines):
    assert_equal(*both(data, load, source, lines, PASSES))


CHAIN = [
    "decode_jpeg(channels = 3)",
    "normalize(mean = [120.0], std = [60.0])",
    "when(train) { shuffle\n random_crop(12, 14)\n random_flip(horizontal) }",
    "when(eval) { center_crop(12, 14) }",
    "batch(4)",
]


COLORED = [
    "decode_jpeg(channels = 3)",
    # Nothing in between, so that this pass alone finds the two.
    "when(train) { random_resized_crop(12, 14)\n shuffle\n random_flip(horizontal) }",
    "when(eval) { center_crop(12, 14) }",
    "when(train) {",
    *COLORS,
    "}",
    "normalize(mean = [120.0], std = [60.0])",
    "one_hot",
    "batch(4)",
]


@pytest.mark.parametrize("source", sorted(SOURCES))
@pytest.mark.parametrize("one", PASSES, ids=lambda each: each.__name__)
@pytest.mark.parametrize("chain", [CHAIN, COLORED], ids=["moved", "colored"])
def test_each_pass_alone_gives_the_same_elements(data, load, source, one, chain):
    assert_equal(*both(data, load, source, chain, (one,)))


def test_a_resized_crop_is_decoded_where_it_is_kept(data):
    """The comparison above would say nothing if the pass left the chain alone."""
    text, schema = SOURCES["pictures"]
    steps = "\n".join(f"  {line}" for line in COLORED)
    spec = SPEC.format(source=text, schema=schema, steps=steps)
    plan = optimize(check(Source(str(data / "x.tfp"), spec), Options()).plan, PASSES)
    assert plan.chains["train"].nodes[1].step.word == "decode_jpeg + crop"
    program = generate(plan, ".")
    assert "image = decode_and_random_resized_crop(" in program
    assert "tf.io.decode_jpeg(" not in program


def test_most_generated_chains_are_valid(data):
    """The property above would say nothing if they were not."""
    from hypothesis import find

    def valid(lines):
        text, schema = SOURCES["pictures"]
        steps = "\n".join(f"  {line}" for line in lines)
        spec = SPEC.format(source=text, schema=schema, steps=steps)
        return check(Source(str(data / "x.tfp"), spec), Options())

    compiled = valid(CHAIN)
    assert not compiled.failed, render_all(compiled.diagnostics)
    found = find(pipelines(), lambda lines: not valid(lines).failed)
    assert found
