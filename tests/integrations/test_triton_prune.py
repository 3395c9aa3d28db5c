"""The hook in a real `triton.autotune`: no GPU is needed to prune."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

import numpy
import pytest
import support

from rlx_sched.integrations import triton as hook
from rlx_sched.integrations.triton import Device, EarlyConfigPrune, early_config_prune
from rlx_sched.occupancy import Calibration, calibrations

try:
    triton: Any = import_module("triton")
    tl: Any = import_module("triton.language")
    MockTensor: Any = import_module("triton.runtime.jit").MockTensor
except ImportError:
    support.missing("triton (PyPI)")

M4 = "Apple M4 Pro"


def _config(m: int, n: int, k: int, stages: int, warps: int = 4) -> Any:
    return triton.Config({"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}, num_stages=stages, num_warps=warps)


def matmul(
    a_ptr: Any, b_ptr: Any, c_ptr: Any, M: Any, N: Any, K: Any, BLOCK_M: Any, BLOCK_N: Any, BLOCK_K: Any
) -> None:
    """A kernel that is never run: only its arguments matter."""


def prune(configs: list[Any], prune_by: Any, **tensors: Any) -> list[Any]:
    """What is left of `configs` in Triton's own autotuner."""
    tuner: Any = triton.autotune(configs=configs, key=["M"], prune_configs_by={"early_config_prune": prune_by})(
        triton.jit(matmul)
    )
    dtype = tl.float16
    arguments = {"a_ptr": MockTensor(dtype), "b_ptr": MockTensor(dtype), "c_ptr": MockTensor(tl.float32), **tensors}
    tuner.nargs = {**arguments, "M": 512, "N": 512, "K": 512}
    return tuner.prune_configs({})


def stages(configs: list[Any]) -> list[int]:
    return [config.num_stages for config in configs]


def calibration(chip: str) -> Calibration:
    """The M4's constants, as if they had been measured on another device."""
    return replace(calibrations()[0], families=(), devices=(chip,))


def test_drops_stages_that_lose_by_the_rule_of_the_target() -> None:
    configs = [_config(64, 32, 32, stages) for stages in (1, 2, 3, 4)]
    on_ampere = prune(configs, EarlyConfigPrune(chip=M4, target="cuda:80"))
    on_hopper = prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90"))
    assert stages(on_ampere) == [1, 2], "2 stages keep one slot there"
    assert stages(on_hopper) == [1]


SHARED = {
    ("fp16", (32, 64, 32), 4): (6144, 6144, 12288, 18432),
    ("fp16", (64, 64, 32), 2): (8192, 8192, 16384, 24576),
    ("fp16", (64, 64, 32), 4): (16384, 16384, 24576, 32768),
    ("fp16", (64, 16, 32), 2): (5120, 5120, 10240, 15360),
    ("fp16", (64, 16, 32), 4): (5120, 10240, 15360, 20480),
    ("fp16", (16, 64, 64), 8): (10240, 10240, 20480, 30720),
    ("fp16", (128, 32, 64), 2): (20480, 20480, 40960, 61440),
    ("fp16", (128, 32, 64), 4): (20480, 40960, 61440, 81920),
    ("fp16", (128, 32, 64), 8): (20480, 40960, 61440, 81920),
    ("fp32", (32, 64, 32), 4): (12288, 12288, 24576, 36864),
    ("fp32", (64, 64, 32), 4): (16384, 32768, 49152, 65536),
    ("fp32", (64, 64, 32), 2): (16384, 16384, 32768, 49152),
    ("fp8e4nv", (64, 64, 32), 4): (16384, 16384, 16384, 16384),
    ("fp8e4nv", (64, 16, 32), 4): (4096, 4608, 6656, 8704),
    ("fp8e4nv", (128, 32, 64), 4): (16384, 18432, 26624, 34816),
    ("fp8e4nv", (16, 64, 64), 4): (4096, 5120, 10240, 15360),
}
"""Bytes of shared memory for 1 to 4 stages that Triton 3.9.0 allocates on sm_90 for a matrix product with `f32` as its
result: by element type, blocks (M, N, K) and warps."""


@pytest.mark.parametrize(("case", "shared"), SHARED.items())
@pytest.mark.parametrize("named", [False, True])
def test_no_more_than_triton_allocates_is_predicted_on_sm_90(
    case: tuple[str, tuple[int, int, int], int], shared: tuple[int, ...], named: bool, caplog: pytest.LogCaptureFixture
) -> None:
    name, (m, n, k), warps = case
    dtype = {"fp16": tl.float16, "fp32": tl.float32, "fp8e4nv": tl.float8e4nv}[name]
    tiles = {"a_ptr": ("BLOCK_M", "BLOCK_K"), "b_ptr": ("BLOCK_K", "BLOCK_N")} if named else None
    configs = [_config(m, n, k, stages, warps) for stages in (1, 2, 3, 4)]
    with caplog.at_level(logging.INFO, "rlx_sched"):
        hook_for = EarlyConfigPrune(chip=M4, target="sm_90", max_threadgroup_bytes=1 << 20, tiles=tiles)
        pruned = prune(configs, hook_for, a_ptr=MockTensor(dtype), b_ptr=MockTensor(dtype))
    free = [config for config, taken in zip(configs, shared, strict=True) if taken == shared[0]]
    assert pruned[: len(free)] == free, "what costs nothing stays"
    predicted = [int(found[1]) for found in re.finditer(r"-> (\d+) bytes", caplog.text)]
    dropped = [taken for config, taken in zip(configs, shared, strict=True) if config not in pruned]
    assert len(predicted) == len(dropped)
    assert all(told <= taken for told, taken in zip(predicted, dropped, strict=True))
    if not named and name != "fp8e4nv":
        assert predicted == dropped


def test_the_result_counts_with_its_own_dtype() -> None:
    """With 8192 bytes of it, two stages of the tiles take more than it does."""
    configs = [_config(64, 64, 32, stages) for stages in (1, 2, 3)]
    hook_for = EarlyConfigPrune(chip=M4, target="cuda:90")
    assert stages(prune(configs, hook_for)) == [1, 2]
    assert stages(prune(configs, hook_for, c_ptr=MockTensor(tl.float16))) == [1]
    assert stages(prune(configs, hook_for, c_ptr=None)) == [1, 2], "as it is accumulated"


def test_warps_that_nobody_sets_are_four() -> None:
    class Bare:
        """A configuration of another Triton, without `num_warps`."""

        def __init__(self, stages: int):
            self.num_stages = stages

        def all_kwargs(self) -> dict[str, Any]:
            return {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 32, "num_stages": self.num_stages}

    arguments = {"a_ptr": MockTensor(tl.float16), "b_ptr": MockTensor(tl.float16)}
    hook_for = EarlyConfigPrune(chip=M4, target="cuda:90")
    assert [one.num_stages for one in hook_for([Bare(1), Bare(2)], arguments)] == [1]
    assert [one.num_stages for one in hook_for([Bare(1), Bare(2)], {**arguments, "num_warps": 2})] == [1, 2]


class _SameText:
    """Objects that differ, and look the same."""

    def __call__(self, *arguments: object) -> None:
        """A hook."""

    def __repr__(self) -> str:
        return "hook"


@pytest.mark.parametrize(
    "options",
    [
        ({"pre_hook": _SameText()}, {"pre_hook": _SameText()}),
        ({"pre_hook": print}, {}),
        ({"ir_override": "one.ttgir"}, {"ir_override": "other.ttgir"}),
        ({"maxnreg": 64}, {}),
        ({"num_ctas": 2}, {}),
        ({"num_warps": 8}, {}),
    ],
)
def test_whatever_else_differs_makes_another_schedule(options: tuple[dict[str, Any], dict[str, Any]]) -> None:
    blocks = {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 32}
    hook_for = EarlyConfigPrune(chip=M4, target="cuda:90")
    slow = [triton.Config(blocks, num_stages=3, **some) for some in options]
    assert prune(slow, hook_for) == slow, "each is the best of its own schedule"
    fast = triton.Config(blocks, num_stages=1, **options[0])
    assert prune([fast, *slow], hook_for) == [fast, slow[1]], "it loses against its own schedule only"


def test_what_is_the_same_may_be_compared() -> None:
    options: dict[str, Any] = {"pre_hook": print, "ir_override": "one.ttgir", "maxnreg": 64}
    blocks = {"BLOCK_M": 64, "BLOCK_N": 32, "BLOCK_K": 32}
    configs = [triton.Config(blocks, num_stages=stages, **options) for stages in (1, 2, 3)]
    assert stages(prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90"))) == [1]


def test_blocks_may_be_integers_of_numpy() -> None:
    blocks: list[Any] = [numpy.int64(64), numpy.uint8(32), numpy.int32(32)]
    configs = [_config(*blocks, stages=stages) for stages in (1, 2)]
    assert stages(prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90"))) == [1]


def test_what_is_no_list_of_configurations_is_told() -> None:
    tensors = {"a_ptr": MockTensor(tl.float16), "b_ptr": MockTensor(tl.float16)}
    hook_for: Any = EarlyConfigPrune(chip=M4, target="cuda:90")
    with pytest.raises(TypeError, match=r"configs must be a list, or another iterable, of configurations, got {'BLOCK"):
        hook_for({"BLOCK_M": [32, 64]}, tensors)
    with pytest.raises(TypeError, match=r"a configuration must be a triton.Config, got {'BLOCK_M': 32}"):
        hook_for([{"BLOCK_M": 32}], tensors)


def test_drops_what_does_not_fit() -> None:
    configs = [_config(128, 128, 32, stages) for stages in (1, 3)]
    pruned = prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90", max_threadgroup_bytes=20000))
    assert stages(pruned) == [1]


def test_dtypes_count() -> None:
    configs = [_config(64, 64, 64, stages) for stages in (1, 2)]
    hook_for = EarlyConfigPrune(chip=M4, target="cuda:90", max_threadgroup_bytes=16384)
    assert stages(prune(configs, hook_for)) == [1]
    wide = prune(configs, hook_for, a_ptr=MockTensor(tl.float32), b_ptr=MockTensor(tl.float32))
    assert stages(wide) == [1], "32768 bytes are over the limit even with one stage; one configuration is left"


@pytest.mark.parametrize("chip", ["Apple M1", "Apple M3 Max", "Apple M5 Max", "NVIDIA H200"])
def test_changes_nothing_on_chips_without_calibration(chip: str) -> None:
    configs = [_config(128, 128, 64, stages) for stages in (1, 2, 3, 8)]
    assert prune(configs, EarlyConfigPrune(chip=chip, target="cuda:90")) == configs


def test_differences_in_anything_but_stages_keep_a_configuration() -> None:
    configs = [_config(32, 32, 32, 1), _config(64, 32, 32, 3), _config(32, 32, 32, 3, warps=8)]
    assert prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90")) == configs


def test_never_empty_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    configs = [_config(32, 32, 32, 4), _config(32, 32, 32, 3)]
    with caplog.at_level(logging.INFO, "rlx_sched"):
        assert stages(prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90"))) == [3]
    dropped, kept = caplog.records
    assert dropped.levelname == "INFO"
    assert "dropped BLOCK_M: 32, BLOCK_N: 32, BLOCK_K: 32, num_warps: 4, num_ctas: 1, num_stages: 4" in dropped.message
    assert kept.levelname == "WARNING"
    assert "no other rotation of its schedule is better: add it with one stage" in kept.message


def test_the_device_is_found_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "active_device", lambda: Device("NVIDIA H200", "cuda:90", 20000))
    configs = [_config(64, 32, 32, stages) for stages in (1, 2, 8)]
    assert prune(configs, early_config_prune) == configs, "no calibration for it ships"
    assert stages(prune(configs, EarlyConfigPrune(calibration=calibration("NVIDIA H200")))) == [1]


@pytest.mark.parametrize(
    ("prune_by", "reason"),
    [
        (early_config_prune, "no GPU was found; name one with EarlyConfigPrune(chip=...)"),
        (EarlyConfigPrune(chip="A GPU that nobody measured"), "no calibration for A GPU that nobody measured"),
    ],
)
def test_what_keeps_everything_is_told_once(
    prune_by: EarlyConfigPrune, reason: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "_warn", cache(hook._warn.__wrapped__))  # pyright: ignore[reportPrivateUsage]
    configs = [_config(32, 32, 32, stages) for stages in (1, 2)]
    assert prune(configs, prune_by) == configs
    assert prune(configs, prune_by) == configs
    (record,) = caplog.records
    assert (record.levelname, record.message) == ("WARNING", f"all configurations stay: {reason}")


@pytest.mark.parametrize(
    ("prune_by", "reason"),
    [
        (EarlyConfigPrune(chip=M4, target="metal"), "how many slots Triton keeps on metal is not known"),
        (EarlyConfigPrune(chip=M4, target="cuda:90", tiles={"a_ptr": ("TILE",)}), "the block size 'TILE' is missing"),
        (
            EarlyConfigPrune(chip=M4, target="cuda:90", tiles={"M": ("BLOCK_M",)}),
            "the argument 'M' is 512; expected a tensor",
        ),
        (EarlyConfigPrune(chip=M4, target="cuda:90", tiles={"x": ("BLOCK_M",)}), "the argument 'x' is missing"),
    ],
)
def test_what_cannot_be_known_stays_and_the_reason_is_told(
    prune_by: EarlyConfigPrune, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    configs = [_config(32, 32, 32, stages) for stages in (1, 2)]
    assert prune(configs, prune_by) == configs
    assert caplog.text.count(reason) == 1


def test_stages_that_are_left_to_triton_stay(caplog: pytest.LogCaptureFixture) -> None:
    configs = [_config(32, 32, 32, 1), triton.Config({"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}, num_stages=None)]
    assert prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90")) == configs
    assert "has no num_stages" in caplog.text


def test_other_kernels_name_their_tiles() -> None:
    configs = [triton.Config({"ROWS": 32, "COLS": 32}, num_stages=stages) for stages in (1, 2, 3)]
    prune_by = EarlyConfigPrune(chip=M4, slots=lambda n: n, target="metal", tiles={"b_ptr": ("ROWS", "COLS")})
    tuner: Any = triton.autotune(configs, key=[], prune_configs_by={"early_config_prune": prune_by})(triton.jit(matmul))
    tuner.nargs = {"b_ptr": MockTensor(tl.float32)}
    assert stages(tuner.prune_configs({})) == [1]
