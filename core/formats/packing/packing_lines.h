#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Lines of a CSV file as cells without surrounding blanks or quotes. Holds one block and one line, however large the
/// file is. Quoted cells with commas are not of this dialect.
class PackingLines
{
public:
    explicit PackingLines(std::istream& input) : m_input(input), m_block(BlockBytes, '\0') {}

    /// False at the end of the file, or at a line that is too long.
    bool next()
    {
        m_line.clear();
        ++m_number;
        bool any = false;
        while (m_at < m_end || fill()) {
            any = true;
            const std::size_t newline = std::string_view(m_block).substr(0, m_end).find('\n', m_at);
            const std::size_t end = newline == std::string_view::npos ? m_end : newline;
            m_line.append(m_block, m_at, end - m_at);
            m_at = newline == std::string_view::npos ? m_end : newline + 1;
            m_tooLong = m_line.size() > MostBytes;
            if (m_tooLong) return false;
            if (newline != std::string_view::npos) break;
        }
        if (any) split();
        return any;
    }

    [[nodiscard]] bool tooLong() const { return m_tooLong; }
    [[nodiscard]] bool blank() const { return m_cells.size() == 1 && m_cells.front().empty(); }
    [[nodiscard]] std::size_t number() const { return m_number; } ///< From 1.
    [[nodiscard]] const std::vector<std::string_view>& cells() const { return m_cells; }

private:
    static constexpr std::size_t BlockBytes = 1 << 16;
    static constexpr std::size_t MostBytes = 1 << 16;

    bool fill()
    {
        m_input.read(m_block.data(), static_cast<std::streamsize>(BlockBytes));
        m_at = 0;
        m_end = static_cast<std::size_t>(m_input.gcount());
        return m_end > 0;
    }

    void split()
    {
        m_cells.clear();
        std::string_view rest = m_line;
        if (m_number == 1 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
        for (std::size_t comma = rest.find(','); comma != std::string_view::npos; comma = rest.find(',')) {
            m_cells.push_back(trimmed(rest.substr(0, comma)));
            rest.remove_prefix(comma + 1);
        }
        m_cells.push_back(trimmed(rest));
    }

    static std::string_view trimmed(std::string_view text)
    {
        constexpr std::string_view Blanks = " \t\r";
        const std::size_t first = text.find_first_not_of(Blanks);
        if (first == std::string_view::npos) return {};
        text = text.substr(first, text.find_last_not_of(Blanks) - first + 1);
        if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
        return text;
    }

    std::istream& m_input;
    std::string m_block;
    std::size_t m_at = 0;
    std::size_t m_end = 0;
    std::string m_line;
    std::vector<std::string_view> m_cells;
    std::size_t m_number = 0;
    bool m_tooLong = false;
};

} // namespace plimsoll
