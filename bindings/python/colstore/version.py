"""The version of the installed distribution."""

from __future__ import annotations


def distribution_version() -> str:
    """The installed version of `colstore`, or `"0.0.0+unknown"` when it runs from a bare directory."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("colstore")
    except PackageNotFoundError:
        return "0.0.0+unknown"
