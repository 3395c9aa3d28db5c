"""The example that uses the model alone."""

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "model_only.py"


def test_it_drops_deep_pipelines_where_the_model_knows_the_gpu(capsys: pytest.CaptureFixture[str]):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    out = capsys.readouterr().out
    assert "Apple M4 Pro: measure 1 of 1, 2, 3, 4 stages" in out
    assert "NVIDIA H200: measure 1, 2, 3, 4 of 1, 2, 3, 4 stages" in out
