# Settings of the whole process, and the machine.

"No value of a setting is longer."
const LONGEST_VALUE = 64

"""
    Colstore.config(name) -> String

The value of a setting of the process: `max_threads`, `read_backend`, `write_method`, `huge_pages`, `numa_policy`,
`mask_density_gate`, `prefetch_distance`, `lock_policy`.
"""
function config(name::Union{Symbol, AbstractString})
    asked = String(name)
    out = Vector{UInt8}(undef, LONGEST_VALUE)
    len = Ref{Csize_t}(0)
    check() do err
        LibColstore.colstore_config_get(asked, sizeof(asked), out, length(out), len, err)
    end
    return String(out[1:Int(len[])])
end

"""
    Colstore.config!(name, value)

Gives a setting a value, from the next call on and in all threads. Settings change how calls are carried out, never what
they result in. `ColstoreError` says which names and values there are.
"""
function config!(name::Union{Symbol, AbstractString}, value)
    asked = String(name)
    text = string(value)
    check() do err
        LibColstore.colstore_config_set(asked, sizeof(asked), text, sizeof(text), err)
    end
    return nothing
end

"""
    Colstore.calibrate_threads(rounds = 5; progress = nothing) -> (threads, gigabytes_per_second)

Measures how fast random rows are gathered by every number of threads: the least number that is about as fast as the
fastest. Sets nothing; `Colstore.config!(:max_threads, threads)` does.
"""
function calibrate_threads(
    rounds::Integer = 5;
    progress::Union{Progress, Nothing} = nothing,
)
    threads = Ref{Int32}(0)
    speed = Ref{Float64}(0)
    watching = progress_pointer(progress)
    check_watched(progress) do err
        LibColstore.colstore_calibrate_threads(rounds, watching, threads, speed, err)
    end
    return (; threads = Int(threads[]), gigabytes_per_second = speed[])
end

"""
    Colstore.machine() -> NamedTuple

The processors and memory nodes that this process may use.
"""
function machine()
    out = Ref(LibColstore.colstore_machine_info())
    check() do err
        LibColstore.colstore_machine(out, err)
    end
    found = out[]
    return (;
        physical_cores = Int(found.physical_cores),
        logical_cores = Int(found.logical_cores),
        sockets = Int(found.sockets),
        numa_nodes = Int(found.numa_nodes),
        default_threads = Int(found.default_threads),
    )
end
