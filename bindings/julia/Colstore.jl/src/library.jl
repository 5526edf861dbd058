# libcolstore: found, loaded, and made sure that it is the one this package was written for.

const LIBRARY_VARIABLE = "COLSTORE_LIBRARY"
const PREFERRED_LIBRARY = @load_preference("library", nothing)

library_file_name() = Sys.iswindows() ? "colstore.dll" : "libcolstore." * Libdl.dlext

"""
    find_library() -> String

The library to load: what the environment variable `COLSTORE_LIBRARY` names, else the preference `library` of this
package, else `lib/libcolstore.so` (or what the system calls it) in the package's directory.
"""
function find_library()
    named = get(ENV, LIBRARY_VARIABLE, "")
    isempty(named) || return named
    PREFERRED_LIBRARY === nothing || return String(PREFERRED_LIBRARY)
    return joinpath(dirname(@__DIR__), "lib", library_file_name())
end

"""
    Colstore.set_library!(path)

Sets the preference `library`, in `LocalPreferences.toml` of the active project. It holds from the next start of Julia
on. Where the package cannot be loaded yet, Preferences.jl does the same by the package's UUID; see the README.
"""
function set_library!(path::AbstractString)
    @set_preferences!("library" => abspath(path))
    @info "colstore: restart Julia to load $(abspath(path))"
    return nothing
end

"The file that was loaded."
const LIBRARY_PATH = Ref("")

# Nothing is called through a pointer that was not looked up: all functions are found here, or loading fails.
function load_library(path::String)
    library = try
        Libdl.dlopen(path)
    catch reason
        error(
            "the library of Colstore could not be loaded from $(repr(path)): ",
            sprint(showerror, reason),
            ". Set the environment variable $LIBRARY_VARIABLE to the path of libcolstore, or the preference \"library\"",
            " of Colstore.",
        )
    end
    functions = LibColstore.FUNCTIONS
    functions.colstore_abi_version = find_function(library, path, :colstore_abi_version)
    version = LibColstore.colstore_abi_version()
    if version != LibColstore.COLSTORE_ABI_VERSION
        error(
            "the library that was loaded, $(repr(path)), has ABI version $version; Colstore needs ",
            "$(LibColstore.COLSTORE_ABI_VERSION). Correct $LIBRARY_VARIABLE or the preference \"library\", or update.",
        )
    end
    for name in fieldnames(LibColstore.Functions)
        setfield!(functions, name, find_function(library, path, name))
    end
    LIBRARY_PATH[] = path
    return nothing
end

function find_function(library::Ptr{Cvoid}, path::String, name::Symbol)
    address = Libdl.dlsym(library, name; throw_error = false)
    if address === nothing
        error(
            "the library that was loaded, $(repr(path)), lacks the function $name: it is older than this package, or no",
            " libcolstore.",
        )
    end
    return address
end

"""
    Colstore.library_version() -> VersionNumber

The version of the library that was loaded.
"""
library_version() = VersionNumber(static_string(LibColstore.colstore_version()))
