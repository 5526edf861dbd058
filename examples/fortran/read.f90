! Reads a column of doubles of a .cstore file from Fortran, and prints its sum, by the C interface and iso_c_binding.
!
! From the top of the repository:
!
!     cargo build --release -p colstore-ffi
!     gfortran examples/fortran/read.f90 -Ltarget/release -lcolstore -o read
!     LD_LIBRARY_PATH=target/release ./read FILE.cstore COLUMN

module colstore
    use, intrinsic :: iso_c_binding
    implicit none

    integer(c_int32_t), parameter :: EXPECTED_ABI_VERSION = 1, STATUS_OK = 0

    ! Only what is needed here; include/colstore.h has the rest. `const char *text, size_t len` is a character array and
    ! its length, a handle is a c_ptr, and a place for one a c_ptr by reference.
    interface
        function colstore_abi_version() bind(c)
            import
            integer(c_int32_t) :: colstore_abi_version
        end function

        function colstore_table_open(path, path_len, options, table, err) bind(c)
            import
            character(kind=c_char), intent(in) :: path(*)
            integer(c_size_t), value :: path_len
            type(c_ptr), value :: options
            type(c_ptr), intent(inout) :: table, err
            integer(c_int32_t) :: colstore_table_open
        end function

        function colstore_table_schema(table, schema, err) bind(c)
            import
            type(c_ptr), value :: table
            type(c_ptr), intent(inout) :: schema, err
            integer(c_int32_t) :: colstore_table_schema
        end function

        function colstore_schema_find(schema, name, len, position, err) bind(c)
            import
            type(c_ptr), value :: schema
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: len
            integer(c_size_t), intent(inout) :: position
            type(c_ptr), intent(inout) :: err
            integer(c_int32_t) :: colstore_schema_find
        end function

        function colstore_table_n_rows(table, n_rows, err) bind(c)
            import
            type(c_ptr), value :: table
            integer(c_int64_t), intent(inout) :: n_rows
            type(c_ptr), intent(inout) :: err
            integer(c_int32_t) :: colstore_table_n_rows
        end function

        function colstore_table_read_column( &
            table, column, start, stop, options, out, out_size, err) bind(c)
            import
            type(c_ptr), value :: table, options
            integer(c_size_t), value :: column, out_size
            integer(c_int64_t), value :: start, stop
            real(c_double), intent(out) :: out(*)
            type(c_ptr), intent(inout) :: err
            integer(c_int32_t) :: colstore_table_read_column
        end function

        function colstore_error_message(error, len) bind(c)
            import
            type(c_ptr), value :: error
            integer(c_size_t), intent(inout) :: len
            type(c_ptr) :: colstore_error_message
        end function

        subroutine colstore_schema_free(schema) bind(c)
            import
            type(c_ptr), value :: schema
        end subroutine

        subroutine colstore_table_free(table) bind(c)
            import
            type(c_ptr), value :: table
        end subroutine
    end interface

contains

    ! Ends the program with the library's message if a call failed.
    subroutine check(status, err)
        integer(c_int32_t), intent(in) :: status
        type(c_ptr), intent(in) :: err
        character(kind=c_char), pointer :: message(:)
        type(c_ptr) :: start
        integer(c_size_t) :: len, i

        if (status == STATUS_OK) return
        len = 0
        start = colstore_error_message(err, len)
        call c_f_pointer(start, message, [len])
        write (*, '(*(a))') 'read: ', (message(i), i=1, len)
        stop 1
    end subroutine

end module

program read
    use colstore
    implicit none

    character(len=4096) :: path, name
    type(c_ptr) :: table = c_null_ptr, schema = c_null_ptr, err = c_null_ptr
    integer(c_int32_t) :: status
    integer(c_size_t) :: column = 0
    integer(c_int64_t) :: n_rows = 0
    real(c_double), allocatable :: values(:)

    if (colstore_abi_version() /= EXPECTED_ABI_VERSION) error stop 'read: the library has another ABI'
    if (command_argument_count() /= 2) error stop 'usage: read FILE.cstore COLUMN'
    call get_command_argument(1, path)
    call get_command_argument(2, name)

    status = colstore_table_open(trim(path), len_trim(path, c_size_t), c_null_ptr, table, err)
    call check(status, err)
    status = colstore_table_schema(table, schema, err)
    call check(status, err)
    status = colstore_schema_find(schema, trim(name), len_trim(name, c_size_t), column, err)
    call check(status, err)
    status = colstore_table_n_rows(table, n_rows, err)
    call check(status, err)

    ! The size is checked: a column of other than 8 bytes a value is refused. A schema tells the dtype.
    allocate (values(n_rows))
    status = colstore_table_read_column( &
        table, column, 0_c_int64_t, n_rows, c_null_ptr, values, 8 * int(n_rows, c_size_t), err)
    call check(status, err)
    write (*, '(a, i0, a, g0)') 'rows: ', n_rows, ', sum: ', sum(values)

    call colstore_schema_free(schema)
    call colstore_table_free(table)
end program
