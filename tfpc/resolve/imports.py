"""`import "layers/resnet.tfp" as resnet`: finds the file and reads it."""

from __future__ import annotations

import pathlib

from tfpc.diagnostics.codes import error
from tfpc.diagnostics.diagnostic import Diagnostic
from tfpc.diagnostics.span import Source
from tfpc.diagnostics.suggestion import nearest
from tfpc.syntax import nodes
from tfpc.syntax.reading import decode

MOST_BYTES = 32 << 20


def named_file(statement: nodes.Import) -> pathlib.Path | Diagnostic:
    """The file that an import names, seen from the current folder."""
    parts = statement.path.parts
    text = "".join(part for part in parts if isinstance(part, str))
    if any(not isinstance(part, str) for part in parts):
        return wrong(
            statement,
            "an import can't depend on a `let`",
            "write the whole path",
            "all files are read before any value is known.",
        )
    if "://" in text:
        return wrong(
            statement,
            "an import is a file, and this is an address",
            'copy the file beside the spec, then `import "NAME.tfp" as ...`',
            "a check must not depend on a network.",
        )
    if not text.strip() or "\0" in text:
        fix = 'write a path, `import "layers.tfp" as layers`'
        return wrong(statement, "this names no file", fix)
    importer = statement.span.source.name
    folder = pathlib.Path() if importer == "-" else pathlib.Path(importer).parent
    return folder / text


def read_file(
    statement: nodes.Import, path: pathlib.Path
) -> tuple[Source | None, list[Diagnostic]]:
    """The text of an imported file, or why there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None, [missing(statement, path)]
    except IsADirectoryError:
        fix = "name a .tfp file in it"
        return None, [wrong(statement, f"{path} is a folder", fix)]
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        said = f"{path} can't be read: {reason}"
        return None, [wrong(statement, said, "import another file")]
    if len(data) > MOST_BYTES:
        said = f"{path} has more than {MOST_BYTES >> 20} MiB"
        return None, [wrong(statement, said, "import a .tfp file")]
    return decode(str(path), data)


def missing(statement: nodes.Import, path: pathlib.Path) -> Diagnostic:
    """A file that is not there."""
    folder = path.parent
    if not folder.is_dir():
        fix = f"there is no folder {folder} either: paths start where the file stands"
        return wrong(statement, f"there is no file {path}", fix)
    there = {each.stem: each.name for each in sorted(folder.glob("*.tfp"))}
    close = nearest(path.stem, list(there), 1)
    written = "".join(part for part in statement.path.parts if isinstance(part, str))
    meant = pathlib.PurePath(written).with_name(there[close[0]]) if close else None
    return wrong(
        statement,
        f"there is no file {path}",
        f'did you mean `"{meant}"`?' if meant else "check the path",
    )


def wrong(
    statement: nodes.Import, headline: str, fix: str, why: str = ""
) -> Diagnostic:
    """An import that can't be read."""
    return error("TFP130", headline, statement.path.span, why=why, fix=fix)


def cycle(statement: nodes.Import, chain: list[str]) -> Diagnostic:
    """A file that is being read already. chain: from it to the one that imports it."""
    if len(chain) == 1:
        headline = f"{chain[0]} imports itself"
    else:
        headline = "these files import each other: " + " -> ".join([*chain, chain[0]])
    return error(
        "TFP131",
        headline,
        statement.path.span,
        why="neither could be read first.",
        fix="move what both need into a third file, and import that in both"
        if len(chain) > 1
        else "remove the import: what stands in the file needs none",
    )
