// The same in C++.

#include <colstore.hpp>
#include <iostream>

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 2;
    }
    try {
        colstore::store(argv[1], {{"x", std::vector<double>{1.5, 2.5, 4.0}}});
        const auto x = colstore::table::open(argv[1]).view<double>("x");
        std::cout << colstore::version() << ' ' << x[0] << ' ' << x[1] << ' ' << x[2] << '\n';
    } catch (const colstore::error &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
    return 0;
}
