#include "core/formats/packing/packing_csv.h"

#include "core/base/bytes.h"
#include "core/formats/files/utf8.h"
#include "core/formats/id_set.h"
#include "core/formats/packing/packing_lines.h"
#include "core/formats/packing/packing_rows.h"

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
    return {ErrorCode::BadInput,
            "The table has more than " + formatCount(static_cast<std::int64_t>(most)) +
                " buffers; allow more rows, or split it.",
            "line " + std::to_string(line),
            {}};
}

class Reader
{
public:
    Reader(std::istream& input, std::size_t mostRows) : m_lines(input), m_mostRows(mostRows) { m_at.fill(-1); }

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
            PLIMSOLL_TRY(readRow());
        }
        if (m_lines.tooLong()) return bad("The line is longer than 64 KiB; this is no table of buffers.");
        return std::move(m_table);
    }

    Status header()
    {
        do {
            if (m_lines.next()) continue;
            if (m_lines.tooLong()) return bad("The line is longer than 64 KiB; this is no table of buffers.");
            return bad("The table is empty. It needs a header: id,lower,upper,size.");
        } while (m_lines.blank());
        m_width = m_lines.cells().size();
        for (std::size_t cell = 0; cell < m_width; ++cell) {
            const std::string name = lowered(m_lines.cells()[cell]);
            const auto* found = std::find_if(ColumnNames.begin(), ColumnNames.end(),
                                             [&](const ColumnName& known) { return known.name == name; });
            if (found == ColumnNames.end()) continue;
            if (m_at[found->column] >= 0) return bad("The header has the column '" + name + "' twice.");
            m_at[found->column] = static_cast<int>(cell);
        }
        const auto missing = [this](Column column) { return m_at[column] < 0; };
        if (missing(Id)) return lacking("no column 'id'");
        if (missing(Lower)) return lacking("no column 'lower'");
        if (missing(Upper) && missing(End)) return lacking("neither a column 'upper' nor 'end'");
        if (!missing(Upper) && !missing(End)) return bad("The header has both 'upper' and 'end'; only one can hold.");
        if (missing(Size)) return lacking("no column 'size'");
        return {};
    }

private:
    [[nodiscard]] Error bad(Message message) const
    {
        return {ErrorCode::BadInput, std::move(message), "line " + std::to_string(m_lines.number()), {}};
    }

    /// Of a header, with what there is instead.
    [[nodiscard]] Error lacking(const std::string& what) const
    {
        std::string columns;
        for (const std::string_view cell : m_lines.cells())
            columns += (columns.empty() ? "" : ",") + std::string(cell.substr(0, 40));
        return bad("The header has " + what + ": it is " + shown(columns) + ". Columns are separated by commas.");
    }

    [[nodiscard]] std::string_view cell(Column column) const
    {
        const int at = m_at[column];
        if (at < 0 || static_cast<std::size_t>(at) >= m_lines.cells().size()) return {};
        return m_lines.cells()[static_cast<std::size_t>(at)];
    }

    Result<std::int64_t> number(std::string_view text, const std::string& what) const
    {
        if (text.empty()) return bad("The " + what + " is missing.");
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc::result_out_of_range)
            return bad("The " + what + " " + shown(text) + " does not fit in 63 bits.");
        if (error != std::errc() || end != text.data() + text.size())
            return bad("The " + what + " " + shown(text) + " is not a whole number.");
        if (value < 0) return bad("The " + what + " " + shown(text) + " is negative.");
        return value;
    }

    /// Its beginning, without what would upset a terminal.
    static std::string shown(std::string_view text)
    {
        std::string start(text.substr(0, 40));
        const bool readable = isUtf8(start);
        for (char& letter : start) {
            const auto code = static_cast<unsigned char>(letter);
            if (code < 0x20 || code == 0x7F || (code > 0x7F && !readable)) letter = '?';
        }
        return "'" + start + (text.size() > 40 ? "…'" : "'");
    }

    Result<Interval> life() const
    {
        PLIMSOLL_ASSIGN(lower, number(cell(Lower), "lower end"));
        const bool inclusive = m_at[Upper] < 0;
        PLIMSOLL_ASSIGN(upper, number(cell(inclusive ? End : Upper), "upper end"));
        if (inclusive && upper == std::numeric_limits<std::int64_t>::max())
            return bad("The upper end does not fit in 63 bits.");
        const Interval steps = inclusive ? Interval::fromInclusive(lower, upper) : Interval {lower, upper};
        if (steps.end < lower) {
            return bad("The buffer ends at " + std::to_string(steps.end) + ", before it begins at " +
                       std::to_string(lower) + ".");
        }
        return steps;
    }

    Status readRow()
    {
        if (m_table.problem.buffers.size() >= m_mostRows) return tooManyRows(m_lines.number(), m_mostRows);
        const std::string_view id = cell(Id);
        if (id.empty()) return bad("The id is missing.");
        for (std::size_t extra = m_width; extra < m_lines.cells().size(); ++extra) {
            if (!m_lines.cells()[extra].empty())
                return bad("The row has more cells than the header, " + std::to_string(m_width) + ": " +
                           shown(m_lines.cells()[extra]) + " belongs to no column.");
        }
        Buffer buffer;
        PLIMSOLL_ASSIGN(steps, life());
        PLIMSOLL_ASSIGN(size, number(cell(Size), "size"));
        buffer.bytes = size;
        buffer.live = LiveRanges(steps);
        if (!cell(Gaps).empty()) PLIMSOLL_TRY(takeGaps(cell(Gaps), steps, buffer.live));
        PLIMSOLL_TRY(takeOptions(buffer));
        if (!m_seen.add(id)) return bad("The id " + shown(id) + " is there already.");
        m_table.ids.emplace_back(id);
        m_table.problem.buffers.push_back(std::move(buffer));
        return {};
    }

    Status takeOptions(Buffer& buffer)
    {
        if (const std::string_view text = cell(Alignment); !text.empty()) {
            PLIMSOLL_ASSIGN(alignment, number(text, "alignment"));
            if (alignment < 1) return bad("The alignment must be at least 1.");
            buffer.alignment = alignment;
        }
        if (const std::string_view text = cell(Hint); !text.empty() && text != "-1") {
            if (const auto hint = number(text, "hint"); !hint.ok()) return hint.error(); // an answer repeats it
        }
        if (m_at[Offset] < 0) return {};
        m_table.offsets.emplace_back();
        if (const std::string_view text = cell(Offset); !text.empty() && text != "-1") {
            PLIMSOLL_ASSIGN(offset, number(text, "offset"));
            m_table.offsets.back() = offset;
        }
        return {};
    }

    /// "a-b c-d@low:high": the buffer is away in [a, b).
    Status takeGaps(std::string_view text, Interval life, LiveRanges& live)
    {
        std::vector<Interval> gaps;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find(' '), text.size());
            std::string_view gap = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (gap.empty()) continue;
            const bool partial = gap.find('@') != std::string_view::npos;
            gap = gap.substr(0, gap.find('@'));
            const std::size_t dash = gap.find('-');
            if (dash == std::string_view::npos) return bad("The gap " + shown(gap) + " is not of the form a-b.");
            PLIMSOLL_ASSIGN(begin, number(gap.substr(0, dash), "begin of a gap"));
            PLIMSOLL_ASSIGN(until, number(gap.substr(dash + 1), "end of a gap"));
            if (until < begin || begin < life.begin || until > life.end)
                return bad("The gap " + shown(gap) + " is not within the life of the buffer.");
            if (partial) {
                ++m_table.partialGaps;
            } else {
                gaps.push_back({begin, until});
            }
        }
        std::sort(gaps.begin(), gaps.end(), [](Interval a, Interval b) { return a.begin < b.begin; });
        live = {};
        std::int64_t from = life.begin;
        for (const Interval gap : gaps) {
            live.add({from, gap.begin});
            from = std::max(from, gap.end);
        }
        live.add({from, life.end});
        return {};
    }

    PackingLines m_lines;
    std::array<int, ColumnCount> m_at {};
    std::size_t m_width = 0; ///< Cells of the header.
    std::size_t m_mostRows;
    PackingTable m_table;
    IdSet m_seen {m_table.ids};
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
    Reader reader(input, mostRows);
    if (!rewind(input)) {
        input.clear();
        return reader.run();
    }
    PLIMSOLL_TRY(Reader(input, mostRows).header());
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
    return Reader(input, mostRows).run();
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
    if (std::filesystem::is_directory(path, error))
        return Error {ErrorCode::BadInput, "It is a folder, not a table of buffers.", {}, path.string()};
    std::ifstream input(path, std::ios::binary);
    if (!input) return Error {ErrorCode::BadInput, "It cannot be opened.", {}, path.string()};
    Result<PackingTable> table = readFile(input, mostRows);
    if (table.ok()) return table;
    Error refused = table.error();
    refused.file = path.string();
    return refused;
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
    if (!output) return Error {ErrorCode::BadInput, "The answer cannot be written.", {}, {}};
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
    if (row != plan.allocations.size() || lines.tooLong())
        return Error {ErrorCode::BadInput, "The table is not the one that was packed: its rows have changed.", {}, {}};
    if (!output) return Error {ErrorCode::BadInput, "The answer cannot be written.", {}, {}};
    return {};
}

} // namespace plimsoll
