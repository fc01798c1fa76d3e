"""Problems with names, words and their arguments (TFP1xx), explained."""

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
        "TFP120",
        "number-too-large",
        "A number that is too large",
        """\
Whole numbers have at most 64 bits; other numbers must be finite.

Wrong:

    seed = 99999999999999999999

Right:

    seed = 42
""",
    ),
    Code(
        "TFP121",
        "value-in-text",
        "A value that can't stand in text",
        """\
`${name}` in text is replaced by the value of a `let` that is text or a number.

Wrong:

    let size = [1, 2]
    ... image_folder("data/${size}")

Right:

    let size = 224
    ... image_folder("data/${size}")
""",
    ),
    Code(
        "TFP122",
        "unknown-fact",
        "A fact of the data that is not known",
        """\
A data block tells `NAME.classes` and `NAME.size` (the examples of `train`). For
TFRecords, classes are known if the schema says them, and the size only when the
program has counted the records.

Wrong:

    schema { label = int64 }
    ... dense(digits.classes)

Right:

    schema { label = int64(classes = 10) }
    ... dense(digits.classes)
""",
    ),
    Code(
        "TFP123",
        "environment",
        "A variable of the environment that is missing or misnamed",
        """\
`env("NAME", default = "...")` is the only way to the environment. Its value is
text.

Wrong:

    let root = env(DATA)

Right:

    let root = env("DATA", default = "data")
""",
    ),
    Code(
        "TFP124",
        "arithmetic",
        "An operation that has no meaning",
        """\
`+ - * /` work on numbers, and on quantities of one unit; a quantity times a number
is a quantity.

Wrong:

    3epochs + 2

Right:

    3epochs + 2epochs
""",
    ),
    Code(
        "TFP125",
        "name-set-twice",
        "A name that is set twice",
        """\
A name means one thing in the whole spec; there is no shadowing.

Wrong:

    let size = 224
    let size = 256

Right:

    let size = 224
    let large = 256
""",
    ),
    Code(
        "TFP126",
        "ambiguous-override",
        "A `--set` path that leads to several places",
        """\
A step or layer is named by its word, or by its `as` name where the word stands more
than once.

Wrong:

    dense(64)
    dense(10)
    tfpc run x.tfp --set model.dense.units=128

Right:

    dense(64) as hidden
    dense(10)
    tfpc run x.tfp --set hidden.units=128
""",
    ),
    Code(
        "TFP127",
        "circular-value",
        "A value that needs itself, or one that comes later",
        """\
A `let` may use those above it, a block may use every `let`, and a fact such as
`digits.classes` needs the whole block of its data. A value that needs itself has no
value.

Wrong:

    let all = part * 2
    let part = 50

Right:

    let part = 50
    let all = part * 2
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
