#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Without libFuzzer: runs the target once on every file that is named.
int main(int count, char** arguments)
{
    for (int i = 1; i < count; ++i) {
        std::ifstream in(arguments[i], std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        std::printf("%s: %zu bytes\n", arguments[i], bytes.size());
    }
    return 0;
}
