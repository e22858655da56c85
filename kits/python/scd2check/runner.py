"""Serves a plain Python file: ``python3 -m scd2check.runner impl.py``, or this file by its path.

The file is imported, and what it defines is recognised (``finding``). A file that calls ``serve`` itself is run as the
main program instead.
"""

from __future__ import annotations

import os
import sys

if not __package__:
    # Started by its path, this folder is on the module path, and its modules would stand in the way of others.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

import ast
import traceback
from types import ModuleType

from scd2check import protocol
from scd2check.errors import Unsuitable
from scd2check.finding import find
from scd2check.serving import serve


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python3 -m scd2check.runner impl.py", file=sys.stderr)
        return 2
    path = os.path.abspath(arguments[0])
    file = os.path.basename(path)
    # Before the file can print anything.
    protocol.claim()
    try:
        with open(path, "rb") as source:
            tree = ast.parse(source.read(), filename=path)
        _serve_file(path, file, tree)
    except Unsuitable as problem:
        print(f"scd2check: {problem}", file=sys.stderr)
        return 1
    except Exception:
        # Without the kit's own frames, which come first and say nothing to the author of the file.
        _print_from(path)
        return 1
    return 0


def _serve_file(path: str, file: str, tree: ast.Module) -> None:
    sys.argv = [path]
    sys.path[0] = os.path.dirname(path)
    if calls_serve(tree):
        _execute(path, tree, "__main__")
        if not protocol.claim().used:
            raise Unsuitable(f"{file} mentions `serve`, but ended without having called it.")
        return
    stem = os.path.splitext(file)[0]
    # A name that no other module has: a file may be called json.py.
    module = _execute(path, tree, f"implementation_{stem}")
    target = find(module, file)
    contract = getattr(module, "SCD2CHECK", None)
    named = isinstance(contract, dict) and "name" in contract
    serve(target, contract={} if contract is None else contract, name=None if named else file)


def calls_serve(tree: ast.Module) -> bool:
    """Whether the file uses the kit and calls its ``serve`` somewhere."""
    uses_kit = any(
        (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "scd2check" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "scd2check")
        for node in ast.walk(tree)
    )
    return uses_kit and any(isinstance(node, ast.Call) and _name(node.func) == "serve" for node in ast.walk(tree))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _execute(path: str, tree: ast.Module, name: str) -> ModuleType:
    """Runs the file as a module of that name. Nothing is written beside it, as an import would."""
    module = ModuleType(name)
    module.__file__ = path
    module.__dict__["__builtins__"] = __builtins__
    sys.modules[name] = module
    exec(compile(tree, path, "exec"), module.__dict__)
    return module


def _print_from(path: str) -> None:
    kind, error, trace = sys.exc_info()
    if isinstance(error, SyntaxError) and error.filename == path:
        traceback.print_exception(kind, error, None)
        return
    start = trace
    while start is not None and os.path.abspath(start.tb_frame.f_code.co_filename) != path:
        start = start.tb_next
    traceback.print_exception(kind, error, start or trace)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
