"""Builds the package (PEP 517) with the standard library alone, so that no machine needs a network to install it.

The package has only Python files, so a wheel is an archive of them with the metadata of pyproject.toml.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

_ROOT = Path(__file__).resolve().parent.parent
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file, so that the same sources give the same bytes."""


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, Any]] = None) -> List[str]:
    return []


def get_requires_for_build_sdist(config_settings: Optional[Dict[str, Any]] = None) -> List[str]:
    return []


def get_requires_for_build_editable(config_settings: Optional[Dict[str, Any]] = None) -> List[str]:
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    name, _ = _name_and_version()
    sources = sorted((_ROOT / "src" / name).rglob("*"))
    files = [
        (path.relative_to(_ROOT / "src").as_posix(), path.read_bytes())
        for path in sources
        if path.suffix == ".py" or path.name == "py.typed"
    ]
    return _write_wheel(wheel_directory, files)


def build_editable(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """A wheel whose only file adds the sources to the path of Python (PEP 660): ``pip install -e``."""
    name, _ = _name_and_version()
    path = str(_ROOT / "src") + "\n"
    return _write_wheel(wheel_directory, [("__editable__.{}.pth".format(name), path.encode())])


def _write_wheel(wheel_directory: str, content: List[Tuple[str, bytes]]) -> str:
    name, version = _name_and_version()
    info = "{}-{}.dist-info".format(name, version)
    files = content + [
        (info + "/licenses/LICENSE", (_ROOT / "LICENSE").read_bytes()),
        (info + "/METADATA", _metadata().encode()),
        (info + "/WHEEL", b"Wheel-Version: 1.0\nGenerator: pizarra_build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = "".join("{},sha256={},{}\n".format(path, _digest(data), len(data)) for path, data in files)
    files.append((info + "/RECORD", (record + info + "/RECORD,,\n").encode()))
    archive = "{}-{}-py3-none-any.whl".format(name, version)
    with zipfile.ZipFile(Path(wheel_directory) / archive, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files:
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return archive


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    name, version = _name_and_version()
    base = "{}-{}".format(name, version)
    parts = ("pyproject.toml", "README.md", "LICENSE", "src", "build_backend", "examples", "tests")
    paths = [path for part in parts for path in _files_in(_ROOT / part)]
    files = [(path.relative_to(_ROOT).as_posix(), path.read_bytes()) for path in sorted(paths)]
    files.append(("PKG-INFO", _metadata().encode()))
    archive = base + ".tar.gz"
    with tarfile.open(Path(sdist_directory) / archive, "w:gz", format=tarfile.PAX_FORMAT) as sdist:
        for path, data in files:
            entry = tarfile.TarInfo(base + "/" + path)
            entry.size = len(data)
            entry.mode = 0o644
            sdist.addfile(entry, io.BytesIO(data))
    return archive


def _files_in(path: Path) -> List[Path]:
    if path.is_file():
        return [path]
    return [one for one in path.rglob("*") if one.is_file() and one.suffix != ".pyc"]


def _name_and_version() -> Tuple[str, str]:
    return _field("name").replace("-", "_"), _version()


def _metadata() -> str:
    """Core metadata 2.1 of the table [project]."""
    lines = [
        "Metadata-Version: 2.1",
        "Name: " + _field("name"),
        "Version: " + _version(),
        "Summary: " + _field("description"),
        "License: Apache-2.0",
        "Requires-Python: " + _field("requires-python"),
        "Provides-Extra: pandas",
        'Requires-Dist: pandas>=1.5; extra == "pandas"',
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        "",
        (_ROOT / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def _version() -> str:
    """The version in the form of Python (PEP 440): 1.2.0-rc.1 of SemVer is 1.2.0rc1."""
    version = _field("version")
    found = re.fullmatch(r"(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?", version)
    if found is None:
        raise ValueError("{} is not like 1.2.0 or 1.2.0-rc.1".format(version))
    release, stage, number = found.groups()
    return release if stage is None else release + {"alpha": "a", "beta": "b", "rc": "rc"}[stage] + number


def _field(name: str) -> str:
    """A text of pyproject.toml. Python has a parser of TOML only since 3.11."""
    text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^{} = "([^"]*)"$'.format(re.escape(name)), text, re.MULTILINE)
    if found is None:
        raise ValueError("pyproject.toml has no {}".format(name))
    return found.group(1)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
