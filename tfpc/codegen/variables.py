"""Names for the components of an example in the program's text."""

from __future__ import annotations

import builtins
import keyword

from tfpc.types.element import Element
from tfpc.types.fragment import Name

# What the generated text itself defines or calls its own variables.
TAKEN = {
    *("BATCH", "EPOCHS", "EVALUATION_BATCH", "NAME", "SEED", "SPEC_DIGEST"),
    *("SPEC_FOLDER", "build_metrics", "build_model", "build_optimizer", "clock"),
    *("dataset", "epoch", "eval_on_device", "evaluation_dataset", "evaluation_metrics"),
    *("evaluation_step", "example", "gradients", "index", "inputs", "keras", "kept"),
    *("loss", "losses", "losses_of", "main", "model", "on_device", "open_sources"),
    *(
        "optimizer",
        "order",
        "parse",
        "pictures",
        "prepare",
        "prepare_eval",
        "prepare_train",
    ),
    *("FEATURES", "columns", "encoded", "learnt", "learnt_features", "rows"),
    *("record", "run", "scores", "source", "strategy", "tape", "tf", "train_dataset"),
    *("train_keys", "train_metrics", "train_model", "train_on_device", "train_step"),
    *("training", "weight", "weights_of", "x"),
}


def variable(component: str, taken: frozenset[str]) -> Name:
    """A variable for a component: its own name, unless that means something else.

    taken: what the program defines. A component's name has the form of an identifier
    (the grammar sees to that), so nothing else can come of it.
    """
    assert component.isidentifier()
    text = component
    while (
        text in TAKEN
        or text in taken
        or keyword.iskeyword(text)
        or hasattr(builtins, text)
    ):
        text += "_"
    return Name(text)


def variables(element: Element, taken: frozenset[str]) -> dict[str, Name]:
    """A variable for each component, in order."""
    return {name: variable(name, taken) for name in element.names}
