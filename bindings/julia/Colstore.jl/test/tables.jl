# Opening, columns without a copy, rows.

@testset "library" begin
    @test Colstore.library_version() >= v"0.6.0"
    @test isfile(Colstore.LIBRARY_PATH[])
    @test_throws ErrorException Colstore.load_library(file("no_library.so"))
    LibColstore = Colstore.LibColstore
    @test all(
        getfield(LibColstore.FUNCTIONS, name) != C_NULL
        for name in fieldnames(LibColstore.Functions)
    )
    @test isempty(Test.detect_ambiguities(Colstore))
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
    for wrong in Any[0:3, 99:101, [0], [101], [-1], [1, 2, 101], trues(99), fill(true, 101)]
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
