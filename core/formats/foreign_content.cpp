#include "core/formats/foreign_content.h"

#include "core/formats/files/utf8.h"
#include "core/formats/readable_formats.h"
#include "core/formats/snapshot/memory_snapshot.h"
#include "core/formats/snapshot/pickle_reader.h"
#include "core/formats/top_words.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t Head = 8192;

constexpr std::string_view OfTheSameModel = " Of the same model a log of TORCH_TRACE or TORCH_LOGS=aot_graphs, an "
                                            "exported program (.pt2) or an ONNX model can be "
                                            "read.";

/// [[time, action, bytes, category], …], numbers alone.
bool isTimeline(std::string_view text)
{
    const std::string_view row = text.substr(0, text.find(']'));
    return row.starts_with("[[") && std::count(row.begin(), row.end(), ',') == 3 &&
           row.find_first_not_of("[-0123456789, \t\r\n") == std::string_view::npos;
}

std::string_view kindOfJson(std::string_view text)
{
    if (isTimeline(text)) return "a memory timeline of PyTorch's profiler: bytes over time, but no tensors";
    if (!text.starts_with('{')) return {};
    const std::set<std::string_view> words = topWords(text);
    const auto has = [&](std::initializer_list<std::string_view> wanted) {
        return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view word) { return words.contains(word); });
    };
    if (std::any_of(words.begin(), words.end(), [](std::string_view word) { return word.starts_with("plimsoll."); }))
        return {};
    if (has({"traceEvents"}) || has({"schemaVersion", "deviceProperties"}))
        return "a trace of a profiler (Kineto's or Chrome's): times and sizes, but no tensors";
    if (has({"schema", "pid", "nodes"})) return "an execution trace of PyTorch (Chakra)";
    return {};
}

std::string_view kindOfPickle(std::string_view bytes)
{
    if (!looksLikePickle(bytes)) return {};
    return "a Python pickle (a PyTorch checkpoint, say), which is never executed here; of pickles, memory snapshots "
           "of PyTorch (torch.cuda.memory._dump_snapshot) are read";
}

/// The name of the file that was packed, where the header has it (RFC 1952, 2.3).
std::string_view packedName(std::string_view bytes)
{
    constexpr std::size_t Fixed = 10;
    constexpr unsigned Named = 8;
    constexpr unsigned Extra = 4;
    const auto flags = bytes.size() > Fixed ? static_cast<unsigned char>(bytes[3]) : 0U;
    if ((flags & Named) == 0 || (flags & Extra) != 0) return {};
    const std::string_view name = bytes.substr(Fixed, bytes.find('\0', Fixed) - Fixed);
    return name.size() < 256 && isUtf8(name) ? name : std::string_view();
}

/// What the usual names of PyTorch's tools say of what is inside.
std::string_view kindOfName(std::string_view name)
{
    if (name.find(".pt.trace.json") != std::string_view::npos) return "a trace of PyTorch's profiler";
    if (name.find("memory_timeline") != std::string_view::npos) return "a memory timeline of PyTorch's profiler";
    return {};
}

std::string aboutGzip(std::string_view bytes)
{
    const std::string_view name = packedName(bytes);
    const std::string_view kind = kindOfName(name);
    std::string text = "This is compressed with gzip";
    if (!name.empty()) text += " and holds '" + std::string(name) + "'";
    if (!kind.empty())
        return text + ", by its name " + std::string(kind) + ", which cannot be read unpacked either." +
               std::string(OfTheSameModel);
    return text + "; nothing is read out of it. Unpack it, and open it if it is one of these: " +
           std::string(ReadableFormats) + ".";
}

} // namespace

std::string foreignContent(std::string_view bytes)
{
    if (looksLikeMemorySnapshot(bytes)) return {};
    if (bytes.starts_with("\x1F\x8B"sv)) return aboutGzip(bytes.substr(0, Head));
    const std::string_view head = bytes.substr(0, Head);
    std::string_view kind = kindOfPickle(head);
    const std::string_view text = withoutByteOrderMark(head);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (kind.empty() && first != std::string_view::npos) kind = kindOfJson(text.substr(first));
    return kind.empty() ? std::string() : "This is " + std::string(kind) + "." + std::string(OfTheSameModel);
}

} // namespace plimsoll
