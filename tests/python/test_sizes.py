"""Byte sizes as text."""

import pytest

from colstore.sizes import check_batch_size, parse_byte_size


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("1B", 1),
        ("12 b", 12),
        (" 7 ", 7),
        ("1.", 1),
        ("1.9", 1),
        ("1k", 10**3),
        ("1 KB", 10**3),
        ("0.5kb", 500),
        ("2M", 2 * 10**6),
        ("1.5 GB", 15 * 10**8),
        ("3TB", 3 * 10**12),
        ("1pb", 10**15),
        ("1ki", 2**10),
        ("1 KiB", 2**10),
        ("2 MiB", 2**21),
        ("1.5 GiB", 3 * 2**29),
        ("1 TiB", 2**40),
        ("1 PiB", 2**50),
        ("9007199254740993", 2**53 + 1),
    ],
)
def test_read(text, expected):
    assert parse_byte_size(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "MB",
        "-1",
        "+1",
        "1e3",
        "1 XB",
        "1 K B",
        "1,5",
        ".5",
        "0",
        "0.9",
        "0.1B",
        "1KBB",
        "½",
        "٣",
        "nan",
        "inf",
    ],
)
def test_refused(text):
    with pytest.raises(ValueError):
        parse_byte_size(text)


@pytest.mark.parametrize("good", [None, 1, 10**20, "auto", "Auto", "64 MiB"])
def test_batch_size(good):
    check_batch_size(good)
