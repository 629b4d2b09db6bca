#include "tests/core/verify/case.h"

#include "tests/support/graph_text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace plimsoll::test {
namespace {

class PlanReader
{
public:
    explicit PlanReader(Case& c) : m_case(c) { m_case.map.values.resize(c.graph.values.size()); }

    void read(std::string_view text)
    {
        std::istringstream lines {std::string(text)};
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line.substr(0, line.find('#')));
            std::string first;
            if (words >> first) readLine(first, words);
        }
    }

private:
    [[noreturn]] static void fail(const std::string& what)
    {
        std::fprintf(stderr, "parseCase: %s\n", what.c_str());
        std::abort();
    }

    NodeId node(const std::string& name) const
    {
        const NodeId id = findNode(m_case.graph, name);
        if (!id.valid()) fail("no node " + name);
        return id;
    }

    ValuePlacement where(std::string text, std::int64_t bytes) const
    {
        ValuePlacement place {ArenaId(0), 0, bytes};
        if (const auto at = text.find('@'); at != std::string::npos) {
            place.arena = ArenaId(std::stoi(text));
            text = text.substr(at + 1);
        }
        std::size_t used = 0;
        place.offset = std::stoll(text, &used);
        if (used < text.size() && text[used] == ':') place.bytes = std::stoll(text.substr(used + 1));
        return place;
    }

    void readArena(std::istringstream& words)
    {
        PlannedArena arena {"cpu", 0, 1, std::nullopt};
        words >> arena.bytes;
        for (std::string option; words >> option;) {
            if (option.starts_with("space=")) {
                arena.space = option.substr(option.find('=') + 1);
                continue;
            }
            const std::int64_t number = std::stoll(option.substr(option.find('=') + 1));
            if (option.starts_with("align=")) arena.alignment = number;
            if (option.starts_with("cap=")) arena.capacityBytes = number;
        }
        m_case.map.arenas.push_back(arena);
    }

    void readStream(const std::string& first, std::istringstream& words)
    {
        std::string name;
        words >> name;
        if (first == "stream") {
            m_case.streams.streamOf.resize(m_case.graph.nodes.size(), 0);
            words >> m_case.streams.streamOf[node(name).index()];
            return;
        }
        std::string waiting;
        words >> waiting;
        m_case.streams.events.push_back({node(name), node(waiting)});
    }

    void readLine(const std::string& first, std::istringstream& words)
    {
        if (first == "arena") return readArena(words);
        if (first == "stream" || first == "event") return readStream(first, words);
        std::string name;
        if (first == "order") {
            while (words >> name)
                m_case.order.push_back(node(name));
            return;
        }
        if (first == "policy") {
            std::string value;
            words >> name >> value;
            if (!setPolicy(m_case.policies, name, value).ok()) fail("no policy " + name);
            return;
        }
        std::string rest;
        words >> name;
        if (first == "declared") {
            m_case.graph.file.declaresTraits = true;
        } else if (first == "hidden") {
            m_case.graph[m_case.value(name)].visible = false;
        } else if (first == "hosted") {
            std::int64_t offset = 0;
            words >> offset >> rest;
            const ValueId value = m_case.value(name);
            m_case.map.values[value.index()] = {ArenaId(), offset, m_case.graph[value].type.bytes().value_or(0),
                                                m_case.value(rest)};
        } else if (first == "reserved") {
            words >> rest;
            const ValuePlacement place = where(rest, 0);
            m_case.map.arenas.at(std::stoul(name))
                .reserved.push_back({{place.offset, place.offset + place.bytes}, "something else"});
        } else if (first == "scratch") {
            words >> rest;
            const ValuePlacement place = where(rest, 0);
            m_case.implementations.at(node(name)).scratchpadBytes = place.bytes;
            m_case.map.scratch.push_back({node(name), place});
        } else if (first == "device") {
            words >> m_case.implementations.at(node(name)).device;
        } else if (first == "aligns") {
            words >> m_case.implementations.at(node(name)).alignment;
        } else if (first == "needs") {
            std::size_t output = 0;
            std::int64_t bytes = 0;
            words >> output >> bytes;
            auto& required = m_case.implementations.at(node(name)).requiredOutputBytes;
            required.resize(output + 1);
            required[output] = bytes;
        } else if (first == "inplace") {
            Implementation& implementation = m_case.implementations.at(node(name));
            implementation.inPlaceKnown = true;
            Implementation::InPlacePair pair;
            if (words >> pair.output >> pair.input) implementation.inPlace.push_back(pair);
        } else if (first == "reads" || first == "writes") {
            std::size_t position = 0;
            words >> position >> rest;
            Implementation& implementation = m_case.implementations.at(node(name));
            if (const auto storage = storageTypeFromName(rest)) {
                auto& storages =
                    first == "reads" ? implementation.inputStorageTypes : implementation.outputStorageTypes;
                storages.resize(std::max(storages.size(), position + 1));
                storages[position] = *storage;
                return;
            }
            auto& layouts = first == "reads" ? implementation.inputLayouts : implementation.outputLayouts;
            layouts.resize(std::max(layouts.size(), position + 1), "plain");
            layouts[position] = rest;
        } else if (first == "view") {
            std::int64_t offset = 0;
            words >> offset;
            for (AliasTrait& trait : *m_case.graph[node(name)].declared.edit().traits)
                trait.offsetBytes = offset;
        } else {
            const ValueId value = m_case.value(first);
            m_case.map.values[value.index()] = where(name, m_case.graph[value].type.bytes().value_or(0));
        }
    }

    Case& m_case;
};

void giveTypes(Graph& graph, std::string_view plan)
{
    for (Value& value : graph.values) {
        if (value.type.dtype == DType::Unknown) value.type = TensorType::dense(DType::UInt8, {64});
    }
    std::istringstream lines {std::string(plan)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        std::string name;
        std::string type;
        if (!(words >> first >> name >> type) || first != "type") continue;
        const Graph typed = graphFromText("input t " + type + "\noutput t");
        graph[findValue(graph, name)].type = typed.values[0].type;
    }
}

std::string withoutTypes(std::string_view plan)
{
    std::istringstream lines {std::string(plan)};
    std::string kept;
    for (std::string line; std::getline(lines, line);) {
        const auto begin = line.find_first_not_of(' ');
        if (begin != std::string::npos && !line.substr(begin).starts_with("type ")) kept += line + "\n";
    }
    return kept;
}

Schedule scheduleOf(const Case& c)
{
    Schedule captured = scheduleInCapturedOrder(c.graph);
    for (std::vector<NodeId>& body : captured.order) {
        std::ranges::stable_sort(body, {}, [&](NodeId node) { return std::ranges::find(c.order, node); });
    }
    return scheduleInOrder(c.graph, captured.order);
}

std::string range(Interval interval)
{
    return "[" + std::to_string(interval.begin) + ", " + std::to_string(interval.end) + ")";
}

} // namespace

Program Case::program() const
{
    return {std::make_shared<const Graph>(graph), schedule, implementations, streams, policies};
}

std::vector<Finding> Case::judge(bool ownPlan, const Context& context) const
{
    return verify({program(), map, ownPlan}, context);
}

ValueId Case::value(std::string_view name) const
{
    const ValueId id = findValue(graph, name);
    if (id.valid()) return id;
    std::fprintf(stderr, "no value %.*s\n", static_cast<int>(name.size()), name.data());
    std::abort();
}

Case parseCase(std::string_view graph, std::string_view plan)
{
    Case c;
    c.graph = graphFromText(graph);
    c.policies.alignment = 1;
    giveTypes(c.graph, plan);
    PlanReader(c).read(withoutTypes(plan));
    c.schedule = scheduleOf(c);
    return c;
}

std::string summary(const Case& c, const std::vector<Finding>& findings)
{
    std::string text;
    for (const Finding& finding : findings) {
        if (!text.empty()) text += "\n";
        text += ruleId(finding.rule);
        if (finding.severity != Severity::Error) text += " " + std::string(severityName(finding.severity));
        for (const ValueId value : finding.values)
            text += " " + c.graph[value].name;
        text += " /";
        for (const NodeId node : finding.nodes)
            text += " " + c.graph[node].name;
        text += " / " + range(finding.steps) + " / " + range(finding.bytes);
    }
    return text;
}

std::string verdict(std::string_view graph, std::string_view plan)
{
    const Case c = parseCase(graph, plan);
    return summary(c, c.judge());
}

} // namespace plimsoll::test
