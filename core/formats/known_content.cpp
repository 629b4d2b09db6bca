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

constexpr std::string_view OfTheSameModel = " Of the same model a log of TORCH_TRACE or TORCH_LOGS=aot_graphs, an "
                                            "exported program (.pt2) or an ONNX model can be "
                                            "read.";

/// Known by its first bytes.
struct Signature
{
    std::size_t offset;
    std::string_view bytes;
    std::string_view name;
    std::string_view text = {}; ///< Where there is more to say than "This is NAME."
    std::string_view remedy = {};
};

constexpr std::string_view Mlir =
    "This is a module of MLIR (StableHLO, say). Of a program of JAX the HLO text is read: "
    "lowered.compile().as_text(), or lowered.as_text(\"hlo\").";

constexpr Signature Signatures[] = {
    {0, "\x89PNG"sv, "a PNG picture"},
    {0, "\xFF\xD8\xFF"sv, "a JPEG picture"},
    {0, "%PDF"sv, "a PDF document"},
    {0, "PK\x03\x04"sv, "a ZIP archive",
     "This is a ZIP archive; of these, programs that PyTorch exported (.pt2) are read.",
     "Of ZIP archives, programs that torch.export.save wrote (.pt2) can be opened; a .pt file holds weights or a "
     "script. Unpack any other one, and open the graph in it."},
    {0, "\x28\xB5\x2F\xFD"sv, "zstd-compressed data", "This is compressed with zstd; unpack it first."},
    {0,
     "\x7F"
     "ELF"sv,
     "an ELF program or library"},
    {0, "\x93NUMPY"sv, "a NumPy array", "This is a NumPy array, not a graph."},
    {4, "FT01"sv, "weights of an ExecuTorch program",
     "These are weights of an ExecuTorch program (.ptd); the program itself (.pte) is read."},
    {4, "ORTM"sv, "a model in ONNX Runtime's own format",
     "This is a model in ONNX Runtime's own format (.ort), which cannot be read; open the .onnx file that it was made "
     "from."},
    {0, "module @"sv, "a module of MLIR", Mlir},
    {0, "#loc"sv, "a module of MLIR", Mlir},
    {0, "version https://git-lfs"sv, "a Git LFS pointer",
     "This is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'.",
     "This is a Git LFS pointer, not the file. Run 'git lfs pull'."},
};

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

KnownContent gzip(std::string_view bytes)
{
    const std::string_view name = packedName(bytes);
    // What the usual names of PyTorch's tools say of what is inside.
    const bool trace = name.find(".pt.trace.json") != std::string_view::npos;
    const bool timeline = name.find("memory_timeline") != std::string_view::npos;
    const std::string_view kind = trace      ? "a trace of PyTorch's profiler"
                                  : timeline ? "a memory timeline of PyTorch's profiler"
                                             : "";
    std::string text = "This is compressed with gzip";
    if (!name.empty()) text += " and holds '" + std::string(name) + "'";
    if (kind.empty())
        text += "; nothing is read out of it. Unpack it, and open it if it is one of these: " + readableFormats() + ".";
    else
        text += ", by its name " + std::string(kind) + ", which cannot be read unpacked either." +
                std::string(OfTheSameModel);
    return {"gzip-compressed data", std::move(text)};
}

KnownContent pickle()
{
    return {
        "a Python pickle (never executed here)",
        "This is a Python pickle (a PyTorch checkpoint, say), which is never executed here; of pickles, memory "
        "snapshots of PyTorch (torch.cuda.memory._dump_snapshot) are read." +
            std::string(OfTheSameModel),
        "Of pickles, memory snapshots (torch.cuda.memory._dump_snapshot) can be opened. Where this is a checkpoint, "
        "export the model with torch.export.save (.pt2) or torch.onnx.export and open that."};
}

} // namespace

KnownContent knownContent(std::string_view bytes)
{
    const std::string_view head = bytes.substr(0, Head);
    if (head.starts_with("\x1F\x8B"sv)) return gzip(head);
    if (looksLikePickle(head)) return pickle();
    const std::string_view text = withoutByteOrderMark(head);
    for (const Signature& one : Signatures) {
        if (text.size() < one.offset || !text.substr(one.offset).starts_with(one.bytes)) continue;
        const std::string what = one.text.empty() ? "This is " + std::string(one.name) + "." : std::string(one.text);
        return {std::string(one.name), what + " " + readableFormats() + " can be read.", std::string(one.remedy)};
    }
    const auto first = text.find_first_not_of(" \t\r\n");
    const std::string_view kind = first == std::string_view::npos ? "" : kindOfJson(text.substr(first));
    if (kind.empty()) return {};
    return {std::string(kind.substr(0, kind.find(':'))),
            "This is " + std::string(kind) + "." + std::string(OfTheSameModel)};
}

} // namespace plimsoll
