# Writing record by record, and files of a directory.

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
        @test Colstore.append_packed!(writer, 3, [5.0 8.0; 6.0 9.0; 7.0 10.0]) === writer
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
    @test_throws ErrorException("at once") Colstore.create(file("none.cstore")) do writer
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
    @test_throws ErrorException("stop") Colstore.update(path; progress = throwing) do writer
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
    @test status_of(() -> Colstore.appender(folder; shard_rows = 1, shard_bytes = 1)) ===
        :INVALID_ARGUMENT
end
