"""Calls functions of other people by what their parameters are named, or else by position."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from scd2check.errors import Unsuitable

#: Names under which implementations take each thing, without case and underscores.
NAMES: Mapping[str, frozenset[str]] = {
    "state": frozenset({"state", "dimension", "dim", "current", "existing", "target", "history"}),
    "rows": frozenset({"rows", "batch", "extract", "source", "incoming", "updates", "records", "snapshot", "changes"}),
    "keys": frozenset({"keys", "key", "keycolumns", "keycols", "naturalkey", "naturalkeys", "businesskey", "businesskeys"}),
    "as_of": frozenset({"asof", "asofdate", "asofts", "batchdate", "batchts", "loadts", "loaddate"}),
    "contract": frozenset({"contract"}),
    "columns": frozenset({"columns"}),
    "dimension": frozenset({"dimension", "initial"}),
    "setup": frozenset({"setup"}),
    # Of functions that are given a Spark session.
    "spark": frozenset({"spark", "sparksession", "session"}),
    "table": frozenset({"table", "tablename", "dimident", "dim", "dimtable", "dimension", "target", "targettable"}),
    "query": frozenset({"srcvaluessql", "srcsql", "sourcesql", "sql", "query", "srcquery", "sourcequery", "src", "source"}),
    "source_dir": frozenset({"sourcedir", "srcdir", "inputdir", "landingdir", "source", "path"}),
    "checkpoint": frozenset({"checkpoint", "checkpointdir", "checkpointlocation", "checkpointpath"}),
}

_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Plan:
    """How to call one function: which of the offered things goes to which parameter."""

    def __init__(self, function: Callable[..., Any], offered: Sequence[str], what: str) -> None:
        """``offered``: names of what can be given, in the order in which unknown positional parameters take them."""
        self._function = function
        self._positional: list[str] = []
        self._keywords: dict[str, str] = {}
        self._fit(offered, what)

    def call(self, values: Mapping[str, Any]) -> Any:
        positional = [values[offer] for offer in self._positional]
        keywords = {name: values[offer] for name, offer in self._keywords.items()}
        return self._function(*positional, **keywords)

    def takes(self, offer: str) -> bool:
        return offer in self._positional or offer in self._keywords.values()

    def _fit(self, offered: Sequence[str], what: str) -> None:
        parameters = parameters_of(self._function)
        if parameters is None:  # Written in C, without a signature.
            self._positional = list(offered)
            return
        known = {parameter.name: _meant(parameter.name, offered) for parameter in parameters}
        left = [offer for offer in offered if offer not in known.values()]
        for parameter in parameters:
            offer = known[parameter.name]
            if parameter.kind in _VARIABLE:
                continue
            required = parameter.default is inspect.Parameter.empty
            if offer is None and required and left and parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
                offer = left.pop(0)
            if offer is None:
                if required:
                    raise Unsuitable(
                        f"{what} takes a parameter `{parameter.name}`, and there is nothing to give it. "
                        f"It can take {_list(offered)}; give `{parameter.name}` a default value, or another name."
                    )
                continue
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                self._positional.append(offer)
            else:
                self._keywords[parameter.name] = offer
        if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
            for offer in left:
                self._keywords.setdefault(offer, offer)


def parameters_of(function: Callable[..., Any]) -> Optional[list[inspect.Parameter]]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None


def meanings(function: Callable[..., Any]) -> set[str]:
    """Which things of a session the names of a function's parameters ask for."""
    return meant_by(function, ("state", "rows", "keys", "as_of"))


def named_for(function: Callable[..., Any], offered: Sequence[str]) -> list[inspect.Parameter]:
    """The parameters of a function that are named for one of the offered things."""
    return [each for each in parameters_of(function) or [] if _meant(each.name, offered) is not None]


def meant_by(function: Callable[..., Any], offered: Sequence[str]) -> set[str]:
    """Which of the offered things the names of a function's parameters ask for."""
    return {meant for each in parameters_of(function) or [] if (meant := _meant(each.name, offered)) is not None}


def _meant(name: str, offered: Sequence[str]) -> Optional[str]:
    plain = name.lower().replace("_", "")
    return next((offer for offer in offered if plain in NAMES[offer]), None)


def _list(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return ", ".join(quoted[:-1]) + f" and {quoted[-1]}" if len(quoted) > 1 else quoted[0]
