"""The control: a plain tiled sgemm written down by hand, one stage, without the kernel model and its printers.

The generator at one stage has to run as fast as this (0.98 to 1.02), or its other arms say nothing about rotation. It
shares the prelude, the order of summation and explicit `fma` with the generated kernels, and nothing else.
"""

from rlx_sched.kernels.model import SgemmSchedule
from rlx_sched.kernels.msl import msl_arguments, msl_prelude
from rlx_sched.kernels.wgsl import wgsl_arguments, wgsl_prelude


def plain_wgsl(schedule: SgemmSchedule) -> str:
    """Return the plain kernel with the tile and threads of `schedule` (its stages are ignored) as WGSL."""
    s = schedule
    return "\n".join(
        [
            *wgsl_prelude(s.element),
            f"var<workgroup> sa: array<element, {s.tile_m * s.tile_k}>;",
            f"var<workgroup> sb: array<element, {s.tile_k * s.tile_n}>;",
            f"@compute @workgroup_size({s.threads_x}, {s.threads_y})",
            f"fn plain({wgsl_arguments()}) {{",
            *_body(s, declare="var {name}: {type} = {value};", barrier="workgroupBarrier();"),
            "}\n",
        ]
    )


def plain_msl(schedule: SgemmSchedule) -> str:
    """Return the plain kernel with the tile and threads of `schedule` (its stages are ignored) as MSL."""
    s = schedule
    return "\n".join(
        [
            *msl_prelude(s.element),
            f"kernel void plain({msl_arguments()}) {{",
            f"threadgroup element sa[{s.tile_m * s.tile_k}];",
            f"threadgroup element sb[{s.tile_k * s.tile_n}];",
            *_body(s, declare="{type} {name} = {value};", barrier="threadgroup_barrier(mem_flags::mem_threadgroup);"),
            "}\n",
        ]
    )


def _body(s: SgemmSchedule, declare: str, barrier: str) -> list[str]:
    def var(name: str, type_: str, value: str) -> str:
        return declare.format(name=name, type=type_, value=value)

    def copy(
        to: str, matrix: str, rows: int, columns: int, row: str, column: str, limits: tuple[str, str]
    ) -> list[str]:
        lines: list[str] = []
        for first in range(0, rows * columns, s.threads):
            lines += [
                "{",
                var("q", "uint", f"t + {first}u"),
                var("r", "uint", f"{row} + q / {columns}u"),
                var("s", "uint", f"{column} + q % {columns}u"),
                var("v", "element", "element(0.0)"),
                f"if (q < {rows * columns}u && r < {limits[0]} && s < {limits[1]}) "
                f"{{ v = {matrix}[r * {limits[1]} + s]; }}",
                f"if (q < {rows * columns}u) {{ {to}[q] = v; }}",
                "}",
            ]
        return lines

    rows, columns = range(s.outputs_m), range(s.outputs_n)
    lines = [
        var("t", "uint", f"thread_id.x + {s.threads_x}u * thread_id.y"),
        var("r0", "uint", f"group_id.y * {s.tile_m}u"),
        var("c0", "uint", f"group_id.x * {s.tile_n}u"),
        *(var(f"acc{i}_{j}", "accumulator", "accumulator(0.0)") for i in rows for j in columns),
        f"for ({var('k0', 'uint', '0u')} k0 < p.k; k0 += {s.tile_k}u) {{",
        *copy("sa", "a", s.tile_m, s.tile_k, "r0", "k0", ("p.m", "p.k")),
        *copy("sb", "b", s.tile_k, s.tile_n, "k0", "c0", ("p.k", "p.n")),
        barrier,
    ]
    for k in range(s.tile_k):
        for i in rows:
            lines.append(
                var(
                    f"x{k}_{i}",
                    "accumulator",
                    f"accumulator(sa[{s.tile_k}u * (thread_id.y + {s.threads_y * i}u) + {k}u])",
                )
            )
        for j in columns:
            lines.append(
                var(f"y{k}_{j}", "accumulator", f"accumulator(sb[{k * s.tile_n + s.threads_x * j}u + thread_id.x])")
            )
        lines += [f"acc{i}_{j} = fma(x{k}_{i}, y{k}_{j}, acc{i}_{j});" for i in rows for j in columns]
    lines += [barrier, "}"]
    for i in rows:
        for j in columns:
            row, column = f"(r0 + thread_id.y + {s.threads_y * i}u)", f"(c0 + thread_id.x + {s.threads_x * j}u)"
            lines.append(f"if ({row} < p.m && {column} < p.n) {{ c[{row} * p.n + {column}] = element(acc{i}_{j}); }}")
    return lines
