#pragma once

#include "core/facts/about.h"
#include "core/facts/fact_table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// Each returns a whole file as UTF-8 text. Names are escaped for the format; bytes of names that are no UTF-8 become
// U+FFFD. Long lists are cut where a person stops reading, and say how many rows they leave out; CSV is complete.

/// One self-contained page: verdict, numbers with their bounds, the time × address picture, tables. Nothing is loaded
/// from anywhere; light or dark as the reader's system is.
[[nodiscard]] std::string writeHtml(const Report& report);

/// The numbers and the most important tables as GitHub-flavoured Markdown.
[[nodiscard]] std::string writeMarkdown(const Report& report);

/// Two plans beside each other: what is said of them, and tables.
[[nodiscard]] std::string writeMarkdown(const std::vector<std::string>& lines, const Plans& plans,
                                        std::span<const FactTable& (*const)()> tables);

/// All values, one a row, after RFC 4180; sizes in bytes, unknown ones empty. A cell that a spreadsheet would take for
/// a formula gets an apostrophe in front.
[[nodiscard]] std::string writeCsv(const Report& report);

/// The storages of the plan as a table of buffers that MiniMalloc and `pack` read: id, lower and upper (steps), size
/// (bytes), alignment, gaps, offset. An id is the first value's name where that is unique and needs no quotes, else
/// "s12". Arenas stand one above the other.
[[nodiscard]] std::string writeBuffersCsv(const Report& report);

/// These rows of a table, in this order, with all columns; cells as above.
[[nodiscard]] std::string writeCsv(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows);
[[nodiscard]] std::string writeMarkdown(const FactTable& table, const OpenTable& open,
                                        std::span<const std::uint32_t> rows, RemedyWords words = optionWords);

/// An array of objects, by the titles of the columns, with numbers as numbers: sizes in bytes, times in seconds.
[[nodiscard]] std::string writeJson(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows);

/// Facts about one thing, one a row, each with the title of its section; cells as above.
[[nodiscard]] std::string writeCsv(const std::vector<FactSection>& sections);
[[nodiscard]] std::string writeJson(const std::vector<FactSection>& sections);
/// The same with a heading, and a table for each section.
[[nodiscard]] std::string writeMarkdown(std::string_view heading, const std::vector<FactSection>& sections,
                                        RemedyWords words = optionWords);

/// The time × address picture with the curve of live bytes under it, light theme. Never more than about 20,000 shapes:
/// beyond that bars of less than a pixel are merged, and the caption says so.
[[nodiscard]] std::string writeSvg(const Report& report);

/// The whole graph for Graphviz: nested graphs as clusters, nodes and edges in the colour of their storage.
[[nodiscard]] std::string writeGraphDot(const Report& report);

} // namespace plimsoll
