#include "core/formats/torch/fx_graph.h"
#include "core/formats/torch/fx_type.h"

#include <algorithm>
#include <set>

namespace plimsoll::fx {
namespace {

using Kind = Expression::Kind;

std::vector<std::string> keptInputs(const FxGraph& backward)
{
    std::vector<std::string> names;
    for (const Declared& input : backward.inputs) {
        if (!isTangent(input.name)) names.push_back(input.name);
    }
    return names;
}

/// The last \p count results of a forward graph: saved tensors, then saved sizes.
std::vector<std::string> lastResults(const FxGraph& forward, std::size_t count)
{
    std::vector<std::string> names;
    for (std::size_t i = forward.results.size() - std::min(count, forward.results.size()); i < forward.results.size();
         ++i)
        names.push_back(forward.results[i].is(Kind::Name) ? forward.results[i].text : std::string());
    return names;
}

std::map<std::string, Declared> declarations(const FxGraph& graph)
{
    std::map<std::string, Declared> declared;
    for (const Declared& input : graph.inputs)
        declared.emplace(input.name, input);
    for (const Statement& statement : graph.statements) {
        for (const Declared& target : statement.targets)
            declared.emplace(target.name, target);
    }
    return declared;
}

/// What is handed on must be of one type on both sides.
Status checkHandedOn(const FxGraph& forward, const FxGraph& backward)
{
    const auto declared = declarations(forward);
    for (const Declared& input : backward.inputs) {
        const auto found = declared.find(input.name);
        if (found == declared.end() || input.annotation.empty() || found->second.annotation.empty()) continue;
        const auto here = readPrintedType(input.annotation);
        const auto there = readPrintedType(found->second.annotation);
        if (!here.ok() || !there.ok() || here.value().type == there.value().type) continue;
        return badInput(say("fx.types-of-halves", word::Name {input.name}, input.annotation, found->second.annotation,
                            word::Number(found->second.line)),
                        "line " + std::to_string(input.line));
    }
    return {};
}

using Names = std::map<std::string, std::string>;

void renamePath(std::string& path, const Names& names)
{
    const std::size_t end = std::min(path.find('.'), path.size());
    const auto found = names.find(path.substr(0, end));
    if (found != names.end()) path.replace(0, end, found->second);
}

void renameIn(Expression& expression, const Names& names)
{
    if (expression.is(Kind::Name) || expression.is(Kind::Call)) renamePath(expression.text, names);
    for (Expression& item : expression.items)
        renameIn(item, names);
    for (Keyword& keyword : expression.keywords)
        renameIn(keyword.value, names);
}

/// Names of the backward graph that mean something else in the forward graph.
Names clashes(const FxGraph& forward, const FxGraph& backward)
{
    const auto taken = declarations(forward);
    Names names;
    for (const Statement& statement : backward.statements) {
        for (const Declared& target : statement.targets) {
            if (taken.contains(target.name)) names.emplace(target.name, target.name + "_backward");
        }
    }
    for (auto& [name, other] : names) {
        while (taken.contains(other))
            other += "_";
    }
    return names;
}

std::size_t countOf(const Expression& expression)
{
    std::size_t count = 1;
    for (const Expression& item : expression.items)
        count += countOf(item);
    for (const Keyword& keyword : expression.keywords)
        count += countOf(keyword.value);
    return count;
}

} // namespace

std::string placeOf(const Statement& statement)
{
    return statement.place.empty() ? "line " + std::to_string(statement.line) : statement.place;
}

std::size_t roomOf(const Statement& statement)
{
    constexpr std::size_t Parsed = 1'200; // the statement, and what is known of its name beside the graph
    const std::size_t targets = std::max<std::size_t>(statement.targets.size(), 1);
    return Parsed + sizeof(Expression) * countOf(statement.value) + ReadingRoom::Node + targets * ReadingRoom::Value +
           2 * (statement.source.size() + statement.module.size());
}

bool isTangent(std::string_view name)
{
    return name.starts_with("tangents_");
}

bool belongTogether(const FxGraph& forward, const FxGraph& backward)
{
    const auto tangent = [](const Declared& input) { return isTangent(input.name); };
    if (std::any_of(forward.inputs.begin(), forward.inputs.end(), tangent)) return false;
    if (std::none_of(backward.inputs.begin(), backward.inputs.end(), tangent)) return false;
    const std::vector<std::string> kept = keptInputs(backward);
    const std::vector<std::string> handed = lastResults(forward, kept.size());
    return handed.size() == kept.size() &&
           std::multiset(kept.begin(), kept.end()) == std::multiset(handed.begin(), handed.end());
}

Result<FxGraph> join(FxGraph forward, FxGraph backward)
{
    PLIMSOLL_TRY(checkHandedOn(forward, backward));
    const Names names = clashes(forward, backward);
    const auto mine = declarations(forward);
    const auto isForwards = [&](const std::string& name) { return mine.contains(name) && !names.contains(name); };
    const std::size_t kept = keptInputs(backward).size();
    forward.saved = lastResults(forward, kept);
    forward.forwardStatements = forward.statements.size();
    forward.results.resize(forward.results.size() - kept);
    for (Declared& input : backward.inputs) {
        if (isTangent(input.name)) forward.inputs.push_back(std::move(input));
    }
    for (Statement& statement : backward.statements) {
        for (Declared& target : statement.targets)
            renamePath(target.name, names);
        std::erase_if(statement.last, isForwards); // A result of the forward graph may be given up here only.
        for (std::string& name : statement.last)
            renamePath(name, names);
        renameIn(statement.value, names);
        forward.statements.push_back(std::move(statement));
    }
    for (Expression& result : backward.results) {
        renameIn(result, names);
        forward.results.push_back(std::move(result));
    }
    forward.gradients = backward.results.size();
    forward.resultLine = backward.resultLine;
    forward.parts.insert(forward.parts.end(), backward.parts.begin(), backward.parts.end());
    return forward;
}

} // namespace plimsoll::fx
