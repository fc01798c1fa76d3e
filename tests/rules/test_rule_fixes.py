"""The fix of every rule mends its bad example, and changes nothing else."""

from __future__ import annotations

import pytest

from tfpc.cli.lint_fix import mended
from tfpc.diagnostics.diagnostic import Severity
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, check
from tfpc.rules.registry import RULES
from tfpc.rules.standard import whole_spec

slugs = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
# Whether lint mends the bad example unasked; not here: there is nothing to type, or
# more than one thing could be meant.
FIXES = {
    "cache-larger-than-ram": False,
    "cache-candidate": False,
    "shuffle-buffer-bytes": False,
    "embedding-id-out-of-range": True,
    "more-scores-than-classes": False,
    "sigmoid-vs-label-rank": False,
    "bias-before-batch-normalization": False,
    "per-step-host-work": False,
    "train-and-eval-differ": False,
    "dataset-not-batched": False,
    "empty-after-drop-remainder": False,
    "cache-after-random": True,
    "shuffle-before-cache": True,
    "augmentation-in-validation": True,
    "softmax-twice": True,
    "softmax-one-unit": False,
    "softmax-and-from-logits": True,
    "raw-logits-without-from-logits": True,
    "labels-out-of-range": True,
    "unknown-monitor": False,
    "val-monitor-without-validation": False,
    "batch-before-shuffle": False,
    "no-effective-shuffle": False,
    "shuffle-buffer-too-small": False,
    "expensive-after-cache": False,
}


@slugs
def test_its_fix_mends_its_bad_example(rule, pictures):
    source = Source(str(pictures / "x.tfp"), whole_spec(rule.bad))
    look = "image_folder" in rule.bad
    options = Options(look_at_data=look, rules={rule.slug})
    done = mended(source, options, unsafe=True)
    if rule.slug not in FIXES:
        assert not done.fixed
        return
    assert [each.slug for each in done.fixed] == [rule.slug]
    assert done.fixed[0].fix.safe is FIXES[rule.slug]
    problems = check(done.source, Options(look_at_data=look)).diagnostics
    left = [each for each in problems if each.severity > Severity.NOTE]
    assert not left, done.source.text + render_all(left)
    unasked = mended(source, options, unsafe=False)
    assert bool(unasked.fixed) is FIXES[rule.slug]


MENDED = {
    "a step out of a `when` that keeps others": (
        "shuffle-before-cache",
        """
pipeline images from digits {
  decode_png(channels = 1)
  when(train) {
    shuffle  # mixed
    resize(8, 8)
  }
  when(eval) { resize(8, 8) }
  cache(memory)
  batch(32)
}
""",
        """
pipeline images from digits {
  decode_png(channels = 1)
  when(train) {
    resize(8, 8)
  }
  when(eval) { resize(8, 8) }
  cache(memory)
  when(train) {
    shuffle
  }
  batch(32)
}
""",
    ),
    "a cache below a random step with comments": (
        "cache-after-random",
        """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  # What follows is drawn.
  when(train) {
    random_flip(horizontal)  # left and right
  }
  cache(memory)  # fits
  when(train) { shuffle }
  batch(32)
}
""",
        """
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  # What follows is drawn.
  cache(memory)  # fits
  when(train) {
    random_flip(horizontal)  # left and right
  }
  when(train) { shuffle }
  batch(32)
}
""",
    ),
    "a random step in a definition": (
        "cache-after-random",
        """
steps flips() {
  random_flip(horizontal)
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    flips()
  }
  cache(memory)
  when(train) { shuffle }
  batch(32)
}
""",
        """
steps flips() {
  random_flip(horizontal)
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  cache(memory)
  when(train) {
    flips()
  }
  when(train) { shuffle }
  batch(32)
}
""",
    ),
    "the only argument, with a comma at its end": (
        "raw-logits-without-from-logits",
        """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(
    from_logits = false,
  )
}
""",
        """
train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy
}
""",
    ),
    "the same in a `let`": (
        "raw-logits-without-from-logits",
        """
let wanted = crossentropy(from_logits = false)

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = wanted
}
""",
        """
let wanted = crossentropy

train classifier {
  epochs = 2
  optimizer = adam(learning_rate = 1e-3)
  loss = wanted
}
""",
    ),
    "the name that Keras has": (
        "unknown-monitor",
        """
observe {
  stop_early(val_accuracy, patience = 3epochs)
}
""",
        """
observe {
  stop_early(validation.accuracy, patience = 3epochs)
}
""",
    ),
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("case", MENDED)
def test_a_safe_fix_changes_nothing_else(case, line_end):
    slug, before, after = MENDED[case]
    text = whole_spec(before).replace("\n", line_end)
    done = mended(Source("x.tfp", text), Options(look_at_data=False), unsafe=False)
    assert [each.slug for each in done.fixed] == [slug]
    assert done.source.text == whole_spec(after).replace("\n", line_end)


TOLD_ONLY = {
    "a random step and a cache of one definition": """
steps kept() {
  random_flip(horizontal)
  cache(memory)
}

pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  kept()
  when(train) { shuffle }
  batch(32)
}
""",
    "an activation with a name": """
model classifier from images {
  flatten
  dense(10, activation = softmax)
  softmax as shares
}
""",
}


@pytest.mark.parametrize("case", TOLD_ONLY)
def test_what_can_not_be_moved_is_only_told(case):
    source = Source("x.tfp", whole_spec(TOLD_ONLY[case]))
    done = mended(source, Options(look_at_data=False), unsafe=True)
    assert not done.fixed
    assert done.source is source
    (problem,) = [each for each in done.checked.problems if each.severity > 0]
    assert problem.fix.text
