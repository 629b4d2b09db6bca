#include "core/formats/snapshot/snapshot_names.h"

#include "core/base/short_text.h"
#include "core/formats/files/utf8.h"
#include "core/formats/snapshot/memory_snapshot.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace plimsoll {
namespace {

constexpr std::size_t MostFrames = 256; ///< Of a stack that are looked at.
constexpr std::size_t MostCallers = 3;  ///< Named beside the innermost.
constexpr std::size_t MostListed = 5;   ///< Of a request that was refused.
constexpr std::size_t LongestName = 80; ///< Bytes of a function's name, and of a file's.

struct Frame
{
    std::string_view file;
    std::int64_t line = 0;
    std::string_view function;
};

/// Short, well-formed, and nothing in it upsets a terminal or a table.
std::string readable(std::string_view text)
{
    std::string made = isUtf8(text) ? shortMiddle(text, LongestName) : std::string(text.substr(0, LongestName));
    const bool ascii = !isUtf8(made);
    for (char& letter : made) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20 || code == 0x7F || (code > 0x7F && ascii)) letter = '?';
        if (letter == ',') letter = ';';
        if (letter == '"') letter = '\'';
    }
    return made;
}

/// Innermost first.
std::vector<Frame> stackOf(const PlainData& data, PlainData::Item frames)
{
    std::vector<Frame> stack;
    PlainData::Walk walk = data.walk(frames);
    PlainData::Item item;
    while (stack.size() < MostFrames && frames.isList() && walk.next(item)) {
        if (data.hasMoreThan(item, 2 * MostSnapshotKeys)) break;
        const auto field = [&](std::string_view key) { return data.find(item, key).value_or(PlainData::Item {}); };
        stack.push_back({data.asText(field("filename")).value_or(""), data.asInteger(field("line")).value_or(0),
                         data.asText(field("name")).value_or("")});
    }
    return stack;
}

bool isPython(const Frame& frame)
{
    return frame.file.ends_with(".py") || frame.file.starts_with("<ipython");
}

/// Not PyTorch's own.
bool isOurs(const Frame& frame)
{
    constexpr std::string_view Package = "/torch/";
    const bool isTorch =
        frame.file.starts_with(Package.substr(1)) || frame.file.find(Package) != std::string_view::npos;
    return isPython(frame) && !isTorch;
}

std::string text(const Frame& frame, bool wholePath)
{
    const std::string_view file = wholePath ? frame.file : frame.file.substr(frame.file.find_last_of("/\\") + 1);
    return readable(file) + ":" + std::to_string(frame.line) + " " + readable(frame.function);
}

} // namespace

const SnapshotCaller& SnapshotCallers::of(PlainData::Item frames)
{
    const auto [made, isNew] = m_made.try_emplace(frames.bits());
    if (isNew) made->second = make(frames);
    return made->second;
}

std::vector<std::string> SnapshotCallers::listed(PlainData::Item frames) const
{
    std::vector<Frame> stack = stackOf(m_data, frames);
    if (std::ranges::any_of(stack, isOurs)) std::erase_if(stack, [](const Frame& frame) { return !isOurs(frame); });
    std::vector<std::string> made;
    for (std::size_t i = 0; i < std::min(stack.size(), MostListed); ++i)
        made.push_back(text(stack[i], false));
    return made;
}

SnapshotCaller SnapshotCallers::make(PlainData::Item frames) const
{
    const std::vector<Frame> stack = stackOf(m_data, frames);
    if (stack.empty()) return {};
    auto innermost = std::find_if(stack.begin(), stack.end(), isOurs);
    if (innermost == stack.end()) innermost = std::find_if(stack.begin(), stack.end(), isPython);
    if (innermost == stack.end()) innermost = stack.begin();
    SnapshotCaller caller {text(*innermost, false), text(*innermost, true)};
    std::size_t callers = 0;
    for (auto frame = innermost + 1; frame != stack.end() && callers < MostCallers; ++frame) {
        if (isOurs(*frame)) caller.source += (callers++ == 0 ? ", called by " : ", ") + text(*frame, false);
    }
    return caller;
}

} // namespace plimsoll
