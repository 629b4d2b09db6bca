#include "core/lower/choose/dispatch_choice.h"

#include "core/lower/types/infer_types.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <random>

using namespace plimsoll;

namespace {

/// A graph of relus (and adds, unless it is a chain) where everybody has offers in several layouts.
struct RandomCase
{
    std::string graph;
    std::string offers;
};

RandomCase randomCase(unsigned seed, int nodes, bool chain)
{
    std::mt19937 random(seed);
    const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const char* layouts[] = {"plain", "nChw8c", "nChw16c", "nhwc"};
    RandomCase made {"input v0 float32[1,16,64,64]\n", {}};
    for (int i = 1; i <= nodes; ++i) {
        const bool joins = !chain && i > 2 && below(3) == 0;
        const int source = chain ? i - 1 : std::max(0, i - 1 - below(3));
        const std::string name = "n" + std::to_string(i);
        made.graph += name + ": v" + std::to_string(i) + (joins ? " = Add(v" : " = Relu(v") + std::to_string(source) +
                      (joins ? ", v" + std::to_string(below(i)) : std::string()) + ")\n";
        for (int offer = below(4); offer > 0; --offer) {
            const std::string in = layouts[below(4)];
            made.offers += name + " fast k" + std::to_string(offer) + " in=" + in + (joins ? "," + in : "") +
                           " out=" + layouts[below(4)] + " ms=" + std::to_string(0.001 * (1 + below(200))) + "\n";
        }
        made.offers += name + " reference ref ms=" + std::to_string(0.001 * (1 + below(300))) + "\n";
    }
    made.graph += "output v" + std::to_string(nodes) + "\n";
    return made;
}

Dispatch dispatched(const RandomCase& drawn)
{
    const Catalogue catalogue = test::catalogueFromText(drawn.offers);
    Graph graph = inferTypes(test::graphFromText(drawn.graph), {}, {}).value().graph;
    const Policies policies;
    return dispatch(std::move(graph), {catalogue, policies, {}}, {}, {}).value();
}

/// What a dispatched graph takes, by the costs that dispatch.h states: told from the graph alone.
double costOf(const Dispatch& made)
{
    double ms = 0;
    for (std::size_t n = 0; n < made.graph.nodes.size(); ++n) {
        const Node& node = made.graph.nodes[n];
        if (!isReorder(node)) {
            ms += made.implementations[NodeId(n)].timeMs;
            continue;
        }
        const double bytes = 2.0 * 16 * 64 * 64 * 4; // 16 channels fill every layout
        ms += 0.002 + bytes / 1e7;
    }
    return ms;
}

/// The least over all ways to pin the nodes, by trying each.
double leastByTrying(const Graph& graph, const Catalogue& catalogue)
{
    std::vector<std::vector<std::string>> pins;
    for (const Node& node : graph.nodes) {
        pins.emplace_back();
        for (const Implementation& offer : catalogue.offers.at(node.name))
            pins.back().push_back(offer.backend + ":" + offer.name);
    }
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> at(pins.size(), 0);
    while (true) {
        std::map<std::string, std::string> pinned;
        for (std::size_t i = 0; i < at.size(); ++i)
            pinned[graph.nodes[i].name] = pins[i][at[i]];
        const Policies policies;
        least = std::min(least, costOf(dispatch(graph, {catalogue, policies, pinned}, {}, {}).value()));
        std::size_t i = 0;
        while (i < at.size() && ++at[i] == pins[i].size())
            at[i++] = 0;
        if (i == at.size()) return least;
    }
}

} // namespace

/// What is chosen against all that could be, and how it is watched and stopped.
class tst_DispatchChoice : public QObject
{
    Q_OBJECT

private slots:
    void chainsAreExact();
    void noSingleChangeIsFaster();
    void threeThousandNodesTakeLessThanTwoSeconds();
    void itCanBeStoppedBeforeItBegins();
    void itCanBeStoppedWheneverItTellsHowFarItIs();
};

void tst_DispatchChoice::chainsAreExact()
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const RandomCase drawn = randomCase(seed, 5, true);
        const Catalogue catalogue = test::catalogueFromText(drawn.offers);
        const Graph graph = inferTypes(test::graphFromText(drawn.graph), {}, {}).value().graph;
        const double made = costOf(dispatched(drawn));
        const double least = leastByTrying(graph, catalogue);
        QVERIFY2(made <= least + 1e-9, ("seed " + std::to_string(seed) + "\n" + drawn.graph + drawn.offers).c_str());
    }
}

void tst_DispatchChoice::noSingleChangeIsFaster()
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const RandomCase drawn = randomCase(seed, 12, false);
        const Catalogue catalogue = test::catalogueFromText(drawn.offers);
        const Graph graph = inferTypes(test::graphFromText(drawn.graph), {}, {}).value().graph;
        const Dispatch chosen = dispatched(drawn);
        std::map<std::string, std::string> pins;
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            pins[graph.nodes[n].name] =
                chosen.implementations[NodeId(n)].backend + ":" + chosen.implementations[NodeId(n)].name;
        const double made = costOf(chosen);
        for (const Node& node : graph.nodes) {
            for (const Implementation& offer : catalogue.offers.at(node.name)) {
                auto changed = pins;
                changed[node.name] = offer.backend + ":" + offer.name;
                const Policies policies;
                const double other = costOf(dispatch(graph, {catalogue, policies, changed}, {}, {}).value());
                const std::string change = "seed " + std::to_string(seed) + ": " + node.name + " to " + offer.name;
                QVERIFY2(made <= other + 1e-9, change.c_str());
            }
        }
    }
}

void tst_DispatchChoice::threeThousandNodesTakeLessThanTwoSeconds()
{
    const RandomCase drawn = randomCase(7, 3'000, false);
    const Catalogue catalogue = test::catalogueFromText(drawn.offers);
    const Graph graph = inferTypes(test::graphFromText(drawn.graph), {}, {}).value().graph;
    std::vector<Decision> decisions;
    const Policies policies;
    QElapsedTimer clock;
    clock.start();
    const auto made = dispatch(graph, {catalogue, policies, {}}, DecisionLog(decisions), {});
    QVERIFY(made.ok());
    QVERIFY2(clock.elapsed() < 2'000, qPrintable(QString::number(clock.elapsed())));
    QVERIFY(decisions.size() > 3'000);
}

void tst_DispatchChoice::itCanBeStoppedBeforeItBegins()
{
    std::stop_source stop;
    stop.request_stop();
    const Catalogue catalogue = test::catalogueFromText("n fast jit ms=1\n");
    const Policies policies;
    const char* text = "input x float32[1,8,4,4]\nn: y = Relu(x)\noutput y\n";
    const auto made = dispatch(inferTypes(test::graphFromText(text), {}, {}).value().graph, {catalogue, policies, {}},
                               {}, {stop.get_token(), {}});
    QVERIFY(!made.ok());
    QCOMPARE(made.error().code, ErrorCode::Stopped);
}

void tst_DispatchChoice::itCanBeStoppedWheneverItTellsHowFarItIs()
{
    const RandomCase drawn = randomCase(11, 1'000, false);
    const Catalogue catalogue = test::catalogueFromText(drawn.offers);
    const Graph graph = inferTypes(test::graphFromText(drawn.graph), {}, {}).value().graph;
    const Policies policies;
    const auto stoppedAt = [&](int call, std::vector<double>& told) {
        std::stop_source stop;
        const Context context {stop.get_token(), [&](std::string_view stage, double done) {
                                   QCOMPARE(stage, std::string_view("implementations"));
                                   told.push_back(done);
                                   if (static_cast<int>(told.size()) == call) stop.request_stop();
                               }};
        const auto made = dispatch(graph, {catalogue, policies, {}}, {}, context);
        return !made.ok() && made.error().code == ErrorCode::Stopped;
    };
    std::vector<double> all;
    QVERIFY(!stoppedAt(0, all));
    QVERIFY(all.size() > 8);
    QVERIFY(std::is_sorted(all.begin(), all.end()) && all.front() >= 0 && all.back() <= 1);
    for (std::size_t call = 1; call <= all.size(); ++call) {
        std::vector<double> told;
        QVERIFY2(stoppedAt(static_cast<int>(call), told), std::to_string(call).c_str());
        QCOMPARE(told.size(), call);
    }
}

QTEST_GUILESS_MAIN(tst_DispatchChoice)
#include "tst_dispatch_choice.moc"
