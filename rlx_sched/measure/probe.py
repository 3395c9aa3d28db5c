"""Looks whether threadgroup memory is filled with zeros before a kernel starts, and what idle bytes cost by themselves.

WebGPU demands the filling, and it costs more the more bytes there are, which would pass for a loss of occupancy in the
`pad` and `rotate` arms. Implementations may switch it off; the results record what was seen on the device at hand.
"""

from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING

from rlx_sched.kernels.loops import ELEMENT_BYTES, Barrier, For, If, Kernel, Let, Set, Statement
from rlx_sched.measure.device import Device, Launch, Program, Shape

if TYPE_CHECKING:
    from typing import Any

_THREADS = 64
_MARK = 1.5
"""What the first kernel leaves behind; exact in f32."""

_EDGE = 256
"""Edge of the probe's result: many more threadgroups than fit on a GPU at once."""

_ATTEMPTS = 20
"""Times that the marks are looked for: a threadgroup may land where no marked one ran."""

_SAMPLES = 9
_REPEATS = 20


@dataclass(frozen=True)
class ZeroFill:
    """What the probe saw."""

    bytes: int
    """Threadgroup memory that the probe's kernels declare."""
    leftovers: int
    """Elements of an untouched array that still held what the kernel before had written; 0: filled, or folded away."""
    idle_cost: float
    """Time of an almost empty kernel with all the bytes, over its time with one element."""

    @property
    def switched_off(self) -> bool:
        """Whether threadgroup memory is known not to be filled."""
        return self.leftovers > 0

    def as_json(self) -> "dict[str, Any]":
        """Return the fields and the conclusion for the results file."""
        return {**asdict(self), "switched_off": self.switched_off}


def _kernel(name: str, elements: int, *body: Statement) -> Kernel:
    lane = Let("lane", "uint", "thread_id.x")
    return Kernel(name, "f32", (_THREADS, 1), (1, _THREADS), (("tile", elements),), (lane, *body))


def probe_zero_fill(device: Device) -> ZeroFill:
    """Run the probe on `device`. Raises what the device's methods raise."""
    import numpy as np

    available = min(device.info.max_threadgroup_bytes, 16384)
    elements = available // ELEMENT_BYTES["f32"]
    place = f"i * {_THREADS}u + lane"
    here = "c[group_id.y * p.n + group_id.x * 64u + lane]"
    leave_marks = _kernel(
        "leave_marks",
        elements,
        For("i", f"{elements // _THREADS}u", (Set(f"tile[{place}]", f"element({_MARK})"),)),
        Barrier(),
        Set(here, f"tile[(lane * p.k) % {elements}u]"),
    )
    find_marks = _kernel(
        "find_marks",
        elements,
        If("p.never != 0u", (Set("tile[lane * p.never]", "element(0.0)"), Barrier())),
        Set(here, f"tile[((group_id.x + group_id.y) * {_THREADS}u + lane * p.k) % {elements}u]"),
    )

    def idle(size: int) -> Kernel:
        never = If(
            "p.never != 0u",
            (
                Set(f"tile[lane * p.never % {size}u]", "element(1.0)"),
                Barrier(),
                Set(here, f"tile[p.never * 2u % {size}u]"),
            ),
        )
        return _kernel("idle", size, Set(here, "element(lane)"), never)

    shape = Shape(_EDGE, _EDGE, 1)
    column = np.ones((_EDGE, 1), np.float32)
    problem = device.upload(shape, column, column.T.copy())
    leave, find = (device.compile(Program.generated(kernel)) for kernel in (leave_marks, find_marks))
    leftovers = 0
    for _ in range(_ATTEMPTS):
        device.run(leave, problem)
        found = np.frombuffer(device.run(find, problem), np.float32)
        leftovers = int(np.count_nonzero(found == _MARK))
        if leftovers:
            break
    small, large = (device.compile(Program.generated(idle(size))) for size in (1, elements))
    times = [device.time([Launch(small, problem, _REPEATS), Launch(large, problem, _REPEATS)]) for _ in range(_SAMPLES)]
    return ZeroFill(
        bytes=elements * ELEMENT_BYTES["f32"],
        leftovers=leftovers,
        idle_cost=median(t[1] for t in times) / median(t[0] for t in times),
    )
