#include "core/formats/known_content.h"

#include "core/formats/files/utf8.h"
#include "core/formats/formats.h"
#include "core/formats/snapshot/pickle_reader.h"
#include "core/formats/top_words.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t Head = 8192;

/// Known by its first bytes. What is said are ids of sentences.
struct Signature
{
    std::size_t offset;
    std::string_view bytes;
    std::string_view name;
    std::string_view text = {}; ///< Where there is more to say than "This is NAME."
    std::string_view remedy = {};
};

constexpr Signature Signatures[] = {
    {0, "\x89PNG"sv, "content.png"},
    {0, "\xFF\xD8\xFF"sv, "content.jpeg"},
    {0, "%PDF"sv, "content.pdf"},
    {0, "PK\x03\x04"sv, "content.zip", "content.zip-text", "content.zip-remedy"},
    {0, "\x28\xB5\x2F\xFD"sv, "content.zstd", "content.zstd-text"},
    {0,
     "\x7F"
     "ELF"sv,
     "content.elf"},
    {0, "\x93NUMPY"sv, "content.numpy", "content.numpy-text"},
    {4, "FT01"sv, "content.executorch-weights", "content.executorch-weights-text"},
    {4, "ORTM"sv, "content.onnx-runtime", "content.onnx-runtime-text"},
    {0, "module @"sv, "content.mlir", "content.mlir-text"},
    {0, "#loc"sv, "content.mlir", "content.mlir-text"},
    {0, "version https://git-lfs"sv, "content.git-lfs", "content.git-lfs-text", "content.git-lfs-remedy"},
};

KnownContent json(std::string_view text)
{
    // [[time, action, bytes, category], …], numbers alone.
    const std::string_view row = text.substr(0, text.find(']'));
    if (row.starts_with("[[") && std::count(row.begin(), row.end(), ',') == 3 &&
        row.find_first_not_of("[-0123456789, \t\r\n") == std::string_view::npos)
        return {say("content.timeline"), say("content.of-same-model", say("content.timeline-text"))};
    if (!text.starts_with('{')) return {};
    const std::set<std::string_view> words = topWords(text);
    const auto has = [&](std::initializer_list<std::string_view> wanted) {
        return std::all_of(wanted.begin(), wanted.end(), [&](std::string_view word) { return words.contains(word); });
    };
    if (std::any_of(words.begin(), words.end(), [](std::string_view word) { return word.starts_with("plimsoll."); }))
        return {};
    if (has({"traceEvents"}) || has({"schemaVersion", "deviceProperties"}))
        return {say("content.trace"), say("content.of-same-model", say("content.trace-text"))};
    if (!has({"schema", "pid", "nodes"})) return {};
    const Message name = say("content.execution-trace");
    return {name, say("content.of-same-model", say("content.this-is", name))};
}

KnownContent gzip(std::string_view bytes)
{
    // The name of the file that was packed, where the header has it (RFC 1952, 2.3).
    constexpr std::size_t Fixed = 10;
    constexpr unsigned Named = 8;
    constexpr unsigned Extra = 4;
    const auto flags = bytes.size() > Fixed ? static_cast<unsigned char>(bytes[3]) : 0U;
    std::string name;
    if ((flags & Named) != 0 && (flags & Extra) == 0) name = bytes.substr(Fixed, bytes.find('\0', Fixed) - Fixed);
    if (name.size() >= 256 || !isUtf8(name)) name.clear();
    // What the usual names of PyTorch's tools say of what is inside.
    const bool trace = name.find(".pt.trace.json") != std::string::npos;
    const bool timeline = name.find("memory_timeline") != std::string::npos;
    if (name.empty()) return {say("content.gzip"), say("content.gzip-text", readableFormats())};
    if (!trace && !timeline)
        return {say("content.gzip"), say("content.gzip-holds", word::Name {std::move(name)}, readableFormats())};
    return {say("content.gzip"),
            say("content.of-same-model", say("content.gzip-by-name", word::Name {std::move(name)},
                                             say(trace ? "content.pytorch-trace" : "content.timeline")))};
}

} // namespace

KnownContent knownContent(std::string_view bytes)
{
    const std::string_view head = bytes.substr(0, Head);
    if (head.starts_with("\x1F\x8B"sv)) return gzip(head);
    if (looksLikePickle(head))
        return {say("content.pickle"), say("content.of-same-model", say("content.pickle-text")),
                say("content.pickle-remedy")};
    const std::string_view text = withoutByteOrderMark(head);
    for (const Signature& one : Signatures) {
        if (text.size() < one.offset || !text.substr(one.offset).starts_with(one.bytes)) continue;
        Message what = one.text.empty() ? say("content.this-is", say(one.name)) : say(one.text);
        return {say(one.name), say("content.readable", std::move(what), readableFormats()),
                one.remedy.empty() ? Message() : say(one.remedy)};
    }
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? KnownContent() : json(text.substr(first));
}

} // namespace plimsoll
