"""Kernels with one slot, multi-buffered by mlir-opt itself, and how to take the slots out again."""

from functools import cache

from round_trip import read, write
from support import run_tool
from xdsl.dialects.builtin import ModuleOp

from rlx_sched.sources.schedule import Schedule
from rlx_sched.sources.upstream import UpstreamSource

_MULTIBUFFER = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %m = transform.structured.match ops{{["memref.alloc"]}} attributes {{rotate}} in %root
        : (!transform.any_op) -> !transform.op<"memref.alloc">
    %n = transform.memref.multibuffer %m {{factor = {slots} : i64, skip_analysis}}
        : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }}
}}"""


@cache
def generic(text: str, *options: str) -> str:
    """A module in generic form, as mlir-opt writes it."""
    return run_tool("mlir-opt", "--mlir-print-op-generic", "--allow-unregistered-dialect", *options, text=text)


@cache
def multibuffer(text: str, slots: int) -> str:
    """`text` with `slots` slots for each allocation that has the attribute `rotate`, as mlir-opt makes them."""
    made = run_tool(
        "mlir-opt",
        "--allow-unregistered-dialect",
        "--transform-interpreter",
        "--canonicalize",
        "--cse",
        text=text + _MULTIBUFFER.format(slots=slots),
    )
    return generic(made.partition("  module attributes {transform")[0] + "}")


def schedules(module: ModuleOp) -> list[Schedule]:
    """The upstream kernels in `module`."""
    return list(UpstreamSource().schedules(module))


def restaged(text: str, stages: int) -> str:
    """`text` with `stages` stages in every kernel, after mlir-opt has verified it."""
    module = read(text)
    for schedule in schedules(module):
        schedule.restage(stages)
        assert schedule.stages == stages
    module.verify()
    return generic(write(module), "--verify-each")
