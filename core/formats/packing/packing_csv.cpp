#include "core/formats/packing/packing_csv.h"

#include "core/base/bytes.h"
#include "core/base/name_index.h"
#include "core/formats/files/utf8.h"
#include "core/formats/packing/packing_lines.h"
#include "core/formats/packing/packing_rows.h"
#include "core/formats/plimsoll/from_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

namespace plimsoll {
namespace {

enum Column : std::uint8_t { Id, Lower, Upper, End, Size, Alignment, Hint, Gaps, Offset, ColumnCount };

struct ColumnName
{
    std::string_view name;
    Column column;
};
constexpr std::array ColumnNames = {
    ColumnName {"id", Id},         ColumnName {"buffer", Id},
    ColumnName {"buffer_id", Id},  ColumnName {"lower", Lower},
    ColumnName {"start", Lower},   ColumnName {"begin", Lower},
    ColumnName {"upper", Upper},   ColumnName {"end", End},
    ColumnName {"size", Size},     ColumnName {"alignment", Alignment},
    ColumnName {"hint", Hint},     ColumnName {"gaps", Gaps},
    ColumnName {"offset", Offset},
};

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return result;
}

Error tooManyRows(std::size_t line, std::size_t most)
{
    return badInput(say("table.too-many-rows", static_cast<std::int64_t>(most)), "line " + std::to_string(line));
}

/// The beginning of a cell, without what would upset a terminal.
std::string shown(std::string_view text)
{
    std::string start(text.substr(0, 40));
    const bool readable = isUtf8(start);
    for (char& letter : start) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < 0x20 || code == 0x7F || (code > 0x7F && !readable)) letter = '?';
    }
    return "'" + start + (text.size() > 40 ? "…'" : "'");
}

Error atLine(const PackingLines& lines, Message message)
{
    return badInput(std::move(message), "line " + std::to_string(lines.number()));
}

/// What a cell holds; \p what is its name in an error.
Result<std::int64_t> numberIn(std::string_view text, const Message& what, const PackingLines& lines)
{
    if (text.empty()) return atLine(lines, say("table.no-number", what));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) return atLine(lines, say("table.too-large", what, shown(text)));
    if (error != std::errc() || end != text.data() + text.size())
        return atLine(lines, say("table.no-whole-number", what, shown(text)));
    if (value < 0) return atLine(lines, say("table.negative", what, shown(text)));
    return value;
}

/// The live ranges of a buffer that is away in its gaps, "a-b c-d@low:high": in [a, b). \p partial counts those with
/// an @: in them it stays.
Result<LiveRanges> withoutGaps(std::string_view text, Interval life, const PackingLines& lines, std::int64_t& partial)
{
    if (text.empty()) return LiveRanges(life);
    std::vector<Interval> gaps;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view whole = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (whole.empty()) continue;
        const std::string_view gap = whole.substr(0, whole.find('@'));
        const std::size_t dash = gap.find('-');
        if (dash == std::string_view::npos) return atLine(lines, say("table.gap-form", shown(gap)));
        PLIMSOLL_ASSIGN(begin, numberIn(gap.substr(0, dash), say("table.gap-begin"), lines));
        PLIMSOLL_ASSIGN(until, numberIn(gap.substr(dash + 1), say("table.gap-end"), lines));
        if (until < begin || begin < life.begin || until > life.end)
            return atLine(lines, say("table.gap-outside", shown(gap)));
        if (gap.size() < whole.size())
            ++partial;
        else
            gaps.push_back({begin, until});
    }
    std::ranges::sort(gaps, {}, &Interval::begin);
    LiveRanges live;
    std::int64_t from = life.begin;
    for (const Interval gap : gaps) {
        live.add({from, gap.begin});
        from = std::max(from, gap.end);
    }
    live.add({from, life.end});
    return live;
}

class TableReader
{
public:
    TableReader(std::istream& input, std::size_t mostRows) : m_lines(input), m_mostRows(mostRows) { m_at.fill(-1); }

    /// Room for so many rows, so that it need not grow.
    void expect(std::size_t rows)
    {
        m_table.problem.buffers.reserve(rows);
        m_table.ids.reserve(rows);
        m_seen.reserve(rows);
    }

    Result<PackingTable> run()
    {
        m_table.problem.arenas = {{"cpu", 1, {}}};
        PLIMSOLL_TRY(header());
        while (m_lines.next()) {
            if (m_lines.blank()) continue;
            if (m_table.problem.buffers.size() >= m_mostRows) return tooManyRows(m_lines.number(), m_mostRows);
            const std::string_view id = cell(Id);
            if (id.empty()) return bad(say("table.no-id"));
            for (std::size_t extra = m_width; extra < m_lines.cells().size(); ++extra) {
                if (!m_lines.cells()[extra].empty())
                    return bad(say("table.too-many-cells", word::Number(m_width), shown(m_lines.cells()[extra])));
            }
            Buffer buffer;
            PLIMSOLL_ASSIGN(steps, life());
            PLIMSOLL_SET(buffer.bytes, number(Size, say("table.size")));
            PLIMSOLL_SET(buffer.live, withoutGaps(cell(Gaps), steps, m_lines, m_table.partialGaps));
            if (!cell(Alignment).empty())
                PLIMSOLL_SET(buffer.alignment, number(Alignment, say("table.word-alignment")));
            if (buffer.alignment < 1) return bad(say("table.alignment"));
            if (!isLeftOut(Hint)) PLIMSOLL_TRY(number(Hint, say("table.hint"))); // an answer repeats it
            if (m_at[Offset] >= 0) m_table.offsets.emplace_back();
            if (!isLeftOut(Offset)) PLIMSOLL_SET(m_table.offsets.back(), number(Offset, say("table.offset")));
            const auto idOf = [this](std::size_t row) -> std::string_view { return m_table.ids[row]; };
            if (!m_seen.add(id, m_table.ids.size(), idOf)) return bad(say("table.id-twice", shown(id)));
            m_table.ids.emplace_back(id);
            m_table.problem.buffers.push_back(std::move(buffer));
        }
        if (m_lines.tooLong()) return tooLong();
        return std::move(m_table);
    }

    Status header()
    {
        do {
            if (m_lines.next()) continue;
            if (m_lines.tooLong()) return tooLong();
            return bad(say("table.empty"));
        } while (m_lines.blank());
        m_width = m_lines.cells().size();
        for (std::size_t cell = 0; cell < m_width; ++cell) {
            const std::string name = lowered(m_lines.cells()[cell]);
            const auto* found = std::find_if(ColumnNames.begin(), ColumnNames.end(),
                                             [&](const ColumnName& known) { return known.name == name; });
            if (found == ColumnNames.end()) continue;
            if (m_at[found->column] >= 0) return bad(say("table.column-twice", word::Name {name}));
            m_at[found->column] = static_cast<int>(cell);
        }
        const auto missing = [this](Column column) { return m_at[column] < 0; };
        if (missing(Id)) return lacking(say("table.lacks-column", word::Name {"id"}));
        if (missing(Lower)) return lacking(say("table.lacks-column", word::Name {"lower"}));
        if (missing(Upper) && missing(End)) return lacking(say("table.lacks-end"));
        if (!missing(Upper) && !missing(End)) return bad(say("table.two-ends"));
        if (missing(Size)) return lacking(say("table.lacks-column", word::Name {"size"}));
        return {};
    }

private:
    [[nodiscard]] Error bad(Message message) const { return atLine(m_lines, std::move(message)); }
    [[nodiscard]] Error tooLong() const { return bad(say("table.line-too-long")); }

    /// Of a header, with what there is instead.
    [[nodiscard]] Error lacking(const Message& what) const
    {
        std::string columns;
        for (const std::string_view cell : m_lines.cells())
            columns += (columns.empty() ? "" : ",") + std::string(cell.substr(0, 40));
        return bad(say("table.header-lacks", what, shown(columns)));
    }

    [[nodiscard]] std::string_view cell(Column column) const
    {
        const int at = m_at[column];
        if (at < 0 || static_cast<std::size_t>(at) >= m_lines.cells().size()) return {};
        return m_lines.cells()[static_cast<std::size_t>(at)];
    }

    Result<std::int64_t> number(Column column, const Message& what) const
    {
        return numberIn(cell(column), what, m_lines);
    }
    /// An absent cell, and -1 in an answer that is repeated.
    [[nodiscard]] bool isLeftOut(Column column) const { return cell(column).empty() || cell(column) == "-1"; }

    Result<Interval> life() const
    {
        PLIMSOLL_ASSIGN(lower, number(Lower, say("table.lower-end")));
        const bool inclusive = m_at[Upper] < 0;
        PLIMSOLL_ASSIGN(upper, number(inclusive ? End : Upper, say("table.upper-end")));
        if (inclusive && upper == std::numeric_limits<std::int64_t>::max()) return bad(say("table.end-too-large"));
        const Interval steps = inclusive ? Interval::fromInclusive(lower, upper) : Interval {lower, upper};
        if (steps.end < lower) {
            return bad(say("table.ends-before-begin", word::Number(steps.end), word::Number(lower)));
        }
        return steps;
    }

    PackingLines m_lines;
    std::array<int, ColumnCount> m_at {};
    std::size_t m_width = 0; ///< Cells of the header.
    std::size_t m_mostRows;
    PackingTable m_table;
    NameIndex m_seen; ///< Of the ids.
};

/// Nothing can be read twice where this fails, a pipe for example.
bool rewind(std::istream& input)
{
    input.clear();
    input.seekg(0);
    return input.good();
}

/// Looks at the header and counts the rows before any is kept, where the input can be read twice.
Result<PackingTable> readFile(std::ifstream& input, std::size_t mostRows)
{
    TableReader reader(input, mostRows);
    if (!rewind(input)) {
        input.clear();
        return reader.run();
    }
    PLIMSOLL_TRY(TableReader(input, mostRows).header());
    rewind(input);
    const PackingRows counted = countPackingRows(input, mostRows + 2); // the header is one
    if (counted.rows > mostRows + 1) return tooManyRows(counted.lastLine, mostRows);
    rewind(input);
    reader.expect(counted.rows);
    return reader.run();
}

} // namespace

Result<PackingTable> readPackingCsv(std::istream& input, std::size_t mostRows)
{
    return TableReader(input, mostRows).run();
}

bool looksLikePackingTable(std::string_view text)
{
    constexpr std::size_t MostHeader = 1 << 16;
    text = text.substr(0, MostHeader);
    std::istringstream first(std::string(text.substr(0, text.find('\n'))));
    PackingLines lines(first);
    if (!lines.next()) return false;
    std::array<bool, ColumnCount> there {};
    for (const std::string_view cell : lines.cells()) {
        const auto* known = std::find_if(ColumnNames.begin(), ColumnNames.end(),
                                         [name = lowered(cell)](const ColumnName& row) { return row.name == name; });
        if (known != ColumnNames.end()) there[known->column] = true;
    }
    return there[Id] && there[Lower] && (there[Upper] || there[End]) && there[Size];
}

Result<PackingTable> readPackingCsv(const std::filesystem::path& path, std::size_t mostRows)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return badInput(say("table.folder"), {}, path.string());
    std::ifstream input(path, std::ios::binary);
    if (!input) return badInput(say("table.cannot-open"), {}, path.string());
    return fromFile(readFile(input, mostRows), path);
}

Status writePackingCsv(const PackingTable& table, std::span<const Allocation> allocations, std::ostream& output)
{
    output << "id,lower,upper,size,offset\n";
    for (std::size_t row = 0; row < table.ids.size(); ++row) {
        const Buffer& buffer = table.problem.buffers[row];
        const Interval life = buffer.live.hull();
        output << table.ids[row] << ',' << life.begin << ',' << life.end << ',' << buffer.bytes << ','
               << allocations[row].offset << '\n';
    }
    if (!output) return badInput(say("table.cannot-write"));
    return {};
}

Status writePackingCsv(std::istream& input, const Plan& plan, std::ostream& output)
{
    PackingLines lines(input);
    std::size_t given = std::string::npos; // the column that is replaced
    std::size_t row = 0;
    bool header = true;
    while (lines.next()) {
        if (lines.blank()) continue;
        const auto& cells = lines.cells();
        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            if (header && lowered(cells[cell]) == "offset") given = cell;
            if (cell != given) output << cells[cell] << ',';
        }
        if (header) {
            output << "offset\n";
        } else {
            if (row >= plan.allocations.size()) break;
            output << plan.allocations[row++].offset << '\n';
        }
        header = false;
    }
    if (row != plan.allocations.size() || lines.tooLong()) return badInput(say("table.other-table"));
    if (!output) return badInput(say("table.cannot-write"));
    return {};
}

} // namespace plimsoll
