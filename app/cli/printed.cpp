#include "app/cli/printed.h"

#include "app/cli/files.h"
#include "core/base/short_text.h"
#include "core/report/escape.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace plimsoll::cli {
namespace {

/// Bytes: a name that is longer is printed without its middle.
constexpr std::size_t LongestWord = 200;

/// Names with line breaks, by what stands before the first: looked for behind each line of a text.
class BrokenNames
{
public:
    void add(std::string_view name)
    {
        const std::size_t end = name.find('\n');
        if (end == std::string_view::npos || name.size() == 1) return;
        m_rests[name.substr(0, end)].insert(name.substr(end + 1));
        m_lengths.insert(end);
    }

    [[nodiscard]] bool empty() const { return m_rests.empty(); }

    /// How many bytes behind the line break at \p at belong to a name that it breaks.
    [[nodiscard]] std::optional<std::size_t> restAt(std::string_view text, std::size_t at) const
    {
        for (const std::size_t length : m_lengths) {
            if (length > at) return std::nullopt;
            const auto found = m_rests.find(text.substr(at - length, length));
            if (found == m_rests.end()) continue;
            for (const std::string_view rest : found->second) {
                if (text.substr(at + 1).starts_with(rest)) return rest.size();
            }
        }
        return std::nullopt;
    }

private:
    std::map<std::string_view, std::set<std::string_view, std::greater<>>> m_rests; ///< The longest of two first.
    std::set<std::size_t> m_lengths;
};

std::string joined(std::string_view text, const BrokenNames& names)
{
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', std::max(at + 1, from))) {
        const auto rest = names.restAt(text, at);
        if (!rest) continue;
        const std::size_t end = at + 1 + *rest;
        out += std::string(text.substr(from, at - from)) + visibleLine(text.substr(at, end - at));
        from = end;
    }
    return out + std::string(text.substr(from));
}

} // namespace

std::string printable(std::string_view text, std::initializer_list<const Graph*> graphs)
{
    BrokenNames names;
    for (const Graph* graph : graphs) {
        names.add(graph->name);
        for (const Value& value : graph->values)
            names.add(value.name);
        for (const Node& node : graph->nodes) {
            names.add(node.name);
            names.add(node.op);
        }
    }
    return shortWords(visibleText(names.empty() ? std::string(text) : joined(text, names)), LongestWord);
}

Status printText(std::string_view text, std::initializer_list<const Graph*> graphs)
{
    return writeText("-", printable(text, graphs));
}

} // namespace plimsoll::cli
