"""`tfpc lint --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tfpc.cli.lint_fix import mended
from tfpc.diagnostics.span import Source
from tfpc.driver import Options
from tfpc.rules.standard import whole_spec

Tfpc = Callable[..., Result]
# Two problems of rules that can be mended safely, one that can't, and one of syntax.
WRONG = whole_spec("""
pipeline images from digits {
  decode_png(channels = 1)
  resize(8, 8)
  when(train) {
    random_flip(horizontal)
  }
  cache(memory)
  when(train) {
    shuffle(buffer = 16)
  }
  batch(32)
}

train classifier {
  epochs: 2
  optimizer = adam(learning_rate = 1e-3)
  loss = crossentropy(from_logits = false)
}
""")


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A spec with four problems; three of them come to light with the first mended."""
    path = tmp_path / "x.tfp"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_safe_fixes_are_applied_stage_by_stage(tfpc: Tfpc, wrong: Path) -> None:
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "fixed 3 problems in x.tfp (2 remain)"
    assert "[--fix --unsafe-fixes]" in result.output
    assert lines[-1] == "1 warning, 1 note in x.tfp"
    text = wrong.read_text(encoding="utf-8")
    assert "  epochs = 2\n" in text
    assert "  loss = crossentropy\n" in text
    assert "  cache(memory)\n  when(train) {\n    random_flip(horizontal)\n" in text
    assert "shuffle(buffer = 16)" in text


def test_unsafe_fixes_are_applied_if_asked_for(tfpc: Tfpc, wrong: Path) -> None:
    result = tfpc("lint", "--no-data", "--fix", "--unsafe-fixes", "x.tfp")
    # A note: the flip is redrawn in every epoch.
    assert result.output.splitlines()[0] == "fixed 4 problems in x.tfp (1 remains)"
    assert "    shuffle\n" in wrong.read_text(encoding="utf-8")
    again = tfpc("lint", "--no-data", "--fix", "--unsafe-fixes", "x.tfp")
    assert "fixed" not in again.output
    assert again.exit_code == 0


def test_a_diff_is_shown_and_nothing_written(tfpc: Tfpc, wrong: Path) -> None:
    result = tfpc("lint", "--no-data", "--diff", "x.tfp")
    assert result.exit_code == 1
    assert wrong.read_text(encoding="utf-8") == WRONG
    assert result.stdout.startswith("--- x.tfp\n+++ x.tfp\n@@ ")
    assert "\n-  epochs: 2\n+  epochs = 2\n" in result.stdout
    assert result.stderr == "would fix 3 problems in x.tfp (2 remain)\n"
    both = tfpc("lint", "--no-data", "--fix", "--diff", "x.tfp")
    assert both.stdout == result.stdout
    assert wrong.read_text(encoding="utf-8") == WRONG


def test_a_diff_can_be_applied(tfpc: Tfpc, wrong: Path, tmp_path: Path) -> None:
    # A line to Python, but not to those who read diffs.
    text = WRONG.replace("epochs: 2", "epochs: 2 # \u2028").rstrip("\n")
    wrong.write_text(text, encoding="utf-8")
    flags = ["--no-data", "--unsafe-fixes", "x.tfp"]
    diff = tfpc("lint", "--diff", *flags).stdout
    assert "No newline at end" in diff
    (tmp_path / "x.diff").write_text(diff, encoding="utf-8")
    subprocess.run(["git", "apply", "-p0", "x.diff"], cwd=tmp_path, check=True)
    patched = wrong.read_bytes()
    wrong.write_text(text, encoding="utf-8")
    tfpc("lint", "--fix", *flags)
    assert wrong.read_bytes() == patched != text.encode()


def test_a_diff_of_nothing(tfpc: Tfpc, tmp_path: Path) -> None:
    (tmp_path / "x.tfp").write_text(whole_spec(""))
    result = tfpc("lint", "--no-data", "--diff", "x.tfp")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "nothing to fix in x.tfp\n"


def test_a_diff_of_standard_input(tfpc: Tfpc) -> None:
    result = tfpc("lint", "--no-data", "--diff", "-", stdin=WRONG)
    assert "\n+  epochs = 2\n" in result.stdout


def test_json_tells_what_remains(tfpc: Tfpc, wrong: Path) -> None:
    flags = ["--no-data", "--fix", "--output-format", "json"]
    result = tfpc("lint", *flags, "x.tfp")
    remaining, note = json.loads(result.stdout)
    assert remaining["slug"] == "shuffle-buffer-too-small"
    assert remaining["fix"]["safe"] is False
    assert note["slug"] == "augment-after-cache"
    assert result.stderr == "fixed 3 problems in x.tfp (2 remain)\n"


def test_all_that_is_not_edited_stays_as_it_is(tfpc: Tfpc, tmp_path: Path) -> None:
    path = tmp_path / "x.tfp"
    text = WRONG.replace("\n", "  \t\r\n").replace(
        "epochs: 2", "epochs: 2 # \xfc\u2003"
    )
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    path.chmod(0o640)
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert "fixed 3 problems" in result.output
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfdata digits {  \t\r\n")
    assert data.count(b"\n") == data.count(b"\r\n") == text.count("\n")
    assert "epochs = 2 # \xfc\u2003".encode() in data
    before = sorted(text.replace("epochs:", "epochs =").splitlines())
    after = sorted(data.decode("utf-8-sig").splitlines())
    assert len(set(before) ^ set(after)) == 2  # `from_logits = false` is left out
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["x.tfp"]


def test_a_link_stays_a_link(tfpc: Tfpc, wrong: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.tfp"
    link.symlink_to("x.tfp")
    tfpc("lint", "--no-data", "--fix", "link.tfp")
    assert link.is_symlink()
    assert "epochs = 2" in wrong.read_text(encoding="utf-8")


def test_what_can_not_be_written_is_told(
    tfpc: Tfpc, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert result.exit_code == 2
    assert "x.tfp can't be written: it is read-only" in result.output
    assert wrong.read_text(encoding="utf-8") == WRONG


def test_a_write_that_fails_leaves_the_spec(
    tfpc: Tfpc, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert result.exit_code == 2
    assert "can't be written: No space left" in result.output
    assert wrong.read_text(encoding="utf-8") == WRONG
    assert [each.name for each in wrong.parent.iterdir()] == ["x.tfp"]


def test_a_spec_that_changed_meanwhile_is_not_written(
    tfpc: Tfpc, wrong: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(source: Source, options: Options, *, unsafe: bool):
        wrong.write_text("# saved by an editor\n")
        return mended(source, options, unsafe=unsafe)

    monkeypatch.setattr("tfpc.cli.lint_fix.mended", slow)
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert result.exit_code == 2
    assert "has changed since it was read" in " ".join(result.output.split())
    assert wrong.read_text() == "# saved by an editor\n"


def test_an_imported_file_is_left_alone(tfpc: Tfpc, tmp_path: Path) -> None:
    layers = "layer head(n) {\n  dense(units: n)\n}\n"
    (tmp_path / "layers.tfp").write_text(layers)
    blocks = 'import "layers.tfp" as own\n\nmodel classifier from images {\n  flatten\n'
    (tmp_path / "x.tfp").write_text(whole_spec(f"{blocks}  own.head(10)\n}}\n"))
    result = tfpc("lint", "--no-data", "--fix", "--unsafe-fixes", "x.tfp")
    assert result.exit_code == 1
    assert "[--fix" not in result.output
    assert (tmp_path / "layers.tfp").read_text() == layers


def test_a_fix_that_would_make_it_worse_is_told(tfpc: Tfpc, tmp_path: Path) -> None:
    # Raised to an error, the note that a moved cache brings is worse than none.
    text = WRONG.replace("epochs: 2", "epochs = 2")
    text += "\nlint { augment_after_cache = error }\n"
    (tmp_path / "x.tfp").write_text(text)
    result = tfpc("lint", "--no-data", "--fix", "x.tfp")
    assert "the fix of TFP301 is not applied" in result.output
    assert "fixed 1 problem in x.tfp" in result.output
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--unsafe-fixes", "x.tfp"], "--unsafe-fixes needs --fix"),
        (["--fix", "-"], "--fix needs a file to write to"),
        (["--diff", "--output-format", "json", "x.tfp"], "takes no --output-format"),
    ],
)
def test_flags_that_can_not_be_meant(
    tfpc: Tfpc, wrong: Path, flags: list[str], said: str
) -> None:
    result = tfpc("lint", *flags)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
    assert wrong.read_text(encoding="utf-8") == WRONG


def test_a_spec_that_is_not_there(tfpc: Tfpc) -> None:
    for flag in ("--fix", "--diff"):
        result = tfpc("lint", flag, "gone.tfp")
        assert result.exit_code == 1
        assert "there is no file gone.tfp" in result.output
