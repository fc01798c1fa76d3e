"""Keeps pydantic from looking for plugins, which takes a twentieth of the time of lint.

`PYDANTIC_DISABLE_PLUGINS` is its documented switch, but the module that reads it has
imported `importlib.metadata`, and with that `email` and `socket`, by then. So an empty
one takes its place; a pydantic that has no such module does not notice.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

LOADER = "pydantic.plugin._loader"

os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
if os.environ["PYDANTIC_DISABLE_PLUGINS"] == "__all__" and LOADER not in sys.modules:
    sys.modules[LOADER] = ModuleType(LOADER)
    vars(sys.modules[LOADER])["get_plugins"] = tuple
