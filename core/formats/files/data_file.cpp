#include "core/formats/files/data_file.h"

#include "core/base/bytes.h"
#include "core/formats/bad_input.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

/// The real place of \p location, or why it may not be used.
Result<fs::path> resolveInside(const std::string& location, const fs::path& folder)
{
    const fs::path relative(location);
    if (location.empty() || location.find('\0') != std::string::npos) return badInput(say("data.file-unnamed"));
    if (relative.is_absolute()) return badInput(say("data.path-absolute", word::Name {location}));
    if (std::find(relative.begin(), relative.end(), "..") != relative.end())
        return badInput(say("data.lies-outside", word::Name {location}));
    std::error_code failure;
    const fs::path base = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, failure);
    const fs::path real = failure ? fs::path() : fs::weakly_canonical(base / relative, failure);
    if (failure) return badInput(say("data.not-found", word::Name {location}, failure.message()));
    if (std::mismatch(base.begin(), base.end(), real.begin(), real.end()).first != base.end())
        return badInput(say("data.leads-outside", word::Name {location}, word::Name {real.string()}));
    return real;
}

/// Nothing has that name: not even a link that leads nowhere, whose end could turn up anywhere.
bool isAbsent(const fs::path& path)
{
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

/// What points to one file.
struct Pointers
{
    std::int64_t tensors = 0;
    std::int64_t bytes = 0;
};

template <typename OnData>
void forEachData(const Graph& graph, OnData&& onData)
{
    for (const Value& value : graph.values)
        onData(*value.data);
    for (const Node& node : graph.nodes) {
        for (const auto& [name, attribute] : node.attributes) {
            if (const auto* one = std::get_if<TensorLiteral>(&attribute)) onData(one->data);
            const auto* list = std::get_if<std::vector<TensorLiteral>>(&attribute);
            for (std::size_t i = 0; list && i < list->size(); ++i)
                onData((*list)[i].data);
        }
    }
}

} // namespace

std::vector<fs::path> dataFilesOf(const Graph& graph)
{
    std::set<fs::path> files;
    forEachData(graph, [&](const TensorData& data) {
        if (!data.file.empty()) files.insert(data.file);
    });
    return {files.begin(), files.end()};
}

void noteMissingFiles(Graph& graph)
{
    std::map<fs::path, Pointers> files;
    forEachData(graph, [&](const TensorData& data) {
        if (data.file.empty()) return;
        Pointers& pointers = files[data.file];
        ++pointers.tensors;
        pointers.bytes = checkedAdd(pointers.bytes, data.fileBytes).value_or(pointers.bytes);
    });
    for (const auto& [file, pointers] : files) {
        if (!isAbsent(file)) continue;
        graph.notes.push_back(say("note.data-file-missing", word::Name {file.filename().string()}, pointers.tensors,
                                  word::Size {pointers.bytes}, word::Name {file.string()}));
    }
}

Result<TensorData> locateDataFile(const DataFileReference& reference, const fs::path& folder,
                                  std::optional<std::int64_t> needed)
{
    PLIMSOLL_ASSIGN(path, resolveInside(reference.location, folder));
    std::error_code failure;
    const auto wrongSize = [&](std::int64_t length) {
        return badInput(say("data.set-aside", word::Number(*needed), word::Number(length), word::Name {path.string()}));
    };
    if (isAbsent(path)) {
        const std::int64_t length = reference.length.value_or(needed.value_or(0));
        if (reference.offset < 0 || length < 0) return badInput(say("data.place-negative", word::Name {path.string()}));
        if (needed && length != *needed) return wrongSize(length);
        return TensorData {.file = path, .fileOffset = reference.offset, .fileBytes = length};
    }
    if (!fs::is_regular_file(path, failure)) return badInput(say("data.no-file", word::Name {path.string()}));
    const auto size = static_cast<std::int64_t>(fs::file_size(path, failure));
    if (failure) return badInput(say("data.unreadable", word::Name {path.string()}, failure.message()));
    if (reference.offset < 0 || reference.offset > size)
        return badInput(say("data.begins-beyond-end", word::Number(reference.offset), word::Name {path.string()},
                            word::Number(size)));
    const std::int64_t rest = size - reference.offset;
    const std::int64_t length = reference.length.value_or(needed.value_or(rest));
    if (needed && length != *needed) return wrongSize(length);
    if (length < 0 || length > rest)
        return badInput(say("data.ends-beyond-end", word::Number(length), word::Number(reference.offset),
                            word::Name {path.string()}, word::Number(size)));
    return TensorData {.file = path, .fileOffset = reference.offset, .fileBytes = length};
}

} // namespace plimsoll
