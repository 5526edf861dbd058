# Tables.jl, progress, settings.

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
    @test Colstore.read!(similar(columns.pt), table, :pt; progress = progress) == columns.pt
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
