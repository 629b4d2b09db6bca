#include "core/formats/files/file_part.h"

#include "core/formats/files/tensor_data.h"

namespace plimsoll {

TensorData dataOf(std::vector<std::byte> bytes)
{
    return {.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

TensorData dataOf(const FilePart& part, const std::filesystem::path& file)
{
    const auto size = static_cast<std::int64_t>(part.content.size());
    if (size <= InlineBytes || file.empty()) return dataOf(std::vector(part.content.begin(), part.content.end()));
    return {.file = file, .fileOffset = part.offset, .fileBytes = size};
}

} // namespace plimsoll
