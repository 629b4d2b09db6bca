#include "core/formats/onnx/onnx_reader.h"

#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto graph = readOnnx(std::as_bytes(std::span(data, size)), {});
    if (!graph.ok() && graph.error().message.empty()) std::abort();
    return 0;
}
