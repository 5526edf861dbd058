# Files that shrink, the garbage collector, threads.

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
            ["a" => pt, "b" => backwards[1:1][fill(1, 100)], "c" => ["$i" for i in 1:100]];
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
