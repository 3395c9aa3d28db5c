"""Whatever xDSL's verifiers raise is an error of the input, at its operation; what ours raise is a defect of ours."""

from collections.abc import Callable

import pytest
from fuzzing import broken_promise, take
from xdsl.dialects.func import ReturnOp
from xdsl.utils.exceptions import VerifyException

from rlx_sched.dialect.sched import KernelOp
from rlx_sched.ir.reader import read_module
from rlx_sched.tools import rlx_opt, rlx_report
from rlx_sched.tools.registry import new_context
from rlx_sched.tools.verify import InvalidModule, verify

FUNCTION = "func.func @f() {\n  return\n}\n"
KERNEL = "sched.kernel @k {\n  sched.buffer @a : memref<4xf32>\n}\n"
FOUND = {
    "too few indices of a load": "func.func @f(%m: memref<8x8xf32>, %i: index) {\n"
    "  %r =~memref.load %m[%i] : memref<8x8xf32>\n  return\n}\n",
    "too few indices of a store": "func.func @f(%m: memref<8x8xf32>, %i: index, %a: f32) {\n"
    " ~memref.store %a, %m[%i] : memref<8x8xf32>\n  return\n}\n",
    "a loop with another type": "func.func @f(%p: i1, %a: f32, %i: index) {\n"
    " ~scf.while (%z = %a) : (f32) -> f32 {\n    scf.condition(%p) %z : f32\n  } do {\n"
    "  ^bb0(%w: index):\n    scf.yield %w : index\n  }\n  return\n}\n",
    "a terminator of nothing that is known": '"a.b"() ({\n ~x86_scf.yield\n}) : () -> ()\n',
}


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_what_was_found(text: str):
    before = text.partition("~")[0]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n") + 1
    data = text.replace("~", " ").encode()
    taken = take(rlx_opt.main, (), data)
    assert (taken.code, taken.stdout) == (1, "")
    assert taken.stderr.startswith(f"<stdin>:{line}:{column}: error: '")
    assert broken_promise(rlx_report.main, ("--json",), data) is None


def _raising(error: Exception) -> Callable[[object], None]:
    def verifier(op: object) -> None:
        raise error

    return verifier


@pytest.mark.parametrize(
    "error",
    [Exception("no good"), KeyError("k"), AssertionError(), AttributeError("a"), NotImplementedError()],
    ids=repr,
)
def test_whatever_a_verifier_of_xdsl_raises(error: Exception, monkeypatch: pytest.MonkeyPatch):
    module, _ = read_module(new_context(), FUNCTION, "test.mlir")
    monkeypatch.setattr(ReturnOp, "verify_", _raising(error))
    with pytest.raises(InvalidModule, match=f"'func.return' op: .*{str(error) or type(error).__name__}") as caught:
        verify(module)
    assert isinstance(caught.value.op, ReturnOp)


def test_want_of_memory_is_no_fault_of_the_input(monkeypatch: pytest.MonkeyPatch):
    module, _ = read_module(new_context(), FUNCTION, "test.mlir")
    monkeypatch.setattr(ReturnOp, "verify_", _raising(MemoryError()))
    with pytest.raises(MemoryError):
        verify(module)


@pytest.mark.parametrize(("error", "kind"), [(TypeError("t"), TypeError), (VerifyException("v"), InvalidModule)])
def test_what_our_own_verifiers_raise(error: Exception, kind: type[Exception], monkeypatch: pytest.MonkeyPatch):
    module, _ = read_module(new_context(), KERNEL, "test.mlir")
    monkeypatch.setattr(KernelOp, "_is_plainly_valid", _raising(error))
    with pytest.raises(kind):
        verify(module)
