"""Starts TensorFlow in a process of its own, with a deadline, and reads what it says."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from tfpc.launch.process import kill_group

DEADLINE = 120.0
MOST_OF_LOG = 1 << 20
START = (
    "\n\nif __name__ == '__main__':\n    import sys\n\n    probe_machine(sys.argv[1])\n"
)
# The names of libraries that are not found come at this level only.
LIBRARIES = "dso_loader=1"


@dataclass(frozen=True, slots=True)
class Probe:
    """What the process left.

    stages: what it told, by stage, each as often as it came; log: its standard error;
    code: as in `subprocess`, None if it had to be ended at the deadline.
    """

    stages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    log: str = ""
    code: int | None = 0

    def first(self, stage: str) -> dict[str, Any] | None:
        """What was told at a stage, None if it did not come so far."""
        found = self.stages.get(stage)
        return found[0] if found else None

    @property
    def works(self) -> bool:
        """Whether a step on the CPU was computed."""
        return "computed" in self.stages


def probe(deadline: float = DEADLINE, **environment: str) -> Probe:
    """Runs the program of `tfpc/program/probe.py`. environment: what is changed in it.

    It runs as programs of `tfpc run` do: from a folder of its own, started in the
    current one.
    """
    modules = [os.environ.get("TF_CPP_VMODULE", ""), LIBRARIES]
    changed = {
        "KERAS_BACKEND": "tensorflow",  # as in every program
        "TF_CPP_MIN_LOG_LEVEL": "0",
        "TF_CPP_VMODULE": ",".join(filter(None, modules)),
        **environment,
    }
    with tempfile.TemporaryDirectory(prefix="tfpc-doctor-") as name:
        folder = pathlib.Path(name)
        told, log, script = (folder / each for each in ("told", "log", "probe.py"))
        text = files("tfpc.program").joinpath("probe.py").read_text(encoding="utf-8")
        script.write_text(text + START, encoding="utf-8")
        with open(log, "wb") as stream:
            process = subprocess.Popen(
                [sys.executable, str(script), str(told)],
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                env={**os.environ, **changed},
                start_new_session=True,
            )
            code = end_of(process, deadline)
        return Probe(stages_in(told), last_of(log), code)


def end_of(process: subprocess.Popen[bytes], deadline: float) -> int | None:
    """The exit code; None, and an end to it, when the deadline has passed."""
    try:
        return process.wait(deadline)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            kill_group(process)
            process.wait()


def stages_in(path: pathlib.Path) -> dict[str, list[dict[str, Any]]]:
    """What was told, without a line that was broken off."""
    found: dict[str, list[dict[str, Any]]] = {}
    with contextlib.suppress(OSError):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                found.setdefault(told["stage"], []).append(told)
    return found


def last_of(path: pathlib.Path) -> str:
    """The end of what was printed."""
    with open(path, "rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - MOST_OF_LOG))
        return stream.read().decode("utf-8", errors="replace")
