"""Why TensorFlow sees no GPU on a machine that has one, and what mends it.

It has not been run on a machine with a GPU; tests give it recorded texts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tfpc.launch.doctor.hardware import Hardware
from tfpc.launch.doctor.libraries import before, beside, holding
from tfpc.launch.doctor.log import GpuLog

# By the version of CUDA: the oldest driver for Linux that takes programs built for it.
# docs.nvidia.com/deploy/cuda-compatibility
OLDEST_DRIVER = {12: "525.60.13", 13: "580.65.06"}
CONTAINER = (
    "install NVIDIA's driver; in a container, start it with `--gpus all` and NVIDIA's "
    "container toolkit"
)
CAPABILITIES = (
    "install all of NVIDIA's driver; in a container, start it with "
    "`-e NVIDIA_DRIVER_CAPABILITIES=compute,utility`"
)
FIRST_LIBRARY = "libcuda.so"
UNKNOWN = (
    "TensorFlow does not say why",
    "see its log: `python -c 'import tensorflow as tf; "
    "tf.config.list_physical_devices()'`",
)
RESTART = "start the machine anew"
ERRORS = {
    "CUDA_ERROR_NO_DEVICE": (
        "the driver shows no device to this process",
        "look for a limit on devices: `CUDA_VISIBLE_DEVICES`, a job's request for GPUs, "
        "`--gpus all` of a container",
    ),
    "CUDA_ERROR_SYSTEM_NOT_READY": (
        "the GPUs are not ready",
        "start NVIDIA's fabric manager: `sudo systemctl start nvidia-fabricmanager`",
    ),
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": (
        "the driver's library and its kernel module have different versions",
        f"{RESTART}, as after an update of the driver",
    ),
    "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE": (
        "a library of CUDA's compatibility package stands before the driver's own",
        "take its folder (`compat`) out of `LD_LIBRARY_PATH`",
    ),
    "CUDA_ERROR_DEVICE_UNAVAILABLE": (
        "the GPU is taken by another process alone",
        "see who has it: `nvidia-smi`",
    ),
    "CUDA_ERROR_UNKNOWN": (
        "the driver fails without saying why",
        f"{RESTART}, or load its module anew: `sudo modprobe -r nvidia_uvm && "
        "sudo modprobe nvidia_uvm`",
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """What is known of the machine: its GPUs, what TensorFlow said, how it was built.

    tensorflow: where it is installed; version: which one it is.
    """

    hardware: Hardware
    log: GpuLog
    build: Mapping[str, Any]
    tensorflow: str | None
    version: str | None
    environment: Mapping[str, str]

    @property
    def oldest_driver(self) -> str | None:
        """The oldest driver for the CUDA of this TensorFlow."""
        major = str(self.build.get("cuda_version", "")).partition(".")[0]
        return OLDEST_DRIVER.get(int(major)) if major.isdigit() else None


def reason(case: Case) -> tuple[str, str] | None:
    """(why there is none, what mends it): the first of the reasons that holds."""
    return next(reasons(case), None)


def reasons(case: Case) -> Iterator[tuple[str, str]]:
    """The most fundamental first: each hides those below it."""
    visible = case.environment.get("CUDA_VISIBLE_DEVICES")
    if visible is not None and visible.strip() in ("", "-1", "none", "NoDevFiles"):
        said = f"`CUDA_VISIBLE_DEVICES` is `{visible}`, which hides all GPUs"
        yield said, "`unset CUDA_VISIBLE_DEVICES`"
    if not case.build.get("is_cuda_build", True):
        yield "this TensorFlow is built without CUDA", install(case)
    yield from of_driver(case)
    yield from of_libraries(case)
    if case.log.ignored:
        yield f"TensorFlow leaves it out: {case.log.ignored[0]}", "use another GPU"
    for name in case.log.driver_missing:
        yield f"the driver's library `{name}` is not found", CAPABILITIES


def of_driver(case: Case) -> Iterator[tuple[str, str]]:
    """What is wrong with the driver."""
    oldest, driver = case.oldest_driver, case.hardware.driver
    update = f"install a driver of at least {oldest}" if oldest else "update the driver"
    for name in case.log.driver_missing:
        if name.startswith(FIRST_LIBRARY):
            yield f"the driver's library `{name}` is not found", CONTAINER
    if oldest and driver and numbers(driver) < numbers(oldest):
        cuda = case.build.get("cuda_version")
        yield f"the driver {driver} is too old for CUDA {cuda}", update
    if case.log.unequal is not None:
        module, library = case.log.unequal
        said = f"the driver's kernel module is {module} and its library {library}"
        yield said, f"{RESTART}, as after an update of the driver"
    if case.log.init:
        error = case.log.init
        said, fix = ERRORS.get(error, ("the driver can't be started", update))
        yield f"{said} ({error})", fix


def of_libraries(case: Case) -> Iterator[tuple[str, str]]:
    """Which libraries of CUDA are missing."""
    log = case.log
    missing = log.missing or (("libcudart.so",) if log.runtime_missing else ())
    if not missing and not log.skipped:
        return
    names = ", ".join(f"`{name}`" for name in missing) or "some libraries of CUDA"
    said = f"TensorFlow does not find {names}"
    folders = beside(case.tensorflow)
    other = before(folders, case.environment)
    there = holding(log.missing, folders) if log.missing else []
    if there:
        path = ":".join(map(str, there))
        fix = (
            f'`export LD_LIBRARY_PATH="{path}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"`'
        )
        yield f"{said}, though pip has installed them", fix
    elif folders and other:
        fix = "`unset LD_LIBRARY_PATH`, and start tfpc again"
        yield f"{said}; `LD_LIBRARY_PATH` puts other ones of {other[0]} first", fix
    else:
        yield said, install(case)


def install(case: Case) -> str:
    """The command that brings TensorFlow's own CUDA libraries."""
    pinned = "" if case.version is None else f"=={case.version}"
    return f'`{sys.executable} -m pip install "tensorflow[and-cuda]{pinned}"`'


def numbers(text: str) -> tuple[int, ...]:
    """A version to compare."""
    return tuple(map(int, re.findall(r"\d+", text)))
