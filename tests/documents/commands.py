# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Commands of docs/ as modules, for their tests."""

import importlib.machinery
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(name):
    """The module of a command such as docs/record/peers. What it imports from beside it can be imported from then on."""
    path = ROOT / name
    sys.path.insert(0, str(path.parent))
    loader = importlib.machinery.SourceFileLoader(path.name + "_command", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
