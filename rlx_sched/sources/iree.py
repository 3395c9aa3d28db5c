"""Dispatches of the IREE compiler.

IREE decides the rotation in the configuration of a dispatch (`pipeline_depth` and `store_stage` in its
`#iree_codegen.translation_info`) and reads it once, when it sets up the passes that lower the dispatch. So before
that, in the output of `--compile-to=executable-configurations`, changing the attribute changes the kernel; later it
changes nothing, and the passes still to come rely on the slots there are.

```mlir
"func.func"() <{sym_name = "mm", function_type = () -> ()}> ({
}) {translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 8, 1],
    {pipeline_depth = 2 : i64, store_stage = 0 : i64}>} : () -> ()
```

A schedule's stages are its slots here, since two attributes decide them together. `prefetch_num_stages` (ROCm, CUDA)
keeps its tiles in registers: it is no rotation of threadgroup memory and is never touched.
"""

import re
from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import MemRefType, NoneAttr, TensorType, UnregisteredAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr
from xdsl.utils.hints import isa

from rlx_sched.dialect.attributes import Bound, Bytes
from rlx_sched.dialect.data_layout import data_layout
from rlx_sched.dialect.layout import Buffer, NoFootprint, Placement, footprint, place
from rlx_sched.dialect.type_sizes import DataLayout, element_size, memref_size
from rlx_sched.ir.access import affine_map, attribute, elements, op_name, set_attribute, symbol_name, text
from rlx_sched.ir.verbatim import VerbatimAttr
from rlx_sched.sources.schedule import CannotRestage, Schedule, Source
from rlx_sched.sources.slots import iree_spirv_slots
from rlx_sched.sources.upstream import in_workgroup_memory

TRANSLATION_INFO = "translation_info"

_ADVICE = (
    "set pipeline_depth = 1 and store_stage = 1 in the configured dispatch (--compile-to=executable-configurations)"
)

_PADDING_BITS = 128
"""What IREE appends to every row of a staged tile against bank conflicts (option `padding-bits` of
`iree-codegen-gpu-reduce-bank-conflicts`)."""

_SPIRV_PIPELINE = "#iree_gpu.spirv_pipeline<"
_PROMOTING_PIPELINE = _SPIRV_PIPELINE + "MatmulPromoteVectorize>"

_PIPELINED = "__pipelining_first_stage__"
"""What IREE's pipelining marks the operations with that it moved ahead."""

_CONTRACTIONS = ("linalg.generic", "linalg.matmul", "linalg.batch_matmul")
_CONTRACTION_BODY = re.compile(r"arith\.(mul[fi]|add[fi]|extf|extsi|extui|sitofp|uitofp)|linalg\.yield")

_TARGETS = ("#hal.executable.target<", "#hal.device.target<", "[#hal.device.target<", "#iree_gpu.target<")
"""The attributes that describe targets; what others say in passing is no limit."""

_LIMIT = re.compile(r"\bmax_workgroup_memory_bytes = (\d{1,18})\b(?!\.)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_TILE_SIZES = re.compile(r"#iree_codegen\.lowering_config<tile_sizes = \[\[(\d{1,18}(?:, \d{1,18})*)\]")


class _Setting:
    """`pipeline_depth` and `store_stage` as a translation info has them."""

    _FIELDS = re.compile(r"\b(pipeline_depth|store_stage) = (\d{1,18})\b")

    def __init__(self, op: Operation):
        self.op = op
        info = attribute(op, TRANSLATION_INFO)
        self.text = "" if info is None else text(info)
        fields = {name: int(value) for name, value in self._FIELDS.findall(self.text)}
        self.depth = fields.get("pipeline_depth")
        self.store_stage = fields.get("store_stage")

    @property
    def decided(self) -> int | None:
        """The slots of a staged tile, where this setting decides them: in SPIR-V pipelines, if both are there."""
        if self.depth is None or self.store_stage is None or _SPIRV_PIPELINE not in self.text:
            return None
        return iree_spirv_slots(self.depth, self.store_stage)

    @property
    def slots(self) -> int:
        """The slots of a staged tile; 1 where nothing rotates in threadgroup memory."""
        return self.decided or 1

    def write(self, slots: int) -> None:
        """Change the attribute to `slots` slots, and nothing else in it."""
        store_stage = 1 if slots == 1 else self.store_stage
        values = {"pipeline_depth": slots - 1 if store_stage == 0 else slots, "store_stage": store_stage}
        changed = self._FIELDS.sub(lambda field: f"{field[1]} = {values[field[1]]}", self.text)
        set_attribute(self.op, TRANSLATION_INFO, VerbatimAttr(changed))


class _Limits:
    """The threadgroup bytes that targets allow: what an operation says is looked up once for all dispatches in it."""

    def __init__(self) -> None:
        self._limits: dict[Operation, int | None] = {}

    def around(self, op: Operation) -> int | None:
        """The limit for the dispatch `op`, where it or an operation around it names a single one."""
        scope: Operation | None = op
        while scope is not None:
            if scope not in self._limits:
                self._limits[scope] = _own_limit(scope)
            if (limit := self._limits[scope]) is not None:
                return limit
            scope = scope.parent_op()
        return None


def _own_limit(op: Operation) -> int | None:
    """The limit of the targets that `op` itself describes; None where there is none, or several differ."""
    described = [text(value) for value in (*op.properties.values(), *op.attributes.values()) if _is_opaque(value)]
    targets = [_STRING.sub('""', target) for target in described if target.startswith(_TARGETS)]
    limits = {int(limit) for target in targets for limit in _LIMIT.findall(target)}
    return limits.pop() if len(limits) == 1 else None


def _is_opaque(value: Attribute) -> bool:
    """Whether `value` may describe targets: one of another dialect, or a list of such."""
    first = next(iter(elements(value) or ()), value)
    return isinstance(first, VerbatimAttr | UnregisteredAttr)


class _Tile:
    """One staged tile, without slots: its elements, and what it takes with padded rows and without."""

    def __init__(self, shape: tuple[int, ...], element: Attribute, rotating: bool):
        self.rotating = rotating
        size = element_size(element).size
        rows = prod(shape[:-1])
        self.plain = rows * shape[-1] * size
        self.padded = rows * (shape[-1] * size + _PADDING_BITS // 8)

    def slots(self, slots: int) -> int:
        """How many there are of it."""
        return slots if self.rotating else 1


def _predict(tiles: list[_Tile], slots: int, limit: int | None) -> Bytes:
    """What `tiles` take when IREE is done with them: rows are padded if all of that fits, and not at all otherwise."""
    plain = sum(tile.plain * tile.slots(slots) for tile in tiles)
    padded = sum(tile.padded * tile.slots(slots) for tile in tiles)
    if limit is not None:
        return Bytes(padded if padded <= limit else plain)
    return Bytes(padded, Bound.AT_MOST) if slots == 1 else Bytes(plain, Bound.AT_LEAST)


class ConfiguredSchedule(Schedule):
    """A dispatch that is configured, and whose tiles are not allocated yet."""

    def __init__(self, op: Operation, setting: _Setting, limit: int | None):
        self.op = op
        self.setting = setting
        self.name = symbol_name(op) or ""
        self.stages = setting.slots
        self.limit = limit

    def footprint(self, stages: int) -> Bytes:
        """The bytes that IREE will allocate: one tile of either operand of the contraction, times the slots.

        The prediction covers what the passes are known to do with one contraction whose tiles divide its shape;
        anything else has no footprint before it is allocated.
        """
        if _PROMOTING_PIPELINE not in self.setting.text:
            raise NoFootprint("which tiles IREE stages in threadgroup memory is not decided yet in this IR")
        return _predict(_promoted_tiles(self.op), stages, self.limit)

    def restage(self, stages: int) -> None:
        """Set `pipeline_depth` and `store_stage`; one stage is `pipeline_depth` 1 with `store_stage` 1."""
        self.setting.write(stages)
        self.setting = _Setting(self.op)
        self.stages = stages


def _promoted_tiles(function: Operation) -> list[_Tile]:
    """The tiles that IREE's matmul promotion stages of the only contraction in `function`.

    Raises:
        NoFootprint: where it is not certain what will be staged.
    """
    compute = [op for op in function.walk() if op_name(op).startswith("linalg.") and op.results]
    contractions = [op for op in compute if attribute(op, "lowering_config") is not None]
    if len(contractions) != 1 or any(op_name(op) != "linalg.fill" for op in compute if op not in contractions):
        raise NoFootprint("IREE may stage more than the operands of one contraction in this dispatch")
    contraction = _Contraction(contractions[0])
    if any(size < 1 or size % contraction.tile[loop] for loop, size in contraction.extents.items()):
        raise NoFootprint("the tiles do not divide the shape of the contraction, so IREE may not stage them")
    rotating = any(contraction.extents[loop] > contraction.tile[loop] for loop in contraction.reductions)
    return [
        _Tile(tuple(contraction.tile[loop] for loop in loops), type.element_type, rotating)
        for loops, type in zip(contraction.loops[:2], contraction.types[:2], strict=True)
    ]


class _Contraction:
    """A matrix product, maybe batched: its loops, their extents and tile sizes.

    Raises:
        NoFootprint: where the operation is something else.
    """

    def __init__(self, op: Operation):
        maps = [affine_map(value) for value in elements(attribute(op, "indexing_maps")) or ()]
        self.types = [value.type for value in op.operands if isa(value.type, TensorType[Attribute])]
        self.loops = [
            [result.position for result in map.results if isinstance(result, AffineDimExpr)] if map else []
            for map in maps
        ]
        config = attribute(op, "lowering_config")
        sizes = _TILE_SIZES.match("" if config is None else text(config))
        ranks = [len(type.get_shape()) for type in self.types]
        if sizes is None or not _multiplies_and_adds(op) or len(ranks) != 3 or ranks != [*map(len, self.loops)]:
            raise NoFootprint("IREE may stage other tiles than those of a matrix product in this dispatch")
        self.extents = {
            loop: size
            for loops, type in zip(self.loops, self.types, strict=True)
            for loop, size in zip(loops, type.get_shape(), strict=True)
        }
        given = dict(enumerate(int(size) for size in sizes[1].split(",")))
        self.tile = {loop: min(given.get(loop) or extent, extent) for loop, extent in self.extents.items()}
        self.reductions = self.extents.keys() - self.loops[2]
        # IREE promotes operands where there are two or three parallel loops, and none of a product by a vector.
        parallel = self.loops[2]
        by_vector = len(parallel) == 2 and 1 in (self.tile[loop] for loop in parallel)
        if len(self.reductions) != 1 or not 2 <= len(parallel) <= 3 or by_vector:
            raise NoFootprint("IREE may stage other tiles than those of a matrix product in this dispatch")


def _multiplies_and_adds(op: Operation) -> bool:
    """Whether all that `op` does to its elements is to multiply and add them, after widening them."""
    names = [op_name(inner) for region in op.regions for block in region.blocks for inner in block.ops]
    return op_name(op) in _CONTRACTIONS and all(_CONTRACTION_BODY.fullmatch(name) for name in names)


class AllocatedSchedule(Schedule):
    """A dispatch whose tiles are allocated, at some point of the passes that lower it."""

    def __init__(self, op: Operation, setting: _Setting, allocations: list[Operation], limit: int | None):
        self.op = op
        self.name = symbol_name(op) or ""
        self.limit = limit
        self.slots = setting.slots
        self.types = [allocation.results[0].type for allocation in allocations]
        in_loop = [_in_loop(allocation, op) for allocation in allocations]
        self.rotating = [
            _leads_with(type, self.slots) and not inside for type, inside in zip(self.types, in_loop, strict=True)
        ]
        # Multi-buffering takes allocations out of the loop; padding comes after the copies are distributed to threads.
        copies = any(op_name(inner) == "memref.copy" for inner in op.walk())
        self.pending = in_loop if not any(self.rotating) and (any(in_loop) or copies) else None
        self.stages = self.slots if any(self.rotating) or any(in_loop) else 1
        self.pipelined = any(_PIPELINED in inner.attributes for inner in op.walk())

    def footprint(self, stages: int) -> Bytes:
        """The bytes of the allocations of this IR, once they have their slots; before that a bound."""
        if self.pending is None:
            return Bytes(footprint(self._buffers(), stages))
        tiles = [
            _Tile(_memref(type).get_shape(), _memref(type).element_type, rotating)
            for type, rotating in zip(self.types, self.pending, strict=True)
            # An allocation outside the loop may still go away: it counts for the most there can be, not for the least.
            if rotating or stages == 1
        ]
        return _predict(tiles, stages, None)

    def placements(self, stages: int) -> list[Placement] | None:
        """The allocations in the order in which they are made; None before they have their slots."""
        return None if self.pending is not None else place(self._buffers(), stages)

    def _buffers(self) -> list[Buffer]:
        layout = data_layout(self.op)
        pairs = zip(self.types, self.rotating, strict=True)
        return [_buffer(type, rotating, layout) for type, rotating in pairs]

    def restage(self, stages: int) -> None:
        """Refuse: the passes to come, or those already run, rely on the slots.

        Raises:
            CannotRestage: always.
        """
        if self.pipelined:
            raise CannotRestage("loads-run-ahead", "its loop already loads tiles ahead of their use", _ADVICE)
        raise CannotRestage(
            "configuration-consumed",
            f"IREE has set up the passes that follow for {self.slots} slots: with fewer, pipelining would overwrite a "
            "tile that is still being read",
            _ADVICE,
        )


def _memref(type: Attribute) -> MemRefType[Attribute]:
    if not isa(type, MemRefType[Attribute]) or not type.has_static_shape():
        raise NoFootprint(f"the size of {text(type)} is not known")
    return type


def _leads_with(type: Attribute, slots: int) -> bool:
    """Whether `type` is as multi-buffering with `slots` slots leaves it: that many tiles of two dimensions or more."""
    return (
        slots > 1
        and isa(type, MemRefType[Attribute])
        and isinstance(type.layout, NoneAttr)
        and type.get_num_dims() > 2
        and type.get_shape()[0] == slots
    )


def _buffer(type: Attribute, rotating: bool, layout: DataLayout) -> Buffer:
    """The buffer that an allocation is. Its own alignment is for the copies; variables do not keep it."""
    type = _memref(type)
    if rotating:
        type = MemRefType(type.element_type, type.get_shape()[1:], type.layout, type.memory_space)
    size, alignment = memref_size(type, layout)
    return Buffer(size, alignment, rotating=rotating)


def _in_loop(op: Operation, function: Operation) -> bool:
    """Whether `op` is inside an `scf.for` of `function`."""
    scope = op.parent_op()
    while scope is not None and scope is not function:
        if op_name(scope) == "scf.for":
            return True
        scope = scope.parent_op()
    return False


class IreeSource(Source):
    """Configured dispatches of IREE, at every step until they become SPIR-V or LLVM."""

    name = "iree"

    def schedules(self, module: Operation) -> Iterator[Schedule]:
        """The dispatches that stage tiles in threadgroup memory or are configured to."""
        limits = _Limits()
        for function in _functions(module):
            if not is_dispatch(function):
                continue
            setting = _Setting(function)
            allocations = [
                op
                for op in function.walk()
                if op_name(op) == "memref.alloc" and in_workgroup_memory(op.results[0].type)
            ]
            if allocations:
                yield AllocatedSchedule(function, setting, allocations, limits.around(function))
            elif setting.decided is not None and not _is_bufferized(function):
                yield ConfiguredSchedule(function, setting, limits.around(function))


def is_dispatch(function: Operation) -> bool:
    """Whether `function` is a dispatch that IREE has configured."""
    info = attribute(function, TRANSLATION_INFO)
    return info is not None and text(info).startswith("#iree_codegen.translation_info<")


def _is_bufferized(function: Operation) -> bool:
    """Whether `function` works on memory, so that what it stages would be allocated."""
    return any(isinstance(result.type, MemRefType) for op in function.walk() for result in op.results)


def _functions(module: Operation) -> Iterator[Operation]:
    """Every `func.func` in `module` and in the executables and modules nested in it."""
    for region in module.regions:
        for block in region.blocks:
            for op in block.ops:
                name = op_name(op)
                if name == "func.func":
                    yield op
                elif name == "builtin.module" or name.startswith("hal.executable"):
                    yield from _functions(op)
