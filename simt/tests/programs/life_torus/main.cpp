// 2015 and after: a class that owns device memory, exceptions, nested namespaces, and a main function without CUDA.
#include "world.hpp"
#include <cstdlib>
#include <exception>
#include <iostream>

int main() try {
    life::World world(21, 30);
    world.load({" O ", "  O", "OOO", "", "          OOOOOOOOOO", "", "    OO", "    OO"});
    std::cout << world << '\n';
    world.evolve();
    std::cout << world << '\n';
    std::vector<std::uint8_t> board = world.cells();
    world.evolve(13);

    for (int generation = 0; generation < 13; ++generation) {
        auto old = board;
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 30; ++x) {
                int n = 0;
                for (int d = 0; d < 9; ++d)
                    if (d != 4)
                        n += old[(y + d / 3 + 20) % 21 * 30 + (x + d % 3 + 29) % 30];
                board[y * 30 + x] = n == 3 || (n == 2 && old[y * 30 + x]);
            }
    }
    bool const same = board == world.cells();
    std::cout << world << '\n' << (same ? "PASS" : "FAIL") << std::endl;
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
}
