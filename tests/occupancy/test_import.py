"""`import rlx_sched` is free for an autotuner: what is slow waits for its first use."""

import subprocess
import sys
from pathlib import Path

import pytest

import rlx_sched
from rlx_sched import occupancy


def run(script: str, *flags: str) -> str:
    return subprocess.run([sys.executable, *flags, "-c", script], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    "use", ["import rlx_sched", "import rlx_sched, rlx_sched.occupancy; rlx_sched.predict('Apple M4', 2048, 4096)"]
)
def test_neither_xdsl_nor_numpy_is_imported(use: str) -> None:
    loaded = run(f"import sys; {use}; print(*sys.modules)").split()
    assert "rlx_sched.occupancy.model" in loaded
    assert {"xdsl", "numpy"}.isdisjoint(loaded)


def test_slow_standard_modules_wait_for_their_first_use() -> None:
    """Each takes longer to import than the whole of `rlx_sched`; -S keeps site-packages from importing them first."""
    slow = ["dataclasses", "importlib.metadata", "importlib.resources", "inspect", "tomllib", "typing"]
    root = str(Path(rlx_sched.__path__[0]).parent)
    loaded = run(f"import sys; sys.path.insert(0, {root!r}); import rlx_sched; print(*sys.modules)", "-S").split()
    assert "rlx_sched.occupancy.model" in loaded
    assert not set(slow).intersection(loaded)


@pytest.mark.parametrize(("package", "names"), [(rlx_sched, rlx_sched.__all__), (occupancy, occupancy.__all__)])
def test_every_public_name_is_there(package: object, names: list[str]) -> None:
    assert set(names) == set(dir(package))
    assert all(getattr(package, name) is not None for name in names)


def test_names_stay_what_they_are_after_every_module_is_imported() -> None:
    """A submodule of the same name would take a lazy function's place in the package."""
    names = "[n for n in rlx_sched.occupancy.__all__ if type(getattr(rlx_sched.occupancy, n)) is type(rlx_sched)]"
    script = (
        "import rlx_sched, rlx_sched.occupancy, pkgutil, importlib\n"
        "for m in pkgutil.iter_modules(rlx_sched.occupancy.__path__, 'rlx_sched.occupancy.'):\n"
        f"    importlib.import_module(m.name)\nprint({names})"
    )
    assert run(script) == "[]\n"


@pytest.mark.parametrize("package", [rlx_sched, occupancy])
def test_an_unknown_name_is_an_attribute_error(package: object) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'fastest'"):
        getattr(package, "fastest")  # noqa: B009
