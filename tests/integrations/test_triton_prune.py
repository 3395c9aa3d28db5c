"""The hook in a real `triton.autotune`: no GPU is needed to prune."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

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
    configs = [_config(32, 32, 32, stages) for stages in (1, 2, 3, 4)]
    on_ampere = prune(configs, EarlyConfigPrune(chip=M4, target="cuda:80"))
    on_hopper = prune(configs, EarlyConfigPrune(chip=M4, target="cuda:90"))
    assert stages(on_ampere) == [1, 2], "2 stages keep one slot there"
    assert stages(on_hopper) == [1]


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
    configs = [_config(32, 32, 32, stages) for stages in (1, 2, 8)]
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
