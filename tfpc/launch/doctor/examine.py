"""All findings in order: what is quick to know first, then TensorFlow."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfpc.launch.doctor import machine, versions
from tfpc.launch.doctor.finding import Finding
from tfpc.launch.doctor.hardware import Hardware, hardware
from tfpc.launch.doctor.probe import Probe, probe
from tfpc.launch.doctor.training import training_findings


class Examination:
    """Looks at the machine. works: whether training on the CPU does; known at the end."""

    def __init__(self) -> None:
        self.works = False

    def findings(self) -> Iterator[Finding]:
        """One after the other, as soon as each is known."""
        yield versions.python()
        yield from versions.packages()
        yield machine.cores()
        yield machine.memory()
        yield machine.disk()
        there = hardware()
        seen = probe()
        hidden = None
        if not seen.works and may_work_without_gpus(seen, there):
            hidden = probe(CUDA_VISIBLE_DEVICES="-1")
        self.works = seen.works or (hidden is not None and hidden.works)
        yield from training_findings(seen, hidden, there, os.environ)


def may_work_without_gpus(seen: Probe, there: Hardware) -> bool:
    """Whether what failed may have been the GPU."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") == "-1"
    return there.present and not hidden and seen.first("imported") is not None
