#include "core/picture/layout/layout_layers.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace plimsoll;

namespace {

/// Boxes by layer, and segments between neighbouring layers; what has no segment upwards is a source.
LayerGraph graphOf(const std::vector<std::int32_t>& ranks, std::vector<LayerGraph::Segment> segments)
{
    LayerGraph graph;
    graph.boxes = ranks.size();
    graph.rank = ranks;
    graph.width.assign(ranks.size(), 80);
    graph.segments = std::move(segments);
    linkVertices(graph);
    graph.layers.resize(static_cast<std::size_t>(*std::ranges::max_element(ranks)) + 1);
    return graph;
}

LayerGraph randomGraph(unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t most) { return static_cast<std::int32_t>(random() % most); };
    const std::int32_t layers = 2 + below(4);
    std::vector<std::int32_t> ranks;
    for (std::int32_t layer = 0; layer < layers; ++layer)
        ranks.insert(ranks.end(), static_cast<std::size_t>(1 + below(7)), layer);
    std::vector<LayerGraph::Segment> segments;
    for (std::int32_t to = 0; to < std::ssize(ranks); ++to) {
        for (std::int32_t from = 0; from < to; ++from) {
            if (ranks[static_cast<std::size_t>(from)] + 1 == ranks[static_cast<std::size_t>(to)] && below(3) == 0)
                segments.push_back({from, to});
        }
    }
    return graphOf(ranks, segments);
}

std::int32_t positionOf(const LayerGraph& graph, std::int32_t vertex)
{
    const auto& layer = graph.layers[static_cast<std::size_t>(graph.rank[static_cast<std::size_t>(vertex)])];
    return static_cast<std::int32_t>(std::ranges::find(layer, vertex) - layer.begin());
}

/// Pair by pair.
std::int64_t crossingsOf(const LayerGraph& graph)
{
    std::int64_t crossings = 0;
    for (const auto& a : graph.segments) {
        for (const auto& b : graph.segments) {
            const bool same =
                graph.rank[static_cast<std::size_t>(a.from)] == graph.rank[static_cast<std::size_t>(b.from)];
            const bool left = positionOf(graph, a.from) < positionOf(graph, b.from);
            if (same && left && positionOf(graph, a.to) > positionOf(graph, b.to)) ++crossings;
        }
    }
    return crossings;
}

} // namespace

/// The inside of the layered layout: orders within layers, and where their vertices stand.
class LayersTest : public QObject
{
    Q_OBJECT

private slots:
    void crossingsAreCounted_data() { addSeeds(); }
    void crossingsAreCounted()
    {
        LayerGraph graph = makeGraph();
        QVERIFY(orderLayers(graph, {}).ok());
        std::mt19937 random(7);
        for (int turn = 0; turn < 5; ++turn) {
            QCOMPARE(countCrossings(graph), crossingsOf(graph));
            for (auto& layer : graph.layers) {
                std::ranges::shuffle(layer, random);
                for (const std::int32_t vertex : layer)
                    graph.position[static_cast<std::size_t>(vertex)] = positionOf(graph, vertex);
            }
        }
    }

    void everyVertexKeepsItsLayer_data() { addSeeds(); }
    void everyVertexKeepsItsLayer()
    {
        LayerGraph graph = makeGraph();
        QVERIFY(orderLayers(graph, {}).ok());
        std::size_t seen = 0;
        for (std::size_t rank = 0; rank < graph.layers.size(); ++rank) {
            for (std::size_t i = 0; i < graph.layers[rank].size(); ++i) {
                const auto vertex = static_cast<std::size_t>(graph.layers[rank][i]);
                QCOMPARE(graph.rank[vertex], static_cast<std::int32_t>(rank));
                QCOMPARE(graph.position[vertex], static_cast<std::int32_t>(i));
                ++seen;
            }
        }
        QCOMPARE(seen, graph.rank.size());
    }

    void verticesStandApartInTheirOrder_data() { addSeeds(); }
    void verticesStandApartInTheirOrder()
    {
        constexpr double Gap = 20;
        LayerGraph graph = makeGraph();
        for (std::size_t vertex = 0; vertex < graph.width.size(); ++vertex)
            graph.width[vertex] = 40 + 10 * static_cast<double>(vertex % 5);
        QVERIFY(orderLayers(graph, {}).ok());

        const std::vector<double> x = placeVertices(graph, Gap, {}).value();

        double leftmost = 1e9;
        for (const auto& layer : graph.layers) {
            for (std::size_t i = 0; i < layer.size(); ++i) {
                const auto vertex = static_cast<std::size_t>(layer[i]);
                leftmost = std::min(leftmost, x[vertex] - graph.width[vertex] / 2);
                if (i == 0) continue;
                const auto before = static_cast<std::size_t>(layer[i - 1]);
                const double between = x[vertex] - x[before] - (graph.width[vertex] + graph.width[before]) / 2;
                QVERIFY2(between > Gap - 1e-6, qPrintable(QString::number(between)));
            }
        }
        QVERIFY2(std::abs(leftmost) < 1e-6, qPrintable(QString::number(leftmost)));
    }

    /// 0 1 2 above 3 4 5, joined crosswise: there is an order without a crossing.
    void whatCanBeUntangledIs()
    {
        LayerGraph graph = graphOf({0, 0, 0, 1, 1, 1}, {{0, 5}, {1, 4}, {2, 3}});
        QVERIFY(orderLayers(graph, {}).ok());
        QCOMPARE(countCrossings(graph), 0);
    }

    /// Two above two, each joined to both: one crossing in any order.
    void whatCannotBeUntangledHasItsFewest()
    {
        LayerGraph graph = graphOf({0, 0, 1, 1}, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
        QVERIFY(orderLayers(graph, {}).ok());
        QCOMPARE(countCrossings(graph), 1);
    }

    void aStopIsObeyed()
    {
        std::stop_source stop;
        stop.request_stop();
        LayerGraph graph = graphOf({0, 0, 1, 1}, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
        const Status ordered = orderLayers(graph, {stop.get_token(), {}});
        QVERIFY(!ordered.ok() && ordered.error().code == ErrorCode::Stopped);
    }

private:
    static void addSeeds()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 40; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    static LayerGraph makeGraph()
    {
        QFETCH(unsigned, seed);
        return randomGraph(seed);
    }
};

QTEST_APPLESS_MAIN(LayersTest)
#include "tst_layers.moc"
