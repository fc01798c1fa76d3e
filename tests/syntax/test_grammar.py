"""The grammar is LALR without conflicts, and its tables are kept safely."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tfpc.diagnostics.span import Source
from tfpc.syntax import grammar
from tfpc.syntax.build import Builder
from tfpc.syntax.build_values import RESERVED
from tfpc.syntax.parser import parse
from tfpc.syntax.terminals import NAMES, listing


def test_it_builds_strictly_without_conflicts() -> None:
    grammar.load_grammar(Builder(), strict=True)


def test_every_terminal_has_a_name_for_messages() -> None:
    terminals = {terminal.name for terminal in _tables().terminals}
    assert terminals | {"$END"} == set(NAMES)


def test_no_terminal_is_anonymous() -> None:
    assert not [item.name for item in _tables().terminals if "ANON" in item.name]


def test_every_terminal_can_be_listed_as_expected() -> None:
    for kind in NAMES:
        assert listing({kind}) == NAMES[kind]


def test_a_listing_names_values_and_operators_as_groups() -> None:
    tables = _tables()
    everything = listing(terminal.name for terminal in tables.terminals)
    assert everything.startswith("a value")
    assert "an operator" in everything
    assert everything.endswith("or the end of the line")


def test_the_reserved_words_are_those_of_the_grammar() -> None:
    words = {
        terminal.pattern.value
        for terminal in _tables().terminals
        if terminal.pattern.type == "str" and terminal.pattern.value.isalpha()
    }
    assert words == set(RESERVED)


def test_tables_are_written_once_into_a_private_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    grammar.load_grammar(Builder())
    (tables,) = (tmp_path / "tfpc").iterdir()
    written = tables.stat().st_mtime_ns
    assert stat.S_IMODE((tmp_path / "tfpc").stat().st_mode) == 0o700
    builder = Builder()
    builder.begin(Source("a.tfp", "cache  # here"))
    grammar.load_grammar(builder).parse("cache  # here")
    assert tables.stat().st_mtime_ns == written
    assert [comment.text for comment in builder.comments] == ["# here"]


def test_broken_tables_are_built_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    grammar.load_grammar(Builder())
    (tables,) = (tmp_path / "tfpc").iterdir()
    good = tables.read_bytes()
    tables.write_bytes(good[: len(good) // 2])
    grammar.load_grammar(Builder()).parse("cache")
    assert tables.stat().st_size > len(good) // 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_folder_that_others_can_write_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "tfpc"
    folder.mkdir()
    folder.chmod(0o777)
    grammar.load_grammar(Builder()).parse("cache")
    assert not list(folder.iterdir())


def test_a_cache_folder_that_cannot_be_made_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    grammar.load_grammar(Builder()).parse("cache")


def test_only_syntax_needs_lark_and_parsing_needs_little() -> None:
    code = (
        "import sys, tfpc.syntax.parser as p\n"
        "from tfpc.diagnostics.span import Source\n"
        "assert p.parse(Source('a', 'cache'))[0]\n"
        "heavy = {'numpy', 'rich', 'pydantic', 'tensorflow', 'keras'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    parse(Source("warm", "cache"))  # so that the tables exist
    subprocess.run([sys.executable, "-c", code], check=True, env=_environment())


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _tables():
    return grammar.load_grammar(Builder())
