"""Problems with imports, definitions and profiles (TFP13x), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP130",
        "wrong-import",
        "An import that can't be read, or is of no use",
        """\
`import "layers/resnet.tfp" as resnet` reads another file, by its path from the file
that imports it. It may hold `let`, `steps`, `layer` and imports of its own, which
are used as `resnet.NAME`; data, pipelines, models and settings stand in the spec
itself, so that one file shows what will be trained. Imports come from files, never
from a network.

Wrong:

    import "https://example.org/resnet.tfp" as resnet

Right:

    import "layers/resnet.tfp" as resnet
""",
    ),
    Code(
        "TFP131",
        "import-cycle",
        "Files that import each other",
        """\
A file can't import itself, nor one that imports it: neither could be read first.

What both need stands in a third file, and both import that.

Wrong:

    # in a.tfp
    import "b.tfp" as b
    # in b.tfp
    import "a.tfp" as a

Right:

    # in a.tfp
    import "shared.tfp" as shared
    # in b.tfp
    import "shared.tfp" as shared
""",
    ),
    Code(
        "TFP132",
        "wrong-definition",
        "A `steps` or `layer` definition that can't be used as it stands",
        """\
`steps NAME(parameters) { }` names a piece of a pipeline, and `layer` so a piece of
a model. A parameter is a name, with a default or without one, and stands for a
value in the braces. A definition may use others, but never itself: there is no
recursion, and `repeat(n) { }` is the only loop.

Wrong:

    layer block(64) {
      conv2d(64, 3)
    }

Right:

    layer block(filters, kernel = 3) {
      conv2d(filters, kernel)
    }
""",
    ),
    Code(
        "TFP133",
        "wrong-profile",
        "A profile that does not exist, or says what it can't",
        """\
`profile NAME { }` holds settings by their paths, which `--profile NAME` puts over
those of the spec; `--set` comes after. A profile may change only what the spec
could say, and is checked also when it is not used.

Wrong:

    profile smoke {
      train {
        epochs = 1
      }
    }

Right:

    profile smoke {
      train.epochs = 1
    }
""",
    ),
)
