"""What TensorFlow says about GPUs in its log, read line by line.

The sentences are those of TensorFlow 2.20 and 2.21. What needs a GPU is tested with
recorded texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LIBRARY = re.compile(r"Could not load dynamic library '([^']+)'")
INIT = re.compile(r"failed call to cuInit: (.+)")
NUMBER = re.compile(r"(CUDA_ERROR_[A-Z0-9_]+)|UNKNOWN ERROR \((\d+)\)")
# What is missing then is the runtime library of CUDA, not the driver.
NO_RUNTIME = re.compile(r"Could not find cuda drivers on your machine")
SKIPPED = re.compile(r"Cannot dlopen some GPU libraries")
UNEQUAL = re.compile(r"kernel version (\S+) does not match DSO version (\S+)")
IGNORED = re.compile(r"Ignoring visible gpu device \(device: \d+, name: (.+)")
COMPILED = re.compile(r"not built with CUDA kernel binaries compatible with (.+)")
CREATED = re.compile(
    r"Created device \S*GPU:(\d+) with (\d+) MB memory:.*?pci bus id: ([0-9A-Fa-f:.]+)"
)
# TensorRT is no part of TensorFlow any more.
NOT_MISSED = ("libnvinfer",)
# The driver's own libraries, which pip does not bring.
OF_DRIVER = ("libcuda.so", "libnvidia-")

# Names and numbers of `CUresult`: docs.nvidia.com/cuda/cuda-driver-api.
ERRORS = {
    "2": "CUDA_ERROR_OUT_OF_MEMORY",
    "34": "CUDA_ERROR_STUB_LIBRARY",
    "46": "CUDA_ERROR_DEVICE_UNAVAILABLE",
    "100": "CUDA_ERROR_NO_DEVICE",
    "303": "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED",
    "304": "CUDA_ERROR_OPERATING_SYSTEM",
    "802": "CUDA_ERROR_SYSTEM_NOT_READY",
    "803": "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
    "804": "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
    "999": "CUDA_ERROR_UNKNOWN",
}


@dataclass(frozen=True, slots=True)
class GpuLog:
    """missing: libraries of CUDA that were not found; driver_missing: those of the
    driver; runtime_missing: CUDA's runtime; skipped: whether GPUs were left out for it.

    init: the error of the driver's first call, by name where it has one; unequal: the
    versions of a kernel module and its library that differ; ignored, compiled: what is
    said of GPUs that are too old or too new; created: (number, MiB that TensorFlow may
    use, place) of those that it uses.
    """

    missing: tuple[str, ...] = ()
    driver_missing: tuple[str, ...] = ()
    runtime_missing: bool = False
    skipped: bool = False
    init: str = ""
    unequal: tuple[str, str] | None = None
    ignored: tuple[str, ...] = ()
    compiled: str = ""
    created: tuple[tuple[int, int, str], ...] = ()


def read_log(text: str) -> GpuLog:
    """What a log says."""
    names = list(dict.fromkeys(LIBRARY.findall(text)))
    unequal = UNEQUAL.search(text)
    compiled = COMPILED.search(text)
    created = {
        int(n): (int(n), int(size), bus) for n, size, bus in CREATED.findall(text)
    }
    return GpuLog(
        missing=tuple(
            name for name in names if not name.startswith((*NOT_MISSED, *OF_DRIVER))
        ),
        driver_missing=tuple(name for name in names if name.startswith(OF_DRIVER)),
        runtime_missing=NO_RUNTIME.search(text) is not None,
        skipped=SKIPPED.search(text) is not None,
        init=init_error(text),
        unequal=None if unequal is None else (unequal[1], unequal[2]),
        ignored=tuple(dict.fromkeys(IGNORED.findall(text))),
        compiled="" if compiled is None else compiled[1].strip(),
        created=tuple(created.values()),
    )


def init_error(text: str) -> str:
    """The name of the error of `cuInit`, what it says if it has none, empty without."""
    found = INIT.search(text)
    if found is None:
        return ""
    named = NUMBER.search(found[1])
    if named is None:
        return found[1].strip()
    return named[1] or ERRORS.get(named[2], f"CUDA error {named[2]}")
