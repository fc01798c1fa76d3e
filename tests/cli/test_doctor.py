"""`tfpc doctor`: what it finds, with machines and TensorFlows of all kinds.

There is no GPU here: what TensorFlow and the driver say of one are recorded texts.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tfpc.cli.doctor import lines
from tfpc.launch.doctor import machine, versions
from tfpc.launch.doctor.finding import Finding, Level
from tfpc.launch.doctor.gpus import gpu_findings
from tfpc.launch.doctor.hardware import Card, Hardware, hardware
from tfpc.launch.doctor.log import read_log
from tfpc.launch.doctor.probe import Probe, probe
from tfpc.launch.doctor.training import training_findings
from tfpc.machine.cgroup import Limits, limits

Tfpc = Callable[..., Result]
GIB = 1 << 30
BUILD = {"is_cuda_build": True, "cuda_version": "12.5.1", "cudnn_version": "9"}
H200 = Hardware((Card("NVIDIA H200", 143771, "05:00.0"),), "550.54.15", True)
NONE = Hardware()

# From TensorFlow 2.21 on this kind of machine, with a libcuda.so.1 made for the purpose.
NO_DRIVER = """\
I0000 00:00:1.2 27974 cudart_stub.cc:31] Could not find cuda drivers on your machine, \
GPU will not be used.
I0000 00:00:1.2 27974 dso_loader.cc:144] Could not load dynamic library 'libcuda.so.1'; \
dlerror: libcuda.so.1: cannot open shared object file: No such file or directory
E0000 00:00:1.2 27974 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: \
Failed call to cuInit: UNKNOWN ERROR (303)
"""
MISMATCH = """\
I0000 00:00:1.2 30490 dso_loader.cc:133] Successfully opened dynamic library libcuda.so.1
E0000 00:00:1.2 30490 cuda_platform.cc:52] failed call to cuInit: INTERNAL: CUDA error: \
Failed call to cuInit: UNKNOWN ERROR (803)
"""
NO_RUNTIME = """\
I0000 00:00:1.2 30490 cudart_stub.cc:31] Could not find cuda drivers on your machine, \
GPU will not be used.
I0000 00:00:1.2 30490 dso_loader.cc:133] Successfully opened dynamic library libcuda.so.1
"""
NO_NVML = """\
I0000 00:00:1.2 29757 dso_loader.cc:133] Successfully opened dynamic library libcuda.so.1
I0000 00:00:1.2 29757 dso_loader.cc:144] Could not load dynamic library \
'libnvidia-ml.so.1'; dlerror: libnvidia-ml.so.1: cannot open shared object file
"""
# From reports of users, with the place in the source as TensorFlow 2.21 writes it.
NO_CUSOLVER = """\
I0000 00:00:1.2 1 dso_loader.cc:144] Could not load dynamic library 'libnvinfer.so.8'; x
I0000 00:00:1.2 1 dso_loader.cc:144] Could not load dynamic library 'libcusolver.so.11'; \
dlerror: libcusolver.so.11: cannot open shared object file: No such file or directory
W0000 00:00:1.2 1 gpu_device.cc:2342] Cannot dlopen some GPU libraries. Please make sure \
the missing libraries mentioned above are installed properly if you would like to use \
GPU. Follow the guide at https://www.tensorflow.org/install/gpu for how to download and \
setup the required libraries for your platform.
Skipping registering GPU devices...
"""
NO_DEVICE = (
    "E tensorflow/stream_executor/cuda/cuda_driver.cc:271] failed call to cuInit: "
    "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n"
)
UNEQUAL = (
    "kernel version 396.44.0 does not match DSO version 390.30.0 -- cannot find it\n"
)
TOO_OLD = (
    "gpu_device.cc:2015] Ignoring visible gpu device (device: 0, name: Tesla K80, pci bus "
    "id: 0000:00:1e.0, compute capability: 3.7) with Cuda compute capability 3.7. The "
    "minimum required Cuda capability is 6.0.\n"
)
TOO_NEW = (
    "W0000 gpu_device.cc:2433] TensorFlow was not built with CUDA kernel binaries "
    "compatible with compute capability 12.0. CUDA kernels will be jit-compiled from "
    "PTX, which could take 30 minutes or longer.\n"
)
CREATED = (
    "I0000 gpu_device.cc:2020] Created device /job:localhost/replica:0/task:0/"
    "device:GPU:0 with 134217 MB memory:  -> device: 0, name: NVIDIA H200, pci bus id: "
    "0000:05:00.0, compute capability: 9.0\n"
)


def seen(log: str = "", gpus: tuple[dict[str, Any], ...] = (), **more: Any) -> Probe:
    """A TensorFlow that trains on the CPU."""
    stages: dict[str, list[dict[str, Any]]] = {
        "imported": [{"version": "2.21.0", "file": "/x/tensorflow/__init__.py"}],
        "keras": [{"version": "3.15.1"}],
        "devices": [{"gpus": list(gpus)}],
        "computed": [{}],
    }
    stages["imported"][0]["build"] = more.pop("build", BUILD)
    return Probe({**stages, **more}, log)


def only(found: Any) -> Finding:
    (finding,) = found
    return finding


def unseen(log: str, there: Hardware = H200, **environment: str) -> Finding:
    """What is said of a GPU that TensorFlow does not see."""
    return only(gpu_findings(seen(log), there, environment))


# ------------------------------------------------------------------- the command


@pytest.mark.tensorflow
def test_this_machine_can_train(tfpc: Tfpc) -> None:
    result = tfpc("doctor", "--json")
    assert result.exit_code == 0
    values = json.loads(result.stdout)
    assert values["works"] is True
    found = {each["about"]: each for each in values["findings"]}
    assert list(found)[:5] == ["python", "packages", "cores", "memory", "disk"]
    assert found["python"]["facts"]["executable"] == sys.executable
    assert {"tensorflow", "keras"} <= set(found["packages"]["facts"])
    assert found["cpu"]["level"] == "ok"
    assert found["tensorflow"]["facts"]["cuda_version"]
    for each in values["findings"]:
        assert list(each) == ["level", "about", "message", "fix", "facts"]


def broken(tmp_path: Path, text: str) -> dict[str, str]:
    """An environment in which `tensorflow` is this text."""
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text(text)
    return {"PYTHONPATH": str(tmp_path)}


STARTED = """
import os, signal, time
__version__ = "2.21.0"
class sysconfig:
    get_build_info = staticmethod(lambda: {"is_cuda_build": False})
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "raise ImportError('libx.so: no such file\\nand more')",
            "TensorFlow does not start: ImportError: libx.so: no such file",
        ),
        ("import absent_one", "ModuleNotFoundError: No module named 'absent_one'"),
        ("import os; os.kill(os.getpid(), 11)", "it was ended by SIGSEGV (it crashed)"),
        ("import os; os.kill(os.getpid(), 4)", "this processor lacks an instruction"),
        ("import os; os._exit(3)", "it ended with exit code 3"),
        (STARTED, "a step of training does not work"),
        ('print(\'{"stage": "computed"}\'); raise ValueError', "ValueError"),
    ],
)
def test_a_tensorflow_that_is_broken_is_one_line(
    tmp_path: Path, process: Any, text: str, said: str
) -> None:
    done = process("", "doctor", **broken(tmp_path, text), COLUMNS="80")
    assert done.returncode == 1
    assert done.stderr == ""
    assert "Traceback" not in done.stdout
    assert "and more" not in done.stdout
    assert said in " ".join(done.stdout.split())
    assert len(re.findall("^problem", done.stdout, re.MULTILINE)) == 1


def test_json_of_a_broken_tensorflow(tmp_path: Path, process: Any) -> None:
    environment = broken(tmp_path, "raise ImportError('libx.so')")
    done = process("", "doctor", "--json", **environment)
    assert done.returncode == 1
    values = json.loads(done.stdout)
    assert values["works"] is False
    (found,) = [each for each in values["findings"] if each["level"] == "problem"]
    assert found["about"] == "tensorflow"
    assert "ImportError: libx.so" in found["message"]


def is_running(process: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_tensorflow_that_hangs_is_ended_at_the_deadline(
    tmp_path: Path,
) -> None:
    text = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(child.pid))\n"
        "time.sleep(60)\n"
    )
    environment = broken(tmp_path, text)
    began = time.monotonic()
    hung = probe(3.0, **environment)
    assert time.monotonic() - began < 30
    assert hung.code is None
    assert not hung.works
    child = int((tmp_path / "pid").read_text())
    while is_running(child):  # the system takes its time to end what was killed
        assert time.monotonic() - began < 50
        time.sleep(0.05)
    found = list(training_findings(hung, None, NONE, {}))
    assert "did not answer within" in only(found).said


def test_the_probe_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    done = probe(20.0, **broken(tmp_path, "raise ImportError('x')"))
    assert done.first("failed") == {
        "stage": "failed",
        "kind": "ImportError",
        "message": "x",
    }
    assert list((tmp_path / "temporary").iterdir()) == []


def test_what_lies_in_the_current_folder_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise ImportError('of the current folder')")
    (tmp_path / "path").mkdir()
    monkeypatch.chdir(tmp_path)
    done = probe(20.0, **broken(tmp_path / "path", "raise ImportError('of the path')"))
    assert (done.first("failed") or {})["message"] == "of the path"


def test_commands_to_type_are_not_broken() -> None:
    command = "`pip install --force-reinstall a-package-with-a-long-name another-one`"
    finding = Finding(Level.PROBLEM, "x", "it " * 60, f"type {command}, then go on")
    shown = lines(finding, 60)
    assert sum(command in line for line in shown) == 1
    assert all(len(line) <= 60 for line in shown if command not in line)


MODULES = """
import os, sys
from unittest.mock import MagicMock

def devices(kind):
    if os.environ.get("CUDA_VISIBLE_DEVICES") != "-1":
        os.abort()
    return []

fake = MagicMock(__version__="2.21.0", __file__="/x/tensorflow/__init__.py")
fake.sysconfig.get_build_info.return_value = {"is_cuda_build": True}
fake.config.list_physical_devices = devices
sys.modules["tensorflow"] = sys.modules["keras"] = fake
"""


@pytest.mark.parametrize(("has_gpu", "code"), [(True, 0), (False, 1)])
def test_a_gpu_that_ends_tensorflow_is_hidden_to_ask_again(
    tmp_path: Path, process: Any, has_gpu: bool, code: int
) -> None:
    environment = broken(tmp_path, MODULES)
    if has_gpu:
        command = tmp_path / "nvidia-smi"
        command.write_text("#!/bin/sh\necho 'NVIDIA H200, 143771, 550.5, 0:05:00.0'\n")
        command.chmod(0o755)
    environment["PATH"] = f"{tmp_path}:/usr/bin:/bin"
    done = process("", "doctor", "--json", **environment)
    assert done.returncode == code, done.stderr
    values = json.loads(done.stdout)
    assert values["works"] is has_gpu
    (found,) = [each for each in values["findings"] if each["about"] == "cpu"]
    assert "it was ended by SIGABRT" in found["message"]
    assert ("with the GPU hidden it works" in found["message"]) is has_gpu


# --------------------------------------------------------------------- versions


def test_ranges_are_those_that_the_package_requires() -> None:
    required = dict(
        found.groups()
        for each in requires("tfpc") or []
        if "extra" not in each and (found := re.match(r"([\w-]+)(.*)", each))
    )
    for name, limits_ in versions.PACKAGES.items():
        if limits_ is not None:
            (first,) = re.findall(r">=(\d+)\.(\d+)", required[name])
            (behind,) = re.findall(r"<(\d+)(?:\.(\d+))?", required[name])
            assert limits_[0] == tuple(map(int, first))
            assert limits_[1] == (int(behind[0]), int(behind[1] or 0))


@pytest.mark.parametrize(
    ("running", "level"),
    [
        ((3, 9, 18), Level.PROBLEM),
        ((3, 10, 0), Level.OK),
        ((3, 13, 9), Level.OK),
        ((3, 14, 0), Level.PROBLEM),
    ],
)
def test_pythons(running: tuple[int, int, int], level: Level) -> None:
    assert versions.python(running).level is level


def installed(**found: str) -> Callable[[str], str]:
    """A look-up of versions, by name with `_`."""

    def version(name: str) -> str:
        try:
            return found[name.replace("-", "_")]
        except KeyError:
            raise PackageNotFoundError(name) from None

    return version


GOOD = {
    "tfpc": "0.1.0",
    "tensorflow": "2.21.0",
    "keras": "3.15.1",
    "tensorboard": "2.20.0",
    "numpy": "2.4.6",
    "pydantic": "2.14.4",
}


@pytest.mark.parametrize(
    ("changes", "said", "fix"),
    [
        ({"tensorflow": "2.19.1"}, "2.19.1 is not supported, 2.20 to 2.21 is", "<2.22"),
        ({"tensorflow": "2.22.0rc1"}, "2.22.0rc1 is not supported", "<2.22"),
        ({"keras": "2.15.0"}, "2.15.0 is not supported, 3.10 or a later 3 is", "<4.0"),
        ({"keras": "nightly"}, "keras nightly is not supported", "keras>=3.10"),
        ({"tensorflow": None}, "tensorflow is not installed", "tensorflow>=2.20"),
        (
            {"tensorflow": None, "tensorflow_cpu": "2.18.0"},
            "tensorflow-cpu 2.18",
            "2.20",
        ),
    ],
)
def test_packages(changes: dict[str, str | None], said: str, fix: str) -> None:
    there = {name: number for name, number in (GOOD | changes).items() if number}
    first, wrong = versions.packages(installed(**there))
    assert first.level is Level.OK
    assert wrong.level is Level.PROBLEM
    assert said in wrong.said
    assert fix in wrong.fix


def test_a_variant_of_tensorflow_is_one() -> None:
    there = {name: n for name, n in GOOD.items() if name != "tensorflow"}
    found = only(versions.packages(installed(**there, tensorflow_cpu="2.21.0")))
    assert "tensorflow-cpu 2.21.0" in found.said


# ---------------------------------------------------------------------- machine


def write(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_limits_of_new_groups_are_the_least_on_the_way_up(tmp_path: Path) -> None:
    write(tmp_path / "proc/self", cgroup="0::/jobs/mine\n")
    mount = tmp_path / "cgroup"
    write(mount / "jobs/mine", cpu__max="max 100000\n", memory__max="max\n")
    write(mount / "jobs", cpu__max="150000 100000\n", memory__max=f"{4 * GIB}\n")
    write(mount, cpu__max="800000 100000\n", memory__max=f"{8 * GIB}\n")
    assert limits(tmp_path / "proc", mount) == Limits(1.5, 4 * GIB)


def test_limits_of_old_groups(tmp_path: Path) -> None:
    text = "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/\n"
    write(tmp_path / "proc/self", cgroup=text)
    mount = tmp_path / "cgroup"
    cpu = {"cpu__cfs_quota_us": "50000\n", "cpu__cfs_period_us": "100000\n"}
    write(mount / "cpu,cpuacct", **cpu)
    write(mount / "memory", memory__limit_in_bytes=f"{GIB}\n")
    # Its own group has none: the greatest number means that.
    write(mount / "memory/docker/abc", memory__limit_in_bytes=f"{(1 << 63) - 4096}\n")
    assert limits(tmp_path / "proc", mount) == Limits(0.5, GIB)


@pytest.mark.parametrize("text", ["0::/../..\n", "nonsense\n", "", "0::/gone\n"])
def test_groups_that_are_not_there_are_no_limit(tmp_path: Path, text: str) -> None:
    write(tmp_path / "proc/self", cgroup=text)
    write(tmp_path / "cgroup", cpu__max="max 100000", memory__max="what")
    assert limits(tmp_path / "proc", tmp_path / "cgroup") == Limits()
    assert limits(tmp_path / "none", tmp_path / "none") == Limits()


def test_cores_say_what_a_limit_leaves() -> None:
    found = machine.cores(lambda: Limits(cores=0.5))
    assert "time for 0.5 by the limit" in found.said
    assert found.facts["quota"] == 0.5
    assert "limit" not in machine.cores(lambda: Limits(cores=4096.0)).said


@pytest.mark.parametrize(
    ("available", "limit", "level", "said"),
    [
        (8, None, Level.OK, "16.0 GiB, 8.0 GiB available"),
        (1, None, Level.NOTE, "16.0 GiB, 1.0 GiB available, which is little"),
        (8, 4, Level.OK, "this container or job may use 4.0 GiB"),
        (8, 1, Level.NOTE, "may use 1.0 GiB, which is little"),
        (8, 64, Level.OK, "16.0 GiB, 8.0 GiB available"),
    ],
)
def test_memory(
    tmp_path: Path, available: int, limit: int | None, level: Level, said: str
) -> None:
    text = (
        f"MemTotal: {16 << 20} kB\nMemAvailable: {available << 20} kB\nHugePages: 0\n"
    )
    write(tmp_path, meminfo=text)
    bounds = Limits(memory=limit and limit * GIB)
    found = machine.memory(lambda: bounds, tmp_path)
    assert found.level is level
    assert found.said.endswith(said)
    assert found.facts["available"] == available * GIB


def test_disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.disk(str(tmp_path)).facts["folder"] == str(tmp_path)
    assert machine.disk(str(tmp_path / "gone")).level is Level.PROBLEM
    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda *_: False)
        assert "can't be written to" in machine.disk(str(tmp_path)).said
    monkeypatch.setattr(machine, "LITTLE_DISK", 1 << 80)
    assert machine.disk(str(tmp_path)).said.endswith("which is little")


# ------------------------------------------------------------------------- GPUs


def test_a_machine_without_a_gpu(tmp_path: Path) -> None:
    there = hardware(tmp_path, lambda: (None, ""))
    assert there == NONE
    found = unseen(NO_DRIVER, there)
    assert found.level is Level.NOTE
    assert found.said == "no NVIDIA GPU is here, so training runs on the CPU"


def test_hardware_by_nvidia_smi(tmp_path: Path) -> None:
    text = (
        "NVIDIA H200, 143771, 550.54.15, 00000000:05:00.0\n"
        "NVIDIA GB10, [N/A], 580.95.05, 0000000F:01:00.0\n"
    )
    there = hardware(tmp_path, lambda: (0, text))
    assert there.cards == (*H200.cards, Card("NVIDIA GB10", None, "01:00.0"))
    assert there.driver == "580.95.05"


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        (
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19\n",
            "535.104.05",
        ),
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  555.42.02  Re\n",
            "555.42.02",
        ),
        ("something else", None),
    ],
)
def test_hardware_by_the_drivers_file(
    tmp_path: Path, text: str, driver: str | None
) -> None:
    write(tmp_path / "proc/driver/nvidia", version=text)
    there = hardware(tmp_path, lambda: (9, "NVIDIA-SMI has failed\n because\n"))
    assert there.driver == driver
    assert there.present is (driver is not None)
    assert there.trouble == "NVIDIA-SMI has failed because"


def test_hardware_by_its_devices(tmp_path: Path) -> None:
    write(tmp_path / "dev", nvidiactl="")
    assert not hardware(tmp_path, lambda: (None, "")).present
    write(tmp_path / "dev", nvidia0="")
    assert hardware(tmp_path, lambda: (None, "")).present


@pytest.mark.parametrize(
    ("log", "said", "fix"),
    [
        (NO_DRIVER, "the driver's library `libcuda.so.1` is not found", "--gpus all"),
        (MISMATCH, "different versions (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)", "anew"),
        (NO_DEVICE, "shows no device to this process (CUDA_ERROR_NO_DEVICE)", "job's"),
        (UNEQUAL, "kernel module is 396.44.0 and its library 390.30.0", "anew"),
        (NO_RUNTIME, "does not find `libcudart.so`", "tensorflow[and-cuda]==2.21.0"),
        (NO_CUSOLVER, "does not find `libcusolver.so.11`", "tensorflow[and-cuda]"),
        (NO_NVML, "`libnvidia-ml.so.1` is not found", "compute,utility"),
        (TOO_OLD, "leaves it out: Tesla K80", "another GPU"),
        ("failed call to cuInit: UNKNOWN ERROR (7)\n", "(CUDA error 7)", "525.60.13"),
        ("failed call to cuInit: odd\n", "can't be started (odd)", "525.60.13"),
        ("", "does not say why", "list_physical_devices"),
    ],
)
def test_why_a_gpu_is_not_seen(log: str, said: str, fix: str) -> None:
    found = unseen(log)
    assert found.level is Level.PROBLEM
    assert found.said.startswith("the machine has NVIDIA H200, and TensorFlow does not")
    assert said in found.said
    assert fix in found.fix


def test_a_driver_that_is_too_old_comes_before_what_follows_from_it() -> None:
    found = unseen(NO_RUNTIME + MISMATCH, Hardware(H200.cards, "470.256.02", True))
    assert "the driver 470.256.02 is too old for CUDA 12.5.1" in found.said
    assert found.fix == "install a driver of at least 525.60.13"
    newer = Hardware(H200.cards, "1000.4", True)
    assert "too old" not in unseen(NO_RUNTIME, newer).said


@pytest.mark.parametrize("value", ["-1", ""])
def test_hidden_gpus_are_no_problem(value: str) -> None:
    found = unseen(NO_DEVICE, CUDA_VISIBLE_DEVICES=value)
    assert found.level is Level.NOTE
    assert f"`CUDA_VISIBLE_DEVICES` is `{value}`" in found.said
    assert "hides" not in unseen(NO_DEVICE, CUDA_VISIBLE_DEVICES="0").said


def test_a_tensorflow_without_cuda() -> None:
    built = seen(build={"is_cuda_build": False})
    found = only(gpu_findings(built, H200, {}))
    assert "built without CUDA" in found.said
    assert "tensorflow[and-cuda]" in found.fix


def with_libraries(tmp_path: Path, log: str) -> Probe:
    """A TensorFlow beside which pip has installed cuSOLVER."""
    write(tmp_path / "nvidia/cusolver/lib", libcusolver__so__11="")
    imported = {
        "version": "2.21.0",
        "build": BUILD,
        "file": str(tmp_path / "tensorflow/__init__.py"),
    }
    return seen(log, imported=[imported])


def test_libraries_that_pip_installed_and_nobody_finds(tmp_path: Path) -> None:
    found = only(gpu_findings(with_libraries(tmp_path, NO_CUSOLVER), H200, {}))
    assert "though pip has installed them" in found.said
    assert f'export LD_LIBRARY_PATH="{tmp_path / "nvidia/cusolver/lib"}$' in found.fix


def test_other_libraries_that_come_first(tmp_path: Path) -> None:
    write(tmp_path / "old", libcudnn__so__8="")
    environment = {"LD_LIBRARY_PATH": f"{tmp_path / 'none'}::{tmp_path / 'old'}"}
    log = NO_CUSOLVER.replace("libcusolver.so.11", "libcudnn.so.9")
    found = only(gpu_findings(with_libraries(tmp_path, log), H200, environment))
    assert "`LD_LIBRARY_PATH` puts other ones" in found.said
    assert "unset LD_LIBRARY_PATH" in found.fix
    probe_ = with_libraries(tmp_path, CREATED)
    probe_.stages["devices"] = [{"gpus": [{"device_name": "NVIDIA H200"}]}]
    card, note = gpu_findings(probe_, H200, environment)
    assert card.level is Level.OK
    assert note.about == "libraries"
    assert note.level is Level.NOTE
    # Those that pip installed may be named there, too.
    write(tmp_path / "nvidia/cudnn/lib", libcudnn__so__9="")
    environment = {"LD_LIBRARY_PATH": str(tmp_path / "nvidia/cudnn/lib")}
    assert only(gpu_findings(probe_, H200, environment)).level is Level.OK


def test_a_gpu_that_is_seen() -> None:
    details = {"device_name": "NVIDIA H200", "compute_capability": [9, 0]}
    found = only(gpu_findings(seen(CREATED, (details,)), H200, {}))
    assert (found.level, found.about) == (Level.OK, "gpu 0")
    assert found.said == (
        "NVIDIA H200, compute capability 9.0, 140.4 GiB, 131.1 GiB of it usable now, "
        "driver 550.54.15"
    )
    assert found.facts["memory_mib"] == 143771
    assert found.facts["usable_mib"] == 134217


def test_a_gpu_that_fails_at_a_step() -> None:
    failed = [{"gpu": 0, "message": "OOM when allocating\nmuch more"}]
    details = {"device_name": "NVIDIA H200", "compute_capability": [9, 0]}
    found = only(gpu_findings(seen(CREATED, (details,), gpu_failed=failed), H200, {}))
    assert found.level is Level.PROBLEM
    assert found.said.endswith("a step of training fails: OOM when allocating")


def test_a_gpu_that_is_newer_than_tensorflow() -> None:
    details = {"device_name": "NVIDIA B200", "compute_capability": [12, 0]}
    card, note = gpu_findings(seen(TOO_NEW, (details,)), H200, {})
    assert card.level is Level.OK
    assert "no programs made for compute capability 12.0" in note.said


def test_of_several_gpus_each_has_its_own_memory() -> None:
    cards = (Card("A", 1000, "01:00.0"), Card("B", 2000, "0A:00.0"))
    log = CREATED.replace("05:00.0", "0a:00.0").replace("134217", "1500")
    probe_ = seen(log, ({"device_name": "B"},))
    found = only(gpu_findings(probe_, Hardware(cards, "550.1", True), {}))
    assert found.facts["memory_mib"] == 2000
    assert found.facts["usable_mib"] == 1500


def test_a_gpu_that_breaks_tensorflow_can_be_hidden() -> None:
    crashed = Probe({"imported": seen().stages["imported"]}, NO_RUNTIME, -6)
    found = list(training_findings(crashed, seen(), H200, {}))
    assert [each.about for each in found] == ["tensorflow", "cpu", "gpu"]
    assert "with the GPU hidden it works" in found[1].said
    assert "CUDA_VISIBLE_DEVICES=-1 tfpc run SPEC" in found[1].fix
    # Nothing is said of a GPU that nobody came to ask for, unless it is the cause.
    silent = Probe(crashed.stages, "", -6)
    assert [each.about for each in training_findings(silent, None, H200, {})] == [
        "tensorflow",
        "cpu",
    ]


def test_logs_are_read_whole() -> None:
    read = read_log(NO_DRIVER + NO_CUSOLVER + CREATED)
    assert read.driver_missing == ("libcuda.so.1",)
    assert read.missing == ("libcusolver.so.11",)
    assert read.runtime_missing
    assert read.skipped
    assert read.init == "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED"
    assert read.created == ((0, 134217, "0000:05:00.0"),)
