"""Problems with values and the names that stand for them (TFP12x), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
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
)
