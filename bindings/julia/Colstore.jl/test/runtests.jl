# Runs where Julia and the library are: `make test-julia`, or COLSTORE_LIBRARY=…/libcolstore.so and `Pkg.test()`.

using Colstore
using Dates
using Statistics
using Tables
using Test

const FOLDER = mktempdir()
const GOLDEN = joinpath(@__DIR__, "..", "..", "..", "..", "tests", "data", "golden")

file(name) = joinpath(FOLDER, name)

"The status of the ColstoreError that `f` throws."
function status_of(f)
    try
        f()
    catch error
        return error isa Colstore.ColstoreError ? error.status : error
    end
    return :OK
end

"A table of 100 rows in one record, and what is in it."
function sample()
    columns = (;
        pt = collect(1.0:100.0) ./ 4,
        n = Int32.(1:100) .% Int32(7),
        flag = [i % 3 == 0 for i in 1:100],
        name = ["row $i" for i in 1:100],
        time = DateTime(2024, 1, 1) .+ Minute.(1:100),
    )
    return Colstore.store(file("sample.cstore"), columns; mode = :recreate), columns
end

@testset "Colstore" begin
    @testset "library" begin
        @test Colstore.library_version() >= v"0.6.0"
        @test isfile(Colstore.LIBRARY_PATH[])
        @test_throws ErrorException Colstore.load_library(file("no_library.so"))
        LibColstore = Colstore.LibColstore
        @test all(
            getfield(LibColstore.FUNCTIONS, name) != C_NULL
            for name in fieldnames(LibColstore.Functions)
        )
    end

    @testset "store and open" begin
        table, columns = sample()
        @test size(table) == (100, 5)
        @test size(table, 1) == 100
        @test propertynames(table) == [:pt, :n, :flag, :name, :time]
        @test Colstore.column_names(table) == ["pt", "n", "flag", "name", "time"]
        @test Colstore.n_records(table) == 1
        @test Colstore.paths(table) == [file("sample.cstore")]
        @test eltype(Colstore.dtype(table, :pt)) === Float64
        @test eltype(Colstore.dtype(table, :name)) === Colstore.FixedText{7}
        @test Colstore.dtype(table, "time").text == "<M8[ms]"
        @test status_of(() -> Colstore.store(file("sample.cstore"), columns)) ===
            :ALREADY_EXISTS
        @test status_of(() -> Colstore.open(file("missing.cstore"))) === :NOT_FOUND
        error = try
            Colstore.open(file("missing.cstore"))
        catch caught
            caught
        end
        @test error.path == file("missing.cstore")
        @test error.os_code == 2
        @test occursin("NOT_FOUND", sprint(showerror, error))
        write(file("garbage.cstore"), rand(UInt8, 100))
        @test status_of(() -> Colstore.open(file("garbage.cstore"))) === :FORMAT
        info = Colstore.info(file("sample.cstore"))
        @test info.n_rows == 100
        @test info.names == ["pt", "n", "flag", "name", "time"]
        @test info.file_size == filesize(file("sample.cstore"))
        @test Colstore.open(size, file("sample.cstore"); backend = :pread) == (100, 5)
        @test_throws ArgumentError Colstore.open(file("sample.cstore"); advice = :quick)
        @test occursin("100 rows", sprint(show, table))
        @test occursin("pt  <f8", sprint(show, MIME"text/plain"(), table))
    end

    @testset "columns without a copy" begin
        table, columns = sample()
        pt = table.pt
        @test pt isa Colstore.ColumnView{Float64}
        @test pt == columns.pt
        @test sum(pt) == sum(columns.pt)
        @test pt[end] == columns.pt[end]
        @test_throws BoundsError pt[0]
        @test_throws BoundsError pt[101]
        @test_throws Exception setindex!(pt, 2.0, 1)
        @test table.flag == columns.flag
        @test table.n == columns.n
        @test view(table, 2:2:10, :pt) == columns.pt[2:2:10]
        @test view(table, 10:-3:1, :pt) == columns.pt[10:-3:1]
        @test (@view table[5:8, :n]) == columns.n[5:8]
        @test status_of(() -> view(table, [1, 5, 2], :pt)) === :NOT_CONTIGUOUS
        close(table)
        @test !isopen(table)
        GC.gc()
        GC.gc()
        @test pt == columns.pt
        @test_throws ArgumentError table.pt
    end

    @testset "rows" begin
        table, columns = sample()
        n = columns.n
        selections = Any[
            :,
            1:100,
            5:20,
            1:0,
            100:-1:1,
            1:7:100,
            99:-13:2,
            Base.OneTo(4),
            [3, 1, 3, 100],
            Int32[7, 8],
            UInt8[1],
            Int[],
            columns.flag,
            BitVector(columns.flag),
            falses(100),
            trues(100),
            view(columns.flag, :),
        ]
        for selection in selections
            @test table[selection, :n] == n[selection]
            @test table[selection, [:n, :pt]] ==
                (; n = n[selection], pt = columns.pt[selection])
            rows = Colstore.rows(table, selection)
            @test length(rows) == length(n[selection])
            @test collect(rows) == collect(1:100)[selection]
            @test table[rows, :n] == n[selection]
        end
        @test table[7, :n] === n[7]
        @test table[end, :pt] === columns.pt[end]
        @test table[7, [:n, :pt]] === (; n = n[7], pt = columns.pt[7])
        @test keys(table[1:2, :]) == (:pt, :n, :flag, :name, :time)
        @test table[1:2, 2] == n[1:2]
        for wrong in Any[
                0:3,
                99:101,
                [0],
                [101],
                [-1],
                [1, 2, 101],
                trues(99),
                fill(true, 101),
            ]
            @test_throws BoundsError table[wrong, :n]
        end
        @test_throws BoundsError table[0, :n]
        @test_throws BoundsError table[101, :n]
        @test_throws ArgumentError table[true, :n]
        @test status_of(() -> table[1:2, :no]) === :UNKNOWN_COLUMN
        @test status_of(() -> table.no) === :UNKNOWN_COLUMN
        evens = Colstore.rows(table, 2:2:100)
        @test collect(evens[[1, 50, 2]]) == [2, 100, 4]
        @test Colstore.is_range(Colstore.rows(table, [1, 2, 3]))
        @test !Colstore.is_range(Colstore.rows(table, [1, 5, 2]))
        other = Colstore.store(file("other.cstore"), (; n = 1:3); mode = :recreate)
        @test status_of(() -> other[evens, :n]) === :INVALID_ARGUMENT
        out = zeros(Int32, 3)
        @test Colstore.read!(out, table, :n, [4, 5, 9]) === out
        @test out == n[[4, 5, 9]]
        @test_throws DimensionMismatch Colstore.read!(out, table, :n)
        @test_throws ArgumentError Colstore.read!(zeros(3), table, :n, 1:3)
    end

    @testset "borrowed row numbers live as long as the selection" begin
        table, columns = sample()
        rows = Colstore.rows(table, [9, 1, 9, 50])
        for _ in 1:20
            GC.gc()
            fill(typemax(Int64), 1000)
        end
        @test table[rows, :n] == columns.n[[9, 1, 9, 50]]
    end

    @testset "values" begin
        if isdir(GOLDEN)
            # not there if the package was installed without its repository
            table = Colstore.open(joinpath(GOLDEN, "all_dtypes_single.cstore"))
            for name in propertynames(table)
                @test isequal(table[:, name], collect(Colstore.column(table, name)))
            end
        end
        numbers = (;
            i8 = Int8[1, -2], u64 = UInt64[1, typemax(UInt64)], f16 = Float16[
                1,
                2,
            ], f32 = Float32[1, 2], b = [true, false]
        )
        table = Colstore.store(file("numbers.cstore"), numbers; mode = :recreate)
        for name in keys(numbers)
            @test table[:, name] == numbers[name]
            @test eltype(table[:, name]) === eltype(numbers[name])
        end
    end

    @testset "text" begin
        bytes = Colstore.FixedBytes{6}
        @test String(bytes("ab")) == "ab"
        @test bytes("ab") == "ab"
        @test "ab" == bytes("ab")
        @test length(bytes("äb")) == 2
        @test collect(bytes("äb€")) == collect("äb€")
        @test ncodeunits(bytes("äb")) == 3
        @test isvalid(bytes("äb"), 1)
        @test !isvalid(bytes("äb"), 2)
        @test isvalid(bytes("äb"), 3)
        @test hash(bytes("ab")) == hash("ab")
        @test isempty(bytes(""))
        @test collect(bytes("a\xff")) == collect("a\xff")
        @test_throws ArgumentError bytes("seven b")
        text = Colstore.FixedText{3}
        @test text("ä€😀") == "ä€😀"
        @test length(text("ab")) == 2
        @test String(text("ab")) == "ab"
        @test_throws ArgumentError text("four")
        table = Colstore.store(
            file("text.cstore"),
            (; s = bytes.(["a", "", "äb"]), u = ["x", "", "€uro"]);
            mode = :recreate,
        )
        @test table.s == ["a", "", "äb"]
        @test table.u == ["x", "", "€uro"]
        @test table[3, :u] == "€uro"
        @test Colstore.dtype(table, :s).text == "|S6"
        @test Colstore.dtype(table, :u).text == "<U4"
    end

    @testset "times" begin
        dates = [Date(1969, 12, 31), Date(2024, 2, 29)]
        moments = [DateTime(2024, 2, 29, 12, 30, 1, 5), DateTime(1, 1, 1)]
        table = Colstore.store(
            file("times.cstore"),
            (; d = dates, t = moments, p = [Second(3), Second(-4)]);
            mode = :recreate,
        )
        @test table.d[1].count == -1
        @test DateTime.(table.d) == DateTime.(dates)
        @test DateTime.(table.t) == moments
        @test Dates.Period.(table.p) == [Second(3), Second(-4)]
        @test eltype(table.p) === Colstore.TimeDelta64{:s, 1}
        nat = Colstore.DateTime64{:ns, 1}(typemin(Int64))
        @test Colstore.isnat(nat)
        @test_throws ArgumentError DateTime(nat)
        @test DateTime(Colstore.DateTime64{:ns, 1}(-1)) ==
            DateTime(1969, 12, 31, 23, 59, 59, 999)
        @test DateTime(Colstore.DateTime64{:s, 25}(2)) == DateTime(1970, 1, 1, 0, 0, 50)
        @test DateTime(Colstore.DateTime64{:M, 1}(13)) == DateTime(1971, 2)
        @test Colstore.DateTime64{:s, 1}(1) < Colstore.DateTime64{:s, 1}(2)
        @test Colstore.DType("M8[25s]").multiplier == 25
        @test status_of(() -> Colstore.DType("O")) === :UNSUPPORTED_TYPE
    end

    @testset "reductions" begin
        table, columns = sample()
        @test sum(table, :pt) == sum(columns.pt)
        @test sum(table, :n) === Int64(sum(columns.n))
        @test sum(table, :flag) == 33
        @test minimum(table, :n) === minimum(columns.n)
        @test maximum(table, :pt; rows = 1:10) === 2.5
        @test maximum(table, :time) == Colstore.DateTime64(columns.time[end])
        @test mean(table, :pt) ≈ mean(columns.pt)
        @test var(table, :pt) ≈ var(columns.pt)
        @test var(table, :pt; corrected = false) ≈ var(columns.pt; corrected = false)
        @test std(table, :pt; rows = columns.flag) ≈ std(columns.pt[columns.flag])
        @test sum(table, :pt; rows = Int[]) == 0
        @test isnan(mean(table, :pt; rows = Int[]))
        @test_throws ArgumentError minimum(table, :pt; rows = Int[])
        @test status_of(() -> sum(table, :name)) === :UNSUPPORTED_TYPE
    end

    @testset "what is stored" begin
        source = collect(1.0:20.0)
        strided = Colstore.store(
            file("strided.cstore"),
            (; x = view(source, 20:-3:1));
            mode = :recreate,
        )
        @test strided.x == source[20:-3:1]
        again = Colstore.store(file("again.cstore"), strided; mode = :recreate)
        @test again.x == source[20:-3:1]
        lent = Colstore.store(
            file("lent.cstore"),
            ["y" => view(strided, 7:-2:1, :x)];
            mode = :recreate,
        )
        @test lent.y == source[20:-3:1][7:-2:1]
        ranges = Colstore.store(
            file("ranges.cstore"),
            (; i = 1:5, m = Any[1.0, 2.0, 3.0, 4.0, 5.0]);
            mode = :recreate,
        )
        @test ranges.i == 1:5
        @test eltype(ranges.m) === Float64
        empty = Colstore.store(
            file("empty.cstore"),
            (; x = Float64[], s = String[]);
            mode = :recreate,
        )
        @test size(empty) == (0, 2)
        @test isempty(empty.x)
        @test isempty(empty.s)
        @test_throws ArgumentError Colstore.store(file("bad.cstore"), (; x = [1, missing]))
        @test_throws ArgumentError Colstore.store(file("bad.cstore"), (; x = [1 + 2im]))
        @test_throws ArgumentError Colstore.store(file("bad.cstore"), ["x" => 3])
        @test_throws ArgumentError Colstore.store(
            file("bad.cstore"),
            (; x = Union{Int8, Int16}[Int8(1), Int16(2)]),
        )
        @test status_of(() -> Colstore.store(file("bad.cstore"), (; x = 1:2, y = 1:3))) ===
            :INVALID_ARGUMENT
        @test !isfile(file("bad.cstore"))
        nul = Colstore.store(file("nul.cstore"), ["a\0b" => [1]]; mode = :recreate)
        @test Colstore.column_names(nul) == ["a\0b"]
        @test nul[:, "a\0b"] == [1]
        @test Colstore.column(nul, Symbol("a\\0b")) == [1]
    end

    @testset "many files" begin
        folder = mkpath(file("shards"))
        for i in [1, 2, 10]
            Colstore.store(
                joinpath(folder, "run_$i.cstore"),
                (; x = fill(i, i));
                mode = :recreate,
            )
        end
        whole = Colstore.open(folder)
        @test size(whole, 1) == 13
        @test basename.(Colstore.paths(whole)) ==
            ["run_1.cstore", "run_2.cstore", "run_10.cstore"]
        @test whole.x isa Vector{Int}
        @test whole.x == [fill(1, 1); fill(2, 2); fill(10, 10)]
        @test whole[2:3, :x] isa Vector
        @test view(whole, 2:3, :x) == [2, 2]
        @test status_of(() -> view(whole, 1:3, :x)) === :NOT_CONTIGUOUS
        @test size(Colstore.open(joinpath(folder, "run_1*.cstore"))) == (11, 1)
        @test status_of(() -> Colstore.open(joinpath(folder, "no*.cstore"))) === :NOT_FOUND
        Colstore.store(joinpath(folder, "run_11.cstore"), (; x = [1], y = [2]))
        @test status_of(() -> Colstore.open(folder)) === :INVALID_ARGUMENT
        loose = Colstore.open(folder; on_mismatch = :drop)
        @test Colstore.dropped(loose) == ["y"]
        @test size(vcat(whole, whole)) == (26, 1)
    end

    @testset "copies" begin
        table, columns = sample()
        twice = vcat(table, table)
        @test Colstore.record_rows(twice) == [100, 100]
        copied = Colstore.store(file("copy.cstore"), twice; statistics = true)
        @test size(copied) == (200, 5)
        @test Colstore.record_rows(copied) == [200]
        @test copied.n == [columns.n; columns.n]
        @test copied.name == [columns.name; columns.name]
        @test status_of(() -> Colstore.store(file("copy.cstore"), twice)) ===
            :ALREADY_EXISTS
        @test status_of(
            () -> Colstore.store(file("copy.cstore"), copied; mode = :recreate),
        ) ===
            :INVALID_ARGUMENT
        close(table)
        @test_throws ArgumentError Colstore.store(file("closed.cstore"), table)
        parts = file("parts.cstore")
        Colstore.create(parts) do writer
            append!(writer, (; x = 1:3))
            append!(writer, (; x = 4:5))
        end
        old = Colstore.open(parts)
        @test Colstore.compact(parts; out = file("compact.cstore")) === nothing
        @test Colstore.record_rows(Colstore.open(file("compact.cstore"))) == [5]
        @test Colstore.record_rows(Colstore.open(parts)) == [3, 2]
        Colstore.compact(parts; statistics = true)
        @test Colstore.open(parts).x == 1:5
        @test Colstore.n_records(Colstore.open(parts)) == 1
        @test old[:, :x] == 1:5
        @test status_of(() -> Colstore.compact(file("missing.cstore"))) === :NOT_FOUND
    end

    @testset "writers" begin
        path = file("written.cstore")
        result = Colstore.create(path; statistics = true) do writer
            @test status_of(() -> Colstore.column_names(writer)) === :INVALID_ARGUMENT
            @test append!(writer, (; x = [1.0, 2.0], y = [3.0, 4.0])) === writer
            @test Colstore.column_names(writer) == ["x", "y"]
            @test Colstore.dtype(writer, :y).text == "<f8"
            @test isopen(writer)
            @test Colstore.info(writer) ==
                (;
                n_records = 1,
                n_rows = 2,
                mode = :create,
                is_locked = true,
                is_closed = false,
            )
            @test status_of(() -> Colstore.update(path)) === :LOCKED
            @test status_of(() -> append!(writer, (; x = [1.0]))) === :INVALID_ARGUMENT
            @test Colstore.append_packed!(writer, 3, [5.0 8.0; 6.0 9.0; 7.0 10.0]) ===
                writer
            @test_throws ArgumentError Colstore.append_packed!(writer, 1, Any[1.0, 2.0])
            @test status_of(() -> Colstore.append_packed!(writer, 3, [1.0])) ===
                :INVALID_ARGUMENT
            @test occursin("5 rows in 2 records", sprint(show, writer))
            "what the function returns"
        end
        @test result == "what the function returns"
        table = Colstore.open(path)
        @test Colstore.record_rows(table) == [2, 3]
        @test table.x == [1, 2, 5, 6, 7]
        @test table.y == [3, 4, 8, 9, 10]

        @test status_of(() -> Colstore.create(path)) === :ALREADY_EXISTS
        @test status_of(() -> Colstore.update(file("missing.cstore"))) === :NOT_FOUND
        @test_throws ArgumentError Colstore.create(file("bad.cstore"); lock = :perhaps)
        Colstore.update(path) do writer
            append!(writer, table)
        end
        @test size(Colstore.open(path), 1) == 10

        # What an exception leaves: what was committed before it.
        @test_throws ErrorException("enough") Colstore.update(path) do writer
            append!(writer, (; x = [1.0], y = [1.0]))
            Colstore.commit(writer)
            @test size(Colstore.open(path), 1) == 11
            append!(writer, (; x = [2.0], y = [2.0]))
            error("enough")
        end
        @test size(Colstore.open(path), 1) == 11
        @test_throws ErrorException("at once") Colstore.create(file(
            "none.cstore",
        )) do writer
            append!(writer, (; x = [1.0]))
            error("at once")
        end
        @test !isfile(file("none.cstore"))
        @test_throws ErrorException Colstore.recreate(path) do writer
            append!(writer, (; z = [1.0]))
            error("the old file stays")
        end
        @test size(Colstore.open(path)) == (11, 2)
        Colstore.recreate(writer -> append!(writer, (; z = 1:4)), path; lock = :auto)
        @test Colstore.open(path).z == 1:4

        writer = Colstore.update(path)
        append!(writer, (; z = 5:6))
        close(writer)
        close(writer)
        Colstore.abandon(writer)
        @test !isopen(writer)
        @test occursin("closed", sprint(show, writer))
        @test status_of(() -> append!(writer, (; z = [7]))) === :INVALID_ARGUMENT
        @test Colstore.open(path).z[:] == 1:6

        # Nobody closes this one.
        let forgotten = Colstore.update(path)
            append!(forgotten, (; z = [7]))
            finalize(forgotten.handle)
        end
        @test size(Colstore.open(path), 1) == 6

        # Calls take turns, whoever makes them, and callbacks may allocate meanwhile.
        shared = file("shared.cstore")
        progress = Colstore.Progress((done, total) -> GC.gc(false))
        Colstore.create(shared; progress = progress) do writer
            @sync for i in 1:8
                Threads.@spawn append!(writer, (; x = fill(i, 10^5)))
            end
            @test Colstore.info(writer).n_records == 8
        end
        @test sum(Colstore.open(shared), :x) == 36 * 10^5
        using_it = Ref{Any}(nothing)
        nosy = Colstore.Progress((done, total) -> Colstore.info(using_it[]))
        @test_throws ArgumentError Colstore.update(shared; progress = nosy) do writer
            using_it[] = writer
            append!(writer, (; x = collect(1:(10^6))))
        end

        throwing = Colstore.Progress((done, total) -> error("stop"))
        @test_throws ErrorException("stop") Colstore.update(
            path;
            progress = throwing,
        ) do writer
            append!(writer, (; z = collect(1:(10^6))))
        end
        @test size(Colstore.open(path), 1) == 6
    end

    @testset "shards" begin
        folder = file("run")
        columns = (; x = 1:3, s = Colstore.FixedText{4}.(["a", "b", "c"]))
        first_path = Colstore.append(folder, columns)
        @test dirname(first_path) == folder
        @test endswith(first_path, ".cstore")
        table = Colstore.open(first_path)
        @test table.x == 1:3
        second_path = Colstore.append(folder, columns; name = "late_{index}.cstore")
        @test startswith(basename(second_path), "late_")
        @test status_of(() -> Colstore.append(folder, table)) === :INVALID_ARGUMENT
        @test status_of(() -> Colstore.append(folder, (; x = 1:3))) === :INVALID_ARGUMENT
        elsewhere = Colstore.store(file("elsewhere.cstore"), columns; mode = :recreate)
        @test isfile(Colstore.append(folder, elsewhere; statistics = true))
        @test size(Colstore.open(folder), 1) == 9

        result = Colstore.appender(folder; shard_rows = 5) do appender
            @test append!(appender, columns) === appender
            @test Colstore.info(appender) ==
                (;
                n_shards = 0,
                pending_rows = 3,
                is_locked = true,
                is_closed = false,
            )
            @test status_of(() -> Colstore.append(folder, columns)) === :LOCKED
            append!(appender, elsewhere)
            @test Colstore.info(appender).n_shards == 1
            @test flush(appender) === nothing
            append!(appender, columns)
            @test isfile(flush(appender))
            append!(appender, columns)
            @test occursin("2 shards, 3 rows", sprint(show, appender))
            1
        end
        @test result == 1
        @test size(Colstore.open(folder), 1) == 9 + 12
        @test_throws ErrorException("enough") Colstore.appender(folder) do appender
            append!(appender, columns)
            flush(appender)
            append!(appender, columns)
            error("enough")
        end
        @test size(Colstore.open(folder), 1) == 24
        appender = Colstore.appender(folder)
        append!(appender, columns)
        @test isfile(close(appender))
        @test close(appender) === nothing
        @test !isopen(appender)
        Colstore.abandon(appender)
        @test status_of(() -> append!(appender, columns)) === :INVALID_ARGUMENT
        @test status_of(() -> Colstore.appender(folder; name = "no/slash.cstore")) ===
            :INVALID_ARGUMENT
        @test status_of(
            () -> Colstore.appender(folder; shard_rows = 1, shard_bytes = 1),
        ) ===
            :INVALID_ARGUMENT
    end

    @testset "verify and recover" begin
        sample()
        report = Colstore.verify(file("sample.cstore"); deep = true)
        @test Colstore.is_sound(report)
        @test isempty(report.findings)
        @test (report.n_files, report.n_records, report.n_rows) == (1, 1, 100)
        @test report.n_value_bytes > 0
        write(file("damaged.cstore"), read(file("sample.cstore"))[1:(end - 1000)])
        damaged = Colstore.verify(file("damaged.cstore"))
        @test !Colstore.is_sound(damaged)
        @test damaged.findings[1].severity === :error
        @test damaged.findings[1].path == file("damaged.cstore")
        @test occursin("1 files", sprint(show, damaged))
        @test occursin("error", sprint(show, damaged.findings[1]))
        @test status_of(() -> Colstore.verify(file("missing.cstore"))) === :NOT_FOUND
        if isdir(GOLDEN)
            path = file("crashed.cstore")
            cp(joinpath(GOLDEN, "crashed_update_torn.cstore"), path; force = true)
            found = Colstore.verify(path)
            @test Colstore.is_sound(found)
            @test [finding.code for finding in found.findings] ==
                ["orphan-records", "trailing-bytes"]
            @test found.findings[1].record == 2
            @test found.findings[2].record === nothing
            @test found.findings[2].offset == 440
            listed = Colstore.recover(path)
            @test listed.action === :listed
            @test listed.counters === :intact
            @test (listed.committed_records, listed.whole_records) == (2, 3)
            @test (listed.committed_rows, listed.whole_rows) == (11, 20)
            @test listed.tail_bytes == 27
            @test listed.statistics_offset === nothing
            @test !listed.may_lose_committed
            copied = Colstore.recover(path; out = file("recovered.cstore"))
            @test copied.action === :copied
            @test size(Colstore.open(file("recovered.cstore")), 1) == 20
            @test status_of(
                () -> Colstore.recover(path; out = file("recovered.cstore")),
            ) ===
                :ALREADY_EXISTS
            @test size(Colstore.open(path), 1) == 11
            @test Colstore.recover(path; commit = true).action === :committed
            @test size(Colstore.open(path), 1) == 20
            @test Colstore.recover(path; commit = true).action === :unchanged
        end
        @test status_of(
            () -> Colstore.recover(file("sample.cstore"); commit = true, out = file("x")),
        ) ===
            :INVALID_ARGUMENT
    end

    @testset "Tables.jl" begin
        table, columns = sample()
        @test Tables.istable(table)
        @test Tables.columnaccess(table)
        @test Tables.schema(table).names == (:pt, :n, :flag, :name, :time)
        @test Tables.schema(table).types[2] === Int32
        @test Tables.getcolumn(table, 2) == columns.n
        @test Tables.columntable(table).pt == columns.pt
        @test [row.n for row in Tables.rows(table)] == columns.n
        @test Tables.rowcount(table) == 100
    end

    @testset "progress" begin
        table, columns = sample()
        heard = Tuple{Int, Int}[]
        progress = Colstore.Progress((done, total) -> push!(heard, (done, total)))
        @test Colstore.read!(similar(columns.pt), table, :pt; progress = progress) ==
            columns.pt
        @test !isempty(heard)
        @test heard[end][1] == heard[end][2]
        Colstore.cancel!(progress)
        @test status_of(
            () -> Colstore.read!(similar(columns.pt), table, :pt; progress = progress),
        ) ===
            :CANCELLED
        throwing = Colstore.Progress((done, total) -> error("enough"))
        @test_throws ErrorException("enough") Colstore.store(
            file("cut.cstore"),
            (; x = rand(10^6));
            progress = throwing,
        )
        @test !isfile(file("cut.cstore"))
    end

    @testset "settings" begin
        before = Colstore.config(:max_threads)
        Colstore.config!(:max_threads, 1)
        @test Colstore.config("max_threads") == "1"
        Colstore.config!(:max_threads, before)
        @test Colstore.config(:lock_policy) in ("auto", "require", "off")
        @test Colstore.config(:write_method) in ("auto", "pwrite", "mmap")
        @test status_of(() -> Colstore.config!(:no, 1)) === :INVALID_ARGUMENT
        @test Colstore.machine().logical_cores >= 1
        @test_throws Colstore.ColstoreError Colstore.calibrate_threads(0)
    end

    @testset "a file that is cut short" begin
        for backend in (:mmap, :pread)
            path = file("cut_$backend.cstore")
            Colstore.store(path, (; x = rand(10^5)); mode = :recreate)
            table = Colstore.open(path; backend = backend)
            Base.open(io -> truncate(io, 10^5), path, "r+")
            @test status_of(() -> table[:, :x]) === :IO
            @test status_of(() -> table[10^5 .- (0:7:700), :x]) === :IO
        end
    end

    @testset "the garbage collector at every step" begin
        sample()
        for _ in 1:20
            table = Colstore.open(file("sample.cstore"))
            GC.gc()
            pt = table.pt
            backwards = view(table, 100:-3:1, :pt)
            rows = Colstore.rows(table, rand(1:100, 50))
            inner = rows[rand(1:50, 10)]
            numbers = collect(inner)
            close(table)
            close(table)
            table = nothing
            GC.gc()
            @test sum(pt) == sum(1:100) / 4
            @test backwards[1] == 25.0
            @test collect(inner) == numbers
            heard = Ref(0)
            stored = Colstore.store(
                file("gc.cstore"),
                [
                    "a" => pt,
                    "b" => backwards[1:1][fill(1, 100)],
                    "c" => ["$i" for i in 1:100],
                ];
                mode = :recreate,
                progress = Colstore.Progress((done, total) -> (GC.gc(false); heard[] += 1)),
            )
            GC.gc()
            @test stored[inner, :a] == pt[numbers]
            @test stored.c[100] == "100"
            @test heard[] > 0
        end
    end

    @testset "many threads and finalizers" begin
        _, columns = sample()
        sums = fetch.([
            Threads.@spawn begin
                total = 0.0
                for _ in 1:50
                    total += sum(Colstore.open(file("sample.cstore")).pt)
                end
                total
            end
            for _ in 1:8
        ])
        GC.gc()
        @test all(==(50 * sum(columns.pt)), sums)
    end
end
