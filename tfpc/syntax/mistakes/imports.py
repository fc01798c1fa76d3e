"""Imports that do not read `import "file" as name`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic, Edit, Fix
from tfpc.syntax.situation import Situation

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def import_without_name(at: Situation) -> Diagnostic | None:
    """`import "layers/resnet.tfp"`."""
    if at.expected != {"AS"} or at.line[0].type != "IMPORT":
        return None
    stem = PurePosixPath(str(at.last).strip('"')).stem
    name = stem if _NAME.fullmatch(stem) else "name"
    edits: tuple[Edit, ...] = ()
    if at.kind in ("NL", "$END"):
        edits = (Edit(at.behind_last(), f" as {name}"),)
    elif at.kind == "NAME":
        name = str(at.token)
        edits = (Edit(at.ahead(0), "as "),)
    return error(
        "TFP014",
        "an import needs a name",
        at.of(at.line[-1]),
        why="what the file defines is reached through that name, as `name.layer`.",
        fix=Fix(f"write `import {at.last} as {name}`", edits),
    )


def import_of_no_text(at: Situation) -> Diagnostic | None:
    """`import keras`, `import layers/resnet.tfp as resnet`."""
    if at.last_kind != "IMPORT" or at.expected != {"STRING"} or at.token is None:
        return None
    span = at.of(at.line[-1]) if at.kind in ("NL", "$END") else at.span
    return error(
        "TFP014",
        "an import names a file in double quotes",
        span,
        why='Python is not imported; `python "module:function"` calls it.',
        fix='write `import "file.tfp" as name`',
    )
