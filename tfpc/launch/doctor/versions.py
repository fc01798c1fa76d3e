"""The versions of Python and of the packages that training needs; nothing is imported."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

from tfpc.launch.doctor.finding import Finding, Level

Pair = tuple[int, int]

# From the first that is supported to the first that is not; a test holds these to what
# the package itself requires.
PYTHON: tuple[Pair, Pair] = ((3, 10), (3, 14))
PACKAGES: dict[str, tuple[Pair, Pair] | None] = {
    "tfpc": None,
    "tensorflow": ((2, 20), (2, 22)),
    "keras": ((3, 10), (4, 0)),
    "tensorboard": ((2, 20), (2, 22)),
    "numpy": None,
    "pydantic": ((2, 9), (3, 0)),
}
# Other packages that bring the module `tensorflow` along.
VARIANTS = ("tensorflow-cpu", "tf-nightly", "tf-nightly-cpu", "tensorflow-rocm")
NUMBERS = re.compile(r"(\d+)\.(\d+)")


def python(running: tuple[int, int, int] = sys.version_info[:3]) -> Finding:
    """The interpreter that tfpc runs in, and starts programs with."""
    said = ".".join(map(str, running))
    facts = {
        "version": said,
        "executable": sys.executable,
        "platform": platform.platform(),
    }
    text = f"Python {said} at {sys.executable}"
    if PYTHON[0] <= running[:2] < PYTHON[1]:
        return Finding(Level.OK, "python", text, facts=facts)
    fix = f"install tfpc into a virtual environment of Python {span(*PYTHON)}"
    return Finding(Level.PROBLEM, "python", f"{text} is not supported", fix, facts)


def packages(installed: Callable[[str], str] = version) -> Iterator[Finding]:
    """One line of all that is as it should be, and one for each that is not."""
    found: dict[str, str] = {}
    wrong: list[Finding] = []
    for name, limits in PACKAGES.items():
        package, number = installed_as(name, installed)
        if number is None:
            wrong.append(missing(name))
        elif limits is not None and not within(number, limits):
            wrong.append(unsupported(package, number, limits))
        else:
            found[package] = number
    text = ", ".join(f"{name} {number}" for name, number in found.items())
    yield Finding(Level.OK, "packages", text or "none", facts=dict(found))
    yield from wrong


def installed_as(name: str, installed: Callable[[str], str]) -> tuple[str, str | None]:
    """The package and version that a module comes with; None if it is not installed."""
    for package in (name, *(VARIANTS if name == "tensorflow" else ())):
        try:
            return package, installed(package)
        except PackageNotFoundError:
            continue
    return name, None


def within(number: str, limits: tuple[Pair, Pair]) -> bool:
    """Whether a version is a supported one; of one that has no numbers, it is said so."""
    read = NUMBERS.match(number)
    return read is not None and limits[0] <= (int(read[1]), int(read[2])) < limits[1]


def missing(name: str) -> Finding:
    """A package that is not installed."""
    fix = f"`{sys.executable} -m pip install {wanted(name)}`"
    return Finding(Level.PROBLEM, name, f"{name} is not installed", fix)


def unsupported(package: str, number: str, limits: tuple[Pair, Pair]) -> Finding:
    """A version that tfpc has not been tried with."""
    name = "tensorflow" if package in VARIANTS else package
    return Finding(
        Level.PROBLEM,
        package,
        f"{package} {number} is not supported, {span(*limits)} is",
        f"`{sys.executable} -m pip install {wanted(name)}`",
        {"version": number},
    )


def wanted(name: str) -> str:
    """What to give to pip."""
    limits = PACKAGES[name]
    if limits is None:
        return name
    first, behind = (".".join(map(str, pair)) for pair in limits)
    return f'"{name}>={first},<{behind}"'


def span(first: Pair, behind: Pair) -> str:
    """`2.20 to 2.21`, or `3.10 and newer 3` where the end is a whole version."""
    start = f"{first[0]}.{first[1]}"
    if behind[1] == 0:
        return f"{start} or a later {first[0]}"
    return f"{start} to {behind[0]}.{behind[1] - 1}"
