"""
    LibColstore

The C interface as it is: every function, struct and number of `include/colstore.h` under its own name. A stub adds
nothing to its call, so what the header says of pointers and ownership holds here too. Use `Colstore`, unless it lacks
something.

Generated from the header by `bindings/julia/gen/generate.py`; do not edit.
"""
module LibColstore

# Constants and enums: plain numbers, so that one of a later version is no error.

"""
The version of the ABI that this header describes. Compare it with `colstore_abi_version()` after loading.
"""
const COLSTORE_ABI_VERSION = 1

"""
What a call came to. 0 is success. A number keeps its meaning for ever and is never used again; later
versions may add numbers, so treat an unknown one as a failure.
"""
const colstore_status = Int32
"The call did what it was asked to."
const COLSTORE_STATUS_OK = Int32(0)
"""
An argument is wrong: NULL where it must not be, a size that does not fit, a value out of its set.
"""
const COLSTORE_STATUS_INVALID_ARGUMENT = Int32(1)
"The dtype cannot be stored in a `.cstore` file."
const COLSTORE_STATUS_UNSUPPORTED_TYPE = Int32(2)
"There is no file at the path."
const COLSTORE_STATUS_NOT_FOUND = Int32(3)
"There is a file at the path already, and the call must not replace it."
const COLSTORE_STATUS_ALREADY_EXISTS = Int32(4)
"The operating system does not allow the access."
const COLSTORE_STATUS_PERMISSION_DENIED = Int32(5)
"The operating system failed to read or write."
const COLSTORE_STATUS_IO = Int32(6)
"The disk is full, or a quota or the largest file size is reached."
const COLSTORE_STATUS_NO_SPACE = Int32(7)
"The bytes of the file are no valid `.cstore` file."
const COLSTORE_STATUS_FORMAT = Int32(8)
"The table has no column of that name."
const COLSTORE_STATUS_UNKNOWN_COLUMN = Int32(9)
"A row or an index is outside its range."
const COLSTORE_STATUS_OUT_OF_BOUNDS = Int32(10)
"""
The values do not lie one after the other in the file, or not in native byte order: they cannot be
viewed, only read.
"""
const COLSTORE_STATUS_NOT_CONTIGUOUS = Int32(11)
"The call was cancelled through its progress."
const COLSTORE_STATUS_CANCELLED = Int32(12)
"Memory or address space ran out."
const COLSTORE_STATUS_OUT_OF_MEMORY = Int32(13)
"A defect of this library. The message says where; please report it."
const COLSTORE_STATUS_INTERNAL = Int32(14)
"The file or directory is locked by another writer."
const COLSTORE_STATUS_LOCKED = Int32(15)
"""
A condition or expression that cannot be understood: its syntax, a name in it, a result that is not boolean.
"""
const COLSTORE_STATUS_QUERY = Int32(16)
"No operation for operands of these dtypes."
const COLSTORE_STATUS_TYPE = Int32(17)
"The frame has no column of that name."
const COLSTORE_STATUS_KEY = Int32(18)
"A value, a length or a number of rows that is not allowed."
const COLSTORE_STATUS_VALUE = Int32(19)
"A number that its dtype cannot hold."
const COLSTORE_STATUS_OVERFLOW = Int32(20)
"A function of the caller's failed; `colstore_error_callback_code` has its code."
const COLSTORE_STATUS_CALLBACK = Int32(21)

"The units of datetimes and timedeltas. The numbers never change."
const colstore_unit = Int32
"No unit: a time without one, or no time at all."
const COLSTORE_UNIT_NONE = Int32(0)
"Years."
const COLSTORE_UNIT_YEAR = Int32(1)
"Months."
const COLSTORE_UNIT_MONTH = Int32(2)
"Weeks."
const COLSTORE_UNIT_WEEK = Int32(3)
"Days."
const COLSTORE_UNIT_DAY = Int32(4)
"Hours."
const COLSTORE_UNIT_HOUR = Int32(5)
"Minutes."
const COLSTORE_UNIT_MINUTE = Int32(6)
"Seconds."
const COLSTORE_UNIT_SECOND = Int32(7)
"Milliseconds."
const COLSTORE_UNIT_MILLI = Int32(8)
"Microseconds."
const COLSTORE_UNIT_MICRO = Int32(9)
"Nanoseconds."
const COLSTORE_UNIT_NANO = Int32(10)
"Picoseconds."
const COLSTORE_UNIT_PICO = Int32(11)
"Femtoseconds."
const COLSTORE_UNIT_FEMTO = Int32(12)
"Attoseconds."
const COLSTORE_UNIT_ATTO = Int32(13)

"""
How the pages of a file will be asked for, so that the system reads ahead or does not. The numbers never
change.
"""
const colstore_advice = Int32
"The library's choice."
const COLSTORE_ADVICE_DEFAULT = Int32(0)
"In no particular way."
const COLSTORE_ADVICE_NORMAL = Int32(1)
"From the first to the last."
const COLSTORE_ADVICE_SEQUENTIAL = Int32(2)
"In no order: nothing is read ahead."
const COLSTORE_ADVICE_RANDOM = Int32(3)
"All, and soon: reading begins at once."
const COLSTORE_ADVICE_WILL_NEED = Int32(4)
"None for a while: what is in memory may go."
const COLSTORE_ADVICE_DONT_NEED = Int32(5)

"How the bytes of a file are got at. What is read is the same. The numbers never change."
const colstore_backend = Int32
"As the setting `read_backend` says, see `colstore_config_set`."
const COLSTORE_BACKEND_DEFAULT = Int32(0)
"""
The file is mapped. Fastest, and lends values without a copy; but if another program shortens the file,
touching what is gone raises `SIGBUS`.
"""
const COLSTORE_BACKEND_MMAP = Int32(1)
"""
The file is read through its descriptor: whatever becomes of it is an error, and nothing can be lent.
"""
const COLSTORE_BACKEND_PREAD = Int32(2)

"What to do if tables differ in their columns."
const colstore_on_mismatch = Int32
"Fail with `INVALID_ARGUMENT`. The order of the columns may differ."
const COLSTORE_ON_MISMATCH_STRICT = Int32(0)
"Leave out the columns that not every table has with the same dtype."
const COLSTORE_ON_MISMATCH_DROP = Int32(1)

"The type of index values. The numbers never change."
const colstore_index_type = Int32
"`int8_t`"
const COLSTORE_INDEX_TYPE_I8 = Int32(1)
"`int16_t`"
const COLSTORE_INDEX_TYPE_I16 = Int32(2)
"`int32_t`"
const COLSTORE_INDEX_TYPE_I32 = Int32(3)
"`int64_t`"
const COLSTORE_INDEX_TYPE_I64 = Int32(4)
"`uint8_t`"
const COLSTORE_INDEX_TYPE_U8 = Int32(5)
"`uint16_t`"
const COLSTORE_INDEX_TYPE_U16 = Int32(6)
"`uint32_t`"
const COLSTORE_INDEX_TYPE_U32 = Int32(7)
"`uint64_t`"
const COLSTORE_INDEX_TYPE_U64 = Int32(8)

"What a selection came to. The numbers never change."
const colstore_rows_form = Int32
"Evenly spaced rows, whatever they were made from."
const COLSTORE_ROWS_FORM_RANGE = Int32(1)
"Row numbers, one by one."
const COLSTORE_ROWS_FORM_INDICES = Int32(2)
"One bit for every row."
const COLSTORE_ROWS_FORM_MASK = Int32(3)

"What a column is reduced to. The numbers never change."
const colstore_reduction = Int32
"""
The sum: of booleans and signed integers modulo 2^64 as `'i'`, of unsigned integers modulo 2^64 as `'u'`, of
floats added up in double precision as `'f'`.
"""
const COLSTORE_REDUCTION_SUM = Int32(1)
"The arithmetic mean, as `'f'`."
const COLSTORE_REDUCTION_MEAN = Int32(2)
"The least value, of the column's kind."
const COLSTORE_REDUCTION_MIN = Int32(3)
"The greatest value, of the column's kind."
const COLSTORE_REDUCTION_MAX = Int32(4)
"""
The variance, as `'f'`: the sum of the squared distances from the mean, divided by the number of rows less
`ddof`; NaN if that is not above 0.
"""
const COLSTORE_REDUCTION_VAR = Int32(5)
"The standard deviation, as `'f'`: the square root of the variance."
const COLSTORE_REDUCTION_STD = Int32(6)

"What to do with a file that exists at the path."
const colstore_store_mode = Int32
"Fail with `ALREADY_EXISTS`."
const COLSTORE_STORE_MODE_CREATE = Int32(0)
"Replace it, once the new one is complete."
const COLSTORE_STORE_MODE_RECREATE = Int32(1)

"What a new file survives."
const colstore_durability = Int32
"The end of the process: the operating system has the data."
const COLSTORE_DURABILITY_PROCESS = Int32(0)
"A power cut: the data and the name of the file are flushed to the disk."
const COLSTORE_DURABILITY_DISK = Int32(1)

"How bad a finding is."
const colstore_severity = Int32
"Worth knowing: nothing is wrong with the data."
const COLSTORE_SEVERITY_NOTE = Int32(0)
"Not as writers leave a file, but readers get the right values."
const COLSTORE_SEVERITY_WARNING = Int32(1)
"Damage: the file cannot be read, or not all that it says is true."
const COLSTORE_SEVERITY_ERROR = Int32(2)

"What a recovery has done."
const colstore_recovery_action = Int32
"It has looked, and changed nothing."
const COLSTORE_RECOVERY_ACTION_LISTED = Int32(0)
"It was to commit, and there was nothing to commit."
const COLSTORE_RECOVERY_ACTION_UNCHANGED = Int32(1)
"The records are committed in the file."
const COLSTORE_RECOVERY_ACTION_COMMITTED = Int32(2)
"The records are in a new file, committed."
const COLSTORE_RECOVERY_ACTION_COPIED = Int32(3)

"""
Whether the counters of a file, which say how many of its records are committed, can be relied on.
"""
const colstore_counters_state = Int32
"They are intact, and the records are there."
const COLSTORE_COUNTERS_STATE_INTACT = Int32(0)
"They are intact, and do not agree with the records."
const COLSTORE_COUNTERS_STATE_WRONG = Int32(1)
"Their bytes are damaged, as by a write that was torn."
const COLSTORE_COUNTERS_STATE_DAMAGED = Int32(2)

"What a writer does about the lock on its file."
const colstore_lock_policy = Int32
"What the setting `lock_policy` says."
const COLSTORE_LOCK_POLICY_DEFAULT = Int32(0)
"Take it, or fail."
const COLSTORE_LOCK_POLICY_REQUIRE = Int32(1)
"""
Take it where the file system has locks; where it has none, go on without, and say so in the info.
"""
const COLSTORE_LOCK_POLICY_AUTO = Int32(2)
"Do not ask for it: the caller makes sure that there is one writer."
const COLSTORE_LOCK_POLICY_OFF = Int32(3)

"What a writer does with a file that exists at the path."
const colstore_writer_mode = Int32
"Fail with `ALREADY_EXISTS`."
const COLSTORE_WRITER_MODE_CREATE = Int32(0)
"Replace it at the first commit."
const COLSTORE_WRITER_MODE_RECREATE = Int32(1)
"Add records to it; fail with `NOT_FOUND` if there is none."
const COLSTORE_WRITER_MODE_UPDATE = Int32(2)

"""
What went on in a computation that a program may want to warn of: bits that are added up. The numbers never
change.
"""
const colstore_flag = Int32
"Something was divided by zero."
const COLSTORE_FLAG_DIVIDE = Int32(1)
"A result was too large for its dtype."
const COLSTORE_FLAG_OVERFLOW = Int32(2)
"A result was too small for its dtype to keep all digits."
const COLSTORE_FLAG_UNDERFLOW = Int32(4)
"An operation had no result: NaN, or an arbitrary integer, was given."
const COLSTORE_FLAG_INVALID = Int32(8)

# Types that are only pointed to.

"""
Why a call failed: its status, a message for people, and what it is about. Opaque; owned by the caller;
immutable, so any thread may read it.
"""
mutable struct colstore_error end

"""
The columns of a table, in order. Opaque; owned by the caller; immutable; it needs the table no more.
"""
mutable struct colstore_schema end

"""
A `.cstore` file, open for reading, or many of them end to end. Opaque; owned by the caller; immutable, so any
number of threads may use it at once. It shows what was committed when the files were opened.
"""
mutable struct colstore_table end

"A list of names or paths. Opaque; owned by the caller; immutable."
mutable struct colstore_names end

"""
Watches long calls and can cancel them. Opaque; owned by the caller. One progress may be given to several
calls.
"""
mutable struct colstore_progress end

"""
Rows of a table, in order; a row may be there more than once. Opaque; owned by the caller; immutable. It is
made for tables of a certain number of rows and good for every table of that many; it needs none of them.

Made by `colstore_rows_indices` with `borrow`, it reads the caller's memory whenever it is used: that memory
must stay readable until `colstore_rows_free`. Every other selection has memory of its own.
"""
mutable struct colstore_rows end

"""
Rows of a column, lent where they lie in the mapped file. Opaque; owned by the caller; immutable; it keeps
the mapping alive after the table is freed.
"""
mutable struct colstore_view end

"What a check of files has found. Opaque; owned by the caller; immutable."
mutable struct colstore_verify_report end

"""
Adds shards to a directory. Opaque; owned by the caller. Calls from several threads take turns.
"""
mutable struct colstore_appender end

"""
A file that is written record by record. Opaque; owned by the caller. Its calls take turns, whichever threads
they come from.
"""
mutable struct colstore_writer end

"""
A value for every row, worked out from columns of the same row. Opaque; owned by the caller; immutable, so any
number of threads may use it at once. What it was made of may be freed: it keeps what it needs.
"""
mutable struct colstore_expr end

"""
Values that others are looked up in. Opaque; owned by the caller; immutable; it has memory of its own.
"""
mutable struct colstore_values end

"""
Values for the `@names` of expressions that are given as text. Opaque; owned by the caller.
"""
mutable struct colstore_params end

"""
Columns that are computed from those of a table, for the rows that cuts leave; nothing is computed before it is
asked for. Opaque; owned by the caller. It keeps the files open that it reads.

Edits change the frame, or leave it as it was if they fail. Any number of threads may use it at once: a call
sees the frame as it was when the call began, and no call waits for another that reads.
"""
mutable struct colstore_frame end

"""
What each cut of a frame did. Opaque; owned by the caller; immutable; it needs the frame no more.
"""
mutable struct colstore_cutflow end

"""
    @cfunction(f, Cvoid, (Ptr{Cvoid}, UInt64, UInt64,))

Hears how far a call is: `done` of `total` bytes, both in whole pieces of work, so that they may be a
little more than the call moves; `done` is `total` at the end. It is called now and then by the thread
that made the call, and by no other. It must return soon, and must not throw or jump out.
"""
const colstore_progress_callback = Ptr{Cvoid}

"""
    @cfunction(f, Cvoid, (Ptr{Cvoid},))

Says that a context is not needed any more. It is called once, from any thread, while no lock of the library is
held, and must not throw or jump out.
"""
const colstore_release_function = Ptr{Cvoid}

"""
    @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Csize_t, Int64, Ptr{Cvoid}, Ptr{Int64},))

A function of the caller's over many rows at once. `args` has `n_args` pointers, each to `n_rows` values of the
dtype of that operand, one after the other in native byte order and aligned for their type; `out` takes as many
results of the declared dtype. It returns 0; anything else fails the call that computes the expression, with
`CALLBACK`, and `*code`, which was 0, is kept for `colstore_error_callback_code`.

It is called for blocks of rows, in no order, from any thread and from several at once, while no lock of the
library is held; for a row whose result is not needed it may be called or not. It must not throw or jump out.
"""
const colstore_expr_function = Ptr{Cvoid}

# Structs. `size` is set; what is left out is zero, the default.

"A dtype, taken apart. This struct does not grow."
Base.@kwdef struct colstore_dtype
    "`sizeof(colstore_dtype)`."
    size::Csize_t = sizeof(colstore_dtype)
    """
    NumPy's letter: `'b'` bool, `'i'` signed, `'u'` unsigned, `'f'` float (with 16 bytes: the opaque `long
    double` of the host that wrote the file), `'M'` datetime, `'m'` timedelta, `'S'` NUL-padded bytes,
    `'U'` NUL-padded UCS-4 text.
    """
    kind::Int32 = 0
    """
    1 if the file holds the values in big-endian order, else 0. What reads return is little-endian in any
    case.
    """
    big_endian::Int32 = 0
    "Bytes of a value; 0 is possible for `'S'` and `'U'`."
    itemsize::Csize_t = 0
    "For `'M'` and `'m'` the unit, an `enum colstore_unit`; else `COLSTORE_UNIT_NONE`."
    unit::Int32 = 0
    """
    How many units one count stands for (25 in `M8[25s]`); 0 unless the kind is `'M'` or `'m'`.
    """
    unit_multiplier::Int32 = 0
end

"""
A column of a schema. The texts are borrowed from the schema: they are valid until `colstore_schema_free`,
and end at their length, not at a NUL.
"""
Base.@kwdef struct colstore_column
    "`sizeof(colstore_column)`, set by the caller."
    size::Csize_t = sizeof(colstore_column)
    """
    The name: UTF-8, or WTF-8 if it has lone surrogates (each as its three bytes). It may contain NULs.
    """
    name::Ptr{UInt8} = C_NULL
    "Bytes of the name."
    name_len::Csize_t = 0
    "The dtype as the file spells it."
    dtype_text::Ptr{UInt8} = C_NULL
    "Bytes of `dtype_text`."
    dtype_text_len::Csize_t = 0
    """
    The dtype of what reads return, NumPy's `dtype.str` in little-endian order: `"<f8"`, `"|S3"`.
    """
    native_text::Ptr{UInt8} = C_NULL
    "Bytes of `native_text`."
    native_text_len::Csize_t = 0
    "The dtype in the file, taken apart; its size is set by the library."
    dtype::colstore_dtype = colstore_dtype()
end

"How a table is opened. NULL instead means every default, and so do zeros behind the size."
Base.@kwdef struct colstore_open_options
    "`sizeof(colstore_open_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_open_options)
    "An `enum colstore_advice`, for files that are mapped."
    advice::Int32 = 0
    "1 to keep the mapped file in memory (`mlock`), as far as the process may, else 0."
    lock::Int32 = 0
    "An `enum colstore_backend`."
    backend::Int32 = 0
    "Must be 0."
    reserved::Int32 = 0
end

"What the header of a file says."
Base.@kwdef struct colstore_info
    "`sizeof(colstore_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_info)
    "The version of the file format, 1."
    format_version::UInt32 = 0
    "0."
    reserved::UInt32 = 0
    "Committed rows."
    n_rows::Int64 = 0
    "Committed records."
    n_records::Int64 = 0
    "Size of the whole file in bytes."
    file_size::Int64 = 0
end

"What a selection is."
Base.@kwdef struct colstore_rows_info
    "`sizeof(colstore_rows_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_rows_info)
    """
    The number of rows that are selected from: that of the tables which the selection is good for.
    """
    n_rows::Int64 = 0
    "The number of rows that are selected."
    count::Int64 = 0
    "An `enum colstore_rows_form`."
    form::Int32 = 0
    "1 if no row is below the one before it, else 0."
    sorted::Int32 = 0
    "The first row of a range, if there is one; else 0."
    first::Int64 = 0
    """
    From one row of a range to the next: negative for descending rows, 1 for up to one row; 0 in other forms.
    """
    step::Int64 = 0
end

"How a read is done. NULL instead means every default, and so do zeros behind the size."
Base.@kwdef struct colstore_read_options
    "`sizeof(colstore_read_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_read_options)
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Must be 0."
    reserved::UInt32 = 0
    "Receives reports and can cancel the read; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"Where the values of a view lie."
Base.@kwdef struct colstore_view_info
    "`sizeof(colstore_view_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_view_info)
    """
    The first value: read-only memory, borrowed from the view until `colstore_view_free`. Values may lie
    at any address, so copy them out with `memcpy` where their type wants an alignment.
    """
    data::Ptr{Cvoid} = C_NULL
    "The number of values."
    n_rows::Int64 = 0
    "Bytes from one value to the next; negative for rows in descending order."
    stride::Int64 = 0
    "Bytes of a value."
    itemsize::Csize_t = 0
end

"One value. The fields that `kind` does not name are 0."
Base.@kwdef struct colstore_scalar
    "`sizeof(colstore_scalar)`, set by the caller."
    size::Csize_t = sizeof(colstore_scalar)
    """
    Which field has the value: `'b'` `uint_value`, 0 or 1; `'i'`, `'M'` and `'m'` `int_value`, the last two in
    units of the column, with `INT64_MIN` for "not a time"; `'u'` `uint_value`; `'f'` `float_value`; 0: there is
    no value, because no row is selected.
    """
    kind::Int32 = 0
    "0."
    reserved::Int32 = 0
    "A signed integer or a time."
    int_value::Int64 = 0
    "An unsigned integer or a boolean."
    uint_value::UInt64 = 0
    "A float."
    float_value::Float64 = 0.0
end

"A column to store."
Base.@kwdef struct colstore_column_data
    "`sizeof(colstore_column_data)`, set by the caller; the same in every element of an array."
    size::Csize_t = sizeof(colstore_column_data)
    "The name: UTF-8, or WTF-8 for lone surrogates."
    name::Ptr{UInt8} = C_NULL
    "Bytes of the name."
    name_len::Csize_t = 0
    """
    The dtype of the values at `data`, in any of NumPy's spellings: `"<f8"`, `"|S3"`. Big-endian values
    are converted.
    """
    dtype::Ptr{UInt8} = C_NULL
    "Bytes of the dtype's text."
    dtype_len::Csize_t = 0
    "The first value, at any address; may be NULL if there are no rows."
    data::Ptr{Cvoid} = C_NULL
    "The number of values; the same in every column."
    n_rows::Int64 = 0
    """
    Bytes from one value to the next: the itemsize for an array. It may be larger, negative, or 0.
    """
    stride::Int64 = 0
end

"How a file is written. NULL instead means every default, and so do zeros behind the size."
Base.@kwdef struct colstore_store_options
    "`sizeof(colstore_store_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_store_options)
    "An `enum colstore_store_mode`."
    mode::Int32 = 0
    "1 to record the least and the greatest value of every column, else 0."
    statistics::Int32 = 0
    "An `enum colstore_durability`."
    durability::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"""
One thing that was found. The texts are UTF-8 without a NUL and borrowed from the report: they are valid
until `colstore_verify_report_free`.
"""
Base.@kwdef struct colstore_finding
    "`sizeof(colstore_finding)`, set by the caller."
    size::Csize_t = sizeof(colstore_finding)
    "An `enum colstore_severity`."
    severity::Int32 = 0
    "0."
    reserved::Int32 = 0
    "A word that says what it is about, such as `\"record\"`."
    code::Ptr{UInt8} = C_NULL
    "Bytes of the word."
    code_len::Csize_t = 0
    "What was expected and what was found."
    message::Ptr{UInt8} = C_NULL
    "Bytes of the message."
    message_len::Csize_t = 0
    "The file, as bytes of the operating system."
    path::Ptr{UInt8} = C_NULL
    "Bytes of the path."
    path_len::Csize_t = 0
    "The name of the column (a lone surrogate shown as an escape), NULL if it is about none."
    column::Ptr{UInt8} = C_NULL
    "Bytes of the name."
    column_len::Csize_t = 0
    "Where, in bytes from the start of the file; -1 if it is about no place."
    offset::Int64 = 0
    "In which record, counted from 0; -1 if it is about none."
    record::Int64 = 0
end

"How files are checked. NULL instead means every default, and so do zeros behind the size."
Base.@kwdef struct colstore_verify_options
    "`sizeof(colstore_verify_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_verify_options)
    "1 to read all values too, else 0."
    deep::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"What a check came to."
Base.@kwdef struct colstore_verify_summary
    "`sizeof(colstore_verify_summary)`, set by the caller."
    size::Csize_t = sizeof(colstore_verify_summary)
    "Findings that are listed: of each file at most a thousand, and one more that says so."
    n_findings::Int64 = 0
    "Errors, listed or not; 0 if everything is sound."
    n_errors::Int64 = 0
    "Warnings, listed or not."
    n_warnings::Int64 = 0
    "Notes, listed or not."
    n_notes::Int64 = 0
    "Files that were looked at as tables."
    n_files::Int64 = 0
    "Committed records that were found to be whole."
    n_records::Int64 = 0
    "Rows in them."
    n_rows::Int64 = 0
    "Bytes of all files together."
    n_bytes::Int64 = 0
    "Bytes of values that were read."
    n_value_bytes::Int64 = 0
end

"What was found in a file before anything was done, and what was done."
Base.@kwdef struct colstore_recovery
    "`sizeof(colstore_recovery)`, set by the caller."
    size::Csize_t = sizeof(colstore_recovery)
    "An `enum colstore_recovery_action`."
    action::Int32 = 0
    "An `enum colstore_counters_state`."
    counters::Int32 = 0
    """
    Records that readers see; -1 if they refuse the file, because its counters are not intact.
    """
    committed_records::Int64 = 0
    "Rows in them; -1 likewise."
    committed_rows::Int64 = 0
    "Where the last of them ends, in bytes from the start of the file; -1 likewise."
    committed_end::Int64 = 0
    "All whole records from the first on, committed or not."
    whole_records::Int64 = 0
    "Rows in them."
    whole_rows::Int64 = 0
    "Where the last of them ends, in bytes from the start of the file."
    whole_end::Int64 = 0
    "Bytes behind the last whole record."
    tail_bytes::Int64 = 0
    "Size of the file in bytes."
    file_size::Int64 = 0
    """
    Where a statistics footer for exactly the whole records starts, in bytes from the start of the file; 0 for
    none.
    """
    statistics_offset::Int64 = 0
    """
    1 if records may have been committed that are not among the whole ones: then only a new file can take them.
    """
    may_lose_committed::Int32 = 0
    "0."
    reserved::Int32 = 0
end

"""
How a file is recovered. NULL instead means every default, and so do zeros behind the size.
"""
Base.@kwdef struct colstore_recover_options
    "`sizeof(colstore_recover_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_recover_options)
    "1 to commit the records in the file itself, else 0."
    commit::Int32 = 0
    "1 to work without the lock that keeps writers apart, else 0."
    no_lock::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"""
How a table is written. NULL instead means every default, and so do zeros behind the size.
"""
Base.@kwdef struct colstore_copy_options
    "`sizeof(colstore_copy_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_copy_options)
    "An `enum colstore_store_mode`."
    mode::Int32 = 0
    "1 to record the least and the greatest value of every column, else 0."
    statistics::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Must be 0."
    reserved::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"""
How a file is compacted. NULL instead means every default, and so do zeros behind the size.
"""
Base.@kwdef struct colstore_compact_options
    "`sizeof(colstore_compact_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_compact_options)
    """
    1 to record the least and the greatest value of every column if a new record is written, else 0.
    """
    statistics::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"How a shard is added. NULL instead means every default, and so do zeros behind the size."
Base.@kwdef struct colstore_append_options
    "`sizeof(colstore_append_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_append_options)
    """
    What the shard is called: a name that ends in `.cstore`, in which `{index}` or `{index:05d}` stands for a
    number; NULL for `shard_{index:05d}.cstore`.
    """
    name::Ptr{UInt8} = C_NULL
    "Bytes of the name."
    name_len::Csize_t = 0
    "1 to record the least and the greatest value of every column, else 0."
    statistics::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
    "Receives reports and can cancel the call; may be NULL. Borrowed for the call."
    progress::Ptr{colstore_progress} = C_NULL
end

"""
How an appender makes shards. NULL instead means every default, and so do zeros behind the size.
"""
Base.@kwdef struct colstore_appender_options
    "`sizeof(colstore_appender_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_appender_options)
    """
    What shards are called, as in `colstore_append_options`; a name without a number is for one shard.
    """
    name::Ptr{UInt8} = C_NULL
    "Bytes of the name."
    name_len::Csize_t = 0
    "Rows that make a shard, once there are as many or more; 0 for no such limit."
    shard_rows::Int64 = 0
    """
    Bytes that make a shard, counted in whole rows, at least one; 0 for no such limit. Only one of the limits may be
    set.
    """
    shard_bytes::Int64 = 0
    "1 to record the least and the greatest value of every column, else 0."
    statistics::Int32 = 0
    "At most this many threads, the calling one included; 0 for the library's choice."
    max_threads::Int32 = 0
end

"What an appender has done."
Base.@kwdef struct colstore_appender_info
    "`sizeof(colstore_appender_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_appender_info)
    "Shards that it has made."
    n_shards::Int64 = 0
    "Rows that are in no shard yet."
    pending_rows::Int64 = 0
    "1 if it is closed, else 0."
    closed::Int32 = 0
    """
    1 if it holds a lock on the directory; 0 once it is closed, and on file systems without locks.
    """
    locked::Int32 = 0
end

"""
How a file is written record by record. NULL instead means every default, and so do zeros behind the size.
"""
Base.@kwdef struct colstore_writer_options
    "`sizeof(colstore_writer_options)`, set by the caller."
    size::Csize_t = sizeof(colstore_writer_options)
    "An `enum colstore_writer_mode`."
    mode::Int32 = 0
    "1 to record the least and the greatest value of every column in every record, else 0."
    statistics::Int32 = 0
    "An `enum colstore_lock_policy`."
    lock::Int32 = 0
    """
    At most this many threads for one record, the calling one included; 0 for the library's choice.
    """
    max_threads::Int32 = 0
    """
    Receives reports of large records and can cancel them; may be NULL. The writer keeps a share of it: its
    callback and context must be valid as long as records are written.
    """
    progress::Ptr{colstore_progress} = C_NULL
end

"How far a writer is."
Base.@kwdef struct colstore_writer_info
    "`sizeof(colstore_writer_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_writer_info)
    "Records in the file, those that are not committed yet included."
    n_records::Int64 = 0
    "Rows in the file, those that are not committed yet included."
    n_rows::Int64 = 0
    "An `enum colstore_writer_mode`."
    mode::Int32 = 0
    """
    1 if the writer has the lock on its file, or had until it was closed; 0 if nothing keeps others from writing.
    """
    is_locked::Int32 = 0
    "1 after `colstore_writer_close` or `colstore_writer_abandon`, else 0."
    is_closed::Int32 = 0
    "0."
    reserved::Int32 = 0
end

"""
What one cut does. The texts are borrowed from the cutflow: they are valid until `colstore_cutflow_free`, and
end at their length, not at a NUL.
"""
Base.@kwdef struct colstore_cut_record
    "`sizeof(colstore_cut_record)`, set by the caller."
    size::Csize_t = sizeof(colstore_cut_record)
    "What the cut is called, UTF-8; NULL if it has no name."
    label::Ptr{UInt8} = C_NULL
    "Bytes of the label."
    label_len::Csize_t = 0
    "The condition, as `colstore_expr_print` gives it."
    condition::Ptr{UInt8} = C_NULL
    "Bytes of the condition."
    condition_len::Csize_t = 0
    "The number of rows that all cuts before leave."
    entering::Int64 = 0
    "The number of them that this one leaves."
    passing::Int64 = 0
    "1 if the cut has a weight, else 0; the fields below are 0 then."
    weighted::Int32 = 0
    "0."
    reserved::Int32 = 0
    "The sum of the weights of the rows that enter."
    weighted_entering::Float64 = 0.0
    "The sum of the weights of the rows that pass."
    weighted_passing::Float64 = 0.0
    "The sum of the squares of the weights of the rows that pass: their variance."
    weighted_variance::Float64 = 0.0
end

"The processors and memory that this process may use. Every number is at least 1."
Base.@kwdef struct colstore_machine_info
    "`sizeof(colstore_machine_info)`, set by the caller."
    size::Csize_t = sizeof(colstore_machine_info)
    "Cores, threads of one core counted once."
    physical_cores::Int32 = 0
    "Threads that the processors run at once."
    logical_cores::Int32 = 0
    "Processor packages."
    sockets::Int32 = 0
    "Nodes that memory is on."
    numa_nodes::Int32 = 0
    """
    The most threads that work on one call, unless it or the setting `max_threads` says otherwise.
    """
    default_threads::Int32 = 0
    "0."
    reserved::Int32 = 0
end

"Where the functions are in the library that was loaded, by name; `C_NULL` before that."
Base.@kwdef mutable struct Functions
    colstore_abi_version::Ptr{Cvoid} = C_NULL
    colstore_version::Ptr{Cvoid} = C_NULL
    colstore_status_name::Ptr{Cvoid} = C_NULL
    colstore_error_status::Ptr{Cvoid} = C_NULL
    colstore_error_message::Ptr{Cvoid} = C_NULL
    colstore_error_path::Ptr{Cvoid} = C_NULL
    colstore_error_column::Ptr{Cvoid} = C_NULL
    colstore_error_row::Ptr{Cvoid} = C_NULL
    colstore_error_os_code::Ptr{Cvoid} = C_NULL
    colstore_error_span::Ptr{Cvoid} = C_NULL
    colstore_error_callback_code::Ptr{Cvoid} = C_NULL
    colstore_error_free::Ptr{Cvoid} = C_NULL
    colstore_dtype_parse::Ptr{Cvoid} = C_NULL
    colstore_schema_n_columns::Ptr{Cvoid} = C_NULL
    colstore_schema_column::Ptr{Cvoid} = C_NULL
    colstore_schema_find::Ptr{Cvoid} = C_NULL
    colstore_schema_free::Ptr{Cvoid} = C_NULL
    colstore_table_open::Ptr{Cvoid} = C_NULL
    colstore_table_schema::Ptr{Cvoid} = C_NULL
    colstore_table_n_rows::Ptr{Cvoid} = C_NULL
    colstore_table_n_records::Ptr{Cvoid} = C_NULL
    colstore_table_record_rows::Ptr{Cvoid} = C_NULL
    colstore_table_n_files::Ptr{Cvoid} = C_NULL
    colstore_table_path::Ptr{Cvoid} = C_NULL
    colstore_table_free::Ptr{Cvoid} = C_NULL
    colstore_info_read::Ptr{Cvoid} = C_NULL
    colstore_names_count::Ptr{Cvoid} = C_NULL
    colstore_names_get::Ptr{Cvoid} = C_NULL
    colstore_names_free::Ptr{Cvoid} = C_NULL
    colstore_table_concat::Ptr{Cvoid} = C_NULL
    colstore_paths_expand::Ptr{Cvoid} = C_NULL
    colstore_progress_new::Ptr{Cvoid} = C_NULL
    colstore_progress_cancel::Ptr{Cvoid} = C_NULL
    colstore_progress_free::Ptr{Cvoid} = C_NULL
    colstore_rows_all::Ptr{Cvoid} = C_NULL
    colstore_rows_range::Ptr{Cvoid} = C_NULL
    colstore_rows_indices::Ptr{Cvoid} = C_NULL
    colstore_rows_mask::Ptr{Cvoid} = C_NULL
    colstore_rows_mask_bits::Ptr{Cvoid} = C_NULL
    colstore_rows_select::Ptr{Cvoid} = C_NULL
    colstore_rows_count::Ptr{Cvoid} = C_NULL
    colstore_rows_positions::Ptr{Cvoid} = C_NULL
    colstore_rows_describe::Ptr{Cvoid} = C_NULL
    colstore_rows_free::Ptr{Cvoid} = C_NULL
    colstore_table_read_column::Ptr{Cvoid} = C_NULL
    colstore_table_read_columns::Ptr{Cvoid} = C_NULL
    colstore_table_read_records::Ptr{Cvoid} = C_NULL
    colstore_table_read_column_at::Ptr{Cvoid} = C_NULL
    colstore_table_read_columns_at::Ptr{Cvoid} = C_NULL
    colstore_table_read_records_at::Ptr{Cvoid} = C_NULL
    colstore_table_gather_column::Ptr{Cvoid} = C_NULL
    colstore_table_gather_columns::Ptr{Cvoid} = C_NULL
    colstore_table_gather_records::Ptr{Cvoid} = C_NULL
    colstore_table_view_column::Ptr{Cvoid} = C_NULL
    colstore_table_view_column_at::Ptr{Cvoid} = C_NULL
    colstore_view_describe::Ptr{Cvoid} = C_NULL
    colstore_view_free::Ptr{Cvoid} = C_NULL
    colstore_allocator_malloc::Ptr{Cvoid} = C_NULL
    colstore_allocator_calloc::Ptr{Cvoid} = C_NULL
    colstore_allocator_realloc::Ptr{Cvoid} = C_NULL
    colstore_allocator_free::Ptr{Cvoid} = C_NULL
    colstore_table_reduce::Ptr{Cvoid} = C_NULL
    colstore_store::Ptr{Cvoid} = C_NULL
    colstore_verify::Ptr{Cvoid} = C_NULL
    colstore_verify_report_describe::Ptr{Cvoid} = C_NULL
    colstore_verify_report_finding::Ptr{Cvoid} = C_NULL
    colstore_verify_report_free::Ptr{Cvoid} = C_NULL
    colstore_recover::Ptr{Cvoid} = C_NULL
    colstore_table_write::Ptr{Cvoid} = C_NULL
    colstore_compact::Ptr{Cvoid} = C_NULL
    colstore_append::Ptr{Cvoid} = C_NULL
    colstore_append_table::Ptr{Cvoid} = C_NULL
    colstore_appender_open::Ptr{Cvoid} = C_NULL
    colstore_appender_write::Ptr{Cvoid} = C_NULL
    colstore_appender_write_table::Ptr{Cvoid} = C_NULL
    colstore_appender_flush::Ptr{Cvoid} = C_NULL
    colstore_appender_close::Ptr{Cvoid} = C_NULL
    colstore_appender_abandon::Ptr{Cvoid} = C_NULL
    colstore_appender_describe::Ptr{Cvoid} = C_NULL
    colstore_appender_free::Ptr{Cvoid} = C_NULL
    colstore_writer_open::Ptr{Cvoid} = C_NULL
    colstore_writer_write::Ptr{Cvoid} = C_NULL
    colstore_writer_write_packed::Ptr{Cvoid} = C_NULL
    colstore_writer_commit::Ptr{Cvoid} = C_NULL
    colstore_writer_close::Ptr{Cvoid} = C_NULL
    colstore_writer_abandon::Ptr{Cvoid} = C_NULL
    colstore_writer_describe::Ptr{Cvoid} = C_NULL
    colstore_writer_schema::Ptr{Cvoid} = C_NULL
    colstore_writer_free::Ptr{Cvoid} = C_NULL
    colstore_expr_callback::Ptr{Cvoid} = C_NULL
    colstore_expr_column::Ptr{Cvoid} = C_NULL
    colstore_expr_none::Ptr{Cvoid} = C_NULL
    colstore_expr_bool::Ptr{Cvoid} = C_NULL
    colstore_expr_int::Ptr{Cvoid} = C_NULL
    colstore_expr_uint::Ptr{Cvoid} = C_NULL
    colstore_expr_integer::Ptr{Cvoid} = C_NULL
    colstore_expr_float::Ptr{Cvoid} = C_NULL
    colstore_expr_constant::Ptr{Cvoid} = C_NULL
    colstore_expr_text::Ptr{Cvoid} = C_NULL
    colstore_expr_bytes::Ptr{Cvoid} = C_NULL
    colstore_expr_columns::Ptr{Cvoid} = C_NULL
    colstore_expr_free::Ptr{Cvoid} = C_NULL
    colstore_expr_call::Ptr{Cvoid} = C_NULL
    colstore_expr_cast::Ptr{Cvoid} = C_NULL
    colstore_expr_round::Ptr{Cvoid} = C_NULL
    colstore_expr_print::Ptr{Cvoid} = C_NULL
    colstore_expr_check::Ptr{Cvoid} = C_NULL
    colstore_function_exact::Ptr{Cvoid} = C_NULL
    colstore_values_array::Ptr{Cvoid} = C_NULL
    colstore_values_list::Ptr{Cvoid} = C_NULL
    colstore_values_free::Ptr{Cvoid} = C_NULL
    colstore_params_new::Ptr{Cvoid} = C_NULL
    colstore_params_set::Ptr{Cvoid} = C_NULL
    colstore_params_set_values::Ptr{Cvoid} = C_NULL
    colstore_params_free::Ptr{Cvoid} = C_NULL
    colstore_expr_isin::Ptr{Cvoid} = C_NULL
    colstore_expr_parse::Ptr{Cvoid} = C_NULL
    colstore_rows_filter::Ptr{Cvoid} = C_NULL
    colstore_frame_new::Ptr{Cvoid} = C_NULL
    colstore_frame_clone::Ptr{Cvoid} = C_NULL
    colstore_frame_schema::Ptr{Cvoid} = C_NULL
    colstore_frame_column::Ptr{Cvoid} = C_NULL
    colstore_frame_resolve::Ptr{Cvoid} = C_NULL
    colstore_frame_memory::Ptr{Cvoid} = C_NULL
    colstore_frame_base_rows::Ptr{Cvoid} = C_NULL
    colstore_frame_has_selection::Ptr{Cvoid} = C_NULL
    colstore_frame_free::Ptr{Cvoid} = C_NULL
    colstore_frame_assign::Ptr{Cvoid} = C_NULL
    colstore_frame_drop::Ptr{Cvoid} = C_NULL
    colstore_frame_select::Ptr{Cvoid} = C_NULL
    colstore_frame_rename::Ptr{Cvoid} = C_NULL
    colstore_frame_cast::Ptr{Cvoid} = C_NULL
    colstore_frame_filter::Ptr{Cvoid} = C_NULL
    colstore_frame_count::Ptr{Cvoid} = C_NULL
    colstore_frame_rows::Ptr{Cvoid} = C_NULL
    colstore_frame_read_columns::Ptr{Cvoid} = C_NULL
    colstore_frame_read_records::Ptr{Cvoid} = C_NULL
    colstore_frame_expr_dtype::Ptr{Cvoid} = C_NULL
    colstore_frame_evaluate::Ptr{Cvoid} = C_NULL
    colstore_frame_reduce::Ptr{Cvoid} = C_NULL
    colstore_frame_write::Ptr{Cvoid} = C_NULL
    colstore_cutflow_count::Ptr{Cvoid} = C_NULL
    colstore_cutflow_get::Ptr{Cvoid} = C_NULL
    colstore_cutflow_free::Ptr{Cvoid} = C_NULL
    colstore_frame_cutflow::Ptr{Cvoid} = C_NULL
    colstore_config_set::Ptr{Cvoid} = C_NULL
    colstore_config_get::Ptr{Cvoid} = C_NULL
    colstore_calibrate_threads::Ptr{Cvoid} = C_NULL
    colstore_machine::Ptr{Cvoid} = C_NULL
end

const FUNCTIONS = Functions()

# Version

"""
    colstore_abi_version()

The version of the ABI that the loaded library has. It is raised when something that programs rely on
changes; additions do not raise it.
"""
function colstore_abi_version()
    return @ccall $(FUNCTIONS.colstore_abi_version)()::UInt32
end

"""
    colstore_version()

The version of the library, such as `"0.6.0"`. The text is static: never free it.
"""
function colstore_version()
    return @ccall $(FUNCTIONS.colstore_version)()::Ptr{UInt8}
end

# Status and error

"""
    colstore_status_name(status)

The name of a status without its prefix, such as `"NOT_FOUND"`; `"UNKNOWN"` for a number that is no
status.

The text is static: never free it.
"""
function colstore_status_name(status)
    return @ccall $(FUNCTIONS.colstore_status_name)(status::Int32)::Ptr{UInt8}
end

"""
    colstore_error_status(error)

The status of the error; `COLSTORE_STATUS_OK` for NULL.
"""
function colstore_error_status(error)
    return @ccall $(FUNCTIONS.colstore_error_status)(
        error::Ptr{colstore_error},
    )::colstore_status
end

"""
    colstore_error_message(error, len)

The message: what was asked, what was found, where, and what to do. UTF-8, and NUL-terminated too; its
length without the NUL goes to `*len`, unless `len` is NULL. An empty text for NULL.

The text is borrowed from the error: it is valid until `colstore_error_free`.
"""
function colstore_error_message(error, len)
    return @ccall $(FUNCTIONS.colstore_error_message)(
        error::Ptr{colstore_error},
        len::Ptr{Csize_t},
    )::Ptr{UInt8}
end

"""
    colstore_error_path(error, len)

The path of the file that the error is about, as bytes of the operating system (UTF-8 where they are
text), NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.

The bytes are borrowed from the error: they are valid until `colstore_error_free`.
"""
function colstore_error_path(error, len)
    return @ccall $(FUNCTIONS.colstore_error_path)(
        error::Ptr{colstore_error},
        len::Ptr{Csize_t},
    )::Ptr{UInt8}
end

"""
    colstore_error_column(error, len)

The name of the column that the error is about, UTF-8 (a lone surrogate shown as an escape),
NUL-terminated too; NULL when it is about none. Its length goes to `*len`, unless `len` is NULL.

The text is borrowed from the error: it is valid until `colstore_error_free`.
"""
function colstore_error_column(error, len)
    return @ccall $(FUNCTIONS.colstore_error_column)(
        error::Ptr{colstore_error},
        len::Ptr{Csize_t},
    )::Ptr{UInt8}
end

"""
    colstore_error_row(error, row)

Whether the error is about a row; if so, its number goes to `*row`, unless `row` is NULL.
"""
function colstore_error_row(error, row)
    return @ccall $(FUNCTIONS.colstore_error_row)(
        error::Ptr{colstore_error},
        row::Ptr{Int64},
    )::Bool
end

"""
    colstore_error_os_code(error)

The error number of the operating system (`errno`), 0 when it had no part in the failure.
"""
function colstore_error_os_code(error)
    return @ccall $(FUNCTIONS.colstore_error_os_code)(error::Ptr{colstore_error})::Int32
end

"""
    colstore_error_span(error, start, end_)

Whether the error is about a part of an expression that was given as text; if so, the part is its bytes from
`*start` up to, but not including, `*end`, unless these are NULL.
"""
function colstore_error_span(error, start, end_)
    return @ccall $(FUNCTIONS.colstore_error_span)(
        error::Ptr{colstore_error},
        start::Ptr{Csize_t},
        end_::Ptr{Csize_t},
    )::Bool
end

"""
    colstore_error_callback_code(error)

The code that a function of the caller's gave when it failed; 0 for every other error.
"""
function colstore_error_callback_code(error)
    return @ccall $(FUNCTIONS.colstore_error_callback_code)(
        error::Ptr{colstore_error},
    )::Int64
end

"""
    colstore_error_free(error)

Frees an error, and with it the texts borrowed from it. NULL is fine.
"""
function colstore_error_free(error)
    return @ccall $(FUNCTIONS.colstore_error_free)(error::Ptr{colstore_error})::Cvoid
end

# Dtype: what the values of a column are

"""
    colstore_dtype_parse(text, len, out, err)

Reads the text of a dtype, in any of NumPy's spellings: `"<f8"`, `"float64"`, `">M8[25s]"`, `"S12"`.

Fails with `UNSUPPORTED_TYPE` if the text names no type that a `.cstore` file can hold.
"""
function colstore_dtype_parse(text, len, out, err)
    return @ccall $(FUNCTIONS.colstore_dtype_parse)(
        text::Ptr{UInt8},
        len::Csize_t,
        out::Ptr{colstore_dtype},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Schema: the columns of a table

"""
    colstore_schema_n_columns(schema, out, err)

The number of columns.
"""
function colstore_schema_n_columns(schema, out, err)
    return @ccall $(FUNCTIONS.colstore_schema_n_columns)(
        schema::Ptr{colstore_schema},
        out::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_schema_column(schema, index, out, err)

Describes the column at position `index`, counted from 0.

Fails with `OUT_OF_BOUNDS` if there is none.
"""
function colstore_schema_column(schema, index, out, err)
    return @ccall $(FUNCTIONS.colstore_schema_column)(
        schema::Ptr{colstore_schema},
        index::Csize_t,
        out::Ptr{colstore_column},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_schema_find(schema, name, len, index, err)

The position of the column with the given name: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. The
name may be empty.

Fails with `UNKNOWN_COLUMN` if there is none; the message lists the names there are.
"""
function colstore_schema_find(schema, name, len, index, err)
    return @ccall $(FUNCTIONS.colstore_schema_find)(
        schema::Ptr{colstore_schema},
        name::Ptr{UInt8},
        len::Csize_t,
        index::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_schema_free(schema)

Frees a schema, and with it the texts borrowed from it. NULL is fine.
"""
function colstore_schema_free(schema)
    return @ccall $(FUNCTIONS.colstore_schema_free)(schema::Ptr{colstore_schema})::Cvoid
end

# Table: files, open for reading

"""
    colstore_table_open(path, path_len, options, out, err)

Opens the file at `path`: checks its header and the headers of its records, and maps the committed bytes.
The values are not touched, so the cost does not depend on the number of rows.

`options` may be NULL. `*out` is a new table: free it with `colstore_table_free`.

Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the file cannot be read, with `FORMAT` if it is no
whole and valid `.cstore` file.
"""
function colstore_table_open(path, path_len, options, out, err)
    return @ccall $(FUNCTIONS.colstore_table_open)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        options::Ptr{colstore_open_options},
        out::Ptr{Ptr{colstore_table}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_schema(table, out, err)

The columns of the table. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the
table.
"""
function colstore_table_schema(table, out, err)
    return @ccall $(FUNCTIONS.colstore_table_schema)(
        table::Ptr{colstore_table},
        out::Ptr{Ptr{colstore_schema}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_n_rows(table, out, err)

The number of rows.
"""
function colstore_table_n_rows(table, out, err)
    return @ccall $(FUNCTIONS.colstore_table_n_rows)(
        table::Ptr{colstore_table},
        out::Ptr{Int64},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_n_records(table, out, err)

The number of records that the rows lie in, in all files. With one, every column is contiguous and can be
viewed whole.
"""
function colstore_table_n_records(table, out, err)
    return @ccall $(FUNCTIONS.colstore_table_n_records)(
        table::Ptr{colstore_table},
        out::Ptr{Int64},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_record_rows(table, out, n, err)

The number of rows of every record, in the order of the rows. Where records begin and end tells which rows can be
viewed.

`out` has `n` elements, exactly as many as there are records.
"""
function colstore_table_record_rows(table, out, n, err)
    return @ccall $(FUNCTIONS.colstore_table_record_rows)(
        table::Ptr{colstore_table},
        out::Ptr{Int64},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_n_files(table, out, err)

The number of files: 1 for a table that was opened, any number for one that was put together.
"""
function colstore_table_n_files(table, out, err)
    return @ccall $(FUNCTIONS.colstore_table_n_files)(
        table::Ptr{colstore_table},
        out::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_path(table, file, path, len, err)

The path of the file at position `file`, counted from 0 in the order of the rows, as it was given when the file
was opened: bytes of the operating system, without a NUL, `*len` of them.

`*path` is borrowed from the table: it is valid until `colstore_table_free`.

Fails with `OUT_OF_BOUNDS` if there is no such file.
"""
function colstore_table_path(table, file, path, len, err)
    return @ccall $(FUNCTIONS.colstore_table_path)(
        table::Ptr{colstore_table},
        file::Csize_t,
        path::Ptr{Ptr{UInt8}},
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_free(table)

Frees a table. Views and schemas taken from it and tables put together from it stay valid; the files go with
the last of them. NULL is fine.
"""
function colstore_table_free(table)
    return @ccall $(FUNCTIONS.colstore_table_free)(table::Ptr{colstore_table})::Cvoid
end

"""
    colstore_info_read(path, path_len, out, schema, err)

Reads the header of the file at `path`, and nothing else of it: damage behind the header is not seen.

`schema` may be NULL; else `*schema` is a new schema: free it with `colstore_schema_free`.

Fails as `colstore_table_open` does.
"""
function colstore_info_read(path, path_len, out, schema, err)
    return @ccall $(FUNCTIONS.colstore_info_read)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        out::Ptr{colstore_info},
        schema::Ptr{Ptr{colstore_schema}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Names, and tables of many files

"""
    colstore_names_count(names, out, err)

The number of texts.
"""
function colstore_names_count(names, out, err)
    return @ccall $(FUNCTIONS.colstore_names_count)(
        names::Ptr{colstore_names},
        out::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_names_get(names, index, text, len, err)

The text at position `index`, counted from 0: `*len` bytes, without a NUL.

`*text` is borrowed from the list: it is valid until `colstore_names_free`.

Fails with `OUT_OF_BOUNDS` if there is none.
"""
function colstore_names_get(names, index, text, len, err)
    return @ccall $(FUNCTIONS.colstore_names_get)(
        names::Ptr{colstore_names},
        index::Csize_t,
        text::Ptr{Ptr{UInt8}},
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_names_free(names)

Frees a list, and with it the texts borrowed from it. NULL is fine.
"""
function colstore_names_free(names)
    return @ccall $(FUNCTIONS.colstore_names_free)(names::Ptr{colstore_names})::Cvoid
end

"""
    colstore_table_concat(tables, n, on_mismatch, out, dropped, err)

Puts tables end to end: the rows of `tables[0]`, then those of `tables[1]`, and so on. No file is read or opened
for it, and the tables may be freed afterwards, before or after the new one. A table may be there more than
once, and may itself be put together.

`tables` has `n` elements. `on_mismatch` is an `enum colstore_on_mismatch`. The columns are in the order of
`tables[0]`; without tables there are neither columns nor rows.

`*out` is a new table: free it with `colstore_table_free`. `dropped` may be NULL; else `*dropped` are the names
of the columns that were left out, sorted (a lone surrogate shown as an escape): free them with
`colstore_names_free`.

Fails with `INVALID_ARGUMENT` if the columns differ; the message names the files, the column and both dtypes.
If columns may be left out, it fails with `INVALID_ARGUMENT` only if none remains.
"""
function colstore_table_concat(tables, n, on_mismatch, out, dropped, err)
    return @ccall $(FUNCTIONS.colstore_table_concat)(
        tables::Ptr{Ptr{colstore_table}},
        n::Csize_t,
        on_mismatch::Int32,
        out::Ptr{Ptr{colstore_table}},
        dropped::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_paths_expand(path, path_len, out, err)

The paths of the files that `path` stands for, in natural order (`run_2` before `run_10`):

- a directory stands for the `.cstore` files in it, without hidden ones; there may be none,
- a path with `*`, `?` or `[` in it is a pattern, and stands for the files that match (`**` for directories of
  any depth),
- another path stands for itself, whether there is a file or not.

`*out` is a new list of paths, bytes of the operating system: free it with `colstore_names_free`.

Fails with `NOT_FOUND` if no file matches the pattern, with `INVALID_ARGUMENT` if it is no pattern, with
`PERMISSION_DENIED` or `IO` if the operating system refuses.
"""
function colstore_paths_expand(path, path_len, out, err)
    return @ccall $(FUNCTIONS.colstore_paths_expand)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        out::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Progress: watching and cancelling long calls

"""
    colstore_progress_new(callback, context, out, err)

Makes a progress for the options of a long call.

`callback` may be NULL if it is for cancelling only. `context` is handed to the callback as it is; both
must stay valid while calls with this progress run. `*out` is a new progress: free it with
`colstore_progress_free`.
"""
function colstore_progress_new(callback, context, out, err)
    return @ccall $(FUNCTIONS.colstore_progress_new)(
        callback::colstore_progress_callback,
        context::Ptr{Cvoid},
        out::Ptr{Ptr{colstore_progress}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_progress_cancel(progress)

Asks the calls with this progress to stop: they return `CANCELLED` within 50 ms. Calls that begin later
return it at once. Any thread may ask, and so may a signal handler. NULL is fine.
"""
function colstore_progress_cancel(progress)
    return @ccall $(FUNCTIONS.colstore_progress_cancel)(
        progress::Ptr{colstore_progress},
    )::Cvoid
end

"""
    colstore_progress_free(progress)

Frees a progress. Calls that run with it go on, with their reports, and can no longer be cancelled. NULL
is fine.
"""
function colstore_progress_free(progress)
    return @ccall $(FUNCTIONS.colstore_progress_free)(
        progress::Ptr{colstore_progress},
    )::Cvoid
end

# Rows: which rows of a table

"""
    colstore_rows_all(n_rows, out, err)

All rows of tables of `n_rows` rows.

`*out` is a new selection: free it with `colstore_rows_free`.
"""
function colstore_rows_all(n_rows, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_all)(
        n_rows::Int64,
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_range(n_rows, start, stop, step, out, err)

Row `start` and every `step`-th one from there, as long as it is before `stop`: below it if `step` is
positive, above it if `step` is negative, so that a `stop` of -1 reaches row 0. Numbers are not counted from
the end and not clipped.

`*out` is a new selection: free it with `colstore_rows_free`.

Fails with `INVALID_ARGUMENT` if `step` is 0, with `OUT_OF_BOUNDS` if a row is not one of the `n_rows` rows.
"""
function colstore_rows_range(n_rows, start, stop, step, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_range)(
        n_rows::Int64,
        start::Int64,
        stop::Int64,
        step::Int64,
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_indices(n_rows, data, index_type, n, stride, borrow, out, err)

Rows by number, in the order given, as often as given. Negative numbers count from the end: -1 is the last
row.

`data` points to the first of `n` numbers, `stride` bytes apart (their size in an array; it may be larger,
negative or 0), at any address, in native byte order. `index_type` is an `enum colstore_index_type`.

If `borrow` is 0, the numbers are copied. Otherwise they are not: THE MEMORY MUST STAY READABLE UNTIL
`colstore_rows_free`, and every use of the selection reads it anew. Numbers that are changed meanwhile are
checked again where they are used: the use selects other rows, the old or the new, or fails with
`OUT_OF_BOUNDS`, but never reads what is not there.

`*out` is a new selection: free it with `colstore_rows_free`.

Fails with `OUT_OF_BOUNDS` if a number is below `-n_rows`, or `n_rows` or above; the message names the first
such number and its position, `colstore_error_row` the number.
"""
function colstore_rows_indices(n_rows, data, index_type, n, stride, borrow, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_indices)(
        n_rows::Int64,
        data::Ptr{Cvoid},
        index_type::Int32,
        n::Csize_t,
        stride::Int64,
        borrow::Int32,
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_mask(n_rows, bytes, n, stride, out, err)

The rows whose byte is not 0: row `i` is selected by the byte at `bytes + i * stride`. The bytes are copied,
as bits.

`*out` is a new selection: free it with `colstore_rows_free`.

Fails with `OUT_OF_BOUNDS` unless there are as many bytes as rows, `n == n_rows`.
"""
function colstore_rows_mask(n_rows, bytes, n, stride, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_mask)(
        n_rows::Int64,
        bytes::Ptr{UInt8},
        n::Csize_t,
        stride::Int64,
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_mask_bits(n_rows, bits, n_bytes, out, err)

The rows whose bit is set: row `i` is selected by bit `i % 8`, counted from the lowest, of byte `i / 8`. Bits
beyond the last row do not count. The bits are copied.

`*out` is a new selection: free it with `colstore_rows_free`.

Fails with `OUT_OF_BOUNDS` unless there are as many bytes as the rows need, `n_bytes == (n_rows + 7) / 8`.
"""
function colstore_rows_mask_bits(n_rows, bits, n_bytes, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_mask_bits)(
        n_rows::Int64,
        bits::Ptr{UInt8},
        n_bytes::Csize_t,
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_select(outer_, inner, out, err)

A selection of a selection: those rows of `outer` that `inner` says by their position in it, in the order of
`inner`. Row `p` of `inner` stands for the row at position `p` of `outer`.

`*out` is a new selection: free it with `colstore_rows_free`. It is good for the tables that `outer` is good
for, and borrows nothing, neither from the two nor from what they borrow.

Fails with `INVALID_ARGUMENT` unless `inner` was made for as many rows as `outer` selects, with `OUT_OF_BOUNDS` if
borrowed numbers have been changed to such as are no rows.
"""
function colstore_rows_select(outer_, inner, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_select)(
        outer_::Ptr{colstore_rows},
        inner::Ptr{colstore_rows},
        out::Ptr{Ptr{colstore_rows}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_count(rows, out, err)

The number of rows selected; a row that is there twice counts twice.
"""
function colstore_rows_count(rows, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_count)(
        rows::Ptr{colstore_rows},
        out::Ptr{Int64},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_positions(rows, start, stop, out, n, err)

The row numbers at positions `start` to `stop` (not included) of the selection.

`out` has `n` elements, exactly `stop - start`. What it holds after a failure is unspecified.

Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count`, and if borrowed numbers have been changed to
such as are no rows.
"""
function colstore_rows_positions(rows, start, stop, out, n, err)
    return @ccall $(FUNCTIONS.colstore_rows_positions)(
        rows::Ptr{colstore_rows},
        start::Int64,
        stop::Int64,
        out::Ptr{Int64},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_describe(rows, out, err)

Says what a selection came to: evenly spaced rows are a range, whatever they were made from.
"""
function colstore_rows_describe(rows, out, err)
    return @ccall $(FUNCTIONS.colstore_rows_describe)(
        rows::Ptr{colstore_rows},
        out::Ptr{colstore_rows_info},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_rows_free(rows)

Frees a selection; memory that it borrowed is the caller's alone again. NULL is fine.
"""
function colstore_rows_free(rows)
    return @ccall $(FUNCTIONS.colstore_rows_free)(rows::Ptr{colstore_rows})::Cvoid
end

# Read: values into buffers of the caller's

"""
    colstore_table_read_column(table, column, start, stop, options, out, out_size, err)

Reads rows `start` to `stop` (not included) of the column at position `column` into `out`: one value after
the other, in native byte order.

`out_size` is the size of `out` in bytes, and must be `(stop - start) * itemsize` exactly; any alignment
will do. `options` may be NULL. What `out` holds after a failure is unspecified.

Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists, with `CANCELLED`
if the progress was cancelled.
"""
function colstore_table_read_column(table, column, start, stop, options, out, out_size, err)
    return @ccall $(FUNCTIONS.colstore_table_read_column)(
        table::Ptr{colstore_table},
        column::Csize_t,
        start::Int64,
        stop::Int64,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_read_columns(table, columns, n_columns, start, stop, options, outs, out_sizes, err)

Reads rows `start` to `stop` (not included) of several columns at once, each into a buffer of its own: the
values of the column at position `columns[i]` go to `outs[i]`, which has `out_sizes[i]` bytes, exactly
`(stop - start) * itemsize`. The three arrays have `n_columns` elements. The buffers must not overlap.

`options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
`colstore_table_read_column`.
"""
function colstore_table_read_columns(
    table,
    columns,
    n_columns,
    start,
    stop,
    options,
    outs,
    out_sizes,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_read_columns)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        start::Int64,
        stop::Int64,
        options::Ptr{colstore_read_options},
        outs::Ptr{Ptr{Cvoid}},
        out_sizes::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_read_records(table, columns, n_columns, start, stop, options, out, out_size, err)

Reads rows `start` to `stop` (not included) of several columns as records: row after row, and in a row the
values of the columns in the order of `columns`, with nothing between them, in native byte order.

`columns` has `n_columns` positions. `out_size` is the size of `out` in bytes, and must be `(stop - start)
* (sum of the itemsizes)` exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
Fails as `colstore_table_read_column`.
"""
function colstore_table_read_records(
    table,
    columns,
    n_columns,
    start,
    stop,
    options,
    out,
    out_size,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_read_records)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        start::Int64,
        stop::Int64,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_read_column_at(table, column, rows, options, out, out_size, err)

Reads the selected rows of the column at position `column` into `out`, in the order of the selection: one
value after the other, in native byte order.

`out_size` is the size of `out` in bytes, and must be the number of selected rows times the itemsize,
exactly; any alignment will do. `options` may be NULL. What `out` holds after a failure is unspecified.

Fails with `INVALID_ARGUMENT` if the selection was made for another number of rows than the table has, with
`OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as are no rows,
with `CANCELLED` if the progress was cancelled.
"""
function colstore_table_read_column_at(table, column, rows, options, out, out_size, err)
    return @ccall $(FUNCTIONS.colstore_table_read_column_at)(
        table::Ptr{colstore_table},
        column::Csize_t,
        rows::Ptr{colstore_rows},
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_read_columns_at(table, columns, n_columns, rows, options, outs, out_sizes, err)

Reads the selected rows of several columns at once, each into a buffer of its own, as
`colstore_table_read_columns` does. The selection is looked at once for all columns, which is faster than one
call a column.

`out_sizes[i]` must be the number of selected rows times the itemsize of column `columns[i]`, exactly.
`options` may be NULL. What the buffers hold after a failure is unspecified. Fails as
`colstore_table_read_column_at`.
"""
function colstore_table_read_columns_at(
    table,
    columns,
    n_columns,
    rows,
    options,
    outs,
    out_sizes,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_read_columns_at)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        rows::Ptr{colstore_rows},
        options::Ptr{colstore_read_options},
        outs::Ptr{Ptr{Cvoid}},
        out_sizes::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_read_records_at(table, columns, n_columns, rows, options, out, out_size, err)

Reads the selected rows of several columns as records, as `colstore_table_read_records` does: one record a
selected row, in the order of the selection.

`out_size` must be the number of selected rows times the sum of the itemsizes, exactly. `options` may be NULL.
What `out` holds after a failure is unspecified. Fails as `colstore_table_read_column_at`.
"""
function colstore_table_read_records_at(
    table,
    columns,
    n_columns,
    rows,
    options,
    out,
    out_size,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_read_records_at)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        rows::Ptr{colstore_rows},
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_gather_column(table, column, data, index_type, n, stride, options, out, out_size, err)

Reads `n` rows by number of the column at position `column` into `out`: what `colstore_table_read_column_at` reads
with what `colstore_rows_indices` makes of `data`, `index_type`, `n` and `stride`, in one call.

The numbers are borrowed for the call, and each is looked at once, when it is used. Rows that are read more than once
are better kept as a selection, which knows of an order among them and need not look for it again.

`out_size` is the size of `out` in bytes, and must be `n` times the itemsize, exactly; any alignment will do.
`options` may be NULL. What `out` holds after a failure is unspecified.

Fails with `OUT_OF_BOUNDS` if the column does not exist, or if a number is below `-n_rows`, or `n_rows` or above;
the message names the first such number and its position, `colstore_error_row` the number. Fails with `CANCELLED` if
the progress was cancelled.
"""
function colstore_table_gather_column(
    table,
    column,
    data,
    index_type,
    n,
    stride,
    options,
    out,
    out_size,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_gather_column)(
        table::Ptr{colstore_table},
        column::Csize_t,
        data::Ptr{Cvoid},
        index_type::Int32,
        n::Csize_t,
        stride::Int64,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_gather_columns(table, columns, n_columns, data, index_type, n, stride, options, outs, out_sizes, err)

Reads `n` rows by number of several columns at once, each into a buffer of its own, as
`colstore_table_read_columns_at` does.

The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_sizes[i]` must be
`n` times the itemsize of column `columns[i]`, exactly. `options` may be NULL. What the buffers hold after a failure
is unspecified.
"""
function colstore_table_gather_columns(
    table,
    columns,
    n_columns,
    data,
    index_type,
    n,
    stride,
    options,
    outs,
    out_sizes,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_gather_columns)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        data::Ptr{Cvoid},
        index_type::Int32,
        n::Csize_t,
        stride::Int64,
        options::Ptr{colstore_read_options},
        outs::Ptr{Ptr{Cvoid}},
        out_sizes::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_gather_records(table, columns, n_columns, data, index_type, n, stride, options, out, out_size, err)

Reads `n` rows by number of several columns as records, as `colstore_table_read_records_at` does.

The row numbers are given as to `colstore_table_gather_column`, and it fails as that does. `out_size` must be `n`
times the sum of the itemsizes, exactly. `options` may be NULL. What `out` holds after a failure is unspecified.
"""
function colstore_table_gather_records(
    table,
    columns,
    n_columns,
    data,
    index_type,
    n,
    stride,
    options,
    out,
    out_size,
    err,
)
    return @ccall $(FUNCTIONS.colstore_table_gather_records)(
        table::Ptr{colstore_table},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        data::Ptr{Cvoid},
        index_type::Int32,
        n::Csize_t,
        stride::Int64,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# View: values lent where they lie

"""
    colstore_table_view_column(table, column, start, stop, out, err)

Lends rows `start` to `stop` (not included) of the column at position `column`, without a copy.

`*out` is a new view: free it with `colstore_view_free`. It stays valid when the table is freed. If
another process writes into the file or shortens it, the values change with it.

Fails with `NOT_CONTIGUOUS` if the rows lie in more than one record or in big-endian order (read them
instead), with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= n_rows` and the column exists.
"""
function colstore_table_view_column(table, column, start, stop, out, err)
    return @ccall $(FUNCTIONS.colstore_table_view_column)(
        table::Ptr{colstore_table},
        column::Csize_t,
        start::Int64,
        stop::Int64,
        out::Ptr{Ptr{colstore_view}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_table_view_column_at(table, column, rows, out, err)

Lends the selected rows of the column at position `column`, without a copy, if they are evenly spaced: with a
step, the stride of the view is that many values, and negative for rows in descending order.

`*out` is a new view: free it with `colstore_view_free`. It stays valid when the table and the selection are
freed.

Fails with `NOT_CONTIGUOUS` if the rows are not evenly spaced, lie in more than one record or in big-endian
order (read them instead), with `INVALID_ARGUMENT` if the selection was made for another number of rows than
the table has, with `OUT_OF_BOUNDS` if the column does not exist.
"""
function colstore_table_view_column_at(table, column, rows, out, err)
    return @ccall $(FUNCTIONS.colstore_table_view_column_at)(
        table::Ptr{colstore_table},
        column::Csize_t,
        rows::Ptr{colstore_rows},
        out::Ptr{Ptr{colstore_view}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_view_describe(view, out, err)

Says where the values of a view lie.
"""
function colstore_view_describe(view, out, err)
    return @ccall $(FUNCTIONS.colstore_view_describe)(
        view::Ptr{colstore_view},
        out::Ptr{colstore_view_info},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_view_free(view)

Frees a view; the memory that it lent must not be touched any more. NULL is fine.
"""
function colstore_view_free(view)
    return @ccall $(FUNCTIONS.colstore_view_free)(view::Ptr{colstore_view})::Cvoid
end

# Allocator: memory for results, used again

"""
    colstore_allocator_malloc(context, size)

Memory for `size` bytes, aligned to 64, of arbitrary content; NULL if there is none. Free it with
`colstore_allocator_free`.

Large blocks come from memory that earlier ones gave back: it need not be provided and zeroed by the kernel
once more, which takes longer than filling it. What is kept for that (at most 2 GiB or an eighth of the
machine's memory) the kernel may take at any time. `context` is ignored here and below.
"""
function colstore_allocator_malloc(context, size)
    return @ccall $(FUNCTIONS.colstore_allocator_malloc)(
        context::Ptr{Cvoid},
        size::Csize_t,
    )::Ptr{Cvoid}
end

"""
    colstore_allocator_calloc(context, count, size)

As `colstore_allocator_malloc` for `count` times `size` bytes, all zero.
"""
function colstore_allocator_calloc(context, count, size)
    return @ccall $(FUNCTIONS.colstore_allocator_calloc)(
        context::Ptr{Cvoid},
        count::Csize_t,
        size::Csize_t,
    )::Ptr{Cvoid}
end

"""
    colstore_allocator_realloc(context, data, size)

A block of `size` bytes with the content of `data` as far as it goes, and `data` is freed; or NULL, and `data`
is as it was. NULL for `data` is fine.
"""
function colstore_allocator_realloc(context, data, size)
    return @ccall $(FUNCTIONS.colstore_allocator_realloc)(
        context::Ptr{Cvoid},
        data::Ptr{Cvoid},
        size::Csize_t,
    )::Ptr{Cvoid}
end

"""
    colstore_allocator_free(context, data, size)

Frees a block. NULL is fine. `size` is ignored.
"""
function colstore_allocator_free(context, data, size)
    return @ccall $(FUNCTIONS.colstore_allocator_free)(
        context::Ptr{Cvoid},
        data::Ptr{Cvoid},
        size::Csize_t,
    )::Cvoid
end

# Reductions: a column as one value

"""
    colstore_table_reduce(table, column, rows, reduction, ddof, options, out, err)

Reduces rows of the column at position `column` to one value. The values are not copied out, and the memory that
is needed does not depend on their number. The result is the same to the last bit for any number of threads and
however the rows lie in records and files.

`rows` may be NULL for all rows. `reduction` is an `enum colstore_reduction`; `ddof` is looked at for the
variance and the standard deviation only. `options` may be NULL. A NaN, or a "not a time", among the values makes
the result one. Of no rows the sum is 0, the variance and the standard deviation are NaN, and for the rest there
is no value.

Fails with `UNSUPPORTED_TYPE` for bytes, text and floats of 16 bytes, and for times unless the least or the
greatest is asked for; with `INVALID_ARGUMENT` if the selection was made for another number of rows than the
table has, with `OUT_OF_BOUNDS` if the column does not exist or borrowed row numbers have been changed to such as
are no rows, with `CANCELLED` if the progress was cancelled.
"""
function colstore_table_reduce(table, column, rows, reduction, ddof, options, out, err)
    return @ccall $(FUNCTIONS.colstore_table_reduce)(
        table::Ptr{colstore_table},
        column::Csize_t,
        rows::Ptr{colstore_rows},
        reduction::Int32,
        ddof::Float64,
        options::Ptr{colstore_read_options},
        out::Ptr{colstore_scalar},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Store: writing a file

"""
    colstore_store(path, path_len, columns, n_columns, options, err)

Writes a new `.cstore` file at `path` with the given columns, all at once.

Everything is checked before anything is created. The data go to a temporary file beside the path, which
is then renamed: after a failure or a cancel the path is as it was before, with no file left behind.
Readers that have the old file open keep it. `columns` has `n_columns` elements, at least one; their
memory is borrowed for the call. `options` may be NULL.

Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `UNSUPPORTED_TYPE` or
`INVALID_ARGUMENT` for columns that cannot be stored, with `NO_SPACE` on a full disk, with `CANCELLED` if
the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
refuses.
"""
function colstore_store(path, path_len, columns, n_columns, options, err)
    return @ccall $(FUNCTIONS.colstore_store)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        columns::Ptr{colstore_column_data},
        n_columns::Csize_t,
        options::Ptr{colstore_store_options},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Verify: what is wrong with a file

"""
    colstore_verify(path, path_len, options, out, err)

Checks the file at `path`, or all files of a directory or a pattern, and reports what is wrong with them and
where. Damage is in the report; it is no failure of the call.

Found is any changed bit of the header, the manifest, record headers, fillers and statistics. Values have no
checksum: a change of them is found with `deep` only, and only if it leaves the range that the statistics of
the file give, or is a byte that no bool or text holds. No lock is taken.

`options` may be NULL. `*out` is a new report: free it with `colstore_verify_report_free`.

Fails with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if a single file or the directory cannot be read, and with
`CANCELLED` if the progress was cancelled.
"""
function colstore_verify(path, path_len, options, out, err)
    return @ccall $(FUNCTIONS.colstore_verify)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        options::Ptr{colstore_verify_options},
        out::Ptr{Ptr{colstore_verify_report}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_verify_report_describe(report, out, err)

What the check came to: how many findings, over how much.
"""
function colstore_verify_report_describe(report, out, err)
    return @ccall $(FUNCTIONS.colstore_verify_report_describe)(
        report::Ptr{colstore_verify_report},
        out::Ptr{colstore_verify_summary},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_verify_report_finding(report, index, out, err)

The finding at position `index`, counted from 0, in the order of the files and of the places in them.

Fails with `OUT_OF_BOUNDS` if there is none.
"""
function colstore_verify_report_finding(report, index, out, err)
    return @ccall $(FUNCTIONS.colstore_verify_report_finding)(
        report::Ptr{colstore_verify_report},
        index::Csize_t,
        out::Ptr{colstore_finding},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_verify_report_free(report)

Frees a report, and with it the texts borrowed from it. NULL is fine.
"""
function colstore_verify_report_free(report)
    return @ccall $(FUNCTIONS.colstore_verify_report_free)(
        report::Ptr{colstore_verify_report},
    )::Cvoid
end

# Recover: what a writer that died has left

"""
    colstore_recover(path, path_len, target, target_len, options, out, err)

Finds the whole records of a file that a writer did not get to commit, or whose counters are damaged, and
recovers them if asked to.

With a `target`, what readers saw and what was found go to a new file there, and the old one stays as it is.
With `commit` in the options, the counters of the file itself are rewritten, its data being flushed before and
they after; nothing else of it is touched or cut off. With neither, nothing is changed. `target` may be NULL,
with `target_len` 0.

Bodies of records have no checksum: after a power cut (not after the end of a process) a whole record may hold
values that never reached the disk.

`options` may be NULL.

Fails with `FORMAT` if magic or manifest are damaged, if there is no whole record, or if a commit in the file
might give up records that were committed; with `LOCKED` if a writer is at work on the file; with `ALREADY_EXISTS` if
there is something at the target; with `INVALID_ARGUMENT` for both target and commit; and with `NO_SPACE`,
`CANCELLED`, `NOT_FOUND`, `PERMISSION_DENIED` or `IO` as other calls do.
"""
function colstore_recover(path, path_len, target, target_len, options, out, err)
    return @ccall $(FUNCTIONS.colstore_recover)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        target::Ptr{UInt8},
        target_len::Csize_t,
        options::Ptr{colstore_recover_options},
        out::Ptr{colstore_recovery},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Copy and compact: tables into files of one record

"""
    colstore_table_write(table, path, path_len, options, err)

Writes all rows of a table to a new `.cstore` file of one record at `path`: the bytes that `colstore_store` writes
for the same columns, whatever files and records the rows come from. A table that is put together becomes one file
that way.

The memory it takes does not grow with the table. The data go to a temporary file beside the path, which is flushed
to the disk and renamed, and so is its directory: the file is there after a power cut. After a failure or a cancel
the path is as it was before, with no file left behind. Readers that have the old file open keep it. `options` may
be NULL.

Fails with `ALREADY_EXISTS` if there is a file and the mode is to create one, with `INVALID_ARGUMENT` for a table
without columns and if the path leads to one of the table's own files, with `NO_SPACE` on a full disk, with
`CANCELLED` if the progress was cancelled, and with `NOT_FOUND`, `PERMISSION_DENIED` or `IO` if the operating system
refuses.
"""
function colstore_table_write(table, path, path_len, options, err)
    return @ccall $(FUNCTIONS.colstore_table_write)(
        table::Ptr{colstore_table},
        path::Ptr{UInt8},
        path_len::Csize_t,
        options::Ptr{colstore_copy_options},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_compact(path, path_len, out, out_len, options, err)

Puts the records of the file at `path` together to one: in place if `out` is NULL, else in a new file at `out`,
where any other file is replaced.

A file of one record or none is compact: in place nothing happens to it, and `out` becomes a copy of it, byte for
byte. In any other case the new file has the bytes that `colstore_store` writes for the same columns; recorded least
and greatest values are dropped unless the options ask for them.

The file is locked meanwhile against writers and other compactions. The new one is written under a temporary name,
flushed to the disk and renamed: after a failure or a cancel everything is as it was before, with no file left
behind, and readers that have the old file open keep it. In place, permissions stay, and so does a symbolic link;
other hard links of the file keep the old records. If `out` leads to the file itself, that means in place. `options`
may be NULL.

Fails with `NOT_FOUND` or `FORMAT` for a file that is not there or not valid, with `LOCKED` if somebody else
holds the lock, with `NO_SPACE`, `PERMISSION_DENIED` or `IO` if the operating system refuses, and with `CANCELLED` if
the progress was cancelled.
"""
function colstore_compact(path, path_len, out, out_len, options, err)
    return @ccall $(FUNCTIONS.colstore_compact)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        out::Ptr{UInt8},
        out_len::Csize_t,
        options::Ptr{colstore_compact_options},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Append, and appender: shards for a directory

"""
    colstore_append(directory, directory_len, columns, n_columns, options, path, err)

Adds a shard with the given columns to a directory, which is created if it is missing, with those above it.

The shard is one file of one record, and appears whole and on the disk, or not at all. Its number is one more than
the largest that another name of the same form has. `columns` has `n_columns` elements, at least one, with the names
and dtypes of the first shard that is there, in its order; their memory is borrowed for the call. `options` may be
NULL. One writer at a time: a lock on the file `.colstore.lock`, which stays in the directory, keeps others out.

`path` may be NULL; else `*path` is a new list of one text, the path of the shard: free it with
`colstore_names_free`.

Fails as `colstore_store` does; with `INVALID_ARGUMENT` for a wrong name and for columns that are not those of the
first shard, with `ALREADY_EXISTS` for a name without a number that is taken, with `LOCKED` if another writer holds the
lock, with `FORMAT` if the first shard is damaged. There is no new shard then, unless the message says that it is in
place.
"""
function colstore_append(directory, directory_len, columns, n_columns, options, path, err)
    return @ccall $(FUNCTIONS.colstore_append)(
        directory::Ptr{UInt8},
        directory_len::Csize_t,
        columns::Ptr{colstore_column_data},
        n_columns::Csize_t,
        options::Ptr{colstore_append_options},
        path::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_append_table(directory, directory_len, table, options, path, err)

Adds the rows of a table as a shard to a directory.

A table of one file is copied byte for byte, with all its records; the files of a larger one become one record, and
so does any table if statistics are asked for. Else as `colstore_append`.

Fails as `colstore_append` does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own
shards.
"""
function colstore_append_table(directory, directory_len, table, options, path, err)
    return @ccall $(FUNCTIONS.colstore_append_table)(
        directory::Ptr{UInt8},
        directory_len::Csize_t,
        table::Ptr{colstore_table},
        options::Ptr{colstore_append_options},
        path::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_open(directory, directory_len, options, out, err)

Opens an appender for a directory, which is created if it is missing, with those above it.

Rows are copied into memory until there are enough for a shard, so that the appender holds up to a shard and a batch.
The directory is locked until the appender is closed or freed. `options` may be NULL: then only
`colstore_appender_flush` and `colstore_appender_close` make shards.

`*out` is a new appender: free it with `colstore_appender_free`.

Fails with `INVALID_ARGUMENT` for a wrong name, and for a limit with a name that has no number; with `IO` if another
writer holds the lock; with `FORMAT` if the first shard is damaged; and with `PERMISSION_DENIED`, `ALREADY_EXISTS`
(a file in the place of the directory), `NO_SPACE` or `IO` if the operating system refuses.
"""
function colstore_appender_open(directory, directory_len, options, out, err)
    return @ccall $(FUNCTIONS.colstore_appender_open)(
        directory::Ptr{UInt8},
        directory_len::Csize_t,
        options::Ptr{colstore_appender_options},
        out::Ptr{Ptr{colstore_appender}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_write(appender, columns, n_columns, progress, err)

Adds rows, and makes a shard of all rows there are if that is enough; batches are not split.

`columns` has `n_columns` elements, at least one, with the names and dtypes of earlier rows and shards, in the same
order; their memory is borrowed for the call. `progress` may be NULL; it is borrowed for the call.

Fails as `colstore_append` does; with `INVALID_ARGUMENT` if the appender is closed, and with `OUT_OF_MEMORY`. None of
the rows is held then, and earlier ones still are.
"""
function colstore_appender_write(appender, columns, n_columns, progress, err)
    return @ccall $(FUNCTIONS.colstore_appender_write)(
        appender::Ptr{colstore_appender},
        columns::Ptr{colstore_column_data},
        n_columns::Csize_t,
        progress::Ptr{colstore_progress},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_write_table(appender, table, progress, err)

Adds the rows of a table, as `colstore_appender_write` does with columns.

Fails as that does; also with `INVALID_ARGUMENT` for a table that has rows of the directory's own shards.
"""
function colstore_appender_write_table(appender, table, progress, err)
    return @ccall $(FUNCTIONS.colstore_appender_write_table)(
        appender::Ptr{colstore_appender},
        table::Ptr{colstore_table},
        progress::Ptr{colstore_progress},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_flush(appender, progress, path, err)

Makes a shard of the rows that are held, if anything was written since the last one. It is on the disk then.

`progress` may be NULL; it is borrowed for the call. `path` may be NULL; else `*path` is a new list, of the path of
the shard or of nothing: free it with `colstore_names_free`.

Fails with `NO_SPACE`, `CANCELLED`, or `IO` and the like if the operating system refuses, and holds the rows for
another try then, unless the message says that the shard is in place; with `ALREADY_EXISTS` for a name without a
number that is taken, with `INVALID_ARGUMENT` if this appender has made a shard of that name, or is closed.
"""
function colstore_appender_flush(appender, progress, path, err)
    return @ccall $(FUNCTIONS.colstore_appender_flush)(
        appender::Ptr{colstore_appender},
        progress::Ptr{colstore_progress},
        path::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_close(appender, progress, path, err)

Flushes as `colstore_appender_flush` does, and lets other writers have the directory. Closing again does nothing.

Fails as the flush does; the appender stays open then if it still holds rows.
"""
function colstore_appender_close(appender, progress, path, err)
    return @ccall $(FUNCTIONS.colstore_appender_close)(
        appender::Ptr{colstore_appender},
        progress::Ptr{colstore_progress},
        path::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_abandon(appender, err)

Closes an appender without making a shard: the rows that it holds are gone, and other writers can have the
directory. For when a close has failed and nobody will try again.
"""
function colstore_appender_abandon(appender, err)
    return @ccall $(FUNCTIONS.colstore_appender_abandon)(
        appender::Ptr{colstore_appender},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_describe(appender, out, err)

What the appender has done so far.
"""
function colstore_appender_describe(appender, out, err)
    return @ccall $(FUNCTIONS.colstore_appender_describe)(
        appender::Ptr{colstore_appender},
        out::Ptr{colstore_appender_info},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_appender_free(appender)

Frees an appender. If it was not closed, rows that are in no shard yet are gone, and other writers can have the
directory. NULL is fine.
"""
function colstore_appender_free(appender)
    return @ccall $(FUNCTIONS.colstore_appender_free)(
        appender::Ptr{colstore_appender},
    )::Cvoid
end

# Writer: writing a file record by record

"""
    colstore_writer_open(path, path_len, options, out, err)

Opens the file at `path` for writing record by record, and locks it before anything is changed. A symbolic link
at the path stays, its target is written.

In the mode `CREATE` an empty file is made at once, and stays empty up to the first record. In the mode `RECREATE`
records go to a temporary file beside an existing one, which is replaced at the first commit and keeps its
permissions; readers that have the old file open keep it. In the mode `UPDATE` the file is checked, and not changed
before the first record. `options` may be NULL.

`*out` is a new writer: close it with `colstore_writer_close`, then free it with `colstore_writer_free`.

Fails with `ALREADY_EXISTS` and `NOT_FOUND` as the mode says, with `LOCKED` if there is another writer, with
`FORMAT` if a file to be updated is damaged, and with `PERMISSION_DENIED`, `NO_SPACE` or `IO` if the operating
system refuses.
"""
function colstore_writer_open(path, path_len, options, out, err)
    return @ccall $(FUNCTIONS.colstore_writer_open)(
        path::Ptr{UInt8},
        path_len::Csize_t,
        options::Ptr{colstore_writer_options},
        out::Ptr{Ptr{colstore_writer}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_write(writer, columns, n_columns, err)

Writes one record of `n_columns` columns, at least one, all of one length, which may be 0. The first record of a
new file decides what the columns are; later ones must have the same names in the same order and the same dtypes,
but for the byte order. Everything is checked before a byte is written. The columns' memory is borrowed for the
call.

Records count once they are committed. A small record may be kept in memory, with room for it set aside in the
file. After a failure the file is as it was before the call, and more can be written; should records be lost that
were kept in memory, the message says which, nothing more can be written, and closing commits the ones before.

Fails with `UNSUPPORTED_TYPE` or `INVALID_ARGUMENT` for columns that do not fit and for a writer that is closed,
with `NO_SPACE` on a full disk, with `CANCELLED` if the progress was cancelled, and with `IO` if the operating system
refuses.
"""
function colstore_writer_write(writer, columns, n_columns, err)
    return @ccall $(FUNCTIONS.colstore_writer_write)(
        writer::Ptr{colstore_writer},
        columns::Ptr{colstore_column_data},
        n_columns::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_write_packed(writer, n_rows, body, size, err)

Writes one record of `n_rows` rows whose values lie in `body` already as the file holds them: the columns of the
schema one after the other, each of `n_rows` little-endian values, with nothing between or behind them, `size` bytes
together. For many small records this is the fastest way. The columns must be known: from the file, or from a first
record by `colstore_writer_write`.

Fails as `colstore_writer_write`, also with `INVALID_ARGUMENT` if the columns are not known or the size is wrong.
"""
function colstore_writer_write_packed(writer, n_rows, body, size, err)
    return @ccall $(FUNCTIONS.colstore_writer_write_packed)(
        writer::Ptr{colstore_writer},
        n_rows::Int64,
        body::Ptr{Cvoid},
        size::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_commit(writer, err)

Makes the records so far count: once the call returns, they survive a power cut, and readers that open the file see
them. More can be written. Statistics are written by `colstore_writer_close` alone.

Fails with `NO_SPACE` or `IO` if the operating system refuses; what was committed before still is. After a failed
flush nothing more can be written or committed, since nobody knows what is on the disk.
"""
function colstore_writer_commit(writer, err)
    return @ccall $(FUNCTIONS.colstore_writer_commit)(
        writer::Ptr{colstore_writer},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_close(writer, err)

Commits what was written and ends the writer, whatever the result; nothing if it is closed already. If nothing was
written, an updated file stays exactly as it is; in the other modes there is no file then, unless
records were refused: then a file that should have been replaced stays.

Fails as `colstore_writer_commit`. If only the statistics could not be written, the records are committed; the
message says so.
"""
function colstore_writer_close(writer, err)
    return @ccall $(FUNCTIONS.colstore_writer_close)(
        writer::Ptr{colstore_writer},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_abandon(writer, err)

Ends the writer without committing: what it wrote since its last commit is taken away, as far as that can be.
Nothing if it is closed already.
"""
function colstore_writer_abandon(writer, err)
    return @ccall $(FUNCTIONS.colstore_writer_abandon)(
        writer::Ptr{colstore_writer},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_describe(writer, out, err)

Says how far the writer is, whether it has the lock, and whether it is closed.
"""
function colstore_writer_describe(writer, out, err)
    return @ccall $(FUNCTIONS.colstore_writer_describe)(
        writer::Ptr{colstore_writer},
        out::Ptr{colstore_writer_info},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_schema(writer, out, err)

The columns of the file. `*out` is a new schema: free it with `colstore_schema_free`. It outlives the writer.

Fails with `INVALID_ARGUMENT` before the first record of a new file, which decides what they are.
"""
function colstore_writer_schema(writer, out, err)
    return @ccall $(FUNCTIONS.colstore_writer_schema)(
        writer::Ptr{colstore_writer},
        out::Ptr{Ptr{colstore_schema}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_writer_free(writer)

Frees a writer. One that was not closed commits nothing: what it wrote since its last commit is taken away, and
nobody hears of failures. NULL is fine.
"""
function colstore_writer_free(writer)
    return @ccall $(FUNCTIONS.colstore_writer_free)(writer::Ptr{colstore_writer})::Cvoid
end

# Expressions: a value for every row

"""
    colstore_expr_callback(function_, context, release, dtype, dtype_len, args, n_args, out, err)

A function of the caller's over `n_args` operands, at least one; `dtype` is the text of the dtype of its results,
little-endian.

`context` is handed to the function as it is. Once neither this expression nor anything made of it needs the
function any more, `release`, unless it is NULL, is called with the context: exactly once, also if this call fails
(before it returns then).

`*out` is a new expression: free it with `colstore_expr_free`.

Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` without operands or for a big-endian dtype.
"""
function colstore_expr_callback(
    function_,
    context,
    release,
    dtype,
    dtype_len,
    args,
    n_args,
    out,
    err,
)
    return @ccall $(FUNCTIONS.colstore_expr_callback)(
        function_::colstore_expr_function,
        context::Ptr{Cvoid},
        release::colstore_release_function,
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
        args::Ptr{Ptr{colstore_expr}},
        n_args::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_column(name, name_len, out, err)

The column of a name: `name_len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is looked up where the
expression is used, not before.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_column(name, name_len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_column)(
        name::Ptr{UInt8},
        name_len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_none(out, err)

Nothing: equal to no value, and no limit for `clip`.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_none(out, err)
    return @ccall $(FUNCTIONS.colstore_expr_none)(
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_bool(value, out, err)

A boolean without a dtype of its own, as Python's `True`: true unless `value` is 0.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_bool(value, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_bool)(
        value::Int32,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_int(value, out, err)

An integer without a dtype of its own, as Python's: `x + 1` has the dtype of `x`.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_int(value, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_int)(
        value::Int64,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_uint(value, out, err)

As `colstore_expr_int`, for numbers that an `int64_t` may not hold.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_uint(value, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_uint)(
        value::UInt64,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_integer(text, len, out, err)

As `colstore_expr_int`, for numbers of any size as text: decimal digits, or hexadecimal ones after `0x`, with or
without a sign.

`*out` is a new expression: free it with `colstore_expr_free`.

Fails with `VALUE` for another text, and for more than 10000 decimal digits.
"""
function colstore_expr_integer(text, len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_integer)(
        text::Ptr{UInt8},
        len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_float(value, out, err)

A float without a dtype of its own, as Python's: `x + 0.5` is of float32 for a float32 `x`.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_float(value, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_float)(
        value::Float64,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_constant(dtype, dtype_len, value, value_len, out, err)

One value of a dtype, as NumPy's scalars: it promotes as a column of that dtype does.

`dtype` is the text of a little-endian dtype, `value` one value of it: `value_len` bytes, at any address.

`*out` is a new expression: free it with `colstore_expr_free`.

Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `VALUE` if the dtype is big-endian or if
`value_len` is not its itemsize.
"""
function colstore_expr_constant(dtype, dtype_len, value, value_len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_constant)(
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
        value::Ptr{Cvoid},
        value_len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_text(text, len, out, err)

A text: `len` bytes of UTF-8, or of WTF-8 for lone surrogates. It is compared with text, and with bytes that are
its characters one by one.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_text(text, len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_text)(
        text::Ptr{UInt8},
        len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_bytes(data, len, out, err)

Bytes, to be compared with columns of bytes.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_bytes(data, len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_bytes)(
        data::Ptr{Cvoid},
        len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_columns(expr, out, err)

The names of the columns that an expression uses, each once, in the order of their first use. Columns that it
holds themselves, as `colstore_frame_column` gives them, are not among them.

`*out` is a new list: free it with `colstore_names_free`.
"""
function colstore_expr_columns(expr, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_columns)(
        expr::Ptr{colstore_expr},
        out::Ptr{Ptr{colstore_names}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_free(expr)

Frees an expression. What was made of it keeps what it needs. NULL is fine.
"""
function colstore_expr_free(expr)
    return @ccall $(FUNCTIONS.colstore_expr_free)(expr::Ptr{colstore_expr})::Cvoid
end

"""
    colstore_expr_call(name, name_len, args, n_args, out, err)

A function of `n_args` operands. Operators are functions too; all are called as in NumPy: `"add"`, `"less_equal"`,
`"logical_and"`, `"invert"`, `"sqrt"`, `"where"` (condition, then, else), `"clip"` (value, low, high).

`*out` is a new expression: free it with `colstore_expr_free`. The operands are not taken: they may be used
again, and must be freed.

Fails with `VALUE` if there is no function of that name, or if it takes another number of operands. Whether it
has a result for the dtypes of its operands is seen where the expression is used.
"""
function colstore_expr_call(name, name_len, args, n_args, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_call)(
        name::Ptr{UInt8},
        name_len::Csize_t,
        args::Ptr{Ptr{colstore_expr}},
        n_args::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_cast(value, dtype, dtype_len, out, err)

A value as another dtype, as NumPy's `astype` makes it. A big-endian dtype stands for the little-endian one.

`*out` is a new expression: free it with `colstore_expr_free`.

Fails with `UNSUPPORTED_TYPE` if the text names no dtype.
"""
function colstore_expr_cast(value, dtype, dtype_len, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_cast)(
        value::Ptr{colstore_expr},
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_round(value, decimals, out, err)

A value rounded to `decimals` digits after the point, or before it if negative, as `numpy.round` does.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_round(value, decimals, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_round)(
        value::Ptr{colstore_expr},
        decimals::Int32,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_print(expr, out, capacity, len, err)

An expression as text, as `colstore_expr_parse` reads it where there is such a text: `*len` bytes of UTF-8,
without a NUL, at `out`.

`capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.

Fails with `INVALID_ARGUMENT` if the text is longer than `capacity`.
"""
function colstore_expr_print(expr, out, capacity, len, err)
    return @ccall $(FUNCTIONS.colstore_expr_print)(
        expr::Ptr{colstore_expr},
        out::Ptr{UInt8},
        capacity::Csize_t,
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_check(expr, table, condition, out, capacity, len, err)

Checks an expression over the columns of a table without reading them, and gives the dtype of its results as text,
NumPy's `dtype.str` in little-endian order: `*len` bytes, without a NUL, at `out`, which has `capacity` bytes.
If that is 0, only the length is given, and `out` may be NULL. No such text is longer than 32 bytes.

If `condition` is not 0, the expression must be one that rows can be selected by: boolean, with a column in it.

Fails with `QUERY` for a name that the table does not have and for what is no condition, with `TYPE` if there is
no operation for its operands, with `OVERFLOW` for an integer that the dtype beside it cannot hold, with `VALUE`
for an integer to a negative power, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
"""
function colstore_expr_check(expr, table, condition, out, capacity, len, err)
    return @ccall $(FUNCTIONS.colstore_expr_check)(
        expr::Ptr{colstore_expr},
        table::Ptr{colstore_table},
        condition::Int32,
        out::Ptr{UInt8},
        capacity::Csize_t,
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_function_exact(name, name_len, dtype, dtype_len)

1 if there is a function of that name and its results for operands of that dtype are the same to the last bit
everywhere, because IEEE 754 or integer arithmetic defines them; 0 otherwise, and for a text that names no
function or no dtype.
"""
function colstore_function_exact(name, name_len, dtype, dtype_len)
    return @ccall $(FUNCTIONS.colstore_function_exact)(
        name::Ptr{UInt8},
        name_len::Csize_t,
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
    )::Int32
end

"""
    colstore_values_array(dtype, dtype_len, data, n, stride, out, err)

The `n` values of an array: at `data`, `stride` bytes apart (the itemsize in an array; it may be larger,
negative or 0), at any address. They are copied. `dtype` is the text of their dtype; big-endian values are
converted.

`*out` is a new set: free it with `colstore_values_free`.

Fails with `UNSUPPORTED_TYPE` if the text names no dtype, with `OUT_OF_MEMORY` if there is no memory for a copy.
"""
function colstore_values_array(dtype, dtype_len, data, n, stride, out, err)
    return @ccall $(FUNCTIONS.colstore_values_array)(
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
        data::Ptr{Cvoid},
        n::Csize_t,
        stride::Int64,
        out::Ptr{Ptr{colstore_values}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_values_list(literals, n, out, err)

A set of `n` constants, which may be of different kinds.

`*out` is a new set: free it with `colstore_values_free`. The constants are not taken.

Fails with `INVALID_ARGUMENT` if an expression is no constant.
"""
function colstore_values_list(literals, n, out, err)
    return @ccall $(FUNCTIONS.colstore_values_list)(
        literals::Ptr{Ptr{colstore_expr}},
        n::Csize_t,
        out::Ptr{Ptr{colstore_values}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_values_free(values)

Frees a set. NULL is fine.
"""
function colstore_values_free(values)
    return @ccall $(FUNCTIONS.colstore_values_free)(values::Ptr{colstore_values})::Cvoid
end

"""
    colstore_params_new(out, err)

Makes a list of parameters without any.

`*out` is a new list: free it with `colstore_params_free`.
"""
function colstore_params_new(out, err)
    return @ccall $(FUNCTIONS.colstore_params_new)(
        out::Ptr{Ptr{colstore_params}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_params_set(params, name, name_len, literal, err)

Gives a parameter a value, in the place of one it had. The name is without the `@`.

Fails with `INVALID_ARGUMENT` if the expression is no constant.
"""
function colstore_params_set(params, name, name_len, literal, err)
    return @ccall $(FUNCTIONS.colstore_params_set)(
        params::Ptr{colstore_params},
        name::Ptr{UInt8},
        name_len::Csize_t,
        literal::Ptr{colstore_expr},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_params_set_values(params, name, name_len, values, err)

Gives a parameter several values, for the right side of `in`.
"""
function colstore_params_set_values(params, name, name_len, values, err)
    return @ccall $(FUNCTIONS.colstore_params_set_values)(
        params::Ptr{colstore_params},
        name::Ptr{UInt8},
        name_len::Csize_t,
        values::Ptr{colstore_values},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_params_free(params)

Frees parameters. Expressions that were made with them keep their values. NULL is fine.
"""
function colstore_params_free(params)
    return @ccall $(FUNCTIONS.colstore_params_free)(params::Ptr{colstore_params})::Cvoid
end

"""
    colstore_expr_isin(value, values, negated, out, err)

Whether a value equals one of `values`; with `negated` not 0, whether it equals none. Values are compared
exactly: a set with 1 in it has 1.0 and true in it, not 1.01. NaN, "not a time" and nothing are never found.

`*out` is a new expression: free it with `colstore_expr_free`.
"""
function colstore_expr_isin(value, values, negated, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_isin)(
        value::Ptr{colstore_expr},
        values::Ptr{colstore_values},
        negated::Int32,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_expr_parse(text, len, params, out, err)

Reads an expression in Python's syntax, such as `pt > 30 and abs(eta) < @limit`, with values for its `@names` from
`params`, which may be NULL if there are none.

`*out` is a new expression: free it with `colstore_expr_free`. It keeps the text, so that errors in its use show
the place.

Fails with `QUERY` if the text is no expression or has a parameter without value, with `TYPE` for a parameter of
several values where one is needed; `colstore_error_span` says where in the text.
"""
function colstore_expr_parse(text, len, params, out, err)
    return @ccall $(FUNCTIONS.colstore_expr_parse)(
        text::Ptr{UInt8},
        len::Csize_t,
        params::Ptr{colstore_params},
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Queries: the rows for which a condition holds

"""
    colstore_rows_filter(table, base, condition, options, out, flags, err)

The rows of a table for which a condition holds, in the order of `base`, or of the table if that is NULL.

`condition` is boolean and uses columns of the table by name. Parts that are joined by `and` are computed from
left to right, and later ones for the rows that are left; records whose statistics tell that the condition holds
for none of their rows are not read. `options` and `flags` may be NULL; `*flags` receives the sum of `enum
colstore_flag`.

`*out` is a new selection of its own memory: free it with `colstore_rows_free`.

Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` as `colstore_expr_check` does for a condition, with `CALLBACK`
if a function of the caller's failed, with `VALUE` if `base` was made for another number of rows than the table
has, with `CANCELLED` if the progress was cancelled, and as a read does.
"""
function colstore_rows_filter(table, base, condition, options, out, flags, err)
    return @ccall $(FUNCTIONS.colstore_rows_filter)(
        table::Ptr{colstore_table},
        base::Ptr{colstore_rows},
        condition::Ptr{colstore_expr},
        options::Ptr{colstore_read_options},
        out::Ptr{Ptr{colstore_rows}},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Frames: a table seen through columns of one's own and cuts

"""
    colstore_frame_new(table, base, out, err)

A frame of all columns of a table, for the rows of `base` in its order, or for all rows if that is NULL.

The selection is copied where it borrows. `*out` is a new frame: free it with `colstore_frame_free`.

Fails with `VALUE` if `base` was made for another number of rows than the table has.
"""
function colstore_frame_new(table, base, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_new)(
        table::Ptr{colstore_table},
        base::Ptr{colstore_rows},
        out::Ptr{Ptr{colstore_frame}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_clone(frame, out, err)

Another frame that is as this one is now; edits of either do not show in the other. Rows that cuts have left are
not looked for again.

`*out` is a new frame: free it with `colstore_frame_free`.
"""
function colstore_frame_clone(frame, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_clone)(
        frame::Ptr{colstore_frame},
        out::Ptr{Ptr{colstore_frame}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_schema(frame, out, err)

The names and dtypes of the columns as they are now, in order.

`*out` is a new schema, which does not change with the frame: free it with `colstore_schema_free`.

Fails with `TYPE` if a column cannot be computed.
"""
function colstore_frame_schema(frame, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_schema)(
        frame::Ptr{colstore_frame},
        out::Ptr{Ptr{colstore_schema}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_column(frame, name, name_len, out, err)

The column of a name as an expression: the column itself, so that it stays what it is when the name is given
another.

`*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.

Fails with `KEY` if there is no such column.
"""
function colstore_frame_column(frame, name, name_len, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_column)(
        frame::Ptr{colstore_frame},
        name::Ptr{UInt8},
        name_len::Csize_t,
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_resolve(frame, expr, out, err)

An expression with the columns of this frame in the place of their names.

`*out` is a new expression: free it with `colstore_expr_free`. It outlives the frame.

Fails with `KEY` for a name that is no column of the frame.
"""
function colstore_frame_resolve(frame, expr, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_resolve)(
        frame::Ptr{colstore_frame},
        expr::Ptr{colstore_expr},
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_memory(frame, dtype, dtype_len, data, n_rows, stride, release, context, out, err)

Memory of the caller's as a column for this frame: one value for each base row, in their order.

`data` points to the first of `n_rows` values, `stride` bytes apart (the itemsize in an array; it may be larger,
negative or 0), at any address. `dtype` is the text of their dtype; big-endian values are converted as they are
read.

The values are not copied: THE MEMORY MUST STAY READABLE AND UNCHANGED until it is released. Once neither this
expression nor anything made of it, such as a frame, needs it any more, `release`, unless it is NULL, is called
with `context`: exactly once, from any thread, also if this call fails (before it returns then).

`*out` is a new expression: free it with `colstore_expr_free`.

Fails with `VALUE` unless `n_rows` is the number of base rows, with `UNSUPPORTED_TYPE` if the text names no dtype.
"""
function colstore_frame_memory(
    frame,
    dtype,
    dtype_len,
    data,
    n_rows,
    stride,
    release,
    context,
    out,
    err,
)
    return @ccall $(FUNCTIONS.colstore_frame_memory)(
        frame::Ptr{colstore_frame},
        dtype::Ptr{UInt8},
        dtype_len::Csize_t,
        data::Ptr{Cvoid},
        n_rows::Int64,
        stride::Int64,
        release::colstore_release_function,
        context::Ptr{Cvoid},
        out::Ptr{Ptr{colstore_expr}},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_base_rows(frame, out, err)

The number of rows before any cut.
"""
function colstore_frame_base_rows(frame, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_base_rows)(
        frame::Ptr{colstore_frame},
        out::Ptr{Int64},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_has_selection(frame, out, err)

Whether some rows of the table are left out: 1 if the frame has a cut, or base rows that are not all rows of the
table in their order, else 0.
"""
function colstore_frame_has_selection(frame, out, err)
    return @ccall $(FUNCTIONS.colstore_frame_has_selection)(
        frame::Ptr{colstore_frame},
        out::Ptr{Int32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_free(frame)

Frees a frame. Expressions that were made of its columns keep what they need. NULL is fine.
"""
function colstore_frame_free(frame)
    return @ccall $(FUNCTIONS.colstore_frame_free)(frame::Ptr{colstore_frame})::Cvoid
end

"""
    colstore_frame_assign(frame, names, name_lens, values, n, err)

Gives `n` columns, each by name: one that is there is replaced in its place, others come last, in the order
given. All expressions are over the columns that are there before, none over one another. A constant is a column
with that value in every row.

Fails with `KEY` for a name in an expression that is no column of the frame, with `VALUE` for columns of another
number of rows, with `TYPE` if there is no operation for the operands of an expression; the frame is as it was
then.
"""
function colstore_frame_assign(frame, names, name_lens, values, n, err)
    return @ccall $(FUNCTIONS.colstore_frame_assign)(
        frame::Ptr{colstore_frame},
        names::Ptr{Ptr{UInt8}},
        name_lens::Ptr{Csize_t},
        values::Ptr{Ptr{colstore_expr}},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_drop(frame, names, name_lens, n, err)

Takes away the columns of `n` names.

Fails with `KEY` if one is not there; the frame is as it was then.
"""
function colstore_frame_drop(frame, names, name_lens, n, err)
    return @ccall $(FUNCTIONS.colstore_frame_drop)(
        frame::Ptr{colstore_frame},
        names::Ptr{Ptr{UInt8}},
        name_lens::Ptr{Csize_t},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_select(frame, names, name_lens, n, err)

Keeps the columns of `n` names, in the order given.

Fails with `KEY` if one is not there, with `VALUE` if one is named twice; the frame is as it was then.
"""
function colstore_frame_select(frame, names, name_lens, n, err)
    return @ccall $(FUNCTIONS.colstore_frame_select)(
        frame::Ptr{colstore_frame},
        names::Ptr{Ptr{UInt8}},
        name_lens::Ptr{Csize_t},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_rename(frame, names, name_lens, new_names, new_name_lens, n, err)

Gives `n` columns other names: the one called `names[i]` is called `new_names[i]` then, in its place.

Fails with `KEY` if one is not there, with `VALUE` if two would have one name; the frame is as it was then.
"""
function colstore_frame_rename(frame, names, name_lens, new_names, new_name_lens, n, err)
    return @ccall $(FUNCTIONS.colstore_frame_rename)(
        frame::Ptr{colstore_frame},
        names::Ptr{Ptr{UInt8}},
        name_lens::Ptr{Csize_t},
        new_names::Ptr{Ptr{UInt8}},
        new_name_lens::Ptr{Csize_t},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_cast(frame, names, name_lens, dtypes, dtype_lens, n, err)

Gives `n` columns other dtypes: the values of the one called `names[i]` are cast to `dtypes[i]`, as NumPy's
`astype` does.

Fails with `KEY` if one is not there, with `TYPE` if one cannot be cast, with `UNSUPPORTED_TYPE` if a text names
no dtype; the frame is as it was then.
"""
function colstore_frame_cast(frame, names, name_lens, dtypes, dtype_lens, n, err)
    return @ccall $(FUNCTIONS.colstore_frame_cast)(
        frame::Ptr{colstore_frame},
        names::Ptr{Ptr{UInt8}},
        name_lens::Ptr{Csize_t},
        dtypes::Ptr{Ptr{UInt8}},
        dtype_lens::Ptr{Csize_t},
        n::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_filter(frame, condition, label, label_len, weight, err)

Adds a cut: rows for which `condition` does not hold are left out from now on. Nothing is read before it is
asked for.

`label` is what the cut is called in reports, NULL for no name. `weight` is the weight of a row in reports; if
it is NULL, that of the cut before, if there is one.

Fails with `QUERY`, `TYPE`, `OVERFLOW` or `VALUE` for a condition as `colstore_expr_check` does, over the
columns of the frame; with `KEY` for a weight with a name that is no column, with `TYPE` for one that is no
number. The frame is as it was then.
"""
function colstore_frame_filter(frame, condition, label, label_len, weight, err)
    return @ccall $(FUNCTIONS.colstore_frame_filter)(
        frame::Ptr{colstore_frame},
        condition::Ptr{colstore_expr},
        label::Ptr{UInt8},
        label_len::Csize_t,
        weight::Ptr{colstore_expr},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_count(frame, options, out, flags, err)

The number of rows that the cuts leave. They are found by all cuts in one pass, and kept until the next cut.

`options` and `flags` may be NULL; `*flags` receives the sum of `enum colstore_flag`, of finding the rows also
in later calls that use them.

Fails with `CALLBACK` if a function of the caller's failed, with `CANCELLED` if the progress was cancelled, and
as a read does.
"""
function colstore_frame_count(frame, options, out, flags, err)
    return @ccall $(FUNCTIONS.colstore_frame_count)(
        frame::Ptr{colstore_frame},
        options::Ptr{colstore_read_options},
        out::Ptr{Int64},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_rows(frame, options, out, flags, err)

The rows that the cuts leave, as rows of the table.

`*out` is a new selection of its own memory: free it with `colstore_rows_free`. Otherwise as
`colstore_frame_count`.
"""
function colstore_frame_rows(frame, options, out, flags, err)
    return @ccall $(FUNCTIONS.colstore_frame_rows)(
        frame::Ptr{colstore_frame},
        options::Ptr{colstore_read_options},
        out::Ptr{Ptr{colstore_rows}},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_read_columns(frame, columns, n_columns, start, stop, options, outs, out_sizes, flags, err)

Reads several columns of a frame, each into a buffer of its own, for positions `start` to `stop` (not included)
among the rows that the cuts leave: 0 and the count for all of them.

The column at position `columns[i]` of the frame's schema goes to `outs[i]`, which has `out_sizes[i]` bytes,
exactly `(stop - start) * itemsize`: packed, in native byte order. The three arrays have `n_columns` elements.
The buffers must not overlap. `options` and `flags` may be NULL. What the buffers hold after a failure is
unspecified.

Fails with `OUT_OF_BOUNDS` unless `0 <= start <= stop <= count` and the columns exist, with `INVALID_ARGUMENT`
for a buffer of another size, and as `colstore_frame_count`.
"""
function colstore_frame_read_columns(
    frame,
    columns,
    n_columns,
    start,
    stop,
    options,
    outs,
    out_sizes,
    flags,
    err,
)
    return @ccall $(FUNCTIONS.colstore_frame_read_columns)(
        frame::Ptr{colstore_frame},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        start::Int64,
        stop::Int64,
        options::Ptr{colstore_read_options},
        outs::Ptr{Ptr{Cvoid}},
        out_sizes::Ptr{Csize_t},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_read_records(frame, columns, n_columns, start, stop, options, out, out_size, flags, err)

Reads several columns of a frame as records, for positions `start` to `stop` (not included) among the rows that
the cuts leave: row after row, and in a row the values of the columns in the order of `columns`, with nothing
between them.

`columns` has `n_columns` positions in the frame's schema. `out_size` is the size of `out` in bytes, and must be
`(stop - start) * (sum of the itemsizes)` exactly. Otherwise as `colstore_frame_read_columns`.
"""
function colstore_frame_read_records(
    frame,
    columns,
    n_columns,
    start,
    stop,
    options,
    out,
    out_size,
    flags,
    err,
)
    return @ccall $(FUNCTIONS.colstore_frame_read_records)(
        frame::Ptr{colstore_frame},
        columns::Ptr{Csize_t},
        n_columns::Csize_t,
        start::Int64,
        stop::Int64,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_expr_dtype(frame, expr, out, capacity, len, err)

The dtype of an expression over the columns of a frame, as text: `*len` bytes, without a NUL, at `out`, which
has `capacity` bytes. If that is 0, only the length is given, and `out` may be NULL. No such text is longer than
32 bytes.

Fails with `KEY` for a name that is no column of the frame, with `TYPE`, `OVERFLOW` or `VALUE` as
`colstore_expr_check`, with `INVALID_ARGUMENT` if the text is longer than `capacity`.
"""
function colstore_frame_expr_dtype(frame, expr, out, capacity, len, err)
    return @ccall $(FUNCTIONS.colstore_frame_expr_dtype)(
        frame::Ptr{colstore_frame},
        expr::Ptr{colstore_expr},
        out::Ptr{UInt8},
        capacity::Csize_t,
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_evaluate(frame, expr, ignore_cuts, options, out, out_size, flags, err)

Computes an expression over the columns of a frame: for the rows that the cuts leave, or for all base rows if
`ignore_cuts` is not 0.

`out_size` is the size of `out` in bytes, and must be the number of rows times the itemsize of
`colstore_frame_expr_dtype` exactly. `options` and `flags` may be NULL. What `out` holds after a failure is
unspecified.

Fails as `colstore_frame_expr_dtype` and `colstore_frame_count`, with `INVALID_ARGUMENT` for a buffer of another
size.
"""
function colstore_frame_evaluate(
    frame,
    expr,
    ignore_cuts,
    options,
    out,
    out_size,
    flags,
    err,
)
    return @ccall $(FUNCTIONS.colstore_frame_evaluate)(
        frame::Ptr{colstore_frame},
        expr::Ptr{colstore_expr},
        ignore_cuts::Int32,
        options::Ptr{colstore_read_options},
        out::Ptr{Cvoid},
        out_size::Csize_t,
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_reduce(frame, expr, reduction, ddof, options, out, flags, err)

Reduces an expression over the columns of a frame, for the rows that the cuts leave, to one value: bit for bit
what `colstore_table_reduce` makes of a stored column of the same values.

`reduction` is an `enum colstore_reduction`; `ddof` is looked at for the variance and the standard deviation only.
`options` and `flags` may be NULL.

Fails as `colstore_table_reduce`, `colstore_frame_expr_dtype` and `colstore_frame_count`.
"""
function colstore_frame_reduce(frame, expr, reduction, ddof, options, out, flags, err)
    return @ccall $(FUNCTIONS.colstore_frame_reduce)(
        frame::Ptr{colstore_frame},
        expr::Ptr{colstore_expr},
        reduction::Int32,
        ddof::Float64,
        options::Ptr{colstore_read_options},
        out::Ptr{colstore_scalar},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_frame_write(frame, path, path_len, options, flags, err)

Writes all columns of a frame, for the rows that the cuts leave, to a new `.cstore` file at `path`. The file
appears whole or not at all, as by `colstore_store`; memory does not grow with the rows. A frame of a file of
one record of which nothing was changed is copied byte for byte.

`options` and `flags` may be NULL.

Fails as `colstore_store` and `colstore_frame_count`.
"""
function colstore_frame_write(frame, path, path_len, options, flags, err)
    return @ccall $(FUNCTIONS.colstore_frame_write)(
        frame::Ptr{colstore_frame},
        path::Ptr{UInt8},
        path_len::Csize_t,
        options::Ptr{colstore_store_options},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_cutflow_count(cutflow, out, err)

The number of cuts.
"""
function colstore_cutflow_count(cutflow, out, err)
    return @ccall $(FUNCTIONS.colstore_cutflow_count)(
        cutflow::Ptr{colstore_cutflow},
        out::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_cutflow_get(cutflow, index, out, err)

What the cut at position `index`, counted from 0, does.

Fails with `OUT_OF_BOUNDS` if there is none.
"""
function colstore_cutflow_get(cutflow, index, out, err)
    return @ccall $(FUNCTIONS.colstore_cutflow_get)(
        cutflow::Ptr{colstore_cutflow},
        index::Csize_t,
        out::Ptr{colstore_cut_record},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_cutflow_free(cutflow)

Frees a cutflow, and with it the texts borrowed from it. NULL is fine.
"""
function colstore_cutflow_free(cutflow)
    return @ccall $(FUNCTIONS.colstore_cutflow_free)(cutflow::Ptr{colstore_cutflow})::Cvoid
end

"""
    colstore_frame_cutflow(frame, options, out, flags, err)

What each cut of a frame does, in their order.

`options` and `flags` may be NULL. `*out` is a new cutflow: free it with `colstore_cutflow_free`.

Fails as `colstore_frame_count`.
"""
function colstore_frame_cutflow(frame, options, out, flags, err)
    return @ccall $(FUNCTIONS.colstore_frame_cutflow)(
        frame::Ptr{colstore_frame},
        options::Ptr{colstore_read_options},
        out::Ptr{Ptr{colstore_cutflow}},
        flags::Ptr{UInt32},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

# Configuration of the whole process

"""
    colstore_config_set(name, name_len, value, value_len, err)

Gives a setting of the whole process a value, both as text; it holds from the next call on, in all threads.
Settings change how calls are carried out, never what they result in.

- `max_threads` (`auto`, `1`, `2`, …): the most threads of a call that does not say
- `read_backend` (`mmap`, `pread`): how files are read that are opened without saying how
- `write_method` (`auto`, `pwrite`, `mmap`): how a new file is filled whose size is known
- `huge_pages` (`auto`, `off`): whether outputs that the library allocates ask for huge pages
- `numa_policy` (`auto`, `interleave`, `local`): where large outputs lie if there are several memory nodes
- `mask_density_gate` (`auto`, `0`, `0.01`, …): the share of rows below which the rows of a mask are jumped to
- `prefetch_distance` (`auto`, `0` to `16384`): how many rows ahead a gather asks for what it will need
- `lock_policy` (`auto`, `require`, `off`): what a writer does about the lock on its file, where it is not told

Until it is set, a setting has the value of the environment variable with its name in capitals, such as
`COLSTORE_MAX_THREADS`, or else the first one listed.

Fails with `INVALID_ARGUMENT` for a name or a value that there is not; the message says which there are.
"""
function colstore_config_set(name, name_len, value, value_len, err)
    return @ccall $(FUNCTIONS.colstore_config_set)(
        name::Ptr{UInt8},
        name_len::Csize_t,
        value::Ptr{UInt8},
        value_len::Csize_t,
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_config_get(name, name_len, out, capacity, len, err)

The value of a setting, as `colstore_config_set` takes it: `*len` bytes of text, without a NUL, at `out`.

`capacity` is the size of `out`. If it is 0, only the length is given, and `out` may be NULL.

Fails with `INVALID_ARGUMENT` for a name that there is not, and if the text is longer than `capacity`; no value
is longer than 64 bytes.
"""
function colstore_config_get(name, name_len, out, capacity, len, err)
    return @ccall $(FUNCTIONS.colstore_config_get)(
        name::Ptr{UInt8},
        name_len::Csize_t,
        out::Ptr{UInt8},
        capacity::Csize_t,
        len::Ptr{Csize_t},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_calibrate_threads(rounds, progress, threads, gigabytes_per_second, err)

Measures how fast random rows are gathered by every number of threads up to the default, in `rounds` rounds of
some 20 ms a number; 5 are enough on a quiet machine. Needs some 150 MB of memory.

`*threads` is the least number of threads that is within 3 % of the fastest, `*gigabytes_per_second` what that
many gather, in 10^9 bytes. Nothing is set by it: `colstore_config_set` of `max_threads` does that. `progress`
may be NULL; its reports are those of one measurement after the other.

Fails with `INVALID_ARGUMENT` unless `rounds` is positive, with `OUT_OF_MEMORY`, and with `CANCELLED` if the
progress was cancelled.
"""
function colstore_calibrate_threads(rounds, progress, threads, gigabytes_per_second, err)
    return @ccall $(FUNCTIONS.colstore_calibrate_threads)(
        rounds::Int32,
        progress::Ptr{colstore_progress},
        threads::Ptr{Int32},
        gigabytes_per_second::Ptr{Float64},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

"""
    colstore_machine(out, err)

Says what the machine has, as far as this process may use it (its affinity mask and quotas).
"""
function colstore_machine(out, err)
    return @ccall $(FUNCTIONS.colstore_machine)(
        out::Ptr{colstore_machine_info},
        err::Ptr{Ptr{colstore_error}},
    )::colstore_status
end

end # module LibColstore
