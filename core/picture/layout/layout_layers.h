#pragma once

#include "core/base/grouped.h"
#include "core/picture/layout/layered_layout.h"

namespace plimsoll {

/// The inside of the layered layout: boxes and the dummies of long edges as vertices, each in its layer, joined by
/// segments between neighbouring layers. Boxes come first and keep their numbers.
struct LayerGraph
{
    struct Segment
    {
        std::int32_t from = 0;
        std::int32_t to = 0; ///< One layer below.
    };
    struct Link
    {
        std::int32_t vertex = 0;
        std::int32_t segment = 0;
    };
    std::size_t boxes = 0;
    std::vector<std::int32_t> rank; ///< By vertex.
    std::vector<double> width;      ///< By vertex.
    std::vector<Segment> segments;
    Grouped<Link> up;                              ///< By vertex: its segments from the layer above.
    Grouped<Link> down;                            ///< By vertex: its segments to the layer below.
    std::vector<std::vector<std::int32_t>> layers; ///< Vertices from left to right.
    std::vector<std::int32_t> position;            ///< By vertex, in its layer.

    [[nodiscard]] bool dummy(std::int32_t vertex) const { return static_cast<std::size_t>(vertex) >= boxes; }
};

/// Finds \c up and \c down from the segments.
void linkVertices(LayerGraph& graph);

/// The error of a layout that was stopped.
[[nodiscard]] Error layoutStopped();

/// Permutes every layer so that few segments cross: depth-first order, then median sweeps down and up; the best is
/// kept.
[[nodiscard]] Status orderLayers(LayerGraph& graph, const Context& context);

/// How many pairs of segments cross.
[[nodiscard]] std::int64_t countCrossings(const LayerGraph& graph);

/// The centre of every vertex, by vertex, smallest left side at 0; vertices of a layer are \p gap apart (half of it
/// beside a dummy). Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment" (2001), with the compaction
/// done as longest paths over blocks: four extreme alignments, of which each vertex takes the mean of the middle two.
[[nodiscard]] Result<std::vector<double>> placeVertices(const LayerGraph& graph, double gap, const Context& context);

} // namespace plimsoll
