"""Whether TensorFlow trains here, on the CPU and on GPUs: what its own process said."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator, Mapping

from tfpc.launch.doctor import versions
from tfpc.launch.doctor.finding import Finding, Level
from tfpc.launch.doctor.gpus import gpu_findings
from tfpc.launch.doctor.hardware import Hardware
from tfpc.launch.doctor.probe import DEADLINE, Probe
from tfpc.launch.failure import shortened, signal_name

# The last line of what a process that crashed says of it.
LAST = re.compile(
    r"^(?:F\d{4} .*|Fatal Python error.*|.*Check failed.*|\w*Error: .*)$", re.M
)
GONE = re.compile(r"No module named '([\w.]+)'")


def training_findings(
    seen: Probe,
    without_gpus: Probe | None,
    hardware: Hardware,
    environment: Mapping[str, str],
) -> Iterator[Finding]:
    """TensorFlow itself, a step on the CPU, then GPUs.

    without_gpus: what a second process said from which they were hidden, if there was
    reason for one.
    """
    imported = seen.first("imported")
    if imported is None:
        yield not_imported(seen)
        yield from hardware_alone(hardware)
        return
    yield of_build(imported)
    if seen.works:
        yield Finding(Level.OK, "cpu", "a step of training on the CPU works")
    else:
        yield not_computed(seen, without_gpus)
    yield from gpu_findings(seen, hardware, environment)


def of_build(imported: Mapping[str, object]) -> Finding:
    """Which TensorFlow it is, and for which CUDA it was built."""
    build = imported.get("build")
    facts = dict(build) if isinstance(build, Mapping) else {}
    said = f"TensorFlow {imported.get('version')}"
    if facts.get("is_rocm_build"):
        said += ", built for ROCm"
    elif facts.get("is_cuda_build"):
        said += (
            f", built for CUDA {facts.get('cuda_version', '?')} and "
            f"cuDNN {facts.get('cudnn_version', '?')}"
        )
    else:
        said += ", built for the CPU only"
    facts |= {"version": imported.get("version"), "file": imported.get("file")}
    return Finding(Level.OK, "tensorflow", said, facts=facts)


def not_imported(seen: Probe) -> Finding:
    """TensorFlow that does not start."""
    why = reason(seen)
    fix = f"install it anew: `{again()}`"
    module = GONE.search(why)
    if module is not None:
        name = module[1].partition(".")[0]
        wanted = versions.wanted(name) if name in versions.PACKAGES else name
        fix = f"install what is missing: `{sys.executable} -m pip install {wanted}`"
    if seen.code == -signal.SIGILL:
        fix = (
            "use a machine whose processor has AVX, or a TensorFlow built for this one"
        )
    if seen.code is None:
        fix = "try `python -c 'import tensorflow'`; a slow disk or network may be the cause"
    return Finding(
        Level.PROBLEM, "tensorflow", f"TensorFlow does not start: {why}", fix
    )


def not_computed(seen: Probe, without_gpus: Probe | None) -> Finding:
    """TensorFlow that starts, and then fails at the first step."""
    said = f"a step of training does not work: {reason(seen)}"
    fix = f"install TensorFlow anew: `{again()}`"
    if seen.first("keras") is None:
        fix = "see what Keras says: `python -c 'import keras'`"
    if without_gpus is not None and without_gpus.works:
        said += "; with the GPU hidden it works"
        fix = "train on the CPU: `CUDA_VISIBLE_DEVICES=-1 tfpc run SPEC`"
    return Finding(Level.PROBLEM, "cpu", said, fix)


def again() -> str:
    """The command that brings TensorFlow's files anew."""
    wanted = versions.wanted("tensorflow")
    return f"{sys.executable} -m pip install --force-reinstall {wanted}"


def hardware_alone(hardware: Hardware) -> Iterator[Finding]:
    """The GPUs of a machine whose TensorFlow can't be asked."""
    if hardware.present:
        names = ", ".join(card.name for card in hardware.cards) or "an NVIDIA GPU"
        said = f"the machine has {names}; TensorFlow could not be asked about it"
        yield Finding(Level.NOTE, "gpu", said, facts=hardware.as_values())


def reason(seen: Probe) -> str:
    """Why the process did not come further, on one line."""
    if seen.code is None:
        return f"it did not answer within {DEADLINE:g} s"
    failed = seen.first("failed")
    if failed is not None:
        lines = str(failed.get("message")).strip().splitlines()
        return shortened(f"{failed.get('kind')}: {lines[0] if lines else ''}")
    last = LAST.findall(seen.log)
    said = f": {shortened(last[-1])}" if last else ""
    if seen.code < 0:
        return f"it was ended by {signal_name(-seen.code)}{said}"
    return f"it ended with exit code {seen.code}{said}"
