#include "core/formats/sniff.h"

#include "core/formats/files/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace plimsoll {
namespace {

using namespace std::string_view_literals;

struct Signature
{
    std::size_t offset;
    std::string_view bytes;
    std::string_view description;
};

constexpr std::string_view Mlir =
    "This is a module of MLIR (StableHLO, say). Of a program of JAX the HLO text is read: "
    "lowered.compile().as_text(), or lowered.as_text(\"hlo\").";

constexpr std::array Signatures = {
    Signature {0, "\x89PNG"sv, "This is a PNG picture."},
    Signature {0, "\xFF\xD8\xFF"sv, "This is a JPEG picture."},
    Signature {0, "%PDF"sv, "This is a PDF document."},
    Signature {0, "PK\x03\x04"sv, "This is a ZIP archive; of these, programs that PyTorch exported (.pt2) are read."},
    Signature {0, "\x28\xB5\x2F\xFD"sv, "This is compressed with zstd; unpack it first."},
    Signature {0,
               "\x7F"
               "ELF"sv,
               "This is an ELF program or library."},
    Signature {0, "\x93NUMPY"sv, "This is a NumPy array, not a graph."},
    Signature {4, "TFL3"sv, "This is a TensorFlow Lite model."},
    Signature {4, "ET12"sv, "This is an ExecuTorch program."},
    Signature {4, "FT01"sv, "These are weights of an ExecuTorch program (.ptd); the program itself (.pte) is read."},
    Signature {4, "ORTM"sv,
               "This is a model in ONNX Runtime's own format (.ort), which cannot be read; open the .onnx file that it "
               "was made from."},
    Signature {0, "module @"sv, Mlir},
    Signature {0, "#loc"sv, Mlir},
    Signature {0, "version https://git-lfs"sv,
               "This is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'."},
};

/// Whether the beginning is readable text: no control characters but white space, well-formed UTF-8 up to the cut.
bool isText(std::string_view text)
{
    std::string_view head = text.substr(0, 256);
    const bool clean = std::none_of(head.begin(), head.end(), [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    });
    for (int cut = 0; cut < 4 && !head.empty() && text.size() > 256 && !isUtf8(head); ++cut)
        head.remove_suffix(1);
    return clean && isUtf8(head);
}

/// A list or an object, broken or not; of anything shorter, what is JSON as a whole.
bool looksLikeJson(std::string_view text)
{
    if (text.front() == '{' || text.front() == '[' || text.front() == '"') return true;
    const std::string_view word = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    if (word == "null" || word == "true" || word == "false") return true;
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size();
}

} // namespace

Content sniff(std::span<const std::byte> bytes)
{
    bytes = bytes.first(std::min(bytes.size(), SniffedBytes));
    const std::string_view text = withoutByteOrderMark({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (text.empty()) return {ContentKind::Other, "The file is empty."};
    for (const Signature& signature : Signatures) {
        if (text.size() >= signature.offset && text.substr(signature.offset).starts_with(signature.bytes))
            return {ContentKind::Other, signature.description};
    }
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {ContentKind::Other, "The file holds nothing but white space."};
    if (isText(text)) {
        if (looksLikeJson(text.substr(first))) return {ContentKind::Json, {}};
        return {ContentKind::Other, "This is a text, but not JSON."};
    }
    return {ContentKind::Protobuf, {}};
}

} // namespace plimsoll
