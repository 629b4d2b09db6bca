#include "core/formats/data_file.h"

#include <algorithm>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

Error bad(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), {}, {}};
}

bool isBelow(const fs::path& inner, const fs::path& folder)
{
    const auto end = std::mismatch(folder.begin(), folder.end(), inner.begin(), inner.end()).first;
    return end == folder.end();
}

/// The real place of \p location, or why it may not be used.
Result<fs::path> resolveInside(const std::string& location, const fs::path& folder)
{
    const fs::path relative(location);
    if (location.empty() || location.find('\0') != std::string::npos)
        return bad("The tensor's data is said to be in a file without a name.");
    if (relative.is_absolute())
        return bad("The data file '" + location + "' has an absolute path; only files beside the graph are read.");
    if (std::find(relative.begin(), relative.end(), "..") != relative.end())
        return bad("The data file '" + location +
                   "' lies outside the folder of the graph; only files inside are read.");
    std::error_code failure;
    const fs::path base = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, failure);
    const fs::path real = failure ? fs::path() : fs::weakly_canonical(base / relative, failure);
    if (failure) return bad("The data file '" + location + "' cannot be found: " + failure.message() + ".");
    if (!isBelow(real, base))
        return bad("The data file '" + location + "' leads outside the folder of the graph (to '" + real.string() +
                   "'); only files inside are read.");
    return real;
}

} // namespace

Result<TensorData> locateDataFile(const DataFileReference& reference, const fs::path& folder,
                                  std::optional<std::int64_t> needed)
{
    PLIMSOLL_ASSIGN(path, resolveInside(reference.location, folder));
    std::error_code failure;
    if (!fs::is_regular_file(path, failure))
        return bad("The data file '" + path.string() + "' does not exist. Put it beside the graph file.");
    const auto size = static_cast<std::int64_t>(fs::file_size(path, failure));
    if (failure) return bad("The data file '" + path.string() + "' cannot be read: " + failure.message() + ".");
    if (reference.offset < 0 || reference.offset > size)
        return bad("The data should begin at byte " + std::to_string(reference.offset) + " of '" + path.string() +
                   "', which has " + std::to_string(size) + ".");
    const std::int64_t rest = size - reference.offset;
    const std::int64_t length = reference.length.value_or(needed.value_or(rest));
    if (needed && length != *needed)
        return bad("The tensor needs " + std::to_string(*needed) + " bytes, but " + std::to_string(length) +
                   " are set aside for it in '" + path.string() + "'.");
    if (length < 0 || length > rest)
        return bad("The tensor needs " + std::to_string(length) + " bytes from byte " +
                   std::to_string(reference.offset) + " of '" + path.string() + "', which has only " +
                   std::to_string(size) + ".");
    return TensorData {.file = path, .fileOffset = reference.offset, .fileBytes = length};
}

} // namespace plimsoll
