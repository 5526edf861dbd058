"""The cases of `queries.py`: tables, and texts to be evaluated over them."""

# ruff: noqa: E501
# fmt: off

import numpy as np

NAN, INF = float("nan"), float("inf")
MAX, MIN = 2**63 - 1, -(2**63)

#: Columns as dtype and values; times as counts or "NaT".
TABLES = {
    "numbers": {
        "b": ("?", [True, False, True, False, True, False]),
        "i1": ("i1", [0, 1, -1, 127, -128, 5]),
        "i2": ("i2", [300, -300, 0, 32767, -32768, 7]),
        "i4": ("i4", [1, 2, 3, -4, 0, 2147483647]),
        "i8": ("i8", [0, 2**53, 2**53 + 1, MAX, MIN, -7]),
        "u1": ("u1", [0, 1, 5, 200, 255, 3]),
        "u2": ("u2", [0, 1, 65535, 300, 2, 3]),
        "u4": ("u4", [0, 1, 2**32 - 1, 300, 2, 3]),
        "u8": ("u8", [0, 2**53 + 1, 2**63, 2**64 - 1, MAX, 3]),
        "f2": ("f2", [0.5, -0.0, NAN, INF, 65504.0, 0.1]),
        "f4": ("f4", [0.1, -2.5, NAN, -INF, 16777216.0, 0.0]),
        "f8": ("f8", [0.1, 2.0**53, NAN, INF, -2.5, 1e300]),
    },
    "small": {
        "a": ("i4", [7, -7, 8, 0, 3, -3, 1]),
        "d": ("i4", [2, 2, -3, 5, 0, -2, 1]),
        "x": ("f8", [7.5, -7.5, 0.0, 1.5, 2.5, -0.5, NAN]),
        "y": ("f8", [2.0, 2.0, -0.0, 0.0, 0.5, 0.25, 1.0]),
        "w": ("f4", [0.1, 0.2, 0.3, 4.0, 5.5, -6.5, 7.0]),
        "ok": ("?", [True, False, True, True, False, False, True]),
    },
    "text": {
        "s": ("S3", [b"SR", b"CR", b"abc", b"", b"\xc3\xa9", b"SR"]),
        "u": ("U3", ["SR", "CR", "abc", "", "é", "日本"]),
        "long": ("S5", [b"SR", b"CRx", b"abcd", b"", b"a", b"sr"]),
        "n": ("i4", [1, 2, 3, 4, 5, 6]),
    },
    "times": {
        "day": ("M8[D]", [0, 1, -1, 18262, "NaT", 365]),
        "sec": ("M8[s]", [0, 86400, -1, 1577836800, 5, "NaT"]),
        "dur": ("m8[s]", [0, 60, -60, 86400, "NaT", 7]),
        "hours": ("m8[h]", [0, 1, -1, 24, 2, "NaT"]),
        "n": ("i4", [1, 2, 3, 4, 5, 6]),
    },
}

E = {"exact": True}

#: By file: table, text, and perhaps parameters or that the comparison is exact.
CONDITIONS = {
    "comparisons": [
        ("numbers", "i4 > 1"), ("numbers", "i4 >= 2"), ("numbers", "i4 < 0"), ("numbers", "i4 <= 0"), ("numbers", "i4 == 3"),
        ("numbers", "i4 != 3"), ("numbers", "1 < i4"), ("numbers", "0 <= i4 < 3"), ("numbers", "i1 < i2 < i4"), ("numbers", "i4 == 1 == b"),
        ("numbers", "b"), ("numbers", "b == True"), ("numbers", "b != (i4 > 0)"), ("numbers", "b < True"), ("numbers", "b >= 1"),
        ("numbers", "f8 > 0"), ("numbers", "f8 == f8"), ("numbers", "f8 != f8"), ("numbers", "f8 < 1e999"), ("numbers", "f4 == 0.1"),
        ("numbers", "f4 == 16777217"), ("numbers", "f2 == 0.1"), ("numbers", "f2 <= 0"), ("numbers", "f4 >= f2"), ("numbers", "f4 < f8"),
        ("numbers", "f8 == 9007199254740993"), ("numbers", "i4 < 1.5"), ("numbers", "u1 < 2.5"), ("numbers", "i4 == None"), ("numbers", "i4 != None"),
        ("numbers", "(i4\n>= 2)  # two"), ("numbers", "(\n i4\n > 1\n)"), ("numbers", "  i4 > 1  "), ("numbers", "i4 > \\\n 1"), ("numbers", "i4 > 0x1"),
        ("numbers", "i4 > 0b1_0"), ("numbers", "i2 == 3_00"), ("numbers", "f8 > 1e2_0"), ("numbers", "f8 == .1"), ("numbers", "i4 == +1"), ("numbers", "i4 == - 4"),
    ],
    "exact": [
        ("numbers", "u1 < 300", E), ("numbers", "u1 > -1", E), ("numbers", "u1 == 256", E), ("numbers", "u1 != -1", E), ("numbers", "300 > u1", E),
        ("numbers", "-1 < u8", E), ("numbers", "i8 < 9223372036854775808", E), ("numbers", "i8 >= -9223372036854775809", E),
        ("numbers", "u8 > 18446744073709551615", E), ("numbers", "u8 >= 18446744073709551615", E), ("numbers", "u8 < 18446744073709551616", E),
        ("numbers", "i8 < u8", E), ("numbers", "i8 == u8", E), ("numbers", "u8 >= i8", E), ("numbers", "i1 < u8", E), ("numbers", "u8 > i2", E),
        ("numbers", "i8 == 9007199254740992.0", E), ("numbers", "i8 > 9007199254740992.0", E), ("numbers", "u8 == 9.223372036854775808e18", E),
        ("numbers", "i8 == f8", E), ("numbers", "i8 < f8", E), ("numbers", "u8 <= f8", E), ("numbers", "f8 != u8", E), ("numbers", "i8 < 0.5", E),
        ("numbers", "i8 >= -9.223372036854775808e18", E), ("numbers", "i8 < 9.223372036854775808e18", E), ("numbers", "i8 > -1e999", E),
        ("numbers", "i8 != 170141183460469231731687303715884105728", E), ("numbers", "i8 < f4", E), ("numbers", "u8 > f2", E),
    ],
    "logic": [
        ("small", "a > 1 and d > 1"), ("small", "a > 1 or d > 1"), ("small", "not a > 1"), ("small", "not ok"), ("small", "ok and not a > 3"),
        ("small", "not (ok or a < 0)"), ("small", "not not ok"), ("small", "a and d"), ("small", "a or x"), ("small", "not a"), ("small", "x and ok"),
        ("small", "ok or a > 1 and d > 1"), ("small", "(ok or a > 1) and d > 1"), ("small", "(a > 1) & (d > 1)"), ("small", "(a > 1) | (d > 1)"),
        ("small", "(a > 1) ^ (d > 1)"), ("small", "~ok"), ("small", "~(a > 1) & ok"), ("small", "ok & ok"), ("small", "a & 1 == 1"), ("small", "a | d == 3"),
        ("small", "a ^ d > 1"), ("small", "ok == (a > 1)"), ("small", "a > 1 and True"), ("small", "a > 1 or False"), ("small", "a > 1 and 1"),
        ("small", "ok and ok and ok and a > 0"), ("text", "s and n > 1"), ("text", "u or n > 5"), ("times", "day and n"), ("times", "dur or n < 2"),
    ],
    "arithmetic": [
        ("small", "a + d == 9"), ("small", "a - d > 4"), ("small", "a * 2 >= d ** 2"), ("small", "a / 2 == 3.5"), ("small", "a // 2 == -4"),
        ("small", "a % 2 == 1"), ("small", "-a > 2"), ("small", "+a > 2"), ("small", "a // d == 3"), ("small", "a % d == 0"), ("small", "x // y > 1"),
        ("small", "x % y == 0.5"), ("small", "x / y > 1"), ("small", "x ** 2 > 6"), ("small", "2.0 ** a == 128"), ("small", "-a ** 2 == -9"),
        ("small", "(-a) ** 2 == 9"), ("small", "2 ** -x > 1"), ("small", "a + 2 * d > 9"), ("small", "(a + 2) * d > 9"), ("small", "a - d - 1 > 3"),
        ("small", "w * 2 == 0.2"), ("small", "w + a > 7"), ("small", "a - (d - 1) > 3"), ("small", "a * 1.5 > 4"), ("small", "ok + ok == 1"), ("small", "ok * 2 == 2"),
        ("numbers", "u1 + 100 < 100"), ("numbers", "i1 - 1 > 0"), ("numbers", "u1 + i1 == 132"), ("numbers", "u8 + i8 > 1e18"), ("numbers", "i4 * 2 == -2"),
        ("numbers", "i4 / 0 > 0"), ("numbers", "i4 // 0 == 0"), ("numbers", "f8 - f8 == 0"), ("numbers", "u1 * u1 == 25"), ("numbers", "f2 * 2 == 1"),
        ("small", "a > 2 * 3"), ("small", "a > 7 // 2"), ("small", "a == 2 ** 3"), ("small", "x > -(1 / 2)"), ("small", "a > True + 1"),
    ],
    "membership": [
        ("numbers", "i4 in [1, 3]"), ("numbers", "i4 in (1, 3)"), ("numbers", "i4 not in [1, 3]"), ("numbers", "not i4 in [1, 3]"), ("numbers", "i4 in 3"),
        ("numbers", "i4 in (3)"), ("numbers", "i4 in []"), ("numbers", "i4 not in ()"), ("numbers", "i4 in [-4, +2]"), ("numbers", "i4 in [1.0, 2.5, 3.01]"),
        ("numbers", "u1 in [300, -1, 5]"), ("numbers", "i8 in [9007199254740993]"), ("numbers", "i8 in [9007199254740992.0]"), ("numbers", "f8 in [9007199254740993]"),
        ("numbers", "f4 in [0.1]"), ("numbers", "f8 in [0.1]"), ("numbers", "f8 in [1e999]"), ("numbers", "f2 in [0.0]"), ("numbers", "b in [1]"), ("numbers", "i4 in [True]"),
        ("numbers", "u8 in [18446744073709551615, 9223372036854775808]"), ("numbers", "i4 in [None, 2]"), ("numbers", "i4 in ['a', 2]"), ("numbers", "i4 + 1 in [2, 4]"),
        ("numbers", "0 < i4 in [1, 3, 0]"), ("numbers", "i4 in [3, 3, 1, 1]"), ("numbers", "i1 in [128, 127]"),
        ("text", "s in ['SR', 'toolong']"), ("text", "s in 'SR'"), ("text", "s in [b'SR', 'abc']"), ("text", "u in ['SR', '日本']"), ("text", "s in ['é']"), ("text", "s not in ['']"),
        ("text", "long in ['CRx', 'abcdef']"), ("text", "u in [b'SR']"),
    ],
    "text": [
        ("text", "s == 'SR'"), ("text", "'SR' == s"), ("text", "s == b'SR'"), ("text", "s != 'SR'"), ("text", "s < 'SR'"), ("text", "s >= 'SR'"), ("text", "s == ''"),
        ("text", "s == 'é'"), ("text", "s > 'abcd'"), ("text", "s == 'SR\\0'"), ("text", "s == long"), ("text", "s < long"), ("text", "u == 'SR'"), ("text", "u == \"é\""), ("text", "u > 'a'"),
        ("text", "u == '\\u65e5\\u672c'"), ("text", "u == 'S' 'R'"), ("text", "s == r'SR'"), ("text", "s == '''abc'''"), ("text", "s == '\\x61bc'"), ("text", "u != u"), ("text", "'CR' <= s <= 'SR'"),
        ("text", "s == None"), ("text", "s == 'SR' and n > 1"), ("text", "s == '\\123R'"), ("text", "s == b'\\x53\\x52'"),
    ],
    "times": [
        ("times", "day == sec"), ("times", "day < sec"), ("times", "day != sec"), ("times", "day == day"), ("times", "dur == hours"), ("times", "hours > dur"), ("times", "dur > 0"), ("times", "dur == 60"),
        ("times", "sec - day == dur"), ("times", "day + hours > sec"), ("times", "sec + dur == sec"), ("times", "dur * 2 > hours"), ("times", "dur / hours < 1"), ("times", "dur // hours == 0"), ("times", "dur % hours > 0"),
        ("times", "-dur > 0"), ("times", "day + n > day"), ("times", "dur + 1 > 60"), ("times", "sec - 1 < sec"), ("times", "dur * 1.5 == 90"), ("times", "dur / 2 == 30"),
    ],
    "parameters": [
        ("numbers", "i4 > @cut", {"params": {"cut": 1}}), ("numbers", "i4 > @cut", {"params": {"cut": 1.5, "unused": 3}}), ("numbers", "f4 == @v", {"params": {"v": 0.1}}),
        ("numbers", "f4 == @v", {"params": {"v": np.float64(0.1)}}), ("numbers", "f4 == @v", {"params": {"v": np.float32(0.1)}}), ("numbers", "i4 in @v", {"params": {"v": [1, 3]}}),
        ("numbers", "i4 in @v", {"params": {"v": {1, 3, 99}}}), ("numbers", "i4 in @v", {"params": {"v": np.array([1.0, 2.5])}}), ("numbers", "i4 not in @v", {"params": {"v": 3}}),
        ("numbers", "i4 in [@a, @b]", {"params": {"a": 1, "b": 2}}), ("numbers", "u1 + @v < 100", {"params": {"v": np.uint8(100)}}), ("numbers", "u1 + @v > 300", {"params": {"v": np.int64(200)}}),
        ("numbers", "b == @v", {"params": {"v": True}}), ("text", "s == @v", {"params": {"v": "SR"}}), ("text", "s in @v", {"params": {"v": ["SR", "abc"]}}), ("text", "s == @v", {"params": {"v": b"CR"}}),
        ("text", "u in @v", {"params": {"v": {"SR", "é"}}}), ("times", "sec > @v", {"params": {"v": np.datetime64(1, "D")}}), ("times", "day in @v", {"params": {"v": np.array([0, 24], "M8[h]")}}),
        ("times", "dur >= @v", {"params": {"v": np.timedelta64(1, "m")}}), ("times", "sec == @v", {"params": {"v": np.datetime64("NaT")}}), ("numbers", "i4 > -@v", {"params": {"v": 1}}),
    ],
}

VALUES = [
    *(("numbers", text) for text in [
        "u1 + 1", "u1 + i8", "i1 + u8", "b + b", "b * 2", "b & i8", "i4 / i4", "i4 // 2", "i4 % 7", "f4 * 2", "f4 * 2.5", "f2 + f4", "i2 * i2", "u4 - u2",
        "-i1", "~u1", "-u1", "+f2", "i4 | 1", "i4 ^ i2", "f8 // 3", "f8 % 3", "u8 // 3", "u8 % 10", "i8 // -2", "i8 % -2", "i1 // 0", "i1 % 0", "i1 ** 2", "u2 ** 3",
        "f8 > 1", "i4 in [1]", "not b", "b ^ b", "i4 + True", "u1 - 1", "f4 + i8", "f2 - 1", "f8 ** 2", "f4 ** 2", "f8 ** 0",
    ]),
    *(("small", text) for text in ["x // y", "x % y", "a // d", "a % d", "w + 1", "a * 0.5", "w % 2", "w // 2", "x - a", "a and x", "w ** 2"]),
    *(("text", text) for text in ["s + long", "u + u", "s == long"]),
    *(("times", text) for text in ["sec - day", "day + dur", "dur + hours", "dur / hours", "dur // hours", "dur % hours", "-dur", "dur * 2", "dur / 2", "dur // 7", "day + 1", "day - hours", "hours * n", "dur - 1"]),
]

#: Table, function, operands as texts.
CALLS = [
    ("numbers", "sqrt", "u1"), ("numbers", "sqrt", "f8"), ("numbers", "floor", "f4"), ("numbers", "floor", "i4"), ("numbers", "ceil", "f8"), ("numbers", "trunc", "f8"), ("numbers", "rint", "f2"),
    ("numbers", "abs", "i1"), ("numbers", "abs", "f4"), ("numbers", "sign", "i2"), ("numbers", "sign", "f8"), ("numbers", "square", "i1"), ("numbers", "isnan", "f2"), ("numbers", "isinf", "f8"),
    ("numbers", "isfinite", "f4"), ("numbers", "isnan", "i4"), ("numbers", "signbit", "f2"), ("numbers", "maximum", "f8", "f4"), ("numbers", "minimum", "i1", "u1"), ("numbers", "fmax", "f8", "0"),
    ("numbers", "fmin", "f4", "f8"), ("numbers", "where", "b", "f4", "1"), ("numbers", "where", "b", "i1", "u1"), ("numbers", "where", "i4", "1", "0"), ("numbers", "clip", "u1", "2", "200"),
    ("numbers", "clip", "i4", "0", "1.5"), ("numbers", "clip", "u1", "-1", "300"), ("numbers", "left_shift", "u1", "3"), ("numbers", "right_shift", "i1", "9"), ("numbers", "left_shift", "i4", "40"), ("numbers", "gcd", "i4", "12"),
    ("numbers", "copysign", "f8", "i4"), ("numbers", "nextafter", "f4", "0"), ("numbers", "spacing", "f8"), ("numbers", "ldexp", "f4", "3"), ("numbers", "heaviside", "f4", "0.5"), ("numbers", "fmod", "i4", "3"),
    ("numbers", "logical_xor", "b", "i4"), ("numbers", "bitwise_and", "u1", "15"), ("numbers", "fabs", "i1"), ("numbers", "degrees", "f8"), ("numbers", "deg2rad", "f4"), ("numbers", "fmod", "f8", "3"),
    ("times", "isnat", "day"), ("times", "abs", "dur"), ("times", "maximum", "day", "sec"), ("times", "fmin", "dur", "hours"), ("times", "sign", "dur"), ("times", "where", "n > 2", "day", "sec"), ("small", "lcm", "a", "d"),
    ("small", "reciprocal", "x"), ("times", "isfinite", "dur"), ("text", "where", "n > 2", "s", "long"),
]

#: Table, text, kind of the error, a fragment of its message, perhaps parameters.
ERRORS = [
    *(("numbers", text, "query", "could not parse") for text in [
        "", " ", "i4 >", "> 1", "i4 = 1", "i4 := 1", "i4 > 1; b", "import os", "i4 > 1)", "(i4 > 1", "i4 1", "i4 > 1\nb", "x = i4 > 1", "'a", "i4 > 0123", "i4 ! 1", "i4 > 1__0", "i4 > 08", "i4 $ 1", "and b",
        "b not b", "@", "i4 > '\\x1'", "i4 > 1abc", "del b",
    ]),
    *(("numbers", text, "query", "unknown name") for text in ["x > 1", "i4 > inf", "f8 == nan", "len", "print", "I4 > 1", "i4 > 1 and y", "__builtins__"]),
    *(("numbers", text, "query", "unsupported expression element") for text in [
        "abs(i4) > 1", "i4.real > 1", "i4[0] > 1", "lambda: b", "b if b else b", "{1, 2}", "i4 in {1}", "{1: 2}", "f'{i4}'", "[x for x in b]", "i4 in [u1]", "i4 in u1", "i4 in [1 + 1]", "i4 in [[1]]",
    ]),
    *(("numbers", text, "query", "unsupported comparison") for text in ["i4 is None", "i4 is not None", "b is True"]),
    *(("numbers", text, "query", "unsupported operator") for text in ["i4 << 1 > 2", "i4 >> 1 > 2", "i4 @ i4"]),
    *(("numbers", text, "query", "undefined parameter") for text in ["i4 > @x", "i4 in @x", "@y"]),
    *(("numbers", text, "query", "boolean condition") for text in ["i4 + 1", "~i4", "f8", "i4", "b + 1", "-f4"]),
    *(("numbers", text, "query", "at least one column") for text in ["True", "3 > 2", "[b]", "i4 > 3,", "'a' == 'a'", "1 + 1"]),
    *(("numbers", text, "query", "left side") for text in ["3 in [1, 3]", "'a' in ['a']", "1 + 1 in [2]"]),
    *(("text", text, "query", "boolean condition") for text in ["s", "u + u"]),
    *(("text", text, "type", "ufunc") for text in ["n == 'a'", "s == 1", "s < u", "u == b'SR'", "s + n == 1", "not s", "s - s == s", "s == u"]),
    *(("times", text, "type", "ufunc") for text in ["day > '2020-01-01'", "day < dur", "day == 5", "day + day == day", "day * 2 == day", "day + 1.5 == day", "dur ** 2 == dur", "not dur"]),
    *(("numbers", text, "type", "ufunc") for text in ["i4 > 3 & f8 < 9", "b - b == 0", "-b == b", "i4 | f8 == 1", "i4 ^ 1.5 == 1"]),
    *(("numbers", text, "type", "") for text in ["i4 < None", "i4 + None == 1", "i4 == 1j", "b and None"]),
    *(("numbers", text, "overflow", "out of bounds") for text in ["u1 + 300 > 1", "u8 + -1 > 1", "i1 * 128 == 0", "i8 + 9223372036854775808 > 1"]),
    ("numbers", "f8 < 1" + 400 * "0", "overflow", "too large"),
    ("numbers", "i4 ** -1 > 0", "value", "negative integer powers"), ("small", "2 ** a > 1", "value", "negative integer powers"), ("numbers", "i4 > 1 // 0", "value", "zero"),
    ("numbers", "i4 > @x", "type", "raw array", {"x": [1, 2]}), ("numbers", "@x + 1 > i4", "type", "raw array", {"x": np.array([1.5])}),
]
