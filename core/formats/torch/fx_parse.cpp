#include "core/formats/torch/fx_graph.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

Error atLine(Message message, std::size_t line)
{
    return badInput(std::move(message), "line " + std::to_string(line));
}

/// Brackets of a text that are still open, outside of quotes and comments.
int openBrackets(std::string_view line)
{
    int open = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0') {
            if (c == '\\')
                ++i;
            else if (c == quote)
                quote = '\0';
        } else if (c == '#') {
            break;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            open += c == '(' || c == '[' || c == '{' ? 1 : 0;
            open -= c == ')' || c == ']' || c == '}' ? 1 : 0;
        }
    }
    return open;
}

/// "File: model.py:12 in forward, code: …": the place and the function.
std::string sourceIn(std::string_view comment)
{
    const std::size_t begin = comment.find("File: ");
    if (begin == std::string_view::npos) return {};
    const std::string_view place = comment.substr(begin + 6);
    return std::string(place.substr(0, std::min(place.find(", code:"), place.size())));
}

/// The lines from \p at on that belong together because of their brackets; \p at is moved behind them.
Result<std::string> statementText(const Listing& listing, std::size_t& at)
{
    const std::size_t first = listing.lines[at].number;
    std::string text;
    int open = 0;
    do {
        if (at >= listing.lines.size()) return atLine(say("fx.bracket-open"), first);
        const std::string_view line = listing.lines[at++].text;
        open += openBrackets(line);
        text.append(line).push_back('\n');
    } while (open > 0);
    return text;
}

bool takeAssign(Scanner& scanner)
{
    if (scanner.peek() != '=') return false;
    const std::size_t before = scanner.position();
    if (scanner.take("==")) {
        scanner.goTo(before);
        return false;
    }
    return scanner.take("=");
}

/// "a: "f32[2]" = ", "a = b = ", "a, b, = " or nothing. \p assigned: there is a "=".
Status readTargets(Scanner& scanner, Statement& made, bool& assigned)
{
    assigned = false;
    std::vector<Declared> found;
    while (true) {
        const std::size_t before = scanner.position();
        Declared target;
        target.line = scanner.line();
        target.name = scanner.identifier();
        if (target.name.empty()) break;
        const char next = scanner.peek();
        if (next == ':') {
            static_cast<void>(scanner.take(":"));
            PLIMSOLL_SET(target.annotation, scanner.annotation("=;\n"));
            if (target.annotation.empty()) return scanner.error(say("fx.no-type"));
            found.push_back(std::move(target));
            if (!takeAssign(scanner)) {
                made.targets = std::move(found);
                return {};
            }
            assigned = true;
            continue;
        }
        if (next == ',') {
            static_cast<void>(scanner.take(","));
            found.push_back(std::move(target));
            if (takeAssign(scanner)) assigned = true;
            continue;
        }
        if (!takeAssign(scanner)) {
            if (assigned) scanner.goTo(before);
            break;
        }
        assigned = true;
        found.push_back(std::move(target));
    }
    if (assigned) made.targets = std::move(found);
    return {};
}

void flatten(const Expression& value, std::vector<Expression>& results)
{
    if (value.is(Kind::List)) {
        for (const Expression& item : value.items)
            flatten(item, results);
    } else if (value.is(Kind::Dict)) {
        for (std::size_t i = 1; i < value.items.size(); i += 2)
            flatten(value.items[i], results);
    } else {
        results.push_back(value);
    }
}

/// "def forward(self, primals_1: "f32[2]", …):" from line \p at on, which is moved behind it.
Result<std::vector<Declared>> readHead(const Listing& listing, std::size_t& at)
{
    PLIMSOLL_ASSIGN(text, statementText(listing, at));
    Scanner scanner(text, listing.lines.front().number);
    const bool begins = scanner.takeWord("def") && scanner.takeWord("forward") && scanner.take("(");
    if (!begins) return scanner.error(say("fx.no-def"));
    std::vector<Declared> inputs;
    while (!scanner.take(")")) {
        Declared input;
        input.line = scanner.line();
        static_cast<void>(scanner.take("**") || scanner.take("*"));
        input.name = scanner.identifier();
        if (input.name.empty()) return scanner.error(say("fx.no-argument-name"));
        if (scanner.take(":")) PLIMSOLL_SET(input.annotation, scanner.annotation(",)="));
        if (scanner.take("=")) PLIMSOLL_TRY(scanner.expression()); // a default
        if (!scanner.take(",") && scanner.peek() != ')') return scanner.error(say("fx.arguments-not-closed"));
        input.comment = scanner.takeComment();
        if (input.name != "self") inputs.push_back(std::move(input));
    }
    return inputs;
}

class Parser
{
public:
    Parser(const Listing& listing, ReadingRoom& room) : m_listing(listing), m_room(room)
    {
        m_graph.name = listing.name;
    }

    Result<FxGraph> run()
    {
        std::size_t at = 0;
        PLIMSOLL_SET(m_graph.inputs, readHead(m_listing, at));
        for (const Declared& input : m_graph.inputs)
            PLIMSOLL_TRY(define(input.name, input.line));
        while (at < m_listing.lines.size() && !m_returned) {
            std::string_view text = m_listing.lines[at].text;
            text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
            if (text.empty() || text.starts_with('#')) {
                if (std::string source = sourceIn(text); !text.empty()) m_source = std::move(source);
                ++at;
                continue;
            }
            const std::size_t line = m_listing.lines[at].number;
            PLIMSOLL_ASSIGN(whole, statementText(m_listing, at));
            Scanner scanner(whole, line);
            PLIMSOLL_TRY(statements(scanner));
        }
        if (!m_returned) {
            return atLine(say("fx.no-return", word::Name {m_listing.name}), m_listing.lines.back().number);
        }
        m_graph.parts = m_listing.parts;
        return std::move(m_graph);
    }

private:
    Status define(const std::string& name, std::size_t line)
    {
        const auto [earlier, isNew] = m_defined.emplace(name, line);
        if (isNew) return {};
        return atLine(say("fx.computed-twice", word::Name {name}, word::Number(earlier->second)), line);
    }

    /// What stands on a line, parted by semicolons.
    Status statements(Scanner& scanner)
    {
        do {
            if (scanner.atEnd()) return {};
            PLIMSOLL_TRY(statement(scanner));
        } while (scanner.take(";") && !m_returned);
        if (!scanner.atEnd()) return scanner.error(say("fx.statement-not-ended"));
        return {};
    }

    Status statement(Scanner& scanner)
    {
        if (scanner.takeWord("return")) return takeReturn(scanner);
        Statement made;
        made.line = scanner.line();
        made.source = m_source;
        const std::size_t begin = scanner.position();
        bool assigned = false;
        PLIMSOLL_TRY(readTargets(scanner, made, assigned));
        if (made.targets.empty()) scanner.goTo(begin);
        const bool declares = made.targets.size() == 1 && !made.targets[0].annotation.empty() && !assigned;
        if (declares) {
            made.targets[0].comment = scanner.takeComment();
            m_declared[made.targets[0].name] = made.targets[0];
            return {};
        }
        PLIMSOLL_SET(made.value, scanner.expressions());
        for (const char* sign : {"+=", "-=", "*=", "/=", "&=", "|="}) { // "x += y" writes to x
            if (!made.targets.empty() || !scanner.take(sign)) continue;
            PLIMSOLL_ASSIGN(operand, scanner.expression());
            made.value = makeExpression(Kind::Operation, sign, std::move(made.value), std::move(operand));
            break;
        }
        return add(std::move(made));
    }

    Status add(Statement made)
    {
        if (made.value.is(Kind::None) && !made.targets.empty()) { // "a = b = None": they are not read any more.
            for (const Declared& target : made.targets) {
                if (!m_graph.statements.empty()) m_graph.statements.back().last.push_back(target.name);
            }
            return {};
        }
        if (made.value.is(Kind::Call) && made.value.text.ends_with("tree_flatten_spec")) return takeApart(made);
        for (const Declared& target : made.targets)
            PLIMSOLL_TRY(define(target.name, target.line));
        m_room.take(roomOf(made));
        if (m_room.isFull()) return badInput(ReadingRoom::refusal(), placeOf(made));
        m_graph.statements.push_back(std::move(made));
        return {};
    }

    /// "primals_1, tangents_1, = fx_pytree.tree_flatten_spec(…)": these are the inputs.
    Status takeApart(const Statement& made)
    {
        if (!m_graph.statements.empty()) return {};
        for (const Declared& input : m_graph.inputs)
            m_defined.erase(input.name);
        std::map<std::string, Declared> known;
        for (Declared& input : m_graph.inputs)
            known.emplace(input.name, input);
        m_graph.inputs.clear();
        for (const Declared& target : made.targets) {
            PLIMSOLL_TRY(define(target.name, target.line));
            const auto declared = m_declared.find(target.name);
            const auto earlier = known.find(target.name);
            m_graph.inputs.push_back(declared != m_declared.end() ? declared->second
                                     : earlier != known.end()     ? earlier->second
                                                                  : target);
        }
        return {};
    }

    Status takeReturn(Scanner& scanner)
    {
        m_graph.resultLine = scanner.line();
        m_returned = true;
        if (scanner.atEnd()) return {};
        PLIMSOLL_ASSIGN(value, scanner.expressions());
        if (!scanner.atEnd() && scanner.peek() != ';') return scanner.error(say("fx.statement-not-ended"));
        const bool unflattens = value.is(Kind::Call) && value.text.ends_with("tree_unflatten") && !value.items.empty();
        flatten(unflattens ? value.items[0] : value, m_graph.results);
        return {};
    }

    const Listing& m_listing;
    ReadingRoom& m_room;
    FxGraph m_graph;
    std::map<std::string, std::size_t> m_defined; ///< Name → line.
    std::map<std::string, Declared> m_declared;   ///< "primals_1: "f32[2]"" on a line of its own.
    std::string m_source;
    bool m_returned = false;
};

} // namespace

Result<FxGraph> parseListing(const Listing& listing, ReadingRoom& room)
{
    return Parser(listing, room).run();
}

} // namespace plimsoll::fx
