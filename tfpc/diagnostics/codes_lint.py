"""Problems with what a spec says to lint itself (TFP14x), explained."""

from __future__ import annotations

from tfpc.diagnostics.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "TFP140",
        "wrong-allow",
        "An `allow` that allows nothing, as it is written",
        """\
`# allow(RULE): reason` lets what a rule finds stand: on its own line, or on the one
below it if the comment is alone. It has the names of rules or their codes, with
commas between them, and says why this is right here: the reason is for whoever
reads the spec next. Errors of syntax, names and types can't be allowed, since a
spec with one of them has no meaning that could be kept.

Wrong:

    # allow(cache-after-random)
    cache(memory)

Right:

    # allow(cache-after-random): one fixed crop each, on purpose
    cache(memory)
""",
    ),
    Code(
        "TFP141",
        "unused-allow",
        "An `allow` of what is not found",
        """\
The rule finds nothing on the line that the `allow` stands for: the mistake is gone,
or the comment stands elsewhere. An `allow` that is left behind would hide the
mistake when it comes back.

It is not reported where the rule did not run: with another error in the spec, with
`--ignore`, `--no-data`, `--set` or `--profile`.

Wrong:

    # allow(no-effective-shuffle): sorted on purpose
    when(train) {
      shuffle
    }
    batch(32)

Right:

    when(train) {
      shuffle
    }
    batch(32)
""",
    ),
    Code(
        "TFP142",
        "unknown-rule",
        "A `lint` block that names no rule",
        """\
`lint { }` says how much the findings of a rule weigh in this spec: `error`,
`warning`, `note`, or `off`. A rule has a code, or a name with `_` in the place of
`-`. `--severity` on the command line comes after it. Errors of syntax,
names and types stay errors.

Wrong:

    lint {
      augment_after_caching = error
    }

Right:

    lint {
      augment_after_cache = error
    }
""",
    ),
)
