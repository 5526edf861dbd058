# A column as one value.

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
