"""Serves one implementation to the harness, until it says bye."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Mapping
from typing import Any, Optional

from scd2check import protocol
from scd2check.cells import decode_instant
from scd2check.errors import Unsuitable, describe, is_rejection
from scd2check.rows import encode_rows, rows_of
from scd2check.setup import Setup, decode_rows, read_setup
from scd2check.targets import Target, as_target


def serve(
    target: Any,
    *,
    contract: Optional[Mapping[str, Any]] = None,
    name: Optional[str] = None,
    capabilities: Optional[Mapping[str, Any]] = None,
) -> None:
    """Answers the harness until it has no more to ask.

    ``target``: a function ``(state, rows, keys, as_of)`` that returns the new state as a list of dicts (the first state
    is None); or a class with ``apply(rows, as_of)`` and ``read()``, made anew for each session with what its constructor
    names (``keys``, ``contract``, ``columns``, ``dimension``, ``setup``); or an object that has ``start(setup)`` too.
    ``contract``: decisions and columns by their names, ``{"late": "never", "key": "nk INTEGER"}``; unless given, the
    dict ``SCD2CHECK`` of the main module.
    ``capabilities``: ``{"anyColumns": True}`` where it takes any key and attributes that the contract names.

    Call it before anything prints. An exception in ``apply`` is reported as an error of that batch, one of a class named
    ``Rejected`` as its refusal.
    """
    channel = protocol.claim()
    if contract is None:
        contract = getattr(sys.modules.get("__main__"), "SCD2CHECK", None)
    own, beside = split_contract(contract)
    served = as_target(target, beside)
    session = _Session(served, own, beside, name, capabilities)
    while (message := channel.receive()) is not None:
        if message.get("op") == "bye":
            break
        channel.send({"id": message.get("id"), **session.answer(message)})
    session.close()


def _usual(target: Any, contract: Optional[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What the form of a target says of its contract. A table that is overwritten has no bounds."""
    usual = getattr(target, "CONTRACT", {})
    if str((contract or {}).get("type")) not in ("1", "3"):
        return usual
    return {name: value for name, value in usual.items() if name not in ("validFrom", "validTo", "isCurrent")}


#: Fields of ``SCD2CHECK`` that are not the contract's.
_BESIDE = ("anyColumns", "beginsFromTable", "name", "format", "rows")


def split_contract(contract: Optional[Mapping[str, Any]]) -> tuple[Optional[dict[str, Any]], dict[str, Any]]:
    """The contract alone, and what stands beside it in ``SCD2CHECK``: ``anyColumns``, ``beginsFromTable``, ``name``,
    ``format`` and ``rows``."""
    if contract is None:
        return None, {}
    if not isinstance(contract, Mapping):
        raise Unsuitable(f"SCD2CHECK is {contract!r}; it has to be a dict, such as {{'late': 'never'}}.")
    for field, value in contract.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise Unsuitable(
                f"SCD2CHECK[{field!r}] is {value!r}, which JSON cannot hold. Use texts, numbers, lists and dicts."
            ) from None
    beside = {field: contract[field] for field in _BESIDE if field in contract}
    return {field: value for field, value in contract.items() if field not in beside}, beside


class _Session:
    """Answers messages, one after the other. A ``start`` ends the session before it."""

    def __init__(
        self,
        target: Target,
        contract: Optional[dict[str, Any]],
        beside: dict[str, Any],
        name: Optional[str],
        capabilities: Optional[Mapping[str, Any]],
    ) -> None:
        self._target = target
        # What its signature says; what the file says wins.
        self._contract = {**_usual(target, contract), **(contract or {})}
        self._name = name or beside.get("name") or target.name
        own = {field: bool(beside[field]) for field in ("anyColumns", "beginsFromTable") if field in beside}
        self._capabilities = {**getattr(target, "CAPABILITIES", {}), **own, **(capabilities or {})}
        self._setup: Optional[Setup] = None

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        op = message.get("op")
        if op == "hello":
            return self._hello()
        if op == "start":
            return self._start(message)
        if op == "apply":
            return self._apply(message["batch"])
        if op == "read":
            return self._read()
        return {"status": "errored", "reason": f"this kit knows no message {op!r}"}

    def close(self) -> None:
        if self._setup is not None:
            self._target.close()

    def _hello(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"protocol": protocol.VERSION, "implementation": self._name}
        if self._contract:
            answer["contract"] = self._contract
        if self._capabilities:
            answer["capabilities"] = self._capabilities
        return answer

    def _start(self, message: dict[str, Any]) -> dict[str, Any]:
        try:
            setup = read_setup(message)
            self._target.start(setup)
        except Exception as error:
            return {"ok": False, "reason": _report(error)}
        self._setup = setup
        return {"ok": True}

    def _apply(self, batch: dict[str, Any]) -> dict[str, Any]:
        if self._setup is None:
            return {"status": "errored", "reason": "a batch came before any start"}
        try:
            rows = decode_rows(batch["rows"], self._setup.batch_types)
            self._target.apply(rows, decode_instant(batch["asOf"]))
        except Exception as error:
            status = "rejected" if is_rejection(error) else "errored"
            return {"status": status, "reason": _report(error)}
        return {"status": "applied"}

    def _read(self) -> dict[str, Any]:
        if self._setup is None:
            return {"reason": "a read came before any start"}
        try:
            return {"rows": encode_rows(rows_of(self._target.read()), self._setup.dimension_types)}
        except Exception as error:
            return {"reason": _report(error)}


def _report(error: Exception) -> str:
    """Tells the whole story on the error stream, and gives the line that sums it up."""
    if isinstance(error, Unsuitable):
        return str(error)
    traceback.print_exception(type(error), error, error.__traceback__)
    return str(error) if is_rejection(error) and str(error) else describe(error)
