"""requirements-dev.lock has everything that the extra `dev` asks for, with hashes and without addresses."""

import re
import tomllib
from collections.abc import Iterator, Sequence

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support import ROOT

LOCK = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def expanded(requirements: Sequence[str]) -> Iterator[Requirement]:
    """The requirements, our own extras replaced by theirs."""
    for requirement in map(Requirement, requirements):
        if requirement.name == PROJECT["name"]:
            for extra in requirement.extras:
                yield from expanded(PROJECT["optional-dependencies"][extra])
        else:
            yield requirement


def entries() -> list[str]:
    """The pinned packages, each with its hashes."""
    return re.findall(r"^\S.*(?:\n .*)*", LOCK, re.MULTILINE)


def test_what_is_asked_for_is_pinned():
    pinned: dict[str, set[str]] = {}
    for entry in entries():
        name, version = re.split(r"==", entry.split()[0])
        pinned.setdefault(canonicalize_name(name), set()).add(version)
    for requirement in expanded([*PROJECT["dependencies"], f"{PROJECT['name']}[dev]"]):
        versions = pinned.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement} is not in the lock file"
        assert all(map(requirement.specifier.contains, versions)), f"{requirement}, but {versions}"


def test_every_package_has_hashes():
    assert len(entries()) > 50
    assert [entry for entry in entries() if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_no_address_is_in_it():
    assert not re.search(r"://|--index-url|--find-links|^#", LOCK, re.MULTILINE)
