"""One run of the program: its flags, its folder, and how it ends."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import platform
import sys
import time
from collections.abc import Iterator

import keras
import tensorflow as tf

from tfpc.program.failures import DeviceError, InputError
from tfpc.program.interrupt import Interrupt
from tfpc.program.reporter import EVENTS_VERSION, Reporter


@dataclasses.dataclass(frozen=True)
class Run:
    """What every part of the program may ask: where things are, and whom to tell.

    root: the folder that the spec's paths are relative to; folder: where the run
    leaves what it makes.
    """

    root: pathlib.Path
    folder: pathlib.Path
    reporter: Reporter
    interrupt: Interrupt


def program_flags(description: str, root: pathlib.Path) -> argparse.ArgumentParser:
    """The flags that every program has."""
    flags = argparse.ArgumentParser(description=description.partition("\n")[0])
    flags.add_argument(
        "--root",
        type=pathlib.Path,
        default=root,
        help="the folder that the spec's paths are relative to (default: %(default)s)",
    )
    flags.add_argument(
        "--run-dir",
        type=pathlib.Path,
        help="where the run leaves what it makes (default: a new folder below runs/)",
    )
    return flags


def new_run_folder(name: str) -> pathlib.Path:
    """A folder for this run, named by the time."""
    return pathlib.Path("runs") / name / time.strftime("%Y-%m-%dT%H-%M-%S")


def open_run(root: pathlib.Path, folder: pathlib.Path, spec_digest: str) -> Run:
    """Makes the run's folder and says what starts."""
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(root.resolve(), folder, Reporter(), Interrupt())
    program = pathlib.Path(sys.argv[0]).read_bytes()
    run.reporter.event(
        "started",
        version=EVENTS_VERSION,
        program=hashlib.sha256(program).hexdigest(),
        spec=spec_digest,
        python=platform.python_version(),
        tensorflow=tf.__version__,
        keras=keras.__version__,
        pid=os.getpid(),
        folder=str(folder),
    )
    return run


@contextlib.contextmanager
def failures_told(run: Run) -> Iterator[None]:
    """Tells of a failure in words and ends with 1; what was written stays readable."""
    try:
        yield
    except InputError as error:
        run.reporter.event(
            "failed",
            code="input",
            message=error.message,
            place=error.place,
            file=error.file,
        )
        sys.exit(f"error: {error.message}\n  read by {error.place}")
    except DeviceError as error:
        run.reporter.event(
            "failed", code="devices", message=error.message, place=error.place
        )
        sys.exit(f"error: {error.message}\n  asked for by {error.place}")
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        run.reporter.event("failed", code="program", message=message, place=None)
        raise


def end(run: Run) -> None:
    """Ends with the code of the signal that stopped the run, if one did."""
    if run.interrupt.signal is not None:
        sys.exit(128 + run.interrupt.signal)
