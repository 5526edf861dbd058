"""Settings of the engine, the machine it sees, and its measurement of threads."""

from __future__ import annotations

from ctypes import byref, c_double, c_int32, c_size_t, c_void_p, create_string_buffer

from .errors import raise_error
from .library import lib
from .structs import MACHINE_INFO_SIZE, MachineInfo


def set_setting(name: str, value: str) -> None:
    """Set one of the engine's settings; `ValueError` says what is allowed."""
    error, encoded, text = c_void_p(), name.encode(), value.encode()
    status = lib.colstore_config_set(encoded, len(encoded), text, len(text), byref(error))
    if status:
        raise_error(status, error)


def get_setting(name: str) -> str:
    """The value of one of the engine's settings."""
    error, encoded, length = c_void_p(), name.encode(), c_size_t()
    out = create_string_buffer(256)
    status = lib.colstore_config_get(encoded, len(encoded), out, len(out), byref(length), byref(error))
    if status:
        raise_error(status, error)
    return out.raw[: length.value].decode()


def machine() -> MachineInfo:
    """Cores, sockets and memory nodes, and the number of threads that the engine uses by default."""
    error, info = c_void_p(), MachineInfo()
    info.size = MACHINE_INFO_SIZE
    status = lib.colstore_machine(byref(info), byref(error))
    if status:
        raise_error(status, error)
    return info


def measure_threads(rounds: int) -> tuple[int, float]:
    """The smallest number of threads at which gathers are within some percent of their best, and that GB/s."""
    error, threads, throughput = c_void_p(), c_int32(), c_double()
    status = lib.colstore_calibrate_threads(rounds, None, byref(threads), byref(throughput), byref(error))
    if status:
        raise_error(status, error)
    return threads.value, throughput.value
