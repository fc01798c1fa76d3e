"""`python -m tests.bench`: each workload in turn A B A B, the ratio of every pair.

cifar: the emitted program of `specs/cifar10.tfp` against the same by hand, whole
processes, two epochs; needs CIFAR-10 as JPEGs below `$TFPC_DATA/cifar10`.
lint: `tfpc lint` against `python -c "import tensorflow"`, whole processes.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).parents[2]
DATA = pathlib.Path(os.environ.get("TFPC_DATA", "~/.cache/tfpc-data")).expanduser()


def seconds_of(command: list[str], cwd: pathlib.Path) -> float:
    """The time of a whole process. Raises CalledProcessError if it fails."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    # A machine that is used keeps the bytecode of what it has imported.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def ratios(
    one: list[str], other: list[str], cwd: pathlib.Path, pairs: int
) -> list[float]:
    """The time of `other` over that of `one`, pair by pair: above 1, `one` is faster."""
    seconds_of(one, cwd)
    return [seconds_of(other, cwd) / seconds_of(one, cwd) for _ in range(pairs)]


def cifar(folder: pathlib.Path, pairs: int) -> list[float] | None:
    """The emitted program against the hand-written one; None without the data."""
    if not (DATA / "cifar10" / "train").is_dir():
        return None
    (folder / "data").mkdir()
    (folder / "data" / "cifar10").symlink_to(DATA / "cifar10")
    spec = folder / "cifar10.tfp"
    spec.write_text((REPOSITORY / "specs" / "cifar10.tfp").read_text())
    emit = [sys.executable, "-m", "tfpc", "emit", str(spec), "-o", "program.py"]
    subprocess.run(emit, cwd=folder, check=True, capture_output=True)
    peer = REPOSITORY / "tests" / "bench" / "peers" / "cifar_expert.py"
    by_hand = [sys.executable, str(peer), str(DATA / "cifar10"), "2"]
    return ratios([sys.executable, "program.py"], by_hand, folder, pairs)


def lint(folder: pathlib.Path, pairs: int) -> list[float]:
    """`tfpc lint` against the start of TensorFlow."""
    spec = REPOSITORY / "specs" / "digits.tfp"
    command = [str(pathlib.Path(sys.executable).with_name("tfpc")), "lint", str(spec)]
    start = [sys.executable, "-c", "import tensorflow"]
    return ratios(command, start, folder, pairs)


def main() -> None:
    """Runs what was asked for and prints a line each."""
    flags = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    flags.add_argument("workloads", nargs="*", default=["lint", "cifar"])
    flags.add_argument("--pairs", type=int, default=5)
    flags.add_argument("--json", action="store_true")
    options = flags.parse_args()
    for name in options.workloads:
        with tempfile.TemporaryDirectory() as folder:
            workload = {"lint": lint, "cifar": cifar}[name]
            found = workload(pathlib.Path(folder), options.pairs)
        if options.json:
            print(json.dumps({"workload": name, "ratios": found}))
        elif found is None:
            print(f"{name}: skipped, its data is not below {DATA}")
        else:
            listed = " ".join(f"{ratio:.2f}" for ratio in sorted(found))
            print(f"{name}: {statistics.median(found):.2f} (pairs: {listed})")


if __name__ == "__main__":
    main()
