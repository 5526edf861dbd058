"""True values of the functions that the library computes itself, for the tests of `compute/accurate`.

    python colstore-kernels/tests/true_values.py > colstore-kernels/tests/data/true_values.txt

Lines of words: `NAME X LOW FRACTION`. X and LOW are the bits of float64 as hexadecimal numbers. The true value lies
between LOW and the next float64 further from zero, FRACTION 65536ths of the way (rounded down), hexadecimal, too.
Python's `decimal` computes them with 70 digits or more.
"""

import math
import random
import struct
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext

MAX = math.nextafter(math.inf, 0)
#: Numbers of inputs of a kind, for each function.
N_SIZES, N_MODERATE, N_EDGES, N_LIMITS = 350, 350, 250, 120


def sinh(x):
    return (x.exp() - (-x).exp()) / 2


def cosh(x):
    return (x.exp() + (-x).exp()) / 2


def tanh(x):
    power = (2 * x).exp()
    return (power - 1) / (power + 1)


def arcsinh(x):
    return ((abs(x) + (x * x + 1).sqrt()).ln()).copy_sign(x)


def arccosh(x):
    return (x + ((x - 1) * (x + 1)).sqrt()).ln()


def arctanh(x):
    return ((1 + x) / (1 - x)).ln() / 2


def log10(x):
    return x.log10()


#: Functions with the least and the greatest size of their arguments, whether these have signs, and values near which
#: something changes: limits, ends of the domain, zeros.
FUNCTIONS = [
    (sinh, 5e-324, 710.4758600739439, True, [2.0**-40, 2.0**-28, 32.0, 710.4758600739439, 709.782712893384]),
    (cosh, 5e-324, 710.4758600739439, True, [2.0**-26, 2.0**-40, 32.0, 710.4758600739439, 709.782712893384]),
    (tanh, 5e-324, 30.0, True, [2.0**-40, 2.0**-28, 19.06, 20.0, 22.0]),
    (arcsinh, 5e-324, MAX, True, [2.0**-40, 2.0**-28, 2.0**27, 2.0**28, 2.0**60, 2.0**512, 1.0]),
    (arccosh, 1.0, MAX, False, [1.0, 2.0**27, 2.0**28, 2.0**60, 2.0**512, 2.0]),
    (arctanh, 5e-324, math.nextafter(1, 0), True, [2.0**-40, 2.0**-28, 1.0, 0.5]),
    (log10, 5e-324, MAX, False, [1.0, 10.0, 0.1, 2.0**-1022, 2.0**0.5]),
]


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def of_bits(n):
    return struct.unpack("<d", struct.pack("<Q", n))[0]


def inputs(rng, low, high, limits):
    """Sizes of arguments, without those that are out of bounds."""
    # Every exponent is as likely as another.
    yield from (of_bits(rng.randint(bits(low), bits(high))) for _ in range(N_SIZES))
    for i in range(N_MODERATE):
        yield (abs(rng.gauss(0, 1)), 1 + rng.random(), rng.random(), rng.uniform(0, 30))[i % 4]
    # Where the next entry of a table is taken: for exponentials, and for logarithms.
    for i in range(N_EDGES):
        edge = (rng.randrange(8000) + 0.5) * math.log(2) / 128
        edge = edge if i % 2 else 2.0 ** rng.randint(-3, 3) * (1 + (2 * rng.randrange(256) + 1) / 512)
        yield of_bits(bits(edge) + rng.randint(-3, 3))
    for limit in limits:
        yield limit
        # A few floats away, or further.
        yield from (of_bits(max(bits(limit) + rng.randint(-4, 4), 0)) for _ in range(4))
        for _ in range(N_LIMITS // len(limits)):
            yield limit * (1 + rng.choice([-1, 1]) * 2.0 ** rng.uniform(-53, -1))


def true_value(function, x):
    """The float64 next to it on the side of zero, and how far it is from there to the next one."""
    with localcontext(Context(prec=70 + max(0, -Decimal(x).adjusted()), Emax=MAX_EMAX, Emin=MIN_EMIN)):
        value = function(Decimal(x))
        low = float(value)
        if abs(Decimal(low)) > abs(value):
            low = math.nextafter(low, 0)
        above = Decimal(MAX) + Decimal(2) ** 970 if abs(low) == MAX else Decimal(math.nextafter(abs(low), math.inf))
        share = (abs(value) - abs(Decimal(low))) / (above - abs(Decimal(low)))
        return low, int(share * 65536)


def main():
    for function, low, high, has_signs, limits in FUNCTIONS:
        rng = random.Random(function.__name__)
        sizes = [size for size in inputs(rng, low, high, limits) if low <= size <= high]
        if function is log10:
            sizes += [float(f"1e{exponent}") for exponent in range(-300, 309)]
        for x in sizes:
            x = -x if has_signs and rng.random() < 0.5 else x
            y, fraction = true_value(function, x)
            print(f"{function.__name__} {bits(x):016x} {bits(y):016x} {fraction:04x}")


if __name__ == "__main__":
    main()
