"""Threadgroup memory that is made around launches, and the launches that it gets to.

The body of a `gpu.launch` uses the values of the function around it as they are, until it is outlined. They are
followed from one to the next where an operation makes one of another. Where a value is handed on in other ways, to
loops and conditions, to functions, or to a kernel that is outlined already, what a launch takes is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue

from rlx_sched.ir.access import attribute, op_name, text
from rlx_sched.sources.reached import MOST_REACHED, reached

KERNELS = ("gpu.func", "gpu.launch")
"""What is a kernel by its name."""

_Place: TypeAlias = tuple[SSAValue | Operation, bool]
"""A value, an operation that may make others of it, a kernel, or a function in which something is handed on; and
whether what gets there is certain to."""

_CALL = "func.call"
_LAUNCH = "gpu.launch_func"
_INDIRECT_CALL = "func.call_indirect"
_OTHER_CALLS = (_INDIRECT_CALL, "llvm.call", "llvm.inline_asm")
_ADDRESSES = "memref.extract_"
_OPAQUE = ("!", "tensor<", "tuple<", "(")
"""How types begin of which a value may hold memory, in ways that are not followed."""


def holder(op: Operation | None) -> Operation | None:
    """The kernel or function around `op`, or `op` itself."""
    while op is not None and op_name(op) not in KERNELS and attribute(op, "function_type") is None:
        op = op.parent_op()
    return op


HANDED = "threadgroup memory is handed to it in ways that are not followed"
"""Why it is not known what a kernel takes."""


class Around:
    """Where it gets to, what the operations `made` make outside of kernels.

    Where `arguments` come from is not known. `symbol` resolves a reference at an operation, and `launches` has the
    launches of each function.
    """

    def __init__(
        self,
        made: Iterable[Operation],
        arguments: Iterable[SSAValue],
        symbol: Callable[[Operation, Attribute | None], Operation | None],
        launches: Mapping[Operation | None, Iterable[Operation]],
    ):
        self._symbol = symbol
        self._launches = launches
        self._following: dict[_Place, list[_Place]] = {}
        self._opaque: dict[Operation, set[Attribute]] = {}
        self.kernels: dict[Operation, list[Operation]] = {}
        """The kernels that use what an operation makes, so far as they are known."""
        self.uncounted: dict[Operation, str] = {}
        """The kernels of which not all is known, and why."""
        starts: list[tuple[Operation | None, _Place]] = [(op, (op.results[0], True)) for op in made]
        starts += ((None, (argument, False)) for argument in arguments)
        found = reached(starts, self._follow)
        for (kernel, sure), ops in found.items():
            if not isinstance(kernel, Operation) or op_name(kernel) not in KERNELS:
                continue
            if not sure:
                self.uncounted[kernel] = HANDED
            elif len(ops) > MOST_REACHED:
                self.uncounted[kernel] = f"it uses more than {MOST_REACHED} buffers that are allocated around it"
            else:
                for op in filter(None, ops):
                    self.kernels.setdefault(op, []).append(kernel)
        self._leading = self._backwards(found)

    def leads_to_a_kernel(self, op: Operation) -> bool:
        """Whether what `op` makes gets to a kernel: the function around it is then none."""
        return (op.results[0], True) in self._leading

    def _backwards(self, places: Iterable[_Place]) -> set[_Place]:
        """Those of `places` from which a kernel is reached."""
        before: dict[_Place, list[_Place]] = {}
        for place in places:
            for following in self._follow(place):
                before.setdefault(following, []).append(place)
        pending = [place for place in before if isinstance(place[0], Operation) and op_name(place[0]) in KERNELS]
        seen = set(pending)
        for place in pending:
            new = [earlier for earlier in before.get(place, ()) if earlier not in seen]
            seen.update(new)
            pending += new
        return seen

    def _follow(self, place: _Place) -> list[_Place]:
        """Where it gets to from `place`, in one step."""
        if place not in self._following:
            self._following[place] = list(dict.fromkeys(self._next(*place)))
        return self._following[place]

    def _next(self, place: SSAValue | Operation, sure: bool) -> Iterator[_Place]:
        if isinstance(place, Operation):
            if op_name(place) not in KERNELS:
                yield from ((launch, False) for launch in self._launches.get(place, ()))
                yield from ((result, sure) for result in place.results)
            return
        for use in place.uses:
            op, name = use.operation, op_name(use.operation)
            around = holder(op)
            if around is not None and op_name(around) in KERNELS:
                yield around, sure
            elif name == _LAUNCH:
                kernel = self._symbol(op, attribute(op, "kernel"))
                yield from [] if kernel is None else [(kernel, False)]
            elif name == _CALL:
                yield op, False
                callee = self._symbol(op, attribute(op, "callee"))
                body = callee.regions[0].first_block if callee is not None and callee.regions else None
                if body is not None and use.index < len(body.args):
                    yield body.args[use.index], False
            elif name == _INDIRECT_CALL and use.index == 0:
                # Who calls a function does not hand it on.
                continue
            elif around is not None and self._hands_on(op, place.type):
                yield around, False
            else:
                yield op, sure

    def _hands_on(self, op: Operation, type: Attribute) -> bool:
        """Whether `op` hands an operand of `type` on in a way that is not followed."""
        name, block = op_name(op), op.parent
        if name in _OTHER_CALLS or name.startswith(_ADDRESSES) or op.successors or (block and op is block.last_op):
            return True
        if op.regions and not name.startswith("linalg."):
            return True
        if op not in self._opaque:
            types = {result.type for result in op.results}
            self._opaque[op] = {type for type in types if text(type).startswith(_OPAQUE)}
        return any(opaque != type for opaque in self._opaque[op])
