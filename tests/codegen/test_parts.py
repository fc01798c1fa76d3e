"""Each part can be copied with what it needs, and with nothing else."""

from __future__ import annotations

import subprocess
import sys

from tfpc.codegen.assembly import Section, assemble
from tfpc.codegen.parts import closure, modules, parts_by_name


def program_of(name):
    """A program that uses one part only."""
    use = Section("Use", f"PART = {name}\n")
    return assemble(
        "One part.", ('os.environ["A"] = "b"',), Section("S", "X = 1\n"), [use]
    )


def test_every_part_stands_alone(tmp_path):
    for name in parts_by_name():
        (tmp_path / f"{name}.py").write_text(program_of(name))
    for command in (["check", "--select", "F,E402"], ["format", "--diff"]):
        result = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--isolated", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-500:]


def test_nothing_is_copied_that_is_not_needed():
    for name in parts_by_name():
        needed = closure(frozenset({name}))
        used = {name}
        waiting = [name]
        while waiting:
            for other in parts_by_name()[waiting.pop()].uses:
                if other in parts_by_name() and other not in used:
                    used.add(other)
                    waiting.append(other)
        assert needed == used


def test_a_checkpoint_is_not_copied_for_a_log():
    text = program_of("Log")
    assert "class Log(" in text
    assert "class Checkpoint(" not in text


def test_modules_come_after_those_that_they_use():
    seen = set()
    for module in modules():
        assert module.parents <= seen, module.name
        seen.add(module.name)
