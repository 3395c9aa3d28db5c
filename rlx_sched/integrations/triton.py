"""Triton: a pruning hook for `triton.autotune`.

    @triton.autotune(configs=[...], key=["M", "N", "K"],
                     prune_configs_by={"early_config_prune": early_config_prune})

`early_config_prune` asks Triton for the device and its architecture. `EarlyConfigPrune` takes them from you:

    EarlyConfigPrune(chip="Apple M4 Pro", target="sm_80")

and also a calibration, or the names of the tiles. On a device without a calibration every configuration stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar

from rlx_sched.dialect.dtype_names import tile
from rlx_sched.dialect.layout import Buffer, NoFootprint, integer
from rlx_sched.integrations.candidates import (
    LOGGER,
    Candidate,
    all_but,
    check_configs,
    check_shape,
    filter_sequence,
)
from rlx_sched.occupancy import Calibration, Chip, Unknown, find_calibration
from rlx_sched.occupancy.selection import Extrapolated
from rlx_sched.sources.slots import WARP_GROUP_ROWS, WARP_GROUP_WARPS, triton_slots, triton_stages_result


class Config(Protocol):
    """What the hook uses of a `triton.Config`."""

    @property
    def num_stages(self) -> int | None:
        """The stage setting; None leaves it to Triton."""
        ...

    def all_kwargs(self) -> dict[str, Any]:
        """Everything that the configuration sets, launch options included."""
        ...


C = TypeVar("C", bound=Config)

_BLOCK_NAMES = (("BLOCK_M", "BLOCK_N", "BLOCK_K"), ("BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K"))
"""Spellings of the block sizes of a matrix product, as in Triton's tutorials."""

_ACCUMULATED = "float32"
"""The element type in which a dot adds up."""

_WARPS = 4
"""Those of a kernel for which nobody sets any."""


class Device(NamedTuple):
    """The GPU that Triton runs on."""

    chip: str
    target: str
    """As in `ttg.target`: `cuda:80`, `hip:gfx942`."""
    max_shared_bytes: int


def active_device() -> Device | None:
    """Ask Triton's driver, and PyTorch for the name; None where either is missing or finds no GPU."""
    try:
        import torch  # pyright: ignore
        from triton.runtime import driver  # pyright: ignore

        active: Any = driver.active
        target = active.get_current_target()
        properties = active.utils.get_device_properties(active.get_current_device())
        name: str = torch.cuda.get_device_name()  # pyright: ignore
    except (ImportError, RuntimeError, AssertionError):
        return None
    return Device(name, f"{target.backend}:{target.arch}", properties["max_shared_mem"])


@dataclass(frozen=True, slots=True)
class EarlyConfigPrune:
    """Drops the configurations whose `num_stages` does not pay, or does not fit.

    Give it to `triton.autotune(prune_configs_by={"early_config_prune": ...})`. Configurations that differ in nothing
    but `num_stages` are compared with each other, and at least one is always left; the logger `rlx_sched` tells what
    was dropped, and what was kept for want of anything better. On a chip without a calibration all stay, even those
    over its limit: Triton finds those out by itself, and the staged tiles are not the whole footprint of its kernels.

    Raises:
        TypeError: if `target`, `tiles` or `slots` is of another type; the other fields are looked at when it is called.
    """

    chip: Chip | None = None
    """Device name or family; None asks Triton's driver."""
    target: str | None = None
    """Architecture whose slots rule holds, as in `ttg.target` (`cuda:80`) or alone (`sm_80`); None asks the driver."""
    tiles: Mapping[str, Sequence[str]] | None = None
    """For each argument that is staged the names of the block sizes that are its tile's shape, as in
    `{"a_ptr": ("BLOCK_M", "BLOCK_K"), "b_ptr": ("BLOCK_K", "BLOCK_N")}`. None: the first two arguments that have a
    dtype are the operands of a matrix product with the blocks `BLOCK_M`, `BLOCK_N`, `BLOCK_K` (or `BLOCK_SIZE_M`...).
    """
    slots: Callable[[int], int] | None = None
    """Slots of a tile for a `num_stages`, for a target that `rlx_sched.sources.slots` does not know."""
    calibration: Calibration | None = None
    """Takes the place of the shipped calibrations."""
    max_threadgroup_bytes: int | None = None
    """Limit of the device; None takes what is known of it."""
    extrapolated: Extrapolated = "strip"
    """What becomes of configurations that are slower outside the measured range."""

    def __post_init__(self) -> None:
        target: Any = self.target  # whatever the caller gave
        if not isinstance(target, str | None):
            raise TypeError(f"target must be an architecture like 'sm_80', got {target!r}")
        if self.tiles is not None:
            if not isinstance(self.tiles, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"tiles must be the names of block sizes by argument, got {self.tiles!r}")
            for argument, names in self.tiles.items():
                check_shape(f"tiles[{argument!r}]", names)
        if not callable(self.slots or max):
            raise TypeError(f"slots must be a function of num_stages, got {self.slots!r}")

    def __call__(self, configs: Sequence[C], named_args: Mapping[str, Any], **kwargs: Any) -> list[C]:
        """Return the configurations worth a measurement; the signature is that of Triton's `early_config_prune`.

        Raises:
            TypeError: if `configs` is no sequence of Triton's configurations, or a field is of another type.
        """
        check_configs(configs)
        found = active_device() if self.chip is None or self.target is None else None
        chip = self.chip or (found.chip if found else None)
        if chip is None:
            return _keep_all(configs, "no GPU was found; name one with EarlyConfigPrune(chip=...)")
        if isinstance(unknown := find_calibration(chip, self.calibration), Unknown):
            return _keep_all(configs, unknown.reason)
        target = self.target or (found.target if found else "")
        limit = self.max_threadgroup_bytes
        if limit is None and self.chip is None and found:
            limit = found.max_shared_bytes
        arguments = {**named_args, **kwargs}

        def describe(config: C) -> Candidate:
            if not hasattr(config, "num_stages") or not callable(getattr(config, "all_kwargs", None)):
                raise TypeError(f"a configuration must be a triton.Config, got {config!r}")
            if config.num_stages is None:
                raise NoFootprint("the configuration has no num_stages; expected an integer")
            options = {**arguments, **config.all_kwargs()}
            tiles = _matmul_tiles(options) if self.tiles is None else self.tiles
            shapes = {argument: [_block_size(name, options) for name in names] for argument, names in tiles.items()}
            buffers = tuple(tile(shape, _dtype_name(argument, options)) for argument, shape in shapes.items())
            stages = integer("num_stages", config.num_stages)
            elsewhere = 0
            if self.slots is not None:
                slots = self.slots(stages)
            else:
                # Which dimension has the rows is known of the tiles that are found here; of others any may.
                rows = next(iter(shapes.values()))[0] if self.tiles is None else min(map(min, shapes.values()))
                slots = _known_slots(target, stages, small_dot=_is_small(rows, options, buffers))
                elsewhere = _result_bytes(options, tiles) if triton_stages_result(target) else 0
            # The kernel gets `all_kwargs`; a `pre_hook`, for one, is not among them, and makes a difference.
            everything = {**config.all_kwargs(), **getattr(config, "__dict__", {})}
            return Candidate(buffers, slots, all_but("num_stages", everything), elsewhere)

        return filter_sequence(
            configs,
            describe=describe,
            chip=chip,
            calibration=self.calibration,
            max_threadgroup_bytes=limit,
            extrapolated=self.extrapolated,
        )


early_config_prune = EarlyConfigPrune()
"""The hook for the GPU that Triton runs on and kernels that name their blocks as Triton's tutorials do."""


def _keep_all(configs: Sequence[C], reason: str) -> list[C]:
    _warn(f"all configurations stay: {reason}")
    return list(configs)


@cache
def _warn(message: str) -> None:
    """Say it once: Triton asks again for every new key."""
    LOGGER.warning("%s", message)


def _is_small(rows: int, options: Mapping[str, Any], buffers: Sequence[Buffer]) -> bool:
    """Whether the dot may be none for the warp-group instructions of sm_90, which want both operands in slots.

    Elements of one byte count as such: a right operand of them that is not contiguous in its columns has one slot.
    """
    warps = options.get("num_warps")
    few = integer("num_warps", _WARPS if warps is None else warps) < WARP_GROUP_WARPS
    return few or rows < WARP_GROUP_ROWS or any(buffer.alignment == 1 for buffer in buffers)


def _known_slots(target: str, num_stages: int, *, small_dot: bool) -> int:
    slots = triton_slots(target, num_stages, small_dot=small_dot)
    if slots is None:
        raise NoFootprint(
            f"how many slots Triton keeps on {target or 'this target'} is not known; "
            "name an architecture with EarlyConfigPrune(target=...), or the rule with slots=..."
        )
    return slots


def _matmul_tiles(options: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    operands = [name for name, value in options.items() if hasattr(value, "dtype")][:2]
    blocks = _block_names(options)
    if blocks is None or len(operands) < 2:
        raise NoFootprint(
            f"no matrix product is recognized in the arguments {', '.join(options)}; "
            "say which block sizes are whose tile with EarlyConfigPrune(tiles=...)"
        )
    m, n, k = blocks
    return {operands[0]: (m, k), operands[1]: (k, n)}


def _block_names(options: Mapping[str, Any]) -> tuple[str, str, str] | None:
    return next((names for names in _BLOCK_NAMES if all(name in options for name in names)), None)


def _result_bytes(options: Mapping[str, Any], operands: Iterable[str]) -> int:
    """The bytes of the result's tile: of the next argument with a dtype, or as accumulated where there is none."""
    blocks = _block_names(options)
    if blocks is None:
        return 0
    result = next((name for name, value in options.items() if hasattr(value, "dtype") and name not in operands), None)
    element = _ACCUMULATED if result is None else _dtype_name(result, options)
    return tile([_block_size(name, options) for name in blocks[:2]], element).size


def _block_size(name: str, options: Mapping[str, Any]) -> int:
    value: Any = options.get(name)
    try:
        return integer(name, value)
    except TypeError:
        found = f"is {value!r}" if name in options else "is missing"
        raise NoFootprint(
            f"the block size {name!r} {found}; expected an integer among the arguments of the kernel"
        ) from None


def _dtype_name(argument: str, options: Mapping[str, Any]) -> str:
    dtype = getattr(options.get(argument), "dtype", None)
    if dtype is None:
        found = f"is {options[argument]!r}" if argument in options else "is missing"
        raise NoFootprint(f"the argument {argument!r} {found}; expected a tensor, whose dtype gives the tile's bytes")
    return str(dtype)
