"""Verify a module, and say which operation is wrong."""

from __future__ import annotations

import re
from traceback import walk_tb
from types import TracebackType

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from rlx_sched.ir.access import op_name

_OURS = __name__.partition(".")[0]
_REDEFINITION = re.compile(r'Redefinition of symbol "(.*)"', re.DOTALL)


class InvalidModule(Exception):
    """The operation `op` is not what its dialect allows."""

    def __init__(self, message: str, op: Operation):
        super().__init__(message)
        self.op = op


def verify(module: ModuleOp) -> None:
    """Check all of `module`.

    Raises:
        InvalidModule: for the first operation that is wrong.
    """
    try:
        module.verify()
    except RecursionError:
        raise InvalidModule("operations are nested too deeply", module) from None
    except MemoryError:
        raise
    except Exception as error:
        # Verifiers raise VerifyException, and ValueError for uses of erased values; while xDSL words the first it may
        # fail to print the module, so the one that counts is at the start of the chain. On operations that they did
        # not think of, xDSL's raise anything: that is no defect of ours.
        first = _first_of_chain(error)
        if not (isinstance(first, VerifyException | ValueError) or _is_raised_by_xdsl(first)):
            raise
        op = _verified_op(first.__traceback__) or module
        raise InvalidModule(_message(first, op), _redefinition(first, op) or op) from error


def _first_of_chain(error: BaseException) -> BaseException:
    while isinstance(error.__context__, VerifyException):
        error = error.__context__
    return error


def _is_raised_by_xdsl(error: BaseException) -> bool:
    """Whether `error` comes from xDSL, or from what xDSL called: of its code and ours, the innermost is not ours."""
    packages = [frame.f_globals["__name__"].partition(".")[0] for frame, _ in walk_tb(error.__traceback__)]
    return next((name for name in reversed(packages) if name in ("xdsl", _OURS)), _OURS) == "xdsl"


def _verified_op(traceback: TracebackType | None) -> Operation | None:
    """The operation in whose `verify` the exception was raised; xDSL's exceptions do not say it."""
    frames = [frame for frame, _ in walk_tb(traceback) if frame.f_code is Operation.verify.__code__]
    return frames[-1].f_locals["self"] if frames else None


def _redefinition(error: BaseException, table: Operation) -> Operation | None:
    """The operation that takes a symbol of `table` again, if that is what `error` says."""
    match = _REDEFINITION.fullmatch(str(error))
    if match is None or not table.regions:
        return None
    found = [op for op in table.regions[0].ops if op.get_attr_or_prop("sym_name") == StringAttr(match[1])]
    return found[1] if len(found) > 1 else None


def _message(error: BaseException, op: Operation) -> str:
    text = str(error).strip() or "does not verify"
    if not isinstance(error, VerifyException | ValueError):
        text = f"xDSL cannot verify it: {str(error).strip() or type(error).__name__}"
    name = f"'{op_name(op)}'"
    return text if name in text else f"{name} op: {text}"
