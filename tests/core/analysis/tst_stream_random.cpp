#include "core/analysis/stream_assignment.h"
#include "core/analysis/stream_conflicts.h"
#include "core/plan/policies.h"

#include "tests/support/graph_text.h"

#include <QTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

using Pairs = std::vector<std::vector<bool>>;

/// Nodes that read one to three of the values before them; every fourth or so writes a new version of one instead.
Graph randomGraph(std::mt19937& random, int nodes)
{
    std::string text = "input v0 float32[4]\n";
    std::set<int> taken; // values that have a newer version
    for (int i = 1; i <= nodes; ++i) {
        const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(i)); };
        const int first = any();
        const bool writes = random() % 4 == 0 && first > 0 && taken.insert(first).second;
        std::string operands = "v" + std::to_string(first);
        for (auto more = random() % 3; more > 0 && !writes; --more)
            operands += ",v" + std::to_string(any());
        const std::string name = std::to_string(i);
        text += "n" + name + ": v" + name + " = my::F(" + operands + ")" + (writes ? " alias=0:mutates:0" : "") +
                "\nvalue v" + name + " float32[4]\n";
    }
    return test::graphFromText(text + "output v" + std::to_string(nodes) + "\n");
}

/// By node and node: whether the first has ended when the second begins, by what streams and events say alone.
Pairs endedBefore(const Graph& graph, const StreamPlan& plan)
{
    const std::size_t count = graph.nodes.size();
    Pairs before(count, std::vector<bool>(count, false));
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t a = 0; a < b; ++a)
            before[a][b] = plan.of(NodeId(a)) == plan.of(NodeId(b));
    }
    for (const StreamEvent& event : plan.events)
        before[event.signal.index()][event.waiter.index()] = true;
    for (std::size_t via = 0; via < count; ++via) {
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = 0; b < count && before[a][via]; ++b)
                before[a][b] = before[a][b] || before[via][b];
        }
    }
    return before;
}

/// Which node has to be over before which, by what they read and write.
std::vector<std::pair<std::size_t, std::size_t>> needsOf(const Graph& graph)
{
    std::vector<std::size_t> family(graph.values.size()); // the oldest version of the same bytes
    std::vector<std::pair<std::size_t, std::size_t>> needs;
    std::vector<std::vector<std::size_t>> users(graph.values.size()); // by family
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        for (const ValueId input : node.inputs) {
            if (graph[input].producer.valid()) needs.emplace_back(graph[input].producer.index(), n);
            users[family[input.index()]].push_back(n);
        }
        const std::size_t output = node.outputs.front().index();
        family[output] = node.declared->traits ? family[node.inputs.front().index()] : output;
        for (const std::size_t user : users[family[output]]) {
            if (node.declared->traits && user != n) needs.emplace_back(user, n);
        }
        users[family[output]].push_back(n);
    }
    return needs;
}

/// Every value as something that wants bytes, in one of two arenas.
std::vector<StreamClient> clientsOf(const Graph& graph, const Schedule& schedule)
{
    const auto users = findUsers(graph, schedule);
    std::vector<StreamClient> clients;
    for (std::size_t value = 1; value < graph.values.size(); ++value) {
        StreamClient client {ArenaId(value % 3 / 2), {}, users[value]};
        client.live.add({schedule.stepOf(client.accesses.front()), schedule.stepOf(client.accesses.back()) + 1});
        clients.push_back(std::move(client));
    }
    return clients;
}

} // namespace

/// Streams of random graphs beside what follows from their arrows alone.
class StreamRandomTest : public QObject
{
    Q_OBJECT

private slots:
    void nodesWaitForWhatTheyNeed_data() { addRuns(); }
    void nodesWaitForWhatTheyNeed()
    {
        const Graph graph = makeGraph();
        const Schedule schedule = scheduleInCapturedOrder(graph);
        QFETCH(int, streams);
        const StreamPlan plan = assignStreams(graph, schedule, streams).value();

        const Pairs before = endedBefore(graph, plan);

        for (const auto& [earlier, later] : needsOf(graph))
            QVERIFY2(before[earlier][later], qPrintable(named(graph, earlier, later)));
        for (const StreamEvent& event : plan.events)
            QVERIFY2(plan.of(event.signal) != plan.of(event.waiter),
                     qPrintable(named(graph, event.signal.index(), event.waiter.index())));
        QVERIFY(plan.count() <= streams);
    }

    void eventsAreNeeded_data() { addRuns(); }
    void eventsAreNeeded()
    {
        const Graph graph = makeGraph();
        const Schedule schedule = scheduleInCapturedOrder(graph);
        QFETCH(int, streams);
        const StreamPlan plan = assignStreams(graph, schedule, streams).value();

        for (std::size_t i = 0; i < plan.events.size(); ++i) {
            StreamPlan fewer = plan;
            fewer.events.erase(fewer.events.begin() + static_cast<std::ptrdiff_t>(i));
            const Pairs before = endedBefore(graph, fewer);
            const StreamEvent& event = plan.events[i];
            const auto needs = needsOf(graph);
            const bool missed =
                std::ranges::any_of(needs, [&](const auto& need) { return !before[need.first][need.second]; });
            QVERIFY2(missed, qPrintable(named(graph, event.signal.index(), event.waiter.index())));
        }
    }

    void theOrderIsThatOfTheArrows_data() { addRuns(); }
    void theOrderIsThatOfTheArrows()
    {
        const Graph graph = makeGraph();
        const Schedule schedule = scheduleInCapturedOrder(graph);
        QFETCH(int, streams);
        const StreamPlan plan = assignStreams(graph, schedule, streams).value();
        const StreamOrder order(graph, schedule, plan);

        const Pairs before = endedBefore(graph, plan);

        for (std::size_t a = 0; a < graph.nodes.size(); ++a) {
            std::int64_t until = 0;
            for (std::size_t b = 0; b < graph.nodes.size(); ++b) {
                const bool apart = a != b && !before[a][b] && !before[b][a];
                QVERIFY2(order.before(NodeId(a), NodeId(b)) == before[a][b], qPrintable(named(graph, a, b)));
                QVERIFY2(order.unordered(NodeId(a), NodeId(b)) == apart, qPrintable(named(graph, a, b)));
                if (apart) until = std::max(until, schedule.nodes[b].end);
            }
            QCOMPARE(order.latestWait({NodeId(a)}).until, until);
        }
    }

    void whatMayMeetIsKeptApart_data() { addRuns(); }
    void whatMayMeetIsKeptApart()
    {
        const Graph graph = makeGraph();
        const Schedule schedule = scheduleInCapturedOrder(graph);
        QFETCH(int, streams);
        const StreamPlan plan = assignStreams(graph, schedule, streams).value();
        const StreamOrder order(graph, schedule, plan);
        const std::vector<StreamClient> clients = clientsOf(graph, schedule);

        const std::vector<LiveRanges> apart = keepApart(order, clients, schedule.length()).value();
        const std::vector<LiveRanges> longer = keepLonger(order, clients);

        const Pairs before = endedBefore(graph, plan);
        const auto mayMeet = [&](const StreamClient& a, const StreamClient& b) {
            for (const NodeId one : a.accesses) {
                for (const NodeId other : b.accesses) {
                    const bool ordered = before[one.index()][other.index()] || before[other.index()][one.index()];
                    if (one != other && !ordered) return true;
                }
            }
            return false;
        };
        for (std::size_t a = 0; a < clients.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (clients[a].arena != clients[b].arena) continue;
                const bool together = overlaps(clients[a].live, clients[b].live);
                const bool wanted = together || mayMeet(clients[a], clients[b]);
                const QString where = named(graph, a, b);
                QVERIFY2(overlaps(apart[a], apart[b]) || !wanted, qPrintable(where));
                QVERIFY2(overlaps(longer[a], longer[b]) || !wanted, qPrintable(where));
            }
            for (const Interval own : clients[a].live.intervals()) {
                QVERIFY(apart[a].contains(own.begin) && apart[a].contains(own.end - 1));
                QVERIFY(longer[a].contains(own.begin) && longer[a].contains(own.end - 1));
            }
        }
    }

private:
    static void addRuns()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<int>("streams");
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const int streams = 2 + static_cast<int>(seed % 3);
            QTest::addRow("seed %u, %d streams", seed, streams) << seed << streams;
        }
    }
    static Graph makeGraph()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        return randomGraph(random, 6 + static_cast<int>(seed % 20));
    }
    static QString named(const Graph& graph, std::size_t a, std::size_t b)
    {
        return QString::fromStdString(graph.nodes[a].name + " and " + graph.nodes[b].name);
    }
};

QTEST_APPLESS_MAIN(StreamRandomTest)
#include "tst_stream_random.moc"
