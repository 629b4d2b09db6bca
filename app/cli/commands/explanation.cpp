#include "app/cli/commands/explanation.h"

#include "app/cli/fact_text.h"
#include "core/facts/about.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/pair_reason.h"

#include <charconv>

namespace plimsoll::cli {
namespace {

/// More are told nowhere else.
constexpr std::size_t MostListed = 200;

/// "12", or as reports write it: "s12".
StorageId findStorage(const Report& report, std::string_view text)
{
    if (text.starts_with('s')) text.remove_prefix(1);
    std::int32_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is = error == std::errc() && end == text.data() + text.size() && number >= 0 &&
                    static_cast<std::size_t>(number) < report.program.storages.size();
    return is ? StorageId(number) : StorageId();
}

/// Of a name that nothing has, with a few that contain it.
Error unknown(const Graph& graph, std::string_view subject, std::string_view sentence, std::string_view withNear)
{
    constexpr std::size_t Most = 5;
    std::vector<std::string> near;
    const auto consider = [&](const std::string& name) {
        if (near.size() < Most && name.find(subject) != std::string::npos) near.push_back(name);
    };
    for (const Value& value : graph.values)
        consider(value.name);
    for (const Node& node : graph.nodes)
        consider(node.name);
    const word::Name name {std::string(subject)};
    return {ErrorCode::BadUsage, near.empty() ? say(sentence, name) : say(withNear, name, namesOf(near, Most)), {}, {}};
}

} // namespace

Result<std::vector<Focus>> findSubject(const Report& report, std::string_view subject, std::int64_t step)
{
    const std::int64_t steps = report.program.schedule.length();
    if (step >= steps) return Error {ErrorCode::BadUsage, say("explain.no-step", step, steps), {}, {}};
    const Graph& graph = *report.program.graph;
    std::vector<Focus> found;
    const auto add = [&](const Focus& focus) {
        if (focus.picked()) found.push_back(focus);
    };
    add(Focus::on(findValue(graph, subject)));
    add(Focus::on(findNode(graph, subject)));
    if (found.empty()) add(Focus::on(findStorage(report, subject)));
    if (found.empty()) {
        for (const PlanArea& area : readAreas(report, subject))
            add({.area = area, .step = step});
    }
    if (found.empty()) return unknown(graph, subject, "explain.unknown", "explain.unknown-near");
    return found;
}

std::string explanation(const Report& report, const std::vector<Focus>& subject)
{
    std::string text;
    for (const Focus& focus : subject)
        text +=
            (text.empty() ? "" : "\n") + sectionsText(std::string(focusKind(focus)) + " " + focusTitle(report, focus),
                                                      sectionsAbout(report, focus, MostListed), factText);
    return text;
}

Result<std::string> explainPair(const Report& report, std::string_view first, std::string_view second)
{
    for (const std::string_view name : {first, second}) {
        if (findValue(*report.program.graph, name).valid()) continue;
        if (findNode(*report.program.graph, name).valid())
            return Error {ErrorCode::BadUsage, say("explain.node-of-two", word::Name {std::string(name)}), {}, {}};
        return unknown(*report.program.graph, name, "explain.no-value", "explain.no-value-near");
    }
    const Graph& graph = *report.program.graph;
    return english(pairReason(report, findValue(graph, first), findValue(graph, second))) + "\n";
}

} // namespace plimsoll::cli
