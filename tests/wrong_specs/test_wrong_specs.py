"""What tfpc says of wrong specs, read as a user reads it.

A case is a file of blocks that replace those of the standard spec; `# whole` makes it a
spec of its own, `# look` lets it look at data, `# --set ...` adds an override. What is
said stands beside it; `pytest --update-goldens` writes it anew.
"""

from __future__ import annotations

import pathlib
from dataclasses import replace

import pytest

from tfpc.diagnostics.span import Source
from tfpc.diagnostics.text import render_all
from tfpc.driver import Options, compile_spec
from tfpc.rules.standard import whole_spec

CASES = sorted((pathlib.Path(__file__).parent / "cases").glob("*.tfp"))
# Words of the machinery, which must not reach a user.
JARGON = (
    "pydantic",
    "Traceback",
    "Unexpected token",
    "__ANON",
    "Input should",
    "NoneType",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where cases that look at data find two classes of pictures."""
    path = tmp_path_factory.mktemp("data")
    for name in "ab":
        (path / "pictures" / name).mkdir(parents=True)
        for number in range(3):
            picture = path / "pictures" / name / f"{number}.jpg"
            picture.write_bytes(b"\xff\xd8\xff\xe0 no more than a beginning")
    return path


def said(case, folder):
    """The messages of a case."""
    text = case.read_text()
    settings = tuple(
        line.removeprefix("# --set ")
        for line in text.splitlines()
        if line.startswith("# --set ")
    )
    spec = text if text.startswith("# whole") else whole_spec(text)
    options = Options(settings, look_at_data=text.startswith("# look"))
    compiled = compile_spec(Source(str(folder / "case.tfp"), spec), options, ".")
    # Before lines are broken, since the folder has another name each time.
    found = [
        replace(each, why=each.why.replace(str(folder), "/folder"))
        for each in compiled.diagnostics
    ]
    return compiled, render_all(found).replace(str(folder) + "/", "")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_the_message(case, folder, golden, monkeypatch):
    monkeypatch.delenv("TFPC_SURELY_NOT_SET", raising=False)
    compiled, text = said(case, folder)
    assert compiled.failed, "this case is meant to be wrong"
    for word in JARGON:
        assert word not in text
    golden(case.with_suffix(".txt"), text + "\n")
