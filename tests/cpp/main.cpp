// Runs every test of the program.

#include "check.hpp"

#include <exception>

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::printf("usage: %s GOLDEN_DIRECTORY SCRATCH_DIRECTORY\n", argv[0]);
        return 2;
    }
    check::golden_directory = argv[1];
    check::scratch_directory = argv[2];
    for (const check::test &one : check::tests()) {
        try {
            one.run();
        } catch (const std::exception &failure) {
            ++check::failed;
            std::printf("%s: failed: it throws %s\n", one.name, failure.what());
        }
    }
    std::printf("%zu tests: %d passed, %d failed\n", check::tests().size(), check::passed, check::failed);
    return check::failed == 0 && check::passed > 0 ? 0 : 1;
}
