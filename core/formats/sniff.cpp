#include "core/formats/sniff.h"

#include "core/formats/files/utf8.h"
#include "core/formats/formats.h"

#include <algorithm>
#include <charconv>

namespace plimsoll {
namespace {

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
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        Message what = say(text.empty() ? "content.empty-text" : "content.blank-text");
        return {ContentKind::Text,
                {say(text.empty() ? "content.empty" : "content.text"),
                 say("content.readable", std::move(what), readableFormats())}};
    }
    const ContentKind kind = !isText(text)                       ? ContentKind::Binary
                             : looksLikeJson(text.substr(first)) ? ContentKind::Json
                                                                 : ContentKind::Text;
    return {kind, knownContent({reinterpret_cast<const char*>(bytes.data()), bytes.size()})};
}

} // namespace plimsoll
