#include "core/facts/english/english.h"
#include "core/verify/verifier.h"
#include "kernels/run/device/stream_orders.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <random>

using namespace plimsoll;

namespace {

constexpr unsigned Seeds = 200;

Policies policiesFor(unsigned seed)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.alignment = 1;
    policies.outputs = seed % 3 == 0 ? OutputsPolicy::External : OutputsPolicy::Independent;
    policies.inputs = seed % 5 == 0 ? InputsPolicy::Donate : InputsPolicy::Protect;
    policies.streams = seed % 4 == 0 ? CapturedStreams : 1 + seed % 4;
    if (seed % 7 == 0) policies.placement = "storage-reuse";
    return policies;
}

/// On up to four streams at random, as a file may say.
Graph streamedGraph(unsigned seed)
{
    Graph graph = test::randomGraph(seed);
    std::mt19937 engine(seed);
    for (Node& node : graph.nodes)
        node.at.edit().stream = std::uniform_int_distribution(0, 3)(engine);
    return graph;
}

std::vector<Finding> errorsOf(const Report& report)
{
    std::vector<Finding> errors;
    for (Finding& finding : verify({report.program, report.program.map}, {}))
        if (finding.severity == Severity::Error) errors.push_back(std::move(finding));
    return errors;
}

/// What the graph itself is wrong about it is wrong about on one stream, too.
bool soundOnOneStream(Report report)
{
    report.program.streams = {};
    return errorsOf(report).empty();
}

QString mismatchOf(const Report& report, unsigned seed)
{
    kernels::RunRequest request;
    request.seed = seed;
    const auto outcome = test::executed(report, {}, request);
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    for (const RunResult::Mismatch& mismatch : outcome.value().result.mismatches)
        return QString::fromStdString("'" + mismatch.value + "': " + english(mismatch.note));
    return {};
}

const char* const TwoChains = "input x float32[64]\nna: a = Exp(x)\nnb: b = Neg(a)\nnc: c = Sin(x)\nnd: d = Cos(c)\n"
                              "ne: y = Add(b, d)\noutput y\n";

Report onTwoStreams()
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.streams = 2;
    policies.inplace = InplacePolicy::Off;
    return test::planned(test::graphFromText(TwoChains), policies);
}

} // namespace

class tst_StreamRuns : public QObject
{
    Q_OBJECT

private slots:
    void everyStreamIsFirstOnce()
    {
        const Report report = onTwoStreams();
        QStringList orders;
        for (const kernels::RunOrder& order : kernels::otherOrders(report.program, report.verdict.findings)) {
            QString text = QString::fromStdString(order.name) + u':';
            for (const NodeId node : order.nodes)
                text += u' ' + QString::fromStdString((*report.program.graph)[node].name);
            orders << text;
        }
        QCOMPARE(orders.join(u'\n'), QStringLiteral("stream 0 first: na nb nc nd ne\nstream 1 first: nc nd na nb ne"));
    }

    /// An identity that lies in place does nothing, and so waits for nothing: judge and run agree on each of the ways.
    void anIdentityInPlaceWaitsForNothing()
    {
        const auto report = [](std::int32_t streamOfReader, bool inPlace) {
            Policies policies;
            policies.backend = BackendPolicy::Reference;
            Report made = test::planned(
                test::graphFromText("input x float32[16]\nna: a = Exp(x)\nni: b = Identity(a)\nnc: c = Sin(b)\nnd: y = "
                                    "Cos(c)\noutput y\n"),
                policies);
            const Graph& graph = *made.program.graph;
            MemoryMap& map = made.program.map;
            map.arenas.front().bytes = 1024;
            std::int64_t top = 0;
            for (const char* name : {"a", "b", "c", "y"})
                map.values[findValue(graph, name).index()] = {ArenaId(0), 128 * top++, 64, {}};
            if (inPlace) map.values[findValue(graph, "b").index()].offset = 0;
            StreamPlan streams;
            streams.streamOf.assign(graph.nodes.size(), 0);
            streams.streamOf[findNode(graph, "ni").index()] = 1;
            streams.streamOf[findNode(graph, "nc").index()] = streamOfReader;
            if (streamOfReader == 1) streams.events.push_back({findNode(graph, "nc"), findNode(graph, "nd")});
            made.program.streams = streams;
            made.verdict.findings = verify({made.program, made.program.map}, {});
            return made;
        };
        const Report named = report(0, true);
        QVERIFY(errorsOf(named).empty());
        QCOMPARE(mismatchOf(named, 1), QString());
        for (const Report& wrong : {report(1, true), report(1, false)}) {
            QVERIFY(!errorsOf(wrong).empty());
            QVERIFY(!mismatchOf(wrong, 1).isEmpty());
        }
    }

    /// Of a race that the judge names, whichever rule it breaks; not within a stream, and not of what is something
    /// else.
    void aRaceHasAnOrderOfItsOwn_data()
    {
        QTest::addColumn<Rule>("rule");
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QString>("order");
        const QString turned = QStringLiteral("'nc' before 'nb'");
        QTest::newRow("overlap") << Rule::Overlap << QByteArray("nb nc") << turned;
        QTest::newRow("overlap, the later one first") << Rule::Overlap << QByteArray("nc nb") << turned;
        QTest::newRow("uninitialised read") << Rule::UninitialisedRead << QByteArray("nb nc") << turned;
        QTest::newRow("another rule") << Rule::ClobberedRead << QByteArray("nb nc") << QString();
        QTest::newRow("one stream") << Rule::Overlap << QByteArray("na nb") << QString();
        QTest::newRow("one node") << Rule::Overlap << QByteArray("nb") << QString();
        QTest::newRow("as a stream that comes first has it") << Rule::Overlap << QByteArray("na nd") << QString();
    }

    void aRaceHasAnOrderOfItsOwn()
    {
        QFETCH(Rule, rule);
        QFETCH(QByteArray, nodes);
        QFETCH(QString, order);
        Report report = onTwoStreams();
        Finding finding;
        finding.rule = rule;
        for (const QByteArray& name : nodes.split(' '))
            finding.nodes.push_back(findNode(*report.program.graph, name.toStdString()));
        report.verdict.findings = {finding};
        const auto orders = kernels::otherOrders(report.program, report.verdict.findings);
        QCOMPARE(orders.size(), std::size_t(order.isEmpty() ? 2 : 3));
        if (!order.isEmpty()) QCOMPARE(QString::fromStdString(orders.back().name), order);
    }

    /// 49 races, of which 32 are shown.
    void racesBeyondALimitAreNotShown()
    {
        QString text = QStringLiteral("input x float32[4]\n");
        for (const QString& chain : {QStringLiteral("a"), QStringLiteral("b")}) {
            for (int i = 0; i < 8; ++i)
                text += QStringLiteral("n%1%2: %1%2 = Neg(%3)\n")
                            .arg(chain)
                            .arg(i)
                            .arg(i == 0 ? QStringLiteral("x") : chain + QString::number(i - 1));
        }
        Graph graph = test::graphFromText((text + QStringLiteral("output a7 b7\n")).toStdString());
        for (Node& node : graph.nodes)
            node.at.edit().stream = node.name[1] == 'b' ? 1 : 0;
        Policies policies;
        policies.backend = BackendPolicy::Reference;
        policies.streams = CapturedStreams;
        Report report = test::planned(graph, policies);
        report.verdict.findings.clear();
        for (int early = 1; early < 8; ++early) {
            for (int late = 0; late < 7; ++late) {
                Finding finding;
                finding.rule = Rule::Overlap;
                finding.nodes = {findNode(*report.program.graph, "na" + std::to_string(early)),
                                 findNode(*report.program.graph, "nb" + std::to_string(late))};
                report.verdict.findings.push_back(finding);
            }
        }
        QCOMPARE(kernels::otherOrders(report.program, report.verdict.findings).size(), std::size_t(2 + 32));
    }

    void aPlanOfOurOwnRunsInEveryOrder()
    {
        const auto outcome = test::executed(onTwoStreams());
        QVERIFY(outcome.ok());
        QCOMPARE(outcome.value().result.orders.size(), std::size_t(3));
        QVERIFY(outcome.value().result.mismatches.empty());
    }

    /// One event less: the judge names it, and the run shows the value that goes wrong without it.
    void aMissingEventIsFoundAndShown()
    {
        Report report = onTwoStreams();
        QCOMPARE(report.program.streams.events.size(), std::size_t(1));
        report.program.streams.events.clear();
        report.verdict.findings = errorsOf(report);
        QVERIFY(!report.verdict.findings.empty());
        QCOMPARE(report.verdict.findings.front().rule, Rule::UninitialisedRead);
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        const auto& mismatches = outcome.value().result.mismatches;
        QVERIFY(!mismatches.empty());
        QVERIFY2(english(mismatches.front().note).find("; in the order: ") != std::string::npos,
                 english(mismatches.front().note).c_str());
    }

    /// Bytes that are handed over too early are spoiled in the order that turns the two nodes round.
    /// A name of bytes that were written wrong is no fault of its own: the one fault is the read that came too early.
    void aNameOfWhatIsSpoiledFollows()
    {
        Policies policies;
        policies.backend = BackendPolicy::Reference;
        Graph graph = test::graphFromText("input x float32[64]\nna: a = Exp(x)\nnb: b = Neg(a)\nnc: c = Identity(b)\n"
                                          "nd: d = Sin(c)\nne: y = Cos(d)\noutput y\n");
        policies.streams = CapturedStreams;
        for (Node& node : graph.nodes)
            node.at.edit().stream = &node == graph.nodes.data() ? 1 : 0;
        Report report = test::planned(graph, policies);
        QCOMPARE(report.program.streams.events.size(), std::size_t(1));
        report.program.streams.events.clear();

        const auto outcome = test::executed(report);

        QVERIFY(outcome.ok());
        QStringList faults;
        QStringList followers;
        for (const RunResult::Mismatch& mismatch : outcome.value().result.mismatches)
            (mismatch.follows ? followers : faults) << QString::fromStdString(mismatch.value);
        QCOMPARE(faults, QStringList(QStringLiteral("a")));
        QVERIFY(followers.contains(QStringLiteral("c")));
        const Message& note = outcome.value().result.mismatches.front().note;
        QVERIFY2(english(note).find("read before it is made") != std::string::npos, english(note).c_str());
    }

    void aRaceIsShownInItsOwnOrder()
    {
        Report report = onTwoStreams();
        test::moveValue(report, "d", report.program.map.values[findValue(*report.program.graph, "a").index()].offset);
        report.verdict.findings = errorsOf(report);
        QVERIFY(!report.verdict.findings.empty());
        QCOMPARE(report.verdict.findings.front().rule, Rule::Overlap);
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        const auto& mismatches = outcome.value().result.mismatches;
        QVERIFY(!mismatches.empty());
        QCOMPARE(mismatches.front().value, std::string("d"));
        QVERIFY2(english(mismatches.front().note).find("in the order: stream 1 first") != std::string::npos,
                 english(mismatches.front().note).c_str());
        QCOMPARE(outcome.value().result.orders.back(), std::string("'nd' before 'nb'"));
    }

    void plansOfSeveralStreamsAreSoundInAllOrders()
    {
        int several = 0;
        const unsigned from = test::firstSeed(1);
        for (unsigned seed = from; seed < from + Seeds; ++seed) {
            const Report report = test::planned(streamedGraph(seed), policiesFor(seed));
            if (!soundOnOneStream(report)) continue; // the graph's own views spoil it
            several += report.program.streams.several() ? 1 : 0;
            const std::vector<Finding> errors = errorsOf(report);
            QVERIFY2(errors.empty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) +
                                                QString::fromStdString(
                                                    errors.empty() ? std::string() : english(errors.front().message))));
            const QString wrong = mismatchOf(report, seed);
            QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("seed %1: ").arg(seed) + wrong));
        }
        qInfo("%d plans of several streams", several);
        QVERIFY(several > 100);
    }

    /// Whatever a run spoils when an event is taken away, or nodes change their stream, the judge has named.
    void whatTheJudgePassesRunsInAllOrders()
    {
        int found = 0;
        int shown = 0;
        int harmless = 0;
        const unsigned from = test::firstSeed(1);
        for (unsigned seed = from; seed < from + Seeds; ++seed) {
            Report report = test::planned(streamedGraph(seed), policiesFor(seed));
            if (!report.program.streams.several() || !soundOnOneStream(report)) continue;
            if (!damage(report, seed)) continue;
            report.verdict.findings = errorsOf(report);
            const QString wrong = mismatchOf(report, seed);
            QVERIFY2(!report.verdict.findings.empty() || wrong.isEmpty(),
                     qPrintable(QStringLiteral("missed, seed %1: ").arg(seed) + wrong));
            found += report.verdict.findings.empty() ? 0 : 1;
            shown += wrong.isEmpty() ? 0 : 1;
            harmless += report.verdict.findings.empty() ? 1 : 0;
        }
        qInfo("%d found by the judge, %d of them shown by a run; %d harmless", found, shown, harmless);
        QVERIFY(found > 50);
        QVERIFY(shown > found / 2);
    }

private:
    static bool damage(Report& report, unsigned seed)
    {
        std::mt19937 engine(seed);
        std::vector<StreamEvent>& events = report.program.streams.events;
        if (seed % 2 == 0) {
            if (events.empty()) return false;
            events.erase(events.begin() +
                         std::uniform_int_distribution<std::ptrdiff_t>(0, std::ssize(events) - 1)(engine));
            return true;
        }
        const auto& nodes = report.program.graph->top().nodes;
        const NodeId node = nodes[std::uniform_int_distribution<std::size_t>(0, nodes.size() - 1)(engine)];
        const std::int32_t stream = (report.program.streams.of(node) + 1) % report.program.streams.count();
        for (std::size_t inner = 0; inner < report.program.graph->nodes.size(); ++inner) {
            NodeId top {inner};
            while ((*report.program.graph)[top].body != TopBody)
                top = (*report.program.graph)[(*report.program.graph)[top].body].owner;
            if (top == node) report.program.streams.streamOf[inner] = stream;
        }
        return true;
    }
};

QTEST_APPLESS_MAIN(tst_StreamRuns)
#include "tst_stream_runs.moc"
