"""Device names are matched strictly: a wrong match would invent a number for hardware that nobody measured."""

import sys
from typing import Any

import pytest

from rlx_sched import AppleGpuFamily
from rlx_sched.occupancy.family import similar_name
from rlx_sched.occupancy.limits import threadgroup_limit
from rlx_sched.occupancy.model import find_calibration

M4 = AppleGpuFamily.M4


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Apple M1", AppleGpuFamily.M1),
        ("Apple M1 Pro", AppleGpuFamily.M1_PRO),
        ("Apple M1 Max", AppleGpuFamily.M1_PRO),
        ("Apple M1 Ultra", AppleGpuFamily.M1_PRO),
        ("Apple M2", AppleGpuFamily.M2),
        ("Apple M2 Max", AppleGpuFamily.M2),
        ("Apple M2 Ultra", AppleGpuFamily.M2),
        ("Apple M3 Max", AppleGpuFamily.M3),
        ("Apple M4", M4),
        ("Apple M4 Pro", M4),
        ("Apple M4 Max", M4),
        ("apple-m3", AppleGpuFamily.M3),
        ("apple-m4 max", M4),
        ("APPLE M4 PRO", M4),
    ],
)
def test_apple_devices_have_a_family(name: str, family: AppleGpuFamily) -> None:
    assert AppleGpuFamily.from_name(name) is family


@pytest.mark.parametrize(
    "name",
    [
        # Generations that the model does not know.
        "Apple M5 Max",
        "Apple M0",
        "Apple M10",
        "Apple M40",
        "Apple A14 GPU",
        "Apple A18 Pro GPU",
        "Apple Paravirtual device",
        "Apple iOS simulator GPU",
        # Other vendors, some of which have "M4" in their names.
        "NVIDIA Quadro M4000",
        "NVIDIA H200",
        "Tesla M4",
        "Tesla M40",
        "AMD Radeon R9 M470X",
        "AMD Radeon R9 M395X",
        "AMD Radeon Pro 560",
        "Intel(R) HD Graphics 630",
        "llvmpipe",
        # Not the whole name, or more than it.
        "M4 Pro",
        "m4",
        "metal-4",
        "Apple M4 Pro GPU",
        "Apple M4  Pro",
        "Apple M4 ",
        "Apple M4\n",
        " Apple M4",
        "Apple  M4",
        "Apple M4-Pro",
        "Apple M4Pro",
        "Apple_M4",
        "Apple M4 Extreme",
        "Apple Ｍ４",
        "Apple M٤",
        "",
    ],
)
def test_everything_else_is_unknown(name: str) -> None:
    assert AppleGpuFamily.from_name(name) is AppleGpuFamily.UNKNOWN


@pytest.mark.parametrize("name", [None, 4, b"Apple M4"])
def test_a_name_is_a_string(name: object) -> None:
    with pytest.raises(TypeError, match="metal_device_name must be a string, got"):
        AppleGpuFamily.from_name(name)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("m4", "Apple M4"),
        ("M4 Pro", "Apple M4 Pro"),
        ("Apple M4Pro", "Apple M4 Pro"),
        ("apple_m1_ultra", "Apple M1 Ultra"),
        ("Apple M4 Pro", None),  # right as it is
        ("Apple M5 Max", None),  # another GPU, not a misspelled one
        ("Tesla M4", None),
        ("Apple M40", None),
        ("", None),
    ],
)
def test_only_spacing_case_and_a_missing_apple_are_taken_for_misspelled(written: str, meant: str | None):
    assert similar_name(written) == meant


def test_names_of_devices_are_not_kept_for_good() -> None:
    """A table may have any number of them."""
    for number in range(1000):
        name = f"GPU {number}"
        threadgroup_limit(name)
        find_calibration(name)
        AppleGpuFamily.from_name(name)
    modules = [module for name, module in sys.modules.items() if name.startswith("rlx_sched.occupancy")]
    caches: list[Any] = [value for module in modules for value in vars(module).values() if hasattr(value, "cache_info")]
    assert caches
    assert max(cache.cache_info().currsize for cache in caches) < 100
