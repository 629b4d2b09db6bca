#include "core/formats/mxnet/mxnet_reader.h"
#include "core/lower/types/infer_types.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto graph = readMxnet(std::string_view(reinterpret_cast<const char*>(data), size), {});
    if (graph.ok()) static_cast<void>(inferTypes(graph.value(), {}, {}).ok());
    return 0;
}
