#include "core/formats/hlo/hlo_reader.h"
#include "core/lower/types/infer_types.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto content = readHloText(std::string_view(reinterpret_cast<const char*>(data), size), {});
    if (content.ok()) static_cast<void>(inferTypes(content.value().graph, {}, {}).ok());
    return 0;
}
