# Damage, and what a writer that died has left.

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
        @test status_of(() -> Colstore.recover(path; out = file("recovered.cstore"))) ===
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
