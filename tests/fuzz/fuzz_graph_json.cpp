#include "core/formats/plimsoll/graph_json.h"

#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto graph = readGraphJson(std::string_view(reinterpret_cast<const char*>(data), size), {});
    if (graph.ok() && !readGraphJson(graphJsonText(graph.value()).value(), {}).ok()) std::abort();
    return 0;
}
