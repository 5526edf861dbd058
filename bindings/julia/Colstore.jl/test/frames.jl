# Columns and cuts of one's own over a table.

@testset "columns of frames" begin
    table, columns = sample()
    pt, n = columns.pt, columns.n
    frame = Colstore.edit(table)
    @test propertynames(frame) == propertynames(table)
    @test size(frame) == (100, 5)
    @test !Colstore.has_selection(frame)
    @test Colstore.assign!(frame, :pt2 => col(:pt)^2, "one" => 1, :n => col(:n) * 2) ===
        frame
    @test Colstore.column_names(frame) == ["pt", "n", "flag", "name", "time", "pt2", "one"]
    @test frame[:pt2] == pt.^2
    @test frame.n == 2 .* n
    @test frame["one"] == fill(1, 100)
    @test Colstore.dtype(frame, :pt2).text == "<f8"
    @test Colstore.dtype(frame, col(:n) > 1).text == "|b1"
    @test Colstore.dtype(frame, 1).text == "<f8"
    frame[:same] = :pt
    @test frame[:same] == pt
    before = Colstore.col(frame, :n)
    frame[:n] = col(:n) + 1
    frame[:old] = before
    @test frame[[:n, :old]] == (; n = 2 .* n .+ 1, old = 2 .* n)
    @test Colstore.evaluate(frame, Colstore.resolve(frame, col(:old) - col(:n))) ==
        fill(-1, 100)
    @test Colstore.drop!(frame, :flag, "name") === frame
    Colstore.drop!(frame, [:one])
    Colstore.rename!(frame, :pt2 => :squared, "time" => "t")
    Colstore.cast!(frame, :squared => Float32, :old => "i8")
    @test propertynames(frame) == [:pt, :n, :t, :squared, :same, :old]
    @test eltype(frame.squared) === Float32
    @test eltype(frame.old) === Int64
    picked = Colstore.select(frame, :old, :pt)
    @test propertynames(picked) == [:old, :pt]
    @test propertynames(frame) == [:pt, :n, :t, :squared, :same, :old]
    @test propertynames(Colstore.drop(frame, :old)) == [:pt, :n, :t, :squared, :same]
    @test propertynames(Colstore.rename(picked, :old => :new)) == [:new, :pt]
    @test Colstore.assign(picked, :pt => 0.5)[:pt] == fill(0.5, 100)
    @test eltype(Colstore.cast(picked, :pt => Float16)[:pt]) === Float16
    @test picked[:pt] == pt
    @test status_of(() -> Colstore.drop!(frame, :no)) === :KEY
    @test status_of(() -> Colstore.assign!(frame, :x => col(:no))) === :KEY
    @test status_of(() -> Colstore.select!(frame, :n, :n)) === :VALUE
    @test status_of(() -> Colstore.rename!(frame, :n => :pt)) === :VALUE
    @test status_of(() -> Colstore.cast!(frame, :n => "O")) === :UNSUPPORTED_TYPE
    @test status_of(() -> frame[:no]) === :UNKNOWN_COLUMN
    @test propertynames(frame) == [:pt, :n, :t, :squared, :same, :old]
    close(table)
    @test frame[:pt] == pt
    @test occursin("100 rows and 6 columns", sprint(show, frame))
    @test occursin("squared  <f4", sprint(show, MIME"text/plain"(), frame))
end

@testset "cuts" begin
    table, columns = sample()
    pt, n = columns.pt, columns.n
    frame = Colstore.edit(table)
    @test Colstore.cut!(frame, col(:pt) > 5; name = "high") === frame
    Colstore.cut!(frame, "n in @kinds"; kinds = [1, 2], weight = :pt)
    kept = findall((pt .> 5) .& in.(n, Ref((1, 2))))
    @test Colstore.has_selection(frame)
    @test length(frame) == count(frame) == size(frame, 1) == length(kept)
    @test collect(Colstore.rows(frame)) == kept
    @test table[Colstore.rows(frame), :name] == columns.name[kept]
    @test frame[:pt] == pt[kept]
    @test frame[2:4, :n] == n[kept][2:4]
    @test frame[2:4, [:n, :pt]] == (; n = n[kept][2:4], pt = pt[kept][2:4])
    @test frame[3, :pt] === pt[kept][3]
    @test frame[end, :pt] === pt[kept][end]
    @test frame[1, [:n, :flag]] === (; n = n[kept][1], flag = columns.flag[kept][1])
    @test isempty(frame[4:3, :pt])
    @test_throws BoundsError frame[0, :pt]
    @test_throws BoundsError frame[1:(length(kept) + 1), :pt]
    @test_throws ArgumentError frame[true, :pt]
    @test Colstore.evaluate(frame, col(:pt) * 2) == 2 .* pt[kept]
    @test Colstore.evaluate(frame, :n; ignore_cuts = true) == n
    @test Colstore.evaluate(frame, col(:flag)) == columns.flag[kept]
    @test sum(frame, :pt) == sum(pt[kept])
    @test sum(frame, col(:n) * 2) == 2 * sum(n[kept])
    @test minimum(frame, "n") === minimum(n[kept])
    @test maximum(frame, :time) == Colstore.DateTime64(columns.time[kept[end]])
    @test mean(frame, col(:pt) + 1) ≈ mean(pt[kept]) + 1
    @test var(frame, :pt) ≈ var(pt[kept])
    @test std(frame, :pt; corrected = false) ≈ std(pt[kept]; corrected = false)
    @test Colstore.records(frame, [:pt]) == reshape(pt[kept], 1, :)
    bytes = Colstore.records(frame, [:n, :pt]; rows = 1:2)
    @test size(bytes) == (12, 2)
    @test reinterpret(Int32, bytes[1:4, 2]) == n[kept][2:2]
    both = Colstore.records(Colstore.assign(frame, :twice => col(:pt) * 2), [:pt, :twice])
    @test both == permutedims([pt[kept] 2 .* pt[kept]])
    other = copy(frame)
    Colstore.cut!(other, col(:pt) < 0)
    @test length(other) == 0
    @test_throws ArgumentError minimum(other, :pt)
    @test isnan(mean(other, :pt))
    @test length(frame) == length(kept)
    @test length(Colstore.cut(frame, "pt > @p"; p = 20)) == count(>(20), pt[kept])
    @test length(frame) == length(kept)
    @test status_of(() -> Colstore.cut!(frame, col(:pt) + 1)) === :QUERY
    @test status_of(() -> Colstore.cut!(frame, "flag"; weight = :no)) === :KEY
    some = Colstore.edit(table; rows = 10:-1:1)
    @test Colstore.has_selection(some)
    @test some[:pt] == pt[10:-1:1]
    queried = Colstore.edit(table; rows = Colstore.query(table, "flag"))
    @test queried[:n] == n[columns.flag]
end

@testset "cutflows" begin
    table, columns = sample()
    pt, n = columns.pt, columns.n
    frame = Colstore.edit(table)
    @test isempty(Colstore.cutflow(frame))
    Colstore.cut!(frame, col(:pt) > 5)
    Colstore.cut!(frame, col(:n) < 3; name = "few", weight = col(:pt) * 2)
    report = Colstore.cutflow(frame)
    @test report isa AbstractVector{Colstore.CutRecord}
    @test length(report) == 2
    high = pt .> 5
    @test report[1].label === nothing
    @test report[1].condition == "pt > 5"
    @test (report[1].entering, report[1].passing) == (100, count(high))
    @test report[1].weighted_entering === nothing
    @test report[2].label == "few"
    @test report[2].entering == count(high)
    @test report[2].passing == length(frame)
    @test report[2].weighted_entering ≈ 2 * sum(pt[high])
    @test report[2].weighted_variance ≈ sum(abs2, 2 .* pt[high .& (n .< 3)])
    @test Colstore.efficiency(report[1]) == count(high) / 100
    @test Colstore.weighted_efficiency(report[1]) === nothing
    @test 0 < Colstore.weighted_efficiency(report[2]) < 1
    shown = sprint(show, MIME"text/plain"(), report)
    @test occursin("few", shown)
    @test occursin("pt > 5", shown)
    @test occursin("$(count(high))", shown)
end

@testset "batches" begin
    table, columns = sample()
    frame = Colstore.edit(table)
    Colstore.assign!(frame, :twice => col(:pt) * 2)
    Colstore.cut!(frame, "n != 0")
    kept = findall(columns.n .!= 0)
    pieces = Colstore.batches(frame, [:n, :twice, :name]; rows = 30)
    Colstore.cut!(frame, "pt < 0")
    @test length(pieces) == cld(length(kept), 30)
    for _ in 1:2
        found, twice, names = Int32[], Float64[], String[]
        for batch in pieces
            @test keys(batch) == (:n, :twice, :name)
            append!(found, batch.n)
            append!(twice, batch.twice)
            append!(names, String.(batch.name))
        end
        @test found == columns.n[kept]
        @test twice == 2 .* columns.pt[kept]
        @test names == columns.name[kept]
    end
    addresses = [pointer(batch.n) for batch in pieces]
    @test length(unique(addresses)) == 1
    @test isempty(collect(Colstore.batches(frame)))
    @test keys(first(Colstore.batches(Colstore.edit(table)))) == Tuple(propertynames(table))
    @test_throws ArgumentError Colstore.batches(frame; rows = 0)
    @test occursin("pieces", sprint(show, pieces))
end

@testset "memory as columns" begin
    table, columns = sample()
    frame = Colstore.edit(table)
    # Nobody but the frame knows these vectors.
    Colstore.assign!(
        frame,
        :w => collect(1.0:100.0),
        :s => view(collect(1:200), 2:2:200),
        :d => [Date(2024, 1, 1) + Day(i) for i in 1:100],
        :text => ["text $i" for i in 1:100],
        :lent => table.pt,
        :bits => trues(100),
    )
    made = Colstore.col(frame, :w) * 2
    for _ in 1:10
        GC.gc()
        fill(NaN, 1000)
    end
    @test frame[:w] == 1.0:100.0
    @test frame[:s] == 2:2:200
    @test DateTime(frame[100, :d]) == DateTime(2024, 4, 10)
    @test frame[100, :text] == "text 100"
    @test frame[:lent] == columns.pt
    @test all(frame[:bits])
    Colstore.cut!(frame, col(:w) > 50; weight = collect(1.0:100.0))
    clone = copy(frame)
    cut_only = Colstore.select(clone, :n)
    frame = nothing
    clone = nothing
    for _ in 1:10
        GC.gc()
        fill(NaN, 1000)
    end
    @test length(cut_only) == 50
    @test cut_only[:n] == columns.n[51:100]
    again = Colstore.edit(table)
    Colstore.assign!(again, :m => made)
    made = nothing
    GC.gc()
    @test again[:m] == 2.0:2.0:200.0
    @test status_of(() -> Colstore.assign!(again, :short => [1, 2])) === :VALUE
    @test_throws ArgumentError Colstore.assign!(again, :none => Any[missing for _ in 1:100])
    filled = collect(1.0:100.0)
    Colstore.assign!(again, :filled => filled)
    if VERSION < v"1.11"
        @test_throws ErrorException push!(filled, 1.0)
    else
        append!(filled, zeros(10^5))
        GC.gc()
    end
    @test again[:filled] == 1.0:100.0
    half = Colstore.edit(table; rows = 1:50)
    Colstore.assign!(half, :w => collect(1:50))
    @test sum(half, :w) == sum(1:50)
end

@testset "frames to files and to Tables.jl" begin
    table, columns = sample()
    frame = Colstore.edit(table)
    Colstore.assign!(frame, :twice => col(:pt) * 2)
    Colstore.cut!(frame, "flag")
    stored = Colstore.store(
        file("frame.cstore"),
        frame;
        mode = :recreate,
        statistics = true,
    )
    @test propertynames(stored) == [:pt, :n, :flag, :name, :time, :twice]
    @test stored.twice == 2 .* columns.pt[columns.flag]
    @test status_of(() -> Colstore.store(file("frame.cstore"), frame)) === :ALREADY_EXISTS
    @test Tables.istable(frame)
    @test Tables.columntable(frame).n == columns.n[columns.flag]
    @test Tables.schema(frame).names == (:pt, :n, :flag, :name, :time, :twice)
    @test Tables.schema(frame).types[6] === Float64
    @test Tables.rowcount(frame) == 33
    @test [row.n for row in Tables.rows(frame)] == columns.n[columns.flag]
    progress = Colstore.Progress()
    Colstore.cancel!(progress)
    fresh = Colstore.edit(table)
    Colstore.cut!(fresh, "pt > 3")
    @test status_of(() -> count(fresh; progress = progress)) === :CANCELLED
    @test count(fresh) == count(>(3), columns.pt)
end

@testset "many tasks and one frame" begin
    table, columns = sample()
    frame = Colstore.edit(table)
    Colstore.cut!(frame, "n > 2")
    sums = fetch.([
        Threads.@spawn begin
            total = 0.0
            for i in 1:20
                own = Colstore.assign(frame, :w => fill(Float64(i), 100))
                total += sum(own, col(:w) * col(:pt)) / i
            end
            total
        end
        for _ in 1:8
    ])
    GC.gc()
    @test all(≈(20 * sum(columns.pt[columns.n .> 2])), sums)
end
