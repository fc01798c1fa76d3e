"""`only-one-class`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from tfpc.diagnostics.diagnostic import Diagnostic, Label, Severity
from tfpc.plan.ir import Plan
from tfpc.rules.rule import Rule
from tfpc.vocabulary.image_folder import ImageFolder
from tfpc.vocabulary.loss import Crossentropy


class OnlyOneClass(Rule):
    """A classification of a single class.

    What it finds
    `crossentropy` with labels that have one class: often an `image_folder` that names
    the folder above the one whose sub-folders are the classes.

    Why
    There is nothing to tell apart. The loss goes to zero and the accuracy to 1 within a
    few steps, and the model gives that one answer to everything.

    Sources
    https://github.com/googlecodelabs/tensorflow-for-poets-2/issues/98
    https://www.tensorflow.org/api_docs/python/tf/keras/utils/image_dataset_from_directory
    """

    code: ClassVar[str] = "TFP409"
    slug: ClassVar[str] = "only-one-class"
    severity: ClassVar[Severity] = Severity.ERROR
    bad: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 1)
  }
}

model classifier from images {
  flatten
  dense(digits.classes)
}
"""
    good: ClassVar[str] = """
data digits {
  train = tfrecord("train-*.tfrecord")
  schema {
    image = string
    label = int64(classes = 2)
  }
}

model classifier from images {
  flatten
  dense(digits.classes)
}
"""

    def check(self, plan: Plan) -> Iterator[Diagnostic]:
        """At the data, with a label at the loss."""
        if plan.train is None or plan.train.label_type.classes != 1:
            return
        if not isinstance(plan.train.loss, Crossentropy):
            return
        train = plan.data.splits["train"]
        names = train.facts.class_names
        fix = "say how many classes there are: `label = int64(classes = 10)`"
        if isinstance(train.source, ImageFolder):
            fix = train.source.fix_one_class
        yield self.found(
            "the labels have one class, and nothing to tell it from",
            train.span,
            f'the only class is "{names[0]}"' if names else "label: int64[] in 0..0",
            labels=(Label(plan.train.loss_span, "compares classes"),),
            why="the model would learn to give one answer to everything.",
            fix=fix,
        )
