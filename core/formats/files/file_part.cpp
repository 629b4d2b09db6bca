#include "core/formats/files/file_part.h"

#include "core/formats/files/tensor_data.h"

namespace plimsoll {

TensorData dataOf(const FilePart& part, const std::filesystem::path& file)
{
    TensorData data;
    const auto size = static_cast<std::int64_t>(part.content.size());
    if (size <= InlineBytes || file.empty()) {
        data.bytes = std::make_shared<const std::vector<std::byte>>(part.content.begin(), part.content.end());
        return data;
    }
    data.file = file;
    data.fileOffset = part.offset;
    data.fileBytes = size;
    return data;
}

} // namespace plimsoll
