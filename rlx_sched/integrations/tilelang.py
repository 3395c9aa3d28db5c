"""TileLang: a filter for the configurations of `tilelang.autotune`.

    @tilelang.autotune(configs=worth_measuring(get_configs, chip="Apple M4 Pro", dtype="float16"))
    @tilelang.jit(target="metal")
    def matmul(..., block_M=64, block_N=64, block_K=32, num_stages=1): ...

For Metal TileLang keeps `max(num_stages, 1)` slots of every tile that `T.Pipelined` loads, rows unpadded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

from rlx_sched.dialect.dtype_names import tile
from rlx_sched.dialect.layout import NoFootprint, integer
from rlx_sched.integrations.candidates import Candidate, all_but, check_shape, filter_sequence
from rlx_sched.occupancy import Calibration, Chip
from rlx_sched.occupancy.selection import Extrapolated
from rlx_sched.sources.slots import tilelang_metal_slots

Config: TypeAlias = dict[str, Any]
"""One configuration: the tunable arguments of a kernel by name."""
Configs = TypeVar("Configs", bound="Sequence[Config] | Callable[..., Sequence[Config]]")

MATMUL_TILES = (("block_M", "block_K"), ("block_K", "block_N"))
"""The staged tiles of a matrix product, by the names that TileLang's examples give the block sizes."""


def worth_measuring(
    configs: Configs,
    *,
    chip: Chip,
    dtype: str | Sequence[str],
    tiles: Sequence[Sequence[str | int]] = MATMUL_TILES,
    stages: str = "num_stages",
    calibration: Calibration | None = None,
    max_threadgroup_bytes: int | None = None,
    extrapolated: Extrapolated = "strip",
) -> Configs:
    """Return the configurations whose `num_stages` may pay on `chip`, a Mac's GPU.

    `configs` is what `tilelang.autotune(configs=...)` takes: a list of dictionaries, or a function that makes one from
    the kernel's arguments; what comes back is of the same kind. `tiles` has the shape of each staged tile, as names of
    block sizes in a configuration or as numbers; `dtype` is the element type of all of them, or one for each.
    Configurations that differ in nothing but `stages` are compared with each other. At least one stays, and the logger
    `rlx_sched` says why where it loses; nothing goes for being slower on a chip without a calibration.

    Raises:
        TypeError: if what are to be configurations are no dictionaries; if a tile's shape is no sequence, a dtype or
            `stages` no name; or as `filter_candidates` does.
        ValueError: if there is not one dtype, or one for each tile; or as `filter_candidates` does.
    """
    check_shape("tiles", tiles)
    for number, names in enumerate(tiles):
        check_shape(f"tiles[{number}]", names)
    one_for_all = isinstance(dtype, str) or not hasattr(dtype, "__iter__")
    dtypes = cast("list[str]", [dtype] * len(tiles) if one_for_all else list(dtype))
    if len(dtypes) != len(tiles):
        raise ValueError(f"dtype must name one element type or one for each of {len(tiles)} tiles, got {len(dtypes)}")

    for argument, value in (*(("dtype", name) for name in dtypes), ("stages", stages)):
        if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{argument} must be a name, got {value!r}")

    def describe(config: Config) -> Candidate:
        if not isinstance(config, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a configuration must be a dictionary of arguments by name, got {config!r}")
        buffers = tuple(
            tile([_size(name, config) for name in names], element) for names, element in zip(tiles, dtypes, strict=True)
        )
        return Candidate(buffers, tilelang_metal_slots(_size(stages, config)), all_but(stages, config))

    def filtered(found: Sequence[Config]) -> list[Config]:
        return filter_sequence(
            found,
            describe=describe,
            chip=chip,
            calibration=calibration,
            max_threadgroup_bytes=max_threadgroup_bytes,
            extrapolated=extrapolated,
        )

    if not callable(configs):
        return cast("Configs", filtered(configs))
    make = configs

    @functools.wraps(make)
    def make_filtered(*args: Any, **kwargs: Any) -> list[Config]:
        return filtered(make(*args, **kwargs))

    return cast("Configs", make_filtered)


def _size(name: str | int, config: Mapping[str, Any]) -> int:
    value: Any = config.get(name) if isinstance(name, str) else name
    try:
        return integer(str(name), value)
    except TypeError:
        raise NoFootprint(f"{name!r} is {value!r} in the configuration; expected an integer") from None
