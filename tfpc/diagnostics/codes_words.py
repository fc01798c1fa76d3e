"""Problems with words, arguments and blocks (TFP10x, TFP11x), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP101",
        "unknown-word",
        "A word that is not in the vocabulary",
        """\
Every step, layer, source, monitor and setting comes from a closed list. A word that
is not on the list of its place is an error, never ignored, since a misspelt step
that silently does nothing costs a training run.

Wrong:

    random_flips(horizontal)

Right:

    random_flip(horizontal)

Own steps are defined with `steps NAME { }`, own layers with `layer NAME { }`, and
everything else is reached with `python "module:function"`.
""",
    ),
    Code(
        "TFP102",
        "wrong-argument",
        "An argument that the word does not take",
        """\
Each word lists its arguments with their types. A name that is not among them, a
value of another type and an argument that is missing are reported where they stand.

Wrong:

    conv2d(32, kernel = 3)

Right:

    conv2d(32, kernel_size = 3)
""",
    ),
    Code(
        "TFP110",
        "unknown-setting",
        "A setting that does not exist",
        """\
A block has a closed list of settings, and so have profiles and `--set`: they may
change only what the spec itself could say.

Wrong:

    tfpc run digits.tfp --set train.epoch=3

Right:

    tfpc run digits.tfp --set train.epochs=3
""",
    ),
    Code(
        "TFP103",
        "wrong-value",
        "A value that an argument or setting does not take",
        """\
Arguments and settings have types and bounds: a whole number, a share such as `20%`,
a time such as `30min`, text in quotes, a bare word from a list. A value of another
kind is reported where it stands, and where it came from if that is elsewhere.

Wrong:

    dense(0)

Right:

    dense(10)
""",
    ),
    Code(
        "TFP104",
        "misplaced",
        "A block, setting or brace in a place that has no use for it",
        """\
Blocks, steps, layers, monitors and settings each have their places; what stands
elsewhere would do nothing, so it is an error.

Wrong:

    train classifier {
      dense(10)
    }

Right:

    model classifier from images {
      dense(10)
    }
""",
    ),
    Code(
        "TFP105",
        "missing-block",
        "Something that the spec must say",
        """\
A spec names its data, its pipeline, its model and how it is trained. `epochs`,
`optimizer` and `loss` have no default that would be right for everyone.

Wrong:

    train classifier {
      loss = crossentropy
    }

Right:

    train classifier {
      epochs = 10
      optimizer = adam(learning_rate = 1e-3)
      loss = crossentropy
    }
""",
    ),
    Code(
        "TFP106",
        "unknown-name",
        "A name that nothing has",
        """\
`from NAME` and `train NAME` name another block of the spec.

Wrong:

    data cifar { ... }
    pipeline images from cifra { ... }

Right:

    data cifar { ... }
    pipeline images from cifar { ... }
""",
    ),
    Code(
        "TFP199",
        "not-available-yet",
        "A part of the language that this version does not have",
        """\
The language has room for more than this version of tfpc can do. What it can't do is
refused, never ignored.

Wrong:

    import "layers.tfp" as layers

Right:

    # the layers themselves, in this file
""",
    ),
)
