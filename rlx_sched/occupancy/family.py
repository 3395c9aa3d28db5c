"""Families of Apple GPU that the model tells apart, and the strict reading of Metal device names."""

from enum import Enum

_SPELLED_PREFIXES = ("apple ", "apple-")


class AppleGpuFamily(Enum):
    """A generation of Apple GPU, as far as occupancy is concerned.

    Metal's own GPU families are too coarse: M3 and M4 are both Apple9 there, so only the device name tells them apart.
    The value is what messages call the family.
    """

    UNKNOWN = "an unknown GPU"
    M1 = "Apple M1"
    M1_PRO = "Apple M1 Pro, Max or Ultra"
    M2 = "Apple M2"
    M3 = "Apple M3"
    M4 = "Apple M4"

    @classmethod
    def from_name(cls, metal_device_name: str) -> "AppleGpuFamily":
        """Return the family of the device that Metal (or WebGPU on a Mac) calls `metal_device_name`.

        The whole name has to match, case ignored: `apple`, a space or a hyphen, `m1` to `m4`, then nothing or ` pro`,
        ` max` or ` ultra`. Anything else is `UNKNOWN`: a wrong match would invent a number for hardware that nobody
        measured.

        Raises:
            TypeError: if `metal_device_name` is not a string.
        """
        if not isinstance(metal_device_name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"metal_device_name must be a string, got {type(metal_device_name).__name__}")
        name = metal_device_name.lower()
        if not name.startswith(_SPELLED_PREFIXES):
            return cls.UNKNOWN
        generation, space, variant = name[len("apple ") :].partition(" ")
        if space and variant not in ("pro", "max", "ultra"):
            return cls.UNKNOWN
        if generation == "m1":
            return cls.M1_PRO if variant else cls.M1
        return {"m2": cls.M2, "m3": cls.M3, "m4": cls.M4}.get(generation, cls.UNKNOWN)


def similar_name(name: str) -> str | None:
    """The name of an Apple GPU that `name` (`m4`, `Apple M4Pro`) is probably meant to be, if it is not right as it is.

    Only spacing, case and a missing `Apple` are forgiven; `Apple M5` is another GPU, not a misspelled M4.
    """
    if AppleGpuFamily.from_name(name) is not AppleGpuFamily.UNKNOWN:
        return None
    letters = "".join(name.lower().replace("-", " ").replace("_", " ").split()).removeprefix("apple")
    for generation in ("M1", "M2", "M3", "M4"):
        for variant in ("", " Pro", " Max", " Ultra"):
            if letters == f"{generation}{variant}".lower().replace(" ", ""):
                return f"Apple {generation}{variant}"
    return None
