#include "app/models/fact_lists.h"
#include "app/models/window_text.h"
#include "core/facts/sparse_use.h"
#include "core/facts/words/stream_text.h"
#include "core/ops/sparse_rules.h"
#include "core/plan/offer_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace plimsoll::app {
namespace {

template <typename Number>
QString listText(const std::vector<Number>& numbers)
{
    QStringList parts;
    for (const Number number : numbers) {
        parts << QString::number(number);
        if (parts.size() == 16) break;
    }
    if (static_cast<std::size_t>(parts.size()) < numbers.size()) parts << QStringLiteral("…");
    return u'[' + parts.join(QStringLiteral(", ")) + u']';
}

struct AttributeText
{
    QString operator()(std::int64_t number) const { return QString::number(number); }
    QString operator()(double number) const { return QString::number(number); }
    QString operator()(const std::string& text) const { return toQString(text.substr(0, 200)); }
    QString operator()(const std::vector<std::int64_t>& numbers) const { return listText(numbers); }
    QString operator()(const std::vector<double>& numbers) const { return listText(numbers); }
    QString operator()(const std::vector<std::string>& texts) const
    {
        return countedText(static_cast<std::int64_t>(texts.size()), QObject::tr("1 text"), QObject::tr("%1 texts"));
    }
    QString operator()(const TensorLiteral& tensor) const
    {
        return toQString(describe(TensorType::dense(tensor.dtype, tensor.shape)));
    }
    QString operator()(const std::vector<TensorLiteral>& tensors) const
    {
        return countedText(static_cast<std::int64_t>(tensors.size()), QObject::tr("1 tensor"),
                           QObject::tr("%1 tensors"));
    }
};

FactSection what(const Report& report, NodeId id)
{
    const Node& node = (*report.program.graph)[id];
    FactSection section {QObject::tr("What it is"), {{QObject::tr("Operator"), toQString(qualifiedOp(node)), {}}}};
    const Interval steps = report.program.schedule.nodes[id.index()];
    section.facts.push_back({QObject::tr("Step"),
                             node.ahead || steps.empty() ? QObject::tr("computed ahead of the run") : stepsText(steps),
                             {},
                             steps.empty() ? Focus() : Focus::atStep(steps.begin)});
    if (node.fusedInto.valid())
        section.facts.push_back(nodeFact(report, QObject::tr("Computed along with"), node.fusedInto));
    for (const FusedNode& fused : node.fused)
        section.facts.push_back(nodeFact(report, QObject::tr("Computes, too"), fused.node));
    const Implementation& chosen = report.program.implementations[id.index()];
    section.facts.push_back(
        {QObject::tr("Implementation"),
         toQString(chosen.backend) + (chosen.name.empty() ? QString() : u' ' + toQString(chosen.name)),
         {}});
    if (!chosen.inputLayouts.empty() || !chosen.outputLayouts.empty())
        section.facts.push_back({QObject::tr("Layouts"), toQString(layoutsText(chosen)), {}});
    if (touchesSparse(*report.program.graph, id))
        section.facts.push_back({QObject::tr("Kept as"), toQString(storageTypesText(*report.program.graph, id)), {}});
    if (chosen.scratchpadBytes > 0)
        section.facts.push_back(bytesFact(QObject::tr("Scratchpad"), chosen.scratchpadBytes));
    for (const DenseFallback& fallback : report.memory.fallbacks) {
        if (fallback.node != id) continue;
        section.facts.push_back({QObject::tr("Dense fallback"), windowText(fallback.reason), {}});
        for (const ValueId value : fallback.temporaries)
            section.facts.push_back(valueFact(report, QObject::tr("Temporary"), value));
    }
    if (!node.device.empty()) section.facts.push_back({QObject::tr("Device"), toQString(node.device), {}});
    if (!node.source.empty()) section.facts.push_back({QObject::tr("Source"), toQString(node.source), {}});
    for (const BodyId body : node.bodies)
        section.facts.push_back({QObject::tr("Nested graph"), toQString((*report.program.graph)[body].name),
                                 countedText(static_cast<std::int64_t>((*report.program.graph)[body].nodes.size()),
                                             QObject::tr("1 node"), QObject::tr("%1 nodes"))});
    return section;
}

/// On one stream there is nothing to tell.
FactSection stream(const Report& report, NodeId id)
{
    FactSection section {QObject::tr("Streams"), {}};
    if (!report.program.streams.several() || report.program.schedule.nodes[id.index()].empty()) return section;
    section.facts.push_back({QObject::tr("Runs on"), QObject::tr("stream %1").arg(report.program.streams.of(id)), {}});
    for (const NodeId other : waitsFor(report, id))
        section.facts.push_back(nodeFact(report, QObject::tr("Waits for"), other));
    for (const NodeId other : waitedForBy(report, id))
        section.facts.push_back(nodeFact(report, QObject::tr("Signals"), other));
    return section;
}

FactSection ports(const Report& report, const std::vector<ValueId>& values, const QString& title)
{
    FactSection section {title, {}};
    for (std::size_t i = 0; i < std::min(values.size(), LongestFactList); ++i) {
        Fact fact = valueFact(report, QString::number(i), values[i]);
        if (values[i].valid()) {
            const PlannedValue& planned = report.program.values[values[i].index()];
            fact.text += QStringLiteral("  ") + storageText(planned.storage) + QStringLiteral("  ") +
                         sizeText(planned.requiredBytes);
        }
        section.facts.push_back(std::move(fact));
    }
    return section;
}

FactSection attributes(const Node& node)
{
    FactSection section {QObject::tr("Attributes"), {}};
    for (const auto& [name, attribute] : node.attributes)
        section.facts.push_back({toQString(name), std::visit(AttributeText(), attribute), {}});
    return section;
}

FactSection findings(const Report& report, NodeId id)
{
    FactSection section {QObject::tr("Findings"), {}};
    for (std::size_t i = 0; i < report.verdict.findings.size() && section.facts.size() < LongestFactList; ++i) {
        const auto& nodes = report.verdict.findings[i].nodes;
        if (std::find(nodes.begin(), nodes.end(), id) != nodes.end()) section.facts.push_back(findingFact(report, i));
    }
    return section;
}

} // namespace

std::vector<FactSection> nodeFacts(const Report& report, NodeId id)
{
    const Node& node = (*report.program.graph)[id];
    return {findings(report, id),
            what(report, id),
            stream(report, id),
            ports(report, node.inputs, QObject::tr("Reads")),
            ports(report, node.outputs, QObject::tr("Writes")),
            attributes(node),
            nodeDecisionFacts(report, id)};
}

} // namespace plimsoll::app
