#include "app/views/graph/graph_figures.h"

#include "core/facts/arena_peaks.h"
#include "core/facts/english/english.h"
#include "core/facts/offers.h"
#include "core/facts/words/number_text.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Of all nodes that a box stands for.
struct Figures
{
    std::int64_t bytes = 0;
    std::int64_t atPeak = 0;
    double ms = -1; ///< -1: not known of any.
    bool measured = false;
};

void addBytes(const Report& report, const Node& node, std::int64_t peak, Figures& figures)
{
    for (const ValueId output : node.outputs) {
        const PlannedValue* value = output.valid() ? &report.program.values[output.index()] : nullptr;
        if (!value || !value->storage.valid() || mostBytes(*value) < 0) continue;
        figures.bytes += mostBytes(*value);
        if (value->live.contains(peak)) figures.atPeak += mostBytes(*value);
    }
}

void addTime(const Report& report, const RunResult* run, NodeId id, Figures& figures)
{
    const auto measured = run ? measuredMs(report.program, *run, id) : std::nullopt;
    const double ms = measured.value_or(report.program.implementations[id].timeMs);
    if (ms < 0) return;
    figures.ms = std::max(figures.ms, 0.0) + ms;
    figures.measured = measured.has_value();
}

std::string textOf(const Report& report, const Figures& figures)
{
    std::string text = plimsoll::sizeText(figures.bytes);
    if (figures.ms >= 0) text += (figures.measured ? " · " : " · ~") + plimsoll::durationText(figures.ms / 1000);
    if (figures.atPeak > 0 && report.memory.peakBytes > 0)
        text += " · " + english(say("graph.of-peak", plimsoll::percentText(figures.atPeak, report.memory.peakBytes)));
    return text;
}

} // namespace

void addFigures(const Report& report, const RunResult* run, GraphPicture& picture, bool larger)
{
    const Graph& graph = *report.program.graph;
    const std::int64_t peak = peakStep(report);
    std::vector<Figures> figures(picture.boxes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const std::int32_t box = picture.boxOfNode[i];
        if (box < 0) continue;
        addBytes(report, graph.nodes[i], peak, figures[box]);
        addTime(report, run, NodeId(i), figures[box]);
    }
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        GraphBox& box = picture.boxes[i];
        if (box.kind != BoxKind::Node && box.kind != BoxKind::Group) continue;
        box.figures = textOf(report, figures[i]);
        if (!larger) continue;
        box.size.height += FiguresHeight;
        box.size.width = std::max(box.size.width, FiguresWidth);
    }
}

} // namespace plimsoll::app
