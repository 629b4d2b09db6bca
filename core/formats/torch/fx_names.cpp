#include "core/formats/torch/fx_names.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

/// What may stand in a text without being computed there.
constexpr std::string_view Globals[] = {"torch",    "self",      "math",   "operator", "_operator",
                                        "builtins", "fx_pytree", "pytree", "device",   "slice",
                                        "int",      "float",     "bool",   "range",    "inspect"};

void addNames(const Expression& expression, std::vector<const Expression*>& names)
{
    if (expression.is(Kind::Name)) names.push_back(&expression);
    for (const Expression& item : expression.items)
        addNames(item, names);
    for (const Keyword& keyword : expression.keywords)
        addNames(keyword.value, names);
}

bool writes(const Callee& callee, const Expression& call)
{
    const bool inPlace = std::any_of(call.keywords.begin(), call.keywords.end(), [](const Keyword& keyword) {
        return keyword.name == "inplace" && keyword.value.integer != 0;
    });
    return inPlace || (callee.op.ends_with('_') && !callee.op.ends_with("__"));
}

} // namespace

Elements findElements(const std::vector<Statement>& statements)
{
    Elements elements;
    std::map<std::string, const Statement*> tuples;
    for (const Statement& statement : statements) {
        const bool one = statement.targets.size() == 1;
        if (one && statement.targets[0].annotation.empty()) tuples.emplace(statement.targets[0].name, &statement);
        const auto element = elementOf(statement);
        if (!element || !tuples.contains(element->first) || !one) continue;
        auto& outputs = elements[element->first];
        const auto at = static_cast<std::size_t>(element->second);
        if (outputs.size() <= at) outputs.resize(at + 1);
        if (outputs[at].name.empty()) outputs[at] = statement.targets[0];
    }
    return elements;
}

std::optional<std::pair<std::string, std::int64_t>> elementOf(const Statement& statement)
{
    const Expression& value = statement.value;
    if (!value.is(Kind::Index) || !value.items[0].is(Kind::Name) || !value.items[1].is(Kind::Integer))
        return std::nullopt;
    constexpr std::int64_t MostOutputs = 4096;
    const std::int64_t index = value.items[1].integer;
    if (index < 0 || index >= MostOutputs) return std::nullopt;
    return std::pair {value.items[0].text, index};
}

std::vector<const Expression*> namesIn(const Expression& expression)
{
    std::vector<const Expression*> names;
    addNames(expression, names);
    return names;
}

std::string rootOf(const std::string& path)
{
    return path.substr(0, path.find('.'));
}

bool Names::knows(const std::string& name) const
{
    return writer.knows(name) || elements.contains(name) || literals.contains(name);
}

Status Names::check(const Expression& value, const std::string& place) const
{
    for (const Expression* name : namesIn(value)) {
        const std::string root = rootOf(name->text);
        if (const auto found = gone.find(root); found != gone.end())
            return badInput(say("fx.given-up", word::Name {root}, word::Number(found->second)), place);
        if (knows(root) || std::ranges::find(Globals, root) != std::end(Globals)) continue;
        return badInput(say("fx.not-computed", word::Name {root}), place);
    }
    return {};
}

std::vector<std::string> Names::tensorsOf(const std::string& name) const
{
    if (writer.knows(name)) return {name};
    std::vector<std::string> tensors;
    const auto found = elements.find(name);
    if (found == elements.end()) return tensors;
    for (const Declared& output : found->second) {
        if (writer.knows(output.name)) tensors.push_back(output.name);
    }
    return tensors;
}

std::vector<std::string> Names::tensorsIn(const Expression& expression) const
{
    std::vector<std::string> tensors;
    for (const Expression* name : namesIn(expression)) {
        for (std::string& tensor : tensorsOf(name->text))
            tensors.push_back(std::move(tensor));
    }
    return tensors;
}

std::vector<std::string> Names::writtenBy(const Callee& callee, const Expression& whole) const
{
    std::vector<std::string> written;
    if (!writes(callee, whole)) return written;
    std::vector<const Expression*> names = namesIn(whole.items.empty() ? whole : whole.items[0]);
    const bool list = !whole.items.empty() && whole.items[0].is(Kind::List);
    if (!list && names.size() > 1) names.resize(1);
    for (const Expression* name : names) {
        for (std::string& tensor : tensorsOf(name->text))
            written.push_back(std::move(tensor));
    }
    return written;
}

} // namespace plimsoll::fx
