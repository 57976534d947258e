#include "cut.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

namespace weir::test {

struct Cutter::Random {
    std::mt19937 bits;
    std::size_t up_to(std::size_t most) { return std::uniform_int_distribution<std::size_t>{0, most}(bits); }
};

Cutter::Cutter(unsigned seed, std::size_t max_chunk)
    : random_(seed == 0 ? nullptr : std::make_unique<Random>(Random{std::mt19937(seed)})), max_chunk_(max_chunk) {}
Cutter::~Cutter() = default;

std::size_t Cutter::offer(std::size_t available, std::size_t rate) {
    return random_ ? random_->up_to(std::min(available, std::max(max_chunk_, 3 * rate))) : available;
}

std::size_t Cutter::firings(std::size_t available) {
    return random_ ? 1 + random_->up_to(std::min(available, max_chunk_) - 1) : available;
}

std::size_t Cutter::shift() { return random_ ? random_->up_to(15) : 0; }

bool untouched(std::span<const std::byte> memory) {
    // Compare each byte with the one before it by one memcmp. Every call of a block checks the whole rest of its
    // stream, and under a sanitizer a plain loop takes 30 s for a block that makes many items from one.
    return memory.empty() ||
           (memory[0] == std::byte{kGuard} && std::memcmp(memory.data(), memory.data() + 1, memory.size() - 1) == 0);
}

std::size_t bytes_in(const std::string& path) { return std::filesystem::file_size(path); }

void read_bytes(const std::string& path, std::span<std::byte> bytes) {
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        throw std::runtime_error("cannot read the test's input: " + path);
}

void write_bytes(const std::string& path, std::span<const std::byte> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write the test's output: " + path);
}

}  // namespace weir::test
