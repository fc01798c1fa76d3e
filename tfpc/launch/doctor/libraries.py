"""The CUDA libraries that pip installs beside TensorFlow, and what stands before them."""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterable, Mapping

# Those whose other versions do harm; `LD_LIBRARY_PATH` comes before what pip installed.
OF_CUDA = re.compile(
    r"lib(cudart|cudnn\w*|cublas\w*|cufft|cusolver|cusparse|nccl)\.so\b"
)


def beside(tensorflow: str | None) -> list[pathlib.Path]:
    """The folders of libraries beside an installed TensorFlow (its `__init__.py`)."""
    if tensorflow is None:
        return []
    packages = pathlib.Path(tensorflow).parent.parent
    return sorted(packages.glob("nvidia/*/lib"))


def holding(names: Iterable[str], folders: list[pathlib.Path]) -> list[pathlib.Path]:
    """The folders in which libraries of these names lie; empty if one is in none."""
    found: list[pathlib.Path] = []
    for name in names:
        places = [folder for folder in folders if (folder / name).exists()]
        if not places:
            return []
        found.append(places[0])
    return list(dict.fromkeys(found))


def before(folders: list[pathlib.Path], environment: Mapping[str, str]) -> list[str]:
    """The folders of `LD_LIBRARY_PATH` with other CUDA libraries than those of pip."""
    own = {os.path.realpath(folder) for folder in folders}
    found = []
    for name in filter(None, environment.get("LD_LIBRARY_PATH", "").split(":")):
        try:
            has = any(OF_CUDA.match(each) for each in os.listdir(name))
        except OSError:
            continue
        if has and os.path.realpath(name) not in own:
            found.append(name)
    return found
