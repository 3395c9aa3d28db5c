"""The control: a plain tiled sgemm written down by hand, one stage, without the kernel model and its printers.

The generator at one stage has to run as fast as this (0.98 to 1.02), or its other arms say nothing about rotation. The
two share the prelude and the algorithm: a thread loads all its elements of both tiles before it stores the first, and
the products are written out over the depth of the tile and summed in order of k by explicit `fma`. A kernel that stores
each element before it loads the next waits for memory once an element instead of once a tile: on an NVIDIA H200 the
generated kernel ran at 1.10 to 1.77 of such a one. Smaller choices matter less: with k itself for the loop's counter it
ran at 1.00 to 1.02 of this one there.
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
            *_body(s, "let {}: {} = {};", "var {}: {} = {};", "workgroupBarrier();"),
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
            *_body(s, "const {1} {0} = {2};", "{1} {0} = {2};", "threadgroup_barrier(mem_flags::mem_threadgroup);"),
            "}\n",
        ]
    )


def _body(s: SgemmSchedule, constant: str, variable: str, barrier: str) -> list[str]:
    def let(name: str, value: str, type_: str = "uint") -> str:
        return constant.format(name, type_, value)

    def var(name: str, value: str, type_: str = "uint") -> str:
        return variable.format(name, type_, value)

    def parts(tile: str) -> list[tuple[int, str, str]]:
        """The elements that a thread copies: number, place in the tile, and when there is one, if not always."""
        size = s.tile_k * (s.tile_m if tile == "a" else s.tile_n)
        firsts = range(0, size, s.threads)
        return [(i, f"(t + {f}u)", f"t + {f}u < {size}u" if f + s.threads > size else "") for i, f in enumerate(firsts)]

    def load(tile: str, columns: int, row: str, column: str, height: str, width: str) -> list[str]:
        lines: list[str] = []
        for i, place, exists in parts(tile):
            inside = f"r{tile}{i} < {height} && c{tile}{i} < {width}"
            lines += [
                let(f"r{tile}{i}", f"{row} + {place} / {columns}u"),
                let(f"c{tile}{i}", f"{column} + {place} % {columns}u"),
                var(f"v{tile}{i}", "element(0.0)", "element"),
                f"if ({exists} && {inside}) {{" if exists else f"if ({inside}) {{",
                f"v{tile}{i} = {tile}[r{tile}{i} * {width} + c{tile}{i}];",
                "}",
            ]
        return lines

    def store(tile: str) -> list[str]:
        lines = [(f"s{tile}[{place}] = v{tile}{i};", exists) for i, place, exists in parts(tile)]
        return [f"if ({exists}) {{ {line} }}" if exists else line for line, exists in lines]

    rows, columns = range(s.outputs_m), range(s.outputs_n)
    lines = [
        let("t", f"thread_id.x + {s.threads_x}u * thread_id.y"),
        let("r0", f"group_id.y * {s.tile_m}u"),
        let("c0", f"group_id.x * {s.tile_n}u"),
        let("steps", f"(p.k + {s.tile_k - 1}u) / {s.tile_k}u"),
        *(var(f"acc{i}_{j}", "accumulator(0.0)", "accumulator") for i in rows for j in columns),
        f"for ({var('step', '0u')} step < steps; step += 1u) {{",
        let("k0", f"step * {s.tile_k}u"),
        *load("a", s.tile_k, "r0", "k0", "p.m", "p.k"),
        *load("b", s.tile_n, "k0", "c0", "p.k", "p.n"),
        *store("a"),
        *store("b"),
        barrier,
    ]
    for k in range(s.tile_k):
        for i in rows:
            place = f"{s.tile_k}u * (thread_id.y + {s.threads_y * i}u) + {k}u"
            lines.append(let(f"x{k}_{i}", f"accumulator(sa[{place}])", "accumulator"))
        for j in columns:
            place = f"{k * s.tile_n + s.threads_x * j}u + thread_id.x"
            lines.append(let(f"y{k}_{j}", f"accumulator(sb[{place}])", "accumulator"))
        lines += [f"acc{i}_{j} = fma(x{k}_{i}, y{k}_{j}, acc{i}_{j});" for i in rows for j in columns]
    lines += [barrier, "}"]
    for i in rows:
        for j in columns:
            row, column = f"(r0 + thread_id.y + {s.threads_y * i}u)", f"(c0 + thread_id.x + {s.threads_x * j}u)"
            lines.append(f"if ({row} < p.m && {column} < p.n) {{ c[{row} * p.n + {column}] = element(acc{i}_{j}); }}")
    return lines
