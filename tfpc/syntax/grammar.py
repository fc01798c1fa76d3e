"""Finds the grammar and loads its parse tables, which are built once per user.

Building the tables costs a tenth of a second, loading them a few milliseconds. They
are kept as Lark writes them, a pickle, in the user's own cache folder (never in a
shared one: a pickle runs code when it is read) under a name that holds the digest of
the grammar and the versions of Lark and Python. Generated tables in the repository
would be one more thing that can be out of date, and would tie it to one Lark.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lark

from tfpc.syntax.build import Builder


def grammar_file() -> Path:
    """`tfp.lark`: beside the package when installed, else at the repository's top."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_grammar" / "tfp.lark"
    return installed if installed.exists() else package.parent / "grammar" / "tfp.lark"


def load_grammar(builder: Builder, *, strict: bool = False) -> lark.Lark:
    """The LALR parser whose reductions call the methods of ``builder``.

    ``strict`` builds the tables anew and raises ``lark.exceptions.GrammarError`` on
    any conflict or collision (it needs the package ``interegular``).
    """
    text = grammar_file().read_text(encoding="utf-8")
    calls: dict[str, Any] = {
        "transformer": builder,
        "lexer_callbacks": {"COMMENT": builder.comment},
    }
    tables = None if strict else _tables_file(text)
    if tables is not None and tables.exists():
        try:
            with tables.open("rb") as file:
                saved = pickle.load(file)
            # What Lark's own stand-alone parsers call; its public `load` takes no
            # transformer.
            load: Callable[..., lark.Lark] = lark.Lark._load_from_dict
            return load(**saved, **calls)
        except Exception:  # half a file, another program's: build and overwrite
            pass
    parser = lark.Lark(
        text,
        parser="lalr",
        lexer="basic",
        keep_all_tokens=True,
        maybe_placeholders=False,
        strict=strict,
        **calls,
    )
    if tables is not None:
        _save(parser, tables)
    return parser


def _save(parser: lark.Lark, tables: Path) -> None:
    """Written aside and renamed, so that no other process reads half a file."""
    aside = tables.with_suffix(f".{os.getpid()}")
    # A full or read-only disk costs time, not the answer.
    with contextlib.suppress(OSError):
        with aside.open("wb") as file:
            parser.save(file, exclude_options=("transformer", "lexer_callbacks"))
        os.replace(aside, tables)


def _tables_file(grammar: str) -> Path | None:
    """Where the tables are kept, or None if there is no folder to trust."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = Path(base) / "tfpc"
    if not folder.is_absolute():
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder):
            return None
    except OSError:
        return None
    version = f"{lark.__version__}\n{sys.version}\n"
    digest = hashlib.sha256((version + grammar).encode()).hexdigest()[:24]
    return folder / f"syntax-{digest}.tables"


def _is_private(folder: Path) -> bool:
    """Whether only this user can put files there."""
    if not hasattr(os, "getuid"):  # Windows: the profile folder is the user's own
        return True
    status = folder.stat()
    writable_by_others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not writable_by_others
