#include "core/facts/tables/row_query.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

using Term = RowFilter::Term;

std::string lower(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return small;
}

struct TypedWord
{
    std::string text;
    bool literal = false; ///< It began with a quote.
};

/// Apart by blanks; what is in quotes is one.
std::vector<TypedWord> wordsOf(std::string_view text)
{
    std::vector<TypedWord> words;
    bool quoted = false;
    bool inside = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        const bool blank = !quoted && (c == ' ' || c == '\t');
        if (!blank && !inside) words.push_back({{}, c == '"'});
        inside = !blank;
        if (inside && c != '"') words.back().text += c;
    }
    return words;
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool isSign(char c)
{
    return std::string_view("<>=!~").find(c) != std::string_view::npos;
}

/// "bytes > 1MiB" is one comparison, as "bytes>1MiB" is.
std::vector<TypedWord> withoutBlanksAtSigns(std::vector<TypedWord> words)
{
    for (std::size_t i = 0; i + 1 < words.size();) {
        TypedWord& word = words[i];
        const TypedWord& next = words[i + 1];
        const auto sign = std::ranges::find_if_not(word.text, isLetter);
        const bool begins = sign == word.text.end() && !next.literal && isSign(next.text.front());
        const bool ends =
            sign != word.text.begin() && sign != word.text.end() && std::all_of(sign, word.text.end(), isSign);
        if (word.literal || word.text.empty() || next.text.empty() || !(begins || ends)) {
            ++i;
            continue;
        }
        word.text += next.text;
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    return words;
}

/// As it is spoken, else in English; by its title, else by what its tip begins with: "bytes" is "Required, Bytes that
/// …".
std::optional<std::size_t> columnNamed(std::string_view name, const FactTable& table)
{
    const auto begins = [wanted = lower(name)](std::string_view text) {
        std::string title = lower(text);
        std::erase(title, ' ');
        return title.starts_with(wanted);
    };
    for (const auto text : {&ColumnInfo::title, &ColumnInfo::tip}) {
        for (const bool english : {false, true}) {
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                const std::string_view said = table.columns[column].*text;
                if (begins(english ? said : spoken(said))) return column;
            }
        }
    }
    return std::nullopt;
}

Message noColumn(const std::string& name, const FactTable& table)
{
    const auto titleOf = [](const ColumnInfo& column) { return word::Name {lower(spoken(column.title))}; };
    return say("filter.no-column", word::Name {name}, allOf(table.columns, titleOf, word::List::Joint::Comma));
}

/// With a regular expression; nothing where it is none.
std::optional<Term> patternTerm(std::optional<std::size_t> column, std::string_view expression, Message& complaint)
{
    auto pattern = std::make_shared<const TextPattern>(expression);
    if (!pattern->complaint().empty()) {
        complaint = pattern->complaint();
        return std::nullopt;
    }
    return Term {false, column, "~", {}, {}, std::move(pattern)};
}

/// A comparison where a name stands before a sign, else a word. Nothing of what cannot be meant.
std::optional<Term> termOf(const TypedWord& typed, const FactTable& table, Message& complaint)
{
    const std::string& word = typed.text;
    const auto sign = std::ranges::find_if_not(word, isLetter);
    const std::string name(word.begin(), sign);
    std::string rest(sign, word.end());
    static constexpr std::array<std::string_view, 7> Signs = {"<=", ">=", "!=", "<", ">", "=", "~"};
    const auto* found = std::ranges::find_if(Signs, [&](std::string_view one) { return rest.starts_with(one); });
    if (!typed.literal && word.size() > 2 && word.front() == '/' && word.back() == '/')
        return patternTerm({}, std::string_view(word).substr(1, word.size() - 2), complaint);
    if (typed.literal || name.empty() || found == Signs.end() || rest.size() == found->size())
        return Term {false, {}, {}, lower(word), {}, {}};
    rest.erase(0, found->size());
    const auto column = columnNamed(name, table);
    if (!column) {
        complaint = noColumn(name, table);
        return std::nullopt;
    }
    if (*found == "~") return patternTerm(column, rest, complaint);
    Term term {false, column, std::string(*found), lower(rest), parseBytes(rest), {}};
    const bool ordered = found->front() == '<' || found->front() == '>';
    if (!ordered || term.number || table.columns[*term.column].kind != ColumnInfo::Kind::Number) return term;
    complaint = say("filter.no-number", rest);
    return std::nullopt;
}

/// Texts sort without regard to case; those that differ in nothing else stand side by side, small letters first.
SortKey caseless(SortKey key)
{
    auto* words = std::get_if<std::string>(&key);
    std::string small = words ? lower(*words) : std::string();
    if (words && small != *words) *words = std::move(small) + '\0' + *words;
    return key;
}

bool holds(const Term& term, const Cell& cell, CellText text)
{
    if (term.pattern) return term.pattern->occursIn(text(cell));
    const SortKey key = sortKey(cell);
    const double* number = std::get_if<double>(&key);
    std::partial_ordering order = std::partial_ordering::equivalent;
    if (term.number && number)
        order = *number <=> static_cast<double>(*term.number);
    else
        order = lower(text(cell)) <=> term.text;
    if (term.operation == "!=") return order != std::partial_ordering::equivalent;
    if (order == std::partial_ordering::equivalent) return term.operation.ends_with('=');
    return term.operation.front() == (order == std::partial_ordering::less ? '<' : '>');
}

} // namespace

RowFilter readRowFilter(std::string_view text, const FactTable& table)
{
    RowFilter filter;
    filter.ways.emplace_back();
    bool negated = false;
    for (const TypedWord& typed : withoutBlanksAtSigns(wordsOf(text))) {
        const std::string word = typed.literal ? std::string() : typed.text;
        if (word == "not" || word == spoken("not")) {
            negated = !negated;
        } else if (word == "or" || word == spoken("or")) {
            if (!filter.ways.back().empty()) filter.ways.emplace_back();
        } else if (word == "and" || word == spoken("and")) {
            // terms beside one another must hold together in any case
        } else if (auto term = termOf(typed, table, filter.complaint)) {
            term->negated = std::exchange(negated, false);
            filter.ways.back().push_back(std::move(*term));
        }
    }
    std::erase_if(filter.ways, [](const auto& way) { return way.empty(); });
    return filter;
}

bool matches(const RowFilter& filter, const OpenTable& table, std::size_t row, std::size_t columns, CellText text)
{
    std::string all; // of the row, once a word asks for it
    const auto occurs = [&](const Term& term) {
        for (std::size_t column = 0; term.pattern && column < columns; ++column)
            if (term.pattern->occursIn(text(table.cell(row, column)))) return true;
        if (term.pattern) return false;
        for (std::size_t column = all.empty() ? 0 : columns; column < columns; ++column)
            all += lower(text(table.cell(row, column))) + '\n';
        return all.find(term.text) != std::string::npos;
    };
    const auto isTrue = [&](const Term& term) {
        const bool found = term.column ? holds(term, table.cell(row, *term.column), text) : occurs(term);
        return found != term.negated;
    };
    return filter.ways.empty() ||
           std::ranges::any_of(filter.ways, [&](const auto& way) { return std::ranges::all_of(way, isTrue); });
}

std::vector<std::uint32_t> pickRows(const RowQuery& query, const OpenTable& table, std::size_t columns, CellText text,
                                    const std::stop_token& stop, std::size_t most)
{
    struct Row
    {
        bool behind = false; ///< What leads.
        SortKey key;
        std::uint32_t row = 0;
    };
    std::vector<Row> found;
    for (std::uint32_t row = 0; row < table.size() && !stop.stop_requested(); ++row) {
        if (!matches(query.filter, table, row, columns, text)) continue;
        Row one {query.sortedBy && query.leadersFirst && !table.leads(row), {}, row};
        if (query.sortedBy) one.key = caseless(sortKey(table.cell(row, *query.sortedBy)));
        found.push_back(std::move(one));
    }
    const auto before = [&](const Row& a, const Row& b) {
        if (a.behind != b.behind) return b.behind;
        if (a.key != b.key) return query.falling ? b.key < a.key : a.key < b.key;
        return a.row < b.row;
    };
    const std::size_t shown = std::min(most, found.size());
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(shown);
    if (query.sortedBy && shown == found.size())
        std::ranges::sort(found, before);
    else if (query.sortedBy)
        std::ranges::partial_sort(found, end, before);
    std::vector<std::uint32_t> rows(shown);
    std::transform(found.begin(), end, rows.begin(), [](const Row& one) { return one.row; });
    return rows;
}

std::vector<bool> usedColumns(const OpenTable& table, std::size_t columns, CellText text)
{
    std::vector<bool> used(columns);
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t row = 0; !used[column] && row < table.size(); ++row)
            used[column] = !text(table.cell(row, column)).empty();
    }
    return used;
}

} // namespace plimsoll
