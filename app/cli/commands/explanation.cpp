#include "app/cli/commands/explanation.h"

#include "app/cli/commands/summary.h"
#include "app/cli/layouts_text.h"
#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/boundary.h"
#include "core/facts/english/english.h"
#include "core/facts/sparse_use.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/pair_reason.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/strided_view.h"

#include <algorithm>
#include <charconv>

namespace plimsoll::cli {
namespace {

constexpr std::size_t MostListed = 20;

class Explainer
{
public:
    explicit Explainer(const Report& report)
        : m_report(report), m_graph(*report.program.graph), m_uses(findUses(m_graph))
    {
    }

    std::string aboutValue(ValueId id)
    {
        const Value& value = m_graph[id];
        const PlannedValue& planned = m_report.program.values[id.index()];
        line("value " + value.name + ": " + describe(value.type));
        if (value.producer.valid()) line("  made by " + nodeText(value.producer));
        aboutSource(value);
        listed(m_uses.reads[id.index()], "readers",
               [this](const Uses::Read& read) { line("  read by " + nodeText(read.node)); });
        if (value.fusedInto.valid()) line("  never stored: handed on inside " + nodeText(value.fusedInto));
        if (planned.visible) line("  the caller sees it");
        line("  bytes matter in steps " + rangesText(planned.live));
        if (planned.requiredBytes >= 0) line("  needs " + needsText(id));
        aboutUnplanned(id);
        aboutSaving(id);
        if (planned.storage.valid()) storageLines(planned.storage);
        decisionsAbout(value.name);
        findingsAbout([id](const Finding& finding) { return contains(finding.values, id); });
        return std::move(m_text);
    }

    std::string aboutNode(NodeId id)
    {
        const Node& node = m_graph[id];
        const Implementation& chosen = m_report.program.implementations[id.index()];
        line("node " + node.name + ": " + qualifiedOp(node));
        namesakes(node.name);
        if (!node.source.empty()) line("  from " + node.source);
        if (node.fusedInto.valid()) line("  computed along with " + nodeText(node.fusedInto));
        for (const FusedNode& fused : node.fused)
            line("  computes, too, " + nodeText(fused.node));
        const Interval steps = m_report.program.schedule.nodes[id.index()];
        line(steps.empty() ? "  computed ahead of the run, or needed by nobody"
                           : "  runs in steps " + rangesText(LiveRanges(steps)));
        aboutStream(id);
        line("  implementation " + chosen.backend + (chosen.name.empty() ? "" : " '" + chosen.name + "'") +
             ", scratchpad " + formatBytes(chosen.scratchpadBytes));
        aboutStorages(id);
        m_text += offersText(m_report, id);
        listed(node.inputs, "inputs", [this](ValueId input) { valueLine("  reads", input); });
        listed(node.outputs, "outputs", [this](ValueId output) { valueLine("  writes", output); });
        decisionsAbout(node.name);
        for (const ValueId output : node.outputs) {
            if (output.valid()) decisionsAbout(m_graph[output].name);
        }
        findingsAbout([id](const Finding& finding) { return contains(finding.nodes, id); });
        return std::move(m_text);
    }

    std::string aboutStorage(StorageId id)
    {
        storageLines(id);
        listed(m_report.program.storages[id.index()].values, "values with decisions",
               [this](ValueId value) { decisionsAbout(m_graph[value].name); });
        findingsAbout([&](const Finding& finding) {
            return !finding.values.empty() && m_report.program.values[finding.values.front().index()].storage == id;
        });
        return std::move(m_text);
    }

private:
    template <typename Id>
    static bool contains(const std::vector<Id>& ids, Id id)
    {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    }

    void line(const std::string& text) { m_text += text + "\n"; }

    /// The line of a program that asked for the bytes, and for how many of them, where the file tells.
    void aboutSource(const Value& value)
    {
        if (!value.producer.valid()) return;
        const Node& maker = m_graph[value.producer];
        const auto output = static_cast<std::size_t>(value.producerOutput);
        const auto* const sources = findAttribute<std::vector<std::string>>(maker, "sources");
        const bool own = maker.domain == "packing" && sources && output < sources->size();
        if (const std::string& source = own ? (*sources)[output] : maker.source; !source.empty())
            line("  from " + source);
        const auto* const requested = findAttribute<std::vector<std::int64_t>>(maker, "requested");
        if (maker.domain == "packing" && requested && output < requested->size())
            line("  asked for " + formatCount((*requested)[output]) + " B");
    }

    /// The first few, then how many there are beside.
    template <typename List, typename Tell>
    void listed(const List& list, const std::string& what, Tell tell)
    {
        for (std::size_t i = 0; i < std::min(MostListed, list.size()); ++i)
            tell(list[i]);
        if (list.size() > MostListed) line("  and " + countText(list.size() - MostListed) + " more " + what);
    }

    /// Nodes that have the name in the file, too, and were given another one.
    void namesakes(const std::string& name)
    {
        std::vector<NodeId> others;
        for (int number = 2; number < 1'000; ++number) {
            const NodeId other = findNode(m_graph, name + "#" + std::to_string(number));
            if (!other.valid()) break;
            others.push_back(other);
        }
        listed(others, "of that name", [this](NodeId other) { line("  beside it there is " + nodeText(other)); });
    }

    [[nodiscard]] std::string nodeText(NodeId id) const
    {
        const Interval steps = m_report.program.schedule.nodes[id.index()];
        const std::string when = steps.empty() ? "ahead of the run" : "step " + std::to_string(steps.begin);
        return m_graph[id].name + " (" + qualifiedOp(m_graph[id]) + ", " + when + ")";
    }

    void valueLine(const std::string& verb, ValueId id)
    {
        if (!id.valid()) return;
        const StorageId storage = m_report.program.values[id.index()].storage;
        line(verb + " " + m_graph[id].name + " " + describe(m_graph[id].type) +
             (storage.valid() ? " in " + storageName(m_report, storage) : ""));
    }

    [[nodiscard]] std::string needsText(ValueId id) const
    {
        const PlannedValue& planned = m_report.program.values[id.index()];
        const std::string_view layout = layoutOf(m_graph, m_report.program.implementations, id);
        std::string text = formatCount(planned.requiredBytes) + " B";
        if (layout != PlainLayout) text += " as " + std::string(layout);
        if (planned.requiredBytes > planned.logicalBytes)
            text += ", of which " + formatCount(planned.logicalBytes) + " B are the tensor";
        const std::string strides = stridesText(m_graph, id);
        return strides.empty() ? text : text + ", with " + strides;
    }

    void aboutUnplanned(ValueId id)
    {
        for (const UnplannedValue& value : m_report.memory.unplanned) {
            if (value.value == id) line("  allocated at run time: " + unplannedReason(m_report, value));
        }
    }

    void aboutStream(NodeId id)
    {
        if (!m_report.program.streams.several()) return;
        line("  on stream " + std::to_string(m_report.program.streams.of(id)));
        for (const NodeId other : waitsFor(m_report, id))
            line("  waits for " + onStream(other));
        for (const NodeId other : waitedForBy(m_report, id))
            line("  signals " + onStream(other));
    }

    [[nodiscard]] std::string onStream(NodeId id) const
    {
        return nodeText(id) + " on stream " + std::to_string(m_report.program.streams.of(id));
    }

    void aboutStorages(NodeId id)
    {
        const SparseDispatchKind kind = sparseDispatchOf(m_report, id);
        if (kind == SparseDispatchKind::Native) line("  native for " + storageTypesText(m_graph, id));
        for (const DenseFallback& fallback : m_report.memory.fallbacks) {
            if (fallback.node != id) continue;
            line("  through dense temporaries: " + english(fallback.reason));
            for (const ValueId value : fallback.temporaries)
                valueLine("    ", value);
        }
    }

    /// Of a training graph: who keeps it for backward.
    void aboutSaving(ValueId id)
    {
        if (m_report.program.graph->boundary.gradients == 0) return;
        bool kept = false;
        for (const SavedReport& saved : m_report.training.saved) {
            if (saved.tensor.value != id) continue;
            kept = true;
            line("  kept by " + nodeText(saved.tensor.savedBy) + " until " + nodeText(saved.tensor.readBy) + ": " +
                 std::string(savingReasonId(saved.tensor.reason)) +
                 "; donation: " + std::string(donationId(saved.donation)));
        }
        for (const RecomputedReport& one : m_report.training.recomputed) {
            if (one.tensor.value != id) continue;
            kept = true;
            line("  not kept: backward reads '" + m_graph[one.tensor.copy].name + "', which is computed anew (" +
                 formatCount(one.tensor.movedBytes) + " B moved)");
        }
        const std::int64_t boundary = boundaryStep(m_report);
        const Interval live = m_report.program.values[id.index()].live.hull();
        if (!kept && live.begin < boundary) line("  not saved by any node");
    }

    void storageLines(StorageId id)
    {
        const Storage& storage = m_report.program.storages[id.index()];
        line("storage " + std::to_string(id.number()) + ": " + placeText(m_report, storage) + ", " +
             formatCount(storage.bytes) + " B");
        line("  alive in steps " + rangesText(storage.live));
        if (const std::string wait = waitSentence(m_report, storageWaits(m_report.program)[id.index()]); !wait.empty())
            line("  " + wait);
        if (storage.scratchOf.valid()) line("  scratchpad of " + nodeText(storage.scratchOf));
        listed(storage.values, "values", [this](ValueId value) {
            const PlannedValue& planned = m_report.program.values[value.index()];
            line("  holds " + m_graph[value].name + " in steps " + rangesText(planned.live) + howShared(planned));
        });
    }

    static std::string howShared(const PlannedValue& value)
    {
        switch (value.sharedAs) {
        case AliasKind::Fresh:
            return "";
        case AliasKind::MayBeInPlace:
            return ", written over what was there";
        case AliasKind::Identity:
            return ", the same bytes as what was there";
        case AliasKind::View:
            return ", a part of it";
        case AliasKind::Mutates:
            return ", its new version";
        }
        return "";
    }

    void decisionsAbout(const std::string& name)
    {
        for (const Decision& decision : m_report.decisions) {
            if (decision.subject != name && decision.other != name) continue;
            const std::string pair = decision.subject + (decision.other.empty() ? "" : " with " + decision.other);
            line("  " + std::string(decisionKindId(decision.kind)) + " " + (decision.accepted ? "yes" : "no") + ", " +
                 decision.rule + ": " + pair + ": " + english(decision.reason));
        }
    }

    template <typename Concerns>
    void findingsAbout(Concerns concerns)
    {
        for (const Finding& finding : m_report.verdict.findings) {
            if (concerns(finding))
                line("  " + std::string(severityName(finding.severity)) + " " + std::string(ruleId(finding.rule)) +
                     ": " + english(finding.message));
        }
    }

    const Report& m_report;
    const Graph& m_graph;
    const Uses m_uses;
    std::string m_text;
};

StorageId findStorage(const Report& report, std::string_view text)
{
    std::int32_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is = error == std::errc() && end == text.data() + text.size() && number >= 0 &&
                    static_cast<std::size_t>(number) < report.program.storages.size();
    return is ? StorageId(number) : StorageId();
}

/// Names that contain the text, a few of them.
std::string near(const Graph& graph, std::string_view subject)
{
    constexpr std::size_t Most = 5;
    std::vector<std::string> names;
    const auto consider = [&](const std::string& name) {
        if (names.size() < Most && name.find(subject) != std::string::npos) names.push_back("'" + name + "'");
    };
    for (const Value& value : graph.values)
        consider(value.name);
    for (const Node& node : graph.nodes)
        consider(node.name);
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? " There is " : ", ") + name;
    return text.empty() ? text : text + ".";
}

} // namespace

Result<std::string> explanation(const Report& report, std::string_view subject)
{
    Explainer explainer(report);
    const ValueId value = findValue(*report.program.graph, subject);
    const NodeId node = findNode(*report.program.graph, subject);
    if (value.valid() && node.valid()) return explainer.aboutValue(value) + "\n" + Explainer(report).aboutNode(node);
    if (value.valid()) return explainer.aboutValue(value);
    if (node.valid()) return explainer.aboutNode(node);
    if (const StorageId storage = findStorage(report, subject); storage.valid()) return explainer.aboutStorage(storage);
    return Error {ErrorCode::BadUsage,
                  "There is no value, node or storage '" + std::string(subject) + "'." +
                      near(*report.program.graph, subject),
                  {},
                  {}};
}

Result<std::string> explainPair(const Report& report, std::string_view first, std::string_view second)
{
    for (const std::string_view name : {first, second}) {
        if (findValue(*report.program.graph, name).valid()) continue;
        return Error {ErrorCode::BadUsage,
                      "There is no value '" + std::string(name) + "'." + near(*report.program.graph, name),
                      {},
                      {}};
    }
    return pairReason(report, findValue(*report.program.graph, first), findValue(*report.program.graph, second)) + "\n";
}

} // namespace plimsoll::cli
