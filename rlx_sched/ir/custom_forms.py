"""The operations that are read and printed in custom form, and what xDSL makes of them that MLIR does not.

xDSL's parsers and printers of MLIR's dialects are its own, and some drop what they do not know or make another program
of it. So an operation of those dialects is read in custom form only if `tests/ir/test_custom_forms.py` shows that
`mlir-opt` reads the same in what it was read from and in what it is printed as, in either form. The dialects that MLIR
does not have are what xDSL says they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    UnregisteredOp,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineExpr, AffineMap

from rlx_sched.ir.verbatim import VerbatimType

_FORMS = {
    "acc": "",
    "affine": "apply for load min store vector_load vector_store yield",
    "arith": (
        "addf addi addui_extended andi bitcast ceildivsi ceildivui cmpf cmpi constant divf divsi divui extf extsi "
        "extui floordivsi fptosi fptoui index_cast maximumf maxnumf maxsi maxui minimumf minnumf minsi minui mulf "
        "muli mulsi_extended mului_extended negf ori remsi remui select shli shrsi shrui sitofp subf subi truncf "
        "trunci uitofp xori"
    ),
    "arm_neon": "",
    "bufferization": "alloc_tensor clone to_buffer to_tensor",
    "builtin": "module unrealized_conversion_cast",
    "cf": "assert br cond_br switch",
    "complex": (
        "abs add angle atan2 bitcast conj constant cos create div eq exp expm1 im log log1p mul neg neq pow re "
        "rsqrt sign sin sqrt sub tan tanh"
    ),
    "dlti": "",
    "emitc": "",
    "func": "call func return",
    "gpu": "",
    "irdl": "dialect type",
    "linalg": (
        "add broadcast conv_2d_nchw_fchw copy exp fill generic index log matmul max min mul quantized_matmul "
        "reduce select sqrt sub transpose yield"
    ),
    "llvm": (
        "add alloca and ashr bitcast br call call_intrinsic cond_br extractvalue fadd fcmp fdiv fmul fneg fpext "
        "fptrunc frem fsub func getelementptr icmp inline_asm insertelement insertvalue intr.ceil intr.copysign "
        "intr.cos intr.exp intr.exp2 intr.fabs intr.floor intr.fma intr.log intr.log2 intr.masked.store "
        "intr.maxnum intr.minnum intr.pow intr.sin intr.sqrt intr.stackrestore intr.stacksave inttoptr load lshr "
        "mlir.addressof mlir.constant mlir.global mlir.undef mlir.zero mul or ptrtoint return sdiv select sext shl "
        "shufflevector sitofp srem store sub trunc udiv unreachable urem xor zext"
    ),
    "math": (
        "absf absi acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh ctlz ctpop cttz erf exp exp2 "
        "expm1 floor fma fpowi ipowi log log10 log1p log2 powf round roundeven rsqrt sin sinh sqrt tan tanh trunc"
    ),
    "memref": (
        "alloc alloca alloca_scope alloca_scope.return assume_alignment collapse_shape dealloc dim dma_wait "
        "expand_shape get_global load reinterpret_cast store subview view"
    ),
    "ml_program": "global",
    "mpi": "",
    "omp": "",
    "pdl": (
        "apply_native_constraint attribute erase operand operands operation pattern replace result results rewrite "
        "type types"
    ),
    "pdl_interp": "",
    "scf": "condition for if index_switch while yield",
    "shard": "",
    "smt": "",
    "tensor": (
        "cast collapse_shape concat dim empty expand_shape extract extract_slice from_elements insert insert_slice "
        "pad reshape splat yield"
    ),
    "tosa": "add cos reciprocal reduce_max reduce_sum sin sub",
    "transform": "apply_registered_pass named_sequence structured.match structured.tile_using_for yield",
    "ub": "poison unreachable",
    "vector": (
        "bitcast broadcast create_mask extract fma insert load maskedload maskedstore reduction shuffle store "
        "transfer_read transfer_write"
    ),
    "wasmssa": "",
}
"""The dialects that both MLIR and xDSL have, with the operations whose custom form is read."""

PROVEN = frozenset(f"{dialect}.{name}" for dialect, names in _FORMS.items() for name in names.split())
"""The operations of MLIR's dialects that are read and printed in custom form."""

MLIR_DIALECTS = frozenset(_FORMS)
"""The dialects that both MLIR and xDSL have."""

FUNCTIONS = frozenset({"func.func", "llvm.func"})
"""What has attributes of its arguments and results."""

_AFFINE_ACCESSES = frozenset({"affine.load", "affine.store", "affine.vector_load", "affine.vector_store"})
_CONTRACTIONS = frozenset({"linalg.matmul", "linalg.conv_2d_nchw_fchw"})
_FLAGS = "fastmathFlags"
_INBOUNDS = IntegerAttr(3, i32)
"""The flag `inbounds` of `llvm.getelementptr`: 1, with `nusw`, 2, which it implies (MLIR's `GEPNoWrapFlags`)."""


def is_proven(name: str) -> bool:
    """Whether the operation `name` is read in custom form, if it has one."""
    return name in PROVEN or name.partition(".")[0] not in MLIR_DIALECTS


def mend(op: Operation, dictionaries: Sequence[Mapping[str, Attribute]]) -> None:
    """Make of an operation that xDSL read in custom form what MLIR reads.

    `dictionaries` are those that were parsed one by one; the first ones of a function are about its arguments.
    """
    if op.name in FUNCTIONS:
        _keep_attributes_of_arguments(op, dictionaries)
    elif op.name in _AFFINE_ACCESSES:
        _make_dimensions_of_symbols(op)
    elif op.name in _CONTRACTIONS:
        _accumulate_on_the_left(op)
    elif op.name == "scf.if" and not op.results:
        _end_regions(op)
    elif op.name == "llvm.mlir.global":
        op.properties.setdefault("unnamed_addr", IntegerAttr(0, i64))


def _keep_attributes_of_arguments(function: Operation, dictionaries: Sequence[Mapping[str, Attribute]]) -> None:
    """xDSL drops the attributes of arguments without names."""
    if "arg_attrs" in function.properties:
        return
    of_arguments = dictionaries[: len(_function_type(function)[0])]
    if any(of_arguments):
        function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(dict(one)) for one in of_arguments])


def _make_dimensions_of_symbols(access: Operation) -> None:
    """The indices of an access are dimensions of its map unless it says `symbol`, which xDSL does not read."""
    attribute = access.properties["map"]
    if not isinstance(attribute, AffineMapAttr):
        return
    count = attribute.data.num_symbols
    dimensions = [AffineExpr.dimension(i) for i in range(count)]
    results = tuple(result.replace_dims_and_symbols([], dimensions) for result in attribute.data.results)
    access.properties["map"] = AffineMapAttr(AffineMap(count, 0, results))


def _accumulate_on_the_left(contraction: Operation) -> None:
    """The sum in a contraction is of what was there before and the new product, in this order."""
    last = contraction.regions[0].block.last_op
    total = last.operands[0].owner if last is not None else None
    if isinstance(total, Operation):
        total.operands = tuple(reversed(total.operands))


def _end_regions(op: Operation) -> None:
    """xDSL takes an operation of an unknown dialect at the end of a region for what ends it, MLIR does not."""
    from xdsl.dialects.scf import YieldOp

    for block in (block for region in op.regions for block in region.blocks):
        last = block.last_op
        if isinstance(last, UnregisteredOp) and last.op_name.data != YieldOp.name:
            block.add_op(YieldOp())


def is_printable(op: Operation) -> bool:
    """Whether what xDSL prints for `op` in custom form is all of it, and can be read."""
    if not is_proven(op.name):
        return False
    return not _is_one_function([result.type for result in op.results])


def _is_one_function(types: Sequence[Attribute]) -> bool:
    """Whether `types` is one that xDSL prints without the parentheses that it needs after an arrow."""
    return len(types) == 1 and isinstance(types[0], FunctionType)


def printed_properties(op: Operation) -> dict[str, Attribute]:
    """The properties with which xDSL prints all of `op` in custom form, the attributes in a declaration too."""
    if op.name not in FUNCTIONS:
        return op.properties
    properties = dict(op.properties)
    inputs, outputs = _function_type(op)
    if op.regions[0].blocks:
        if _is_one_function(outputs):
            properties.setdefault("res_attrs", ArrayAttr([DictionaryAttr({})]))
        return properties
    kind = properties["function_type"]
    inputs = _with_attributes(inputs, properties.get("arg_attrs"))
    if not isinstance(kind, FunctionType):
        # Not by its constructor, which takes types of LLVM only.
        kind = copy(kind)
        object.__setattr__(kind, "inputs", ArrayAttr(inputs))
        return {**properties, "function_type": kind}
    if "res_attrs" in properties:
        outputs = _with_attributes(outputs, properties["res_attrs"])
        outputs = outputs if len(outputs) > 1 else [VerbatimType(f"({outputs[0]})")]
    return {**properties, "function_type": FunctionType.from_lists(inputs, outputs)}


def _with_attributes(types: Sequence[Attribute], attributes: Attribute | None) -> Sequence[Attribute]:
    if not isinstance(attributes, ArrayAttr):
        return types
    return [
        VerbatimType(f"{one} {of_one}") if of_one.data else one
        for one, of_one in zip(types, cast("ArrayAttr[DictionaryAttr]", attributes), strict=True)
    ]


def _function_type(function: Operation) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """The types of the arguments and the results of a function."""
    kind = function.properties["function_type"]
    if isinstance(kind, FunctionType):
        return kind.inputs.data, kind.outputs.data

    from xdsl.dialects.llvm import LLVMFunctionType

    return (kind.inputs.data, (kind.output,)) if isinstance(kind, LLVMFunctionType) else ((), ())


def generic_entries(op: Operation) -> tuple[Mapping[str, Attribute], Mapping[str, Attribute]]:
    """The properties and the attributes of `op` as MLIR has them."""
    properties, attributes = dict(op.properties), dict(op.attributes)
    if op.name == "llvm.getelementptr" and properties.pop("inbounds", None) is not None:
        properties["noWrapFlags"] = _INBOUNDS
    elif op.name == "llvm.fcmp" and _FLAGS in attributes:
        properties[_FLAGS] = attributes.pop(_FLAGS)
    return properties, attributes
