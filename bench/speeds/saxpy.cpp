// Prints the rate of the saxpy kernel alone, 16 KiB in and 16 KiB out. Each vector width has a program, so the caller
// can find the fastest width of this machine.
//
//     saxpy-512 0.05      seconds to measure

#include <cstdio>
#include <cstdlib>

#include "weir/bare.hpp"

int main(int argc, char** argv) {
    const double seconds = argc == 2 ? std::strtod(argv[1], nullptr) : 0;
    if (!(seconds > 0)) {
        std::fprintf(stderr, "usage: %s SECONDS\n", argv[0]);
        return 2;
    }
    std::printf("%.6g\n", weir::bare::saxpy_items_per_s(seconds, 16 * 1024));
    return 0;
}
