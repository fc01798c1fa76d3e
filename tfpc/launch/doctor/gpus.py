"""The GPUs that TensorFlow sees, or why it sees none.

It has not been run on a machine with a GPU; tests give it recorded texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfpc.launch.doctor.finding import Finding, Level
from tfpc.launch.doctor.hardware import Card, Hardware, short_bus
from tfpc.launch.doctor.libraries import before, beside
from tfpc.launch.doctor.log import GpuLog, read_log
from tfpc.launch.doctor.probe import Probe
from tfpc.launch.doctor.unseen import UNKNOWN, Case, reason
from tfpc.launch.failure import shortened
from tfpc.plan.show import amount

MIB = 1 << 20


def gpu_findings(
    seen: Probe, hardware: Hardware, environment: Mapping[str, str]
) -> Iterator[Finding]:
    """One line a GPU; one if there is none, or none that TensorFlow sees."""
    devices = seen.first("devices")
    imported = seen.first("imported") or {}
    log = read_log(seen.log)
    gpus = [] if devices is None else devices.get("gpus") or []
    for number, details in enumerate(gpus):
        yield of_gpu(number, details, seen, log, hardware)
    if not gpus and hardware.present:
        case = Case(
            hardware,
            log,
            imported.get("build") or {},
            imported.get("file"),
            imported.get("version"),
            environment,
        )
        yield from unseen(case, asked=devices is not None)
    elif not gpus:
        said = "no NVIDIA GPU is here, so training runs on the CPU"
        yield Finding(Level.NOTE, "gpu", said, facts=hardware.as_values())
    if gpus:
        yield from remarks(log, imported.get("file"), environment)


def of_gpu(
    number: int,
    details: Mapping[str, Any],
    seen: Probe,
    log: GpuLog,
    hardware: Hardware,
) -> Finding:
    """A GPU that TensorFlow sees, and whether a step on it works."""
    usable, card = place(number, log, hardware)
    capability = details.get("compute_capability")
    name = str(details.get("device_name") or (card.name if card else "a GPU"))
    said = [name]
    if capability:
        said.append(f"compute capability {'.'.join(map(str, capability))}")
    if card is not None and card.memory is not None:
        said.append(f"{amount(card.memory * MIB)}")
    if usable is not None:
        said.append(f"{amount(usable * MIB)} of it usable now")
    if hardware.driver:
        said.append(f"driver {hardware.driver}")
    facts = {
        "name": name,
        "compute_capability": capability,
        "memory_mib": None if card is None else card.memory,
        "usable_mib": usable,
        "driver": hardware.driver,
    }
    about = f"gpu {number}"
    failed = next(
        (each for each in seen.stages.get("gpu_failed", ()) if each["gpu"] == number),
        None,
    )
    if failed is None:
        return Finding(Level.OK, about, ", ".join(said), facts=facts)
    why = f"{name}: a step of training fails: {shortened(str(failed.get('message')))}"
    fix = (
        "end what else uses it (`nvidia-smi`), or `CUDA_VISIBLE_DEVICES=-1` for the CPU"
    )
    return Finding(Level.PROBLEM, about, why, fix, facts)


def place(
    number: int, log: GpuLog, hardware: Hardware
) -> tuple[int | None, Card | None]:
    """MiB that TensorFlow may use of a GPU, and which of the machine's GPUs it is."""
    for created, usable, bus in log.created:
        if created == number:
            cards = [each for each in hardware.cards if each.bus == short_bus(bus)]
            return usable, cards[0] if cards else None
    # One alone needs no place to be found by.
    return None, hardware.cards[0] if len(hardware.cards) == 1 else None


def unseen(case: Case, *, asked: bool) -> Iterator[Finding]:
    """A machine with GPUs, of which TensorFlow sees none.

    asked: whether it came so far as to look for them; if it did not, only what is known
    to be wrong is said.
    """
    found = reason(case)
    if found is None and not asked:
        return
    names = ", ".join(card.name for card in case.hardware.cards) or "an NVIDIA GPU"
    why, fix = found or UNKNOWN
    said = f"the machine has {names}, and TensorFlow does not see it: {why}"
    facts = {
        **case.hardware.as_values(),
        "missing_libraries": list(case.log.missing),
        "driver_error": case.log.init,
    }
    hidden = "CUDA_VISIBLE_DEVICES" in why
    level = Level.NOTE if hidden else Level.PROBLEM
    yield Finding(level, "gpu", said, fix, facts)


def remarks(
    log: GpuLog, tensorflow: str | None, environment: Mapping[str, str]
) -> Iterator[Finding]:
    """What may go wrong or slowly with GPUs that are seen."""
    for left_out in log.ignored:
        yield Finding(Level.NOTE, "gpu", f"TensorFlow leaves one out: {left_out}")
    if log.compiled:
        said = f"this TensorFlow has no programs made for {log.compiled}"
        fix = (
            "be patient: the first run makes them, in up to 30 minutes, and keeps them"
        )
        yield Finding(Level.NOTE, "gpu", said, fix)
    folders = beside(tensorflow)
    for folder in before(folders, environment) if folders else ():
        said = f"`LD_LIBRARY_PATH` puts other CUDA libraries first, of {folder}"
        fix = "`unset LD_LIBRARY_PATH`, so that those are used that pip installed"
        yield Finding(Level.NOTE, "libraries", said, fix)
