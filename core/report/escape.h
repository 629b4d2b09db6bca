#pragma once

#include <string>
#include <string_view>

namespace plimsoll {

/// Valid UTF-8: what is none becomes U+FFFD, as do characters that XML forbids.
[[nodiscard]] std::string cleanUtf8(std::string_view text);

/// What a terminal would obey and what turns the text round it about, written out: "\x1b", "\u202e", and "\xff" for
/// bytes that are no UTF-8. Line breaks stay, unless it is to be one line.
[[nodiscard]] std::string visibleText(std::string_view text);
[[nodiscard]] std::string visibleLine(std::string_view text);

[[nodiscard]] std::string escapeXml(std::string_view text); ///< For text and quoted attributes of HTML, XML and SVG.
[[nodiscard]] std::string escapeMarkdown(
    std::string_view text);                                 ///< For a table cell: one line, no markup, no cell border.
[[nodiscard]] std::string escapeCsv(std::string_view text); ///< Quoted where it must be; never a formula.
[[nodiscard]] std::string escapeDot(std::string_view text); ///< For inside a quoted string of Graphviz.

/// At most \p most characters (code points), with "…" for what is cut off.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

} // namespace plimsoll
