"""Fixtures of the tests of the harness."""

import pytest
from fake_device import FakeDevice


@pytest.fixture
def fake_device() -> type[FakeDevice]:
    return FakeDevice
