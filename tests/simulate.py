"""Run one threadgroup of a GPU kernel, all of its threads, and watch for races in threadgroup memory.

Barriers are the only thing that orders threads here, so a kernel has a race exactly when, between two barriers, one
thread writes an element that another one reads or writes. That does not depend on how the threads happen to be
interleaved: each runs up to the next barrier in turn, in either order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from rlx_sched.ir.access import affine_map, attribute, dense_i64_array, op_name, symbol_name, symbol_ref, text
from rlx_sched.sources.rotation import memref_type
from rlx_sched.sources.upstream import in_workgroup_memory

AXES = ("x", "y", "z")


class Race(Exception):
    """Two threads touch an element of threadgroup memory, one of them to write it, with no barrier between."""


class Divergence(Exception):
    """Some threads wait at a barrier that others never reach."""


@dataclass(eq=False)
class Buffer:
    """Memory, and the threads that wrote or read each element since the last barrier."""

    data: np.ndarray[Any, np.dtype[np.float32]]
    shared: bool = False
    writers: dict[int, int] = field(default_factory=dict[int, int])
    readers: dict[int, set[int]] = field(default_factory=dict[int, set[int]])


@dataclass(frozen=True)
class View:
    """A memref."""

    buffer: Buffer
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def at(self, indices: Sequence[int]) -> int:
        assert all(0 <= index < size for index, size in zip(indices, self.shape, strict=True)), (indices, self.shape)
        return self.offset + sum(index * stride for index, stride in zip(indices, self.strides, strict=True))

    def everywhere(self) -> Iterator[tuple[int, ...]]:
        return product(*map(range, self.shape))


def contiguous(buffer: Buffer, shape: tuple[int, ...]) -> View:
    return View(buffer, 0, shape, tuple(prod(shape[i + 1 :]) for i in range(len(shape))))


_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.addf": lambda a, b: a + b,
    "arith.mulf": lambda a, b: a * b,
    "arith.remui": lambda a, b: a % b,
}


class Group:
    """What the threads of one threadgroup share."""

    def __init__(self, module: ModuleOp, threads: tuple[int, ...]):
        self.module = module
        self.threads = threads
        self.allocations: dict[Any, View] = {}

    def allocate(self, key: object, attribute: Attribute) -> View:
        """The memory that an operation or an argument stands for: the same for all threads."""
        if key not in self.allocations:
            type = memref_type(attribute)
            assert type is not None
            shape = tuple(type.get_shape())
            data = np.full(prod(shape), np.nan, np.float32)
            self.allocations[key] = contiguous(Buffer(data, in_workgroup_memory(type)), shape)
        return self.allocations[key]

    def end_interval(self) -> None:
        """All threads have come to a barrier."""
        for view in self.allocations.values():
            view.buffer.writers.clear()
            view.buffer.readers.clear()


class Thread:
    """One thread: its values, and how it runs operations."""

    def __init__(self, group: Group, number: int, values: dict[SSAValue, Any]):
        self.group = group
        self.number = number
        self.ids = np.unravel_index(number, tuple(reversed(group.threads)))[::-1]
        self.values = dict(values)

    def load(self, view: View, indices: Sequence[int]) -> Any:
        position = view.at(indices)
        buffer = view.buffer
        if buffer.shared:
            if buffer.writers.get(position, self.number) != self.number:
                raise Race(f"thread {self.number} reads element {position}, which another one may be writing")
            buffer.readers.setdefault(position, set()).add(self.number)
        return buffer.data[position]

    def store(self, view: View, indices: Sequence[int], value: Any) -> None:
        position = view.at(indices)
        buffer = view.buffer
        if buffer.shared:
            if {buffer.writers.get(position, self.number), *buffer.readers.get(position, ())} - {self.number}:
                raise Race(f"thread {self.number} writes element {position}, which another one may be using")
            buffer.writers[position] = self.number
        buffer.data[position] = value

    def run(self, block: Block) -> Iterator[None]:
        """Run a block; yields at every barrier."""
        for op in block.ops:
            name = op_name(op)
            if name == "gpu.barrier":
                yield
            elif name == "scf.for":
                body = op.regions[0].first_block
                assert body is not None
                for counter in range(*(self.values[operand] for operand in op.operands)):
                    self.values[body.args[0]] = counter
                    yield from self.run(body)
            elif name == "scf.if":
                body = op.regions[0].first_block
                if self.values[op.operands[0]] and body is not None:
                    yield from self.run(body)
            else:
                self.step(op, name)

    def step(self, op: Operation, name: str) -> None:
        """Run an operation without regions, or a structured one."""
        operands = [self.values[operand] for operand in op.operands]
        result: Any = None
        if name in _ARITHMETIC:
            result = _ARITHMETIC[name](*operands)
        elif name == "arith.constant":
            value = attribute(op, "value")
            assert isinstance(value, IntegerAttr | FloatAttr)
            result = value.value.data
        elif name == "arith.cmpi":
            result = operands[0] < operands[1]
        elif name == "affine.apply":
            map = affine_map(attribute(op, "map"))
            assert map is not None
            (result,) = map.eval(operands[: map.num_dims], operands[map.num_dims :])
        elif name in ("gpu.thread_id", "gpu.block_id"):
            axis = next(
                i for i, axis in enumerate(AXES) if f"dim {axis}" in text(attribute(op, "dimension") or _missing())
            )
            result = int(self.ids[axis]) if name == "gpu.thread_id" else 0
        elif name == "memref.alloc":
            result = self.group.allocate(op, op.results[0].type)
        elif name == "memref.subview":
            result = self.subview(op, operands)
        elif name == "memref.load":
            result = self.load(operands[0], operands[1:])
        elif name == "memref.store":
            self.store(operands[1], operands[2:], operands[0])
        elif name == "linalg.copy":
            for indices in operands[1].everywhere():
                self.store(operands[1], indices, self.load(operands[0], indices))
        elif name == "linalg.matmul":
            a, b, c = operands
            for i, j in c.everywhere():
                for k in range(a.shape[1]):
                    self.store(c, (i, j), self.load(c, (i, j)) + self.load(a, (i, k)) * self.load(b, (k, j)))
        else:
            assert name in ("gpu.terminator", "gpu.return", "scf.yield"), f"{name} is not simulated"
        if op.results:
            self.values[op.results[0]] = result

    def subview(self, op: Operation, operands: list[Any]) -> View:
        source: View = operands[0]
        dynamic = iter(operands[1:])
        offsets, sizes, strides = (
            [next(dynamic) if value == DYNAMIC_INDEX else value for value in dense_i64_array(attribute(op, key)) or ()]
            for key in ("static_offsets", "static_sizes", "static_strides")
        )
        assert all(
            offset >= 0 and offset + (size - 1) * stride < extent
            for offset, size, stride, extent in zip(offsets, sizes, strides, source.shape, strict=True)
        ), "the subview is not inside of its source"
        type = op.results[0].type
        assert isinstance(type, MemRefType)
        dimensions = list(zip(sizes, (a * b for a, b in zip(strides, source.strides, strict=True)), strict=True))
        while len(dimensions) > type.get_num_dims():
            dimensions.remove(next(dimension for dimension in dimensions if dimension[0] == 1))
        start = source.offset + sum(a * b for a, b in zip(offsets, source.strides, strict=True))
        return View(source.buffer, start, tuple(d[0] for d in dimensions), tuple(d[1] for d in dimensions))


def _missing() -> Any:
    raise AssertionError("the attribute is missing")


def run_threadgroup(module: ModuleOp, shapes: Sequence[tuple[int, ...]], *, backwards: bool = False) -> bytes:
    """Run the first threadgroup of the first launch in `module`; the bits of its last argument afterwards.

    The function that launches takes f32 memrefs of these shapes.
    """
    function = next(op for op in module.walk() if op_name(op) == "func.func")
    host = Thread(Group(module, (1, 1, 1)), 0, {})
    block = function.regions[0].first_block
    assert block is not None
    generator = np.random.default_rng(0)
    for argument, shape in zip(block.args, shapes, strict=True):
        host.values[argument] = contiguous(Buffer(generator.random(prod(shape), np.float32)), shape)
    for op in block.ops:
        if op_name(op) in ("gpu.launch", "gpu.launch_func"):
            _launch(op, module, host, backwards)
            break
        host.step(op, op_name(op))
    return host.values[block.args[-1]].buffer.data.tobytes()


def _launch(launch: Operation, module: ModuleOp, host: Thread, backwards: bool) -> None:
    threads = tuple(host.values[operand] for operand in launch.operands[3:6])
    group = Group(module, threads)
    kernel = launch
    values = dict(host.values)
    if op_name(launch) == "gpu.launch_func":
        path = symbol_ref(attribute(launch, "kernel"))
        kernel = next(op for op in module.walk() if op_name(op) == "gpu.func" and path and symbol_name(op) == path[-1])
    body = kernel.regions[0].first_block
    assert body is not None
    if kernel is not launch:
        inputs = [host.values[operand] for operand in launch.operands[6:]]
        values = dict[SSAValue, Any](zip(body.args, inputs, strict=False))
        for argument in body.args[len(inputs) :]:
            values[argument] = group.allocate(argument, argument.type)
    running = [Thread(group, number, values).run(body) for number in range(prod(threads))]
    if backwards:
        running.reverse()
    while running:
        waiting = [thread for thread in running if next(thread, "done") is None]
        if waiting and len(waiting) < len(running):
            raise Divergence(f"{len(waiting)} of {len(running)} threads wait at a barrier")
        running = waiting
        group.end_interval()
