#include "core/formats/tflite/tflite_reader.h"
#include "core/lower/types/infer_types.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(data),
                                       reinterpret_cast<const std::byte*>(data) + size);
    const auto content = readTflite(std::span<const std::byte>(bytes), {});
    if (content.ok()) static_cast<void>(inferTypes(content.value().graph, {}, {}).ok());
    return 0;
}
