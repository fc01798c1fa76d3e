"""Codes TFP25x: what is wrong with the user's own Python, as far as it is read."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES = (
    Code(
        "TFP251",
        "python-not-found",
        "A Python function that is not where the spec says",
        """\
`python "module:function"` names a function or class of a file of yours. The module
is written as Python imports it from the folder of the spec: `photos.models` is the
file `photos/models.py` there. Packages that are installed are not looked at. The
function has to be written in that file, not imported into it.

Wrong:

    python "models.py:resnet"(depth = 18)

Right:

    python "models:resnet"(depth = 18)
""",
    ),
    Code(
        "TFP252",
        "python-unreadable",
        "A Python file that can't be read",
        """\
A Python file that a spec names is read before anything starts, and never run: it
has to be text in UTF-8 that Python itself could read.

Wrong:

    def focal(label, scores:

Right:

    def focal(label, scores):
""",
    ),
    Code(
        "TFP253",
        "python-arguments",
        "Arguments that a Python function does not take, or lacks",
        """\
What a spec gives in the parentheses are parameters of the function, by name. Some
are given by tfpc: a step gets the components that its parameters name, and a `seed`
if it has one; a loss and a metric get label and scores first; a layer the tensor.

Wrong:

    python "augment:gentle"(strenght = 0.2)

Right:

    python "augment:gentle"(strength = 0.2)
""",
    ),
    Code(
        "TFP254",
        "python-output-unknown",
        "A loss that has to know what a Python function ends in",
        """\
What a model gives that ends in a function of yours can't be seen: logits, or
probabilities. `crossentropy` needs to know, so the spec says it.

Wrong:

    loss = crossentropy

Right:

    loss = crossentropy(from_logits = true)
""",
    ),
)
