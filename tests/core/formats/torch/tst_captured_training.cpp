#include "core/facts/english/english.h"
#include "core/formats/plimsoll/graph_json.h"

#include "core/pipeline/pipeline.h"
#include "tests/support/policy_choices.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// y = exp(x), z = y · w; the gradient of x is t · w · y. What is kept is in \p facts.
std::string captured(const std::string& facts, const std::string& second = R"({"storage": 2})")
{
    return R"({"schema": "plimsoll.graph/1", "name": "captured",
 "inputs": [{"name": "x", "dtype": "float32", "shape": [250], "requiresGrad": true},
            {"name": "w", "dtype": "float32", "shape": [250]}, {"name": "t", "dtype": "float32", "shape": [250]}],
 "nodes": [{"name": "exp", "op": "Exp", "inputs": ["x"], "outputs": ["y"], "phase": "forward"},
           {"name": "flat", "op": "view", "domain": "aten", "inputs": ["y"], "outputs": ["v"],
            "alias": {"0": {"kind": "view", "input": 0}}, "phase": "forward"},
           {"name": "mul", "op": "Mul", "inputs": ["v", "w"], "outputs": ["z"], "phase": "forward"},
           {"name": "by", "op": "Mul", "inputs": ["t", "w"], "outputs": ["g"], "phase": "backward"},
           {"name": "times", "op": "Mul", "inputs": ["g", "y"], "outputs": ["d"], "phase": "backward"}],
 "values": [{"name": "y", "dtype": "float32", "shape": [250], "pytorch": {"storage": 2}},
            {"name": "v", "dtype": "float32", "shape": [250], "pytorch": )" +
           second + R"(}],
 "outputs": ["z", "d"], "pytorch": {)" +
           facts + "}}";
}

const char* const Kept = R"("saved": ["w", "y"], "gradients": ["d", null], "tangents": ["t"])";

Report planned(const std::string& text, std::string_view retain = "off")
{
    PlanRequest request;
    test::choose(request.policies, {{"inplace", "off"}, {"alignment", "1"}, {"retain-graph", retain}});
    const Result<Graph> graph = readGraphJson(text, {});
    if (!graph.ok()) qFatal("%s", describe(graph.error()).c_str());
    Result<Report> report = analyse(graph.value(), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// "y exp..times for x: captured, possible"
QStringList saved(const Report& report)
{
    const Graph& graph = *report.program.graph;
    QStringList lines;
    for (const SavedReport& one : report.training.saved) {
        std::string line = graph[one.tensor.value].name + " " + graph[one.tensor.savedBy].name + ".." +
                           graph[one.tensor.readBy].name + " for";
        for (const ValueId variable : one.tensor.neededFor)
            line += " " + graph[variable].name;
        line += ": " + std::string(savingReasonId(one.tensor.reason)) + ", " + std::string(donationId(one.donation));
        lines << QString::fromStdString(line);
    }
    return lines;
}

QString errors(const Report& report)
{
    QStringList lines;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error) lines << QString::fromStdString(english(finding.message));
    }
    return lines.join(u'\n');
}

} // namespace

/// What PyTorch says of forward and backward.
class CapturedTraining : public QObject
{
    Q_OBJECT

private slots:
    void whatIsKeptIsListed();
    void whatIsDonatedIsJudged_data();
    void whatIsDonatedIsJudged();
    void aCapturedBackwardGraphRunsOnce();
    void whatIsKeptCanBeComputedAnew();
    void contradictionsAreRefused_data();
    void contradictionsAreRefused();
};

void CapturedTraining::whatIsKeptIsListed()
{
    const Report report = planned(captured(Kept));

    QCOMPARE(saved(report), (QStringList {QStringLiteral("w mul..by for x: captured, is an input"),
                                          QStringLiteral("y exp..times for x: captured, possible")}));
    QCOMPARE(report.training.boundaryBytes, std::int64_t(1000));
    QCOMPARE(report.program.graph->boundary.gradients, std::size_t(1));
    QCOMPARE(errors(report), QString());
}

void CapturedTraining::whatIsDonatedIsJudged_data()
{
    QTest::addColumn<QByteArray>("donated");
    QTest::addColumn<QByteArray>("retain");
    QTest::addColumn<QString>("errors");
    QTest::newRow("what nothing else has") << QByteArray("\"y\"") << QByteArray("off") << "";
    QTest::newRow("beside a size") << QByteArray("null, \"y\"") << QByteArray("off") << "";
    QTest::newRow("an input") << QByteArray("\"w\"") << QByteArray("off")
                              << "'w' is given to the backward graph to write over, but its bytes are the caller's, of "
                                 "'w'.";
    QTest::newRow("of a graph that is kept")
        << QByteArray("\"y\"") << QByteArray("on")
        << "'y' is given to the backward graph to write over, but the graph is kept, and another backward pass may "
           "read it.";
}

void CapturedTraining::whatIsDonatedIsJudged()
{
    QFETCH(QByteArray, donated);
    QFETCH(QByteArray, retain);

    const std::string facts = std::string(Kept) + ", \"donated\": [" + donated.toStdString() + "]";
    const Report report = planned(captured(facts), retain.toStdString());

    QTEST(errors(report), "errors");
    QVERIFY(saved(report).filter(QStringLiteral("donated")).size() == 1);
}

void CapturedTraining::aCapturedBackwardGraphRunsOnce()
{
    PlanRequest request;
    request.policies.backwards = 2;
    request.policies.retainGraph = true;

    const Result<Report> report = analyse(readGraphJson(captured(Kept), {}).value(), request, {});

    QVERIFY(!report.ok());
    QVERIFY(QString::fromStdString(english(report.error().message))
                .startsWith(QStringLiteral("The backward graph was captured")));
}

void CapturedTraining::whatIsKeptCanBeComputedAnew()
{
    PlanRequest request;
    request.constraints.recomputed = {"y"};

    const Report report = analyse(readGraphJson(captured(Kept), {}).value(), request, {}).value();

    QCOMPARE(report.training.boundaryBytes, std::int64_t(0));
    QCOMPARE(errors(report), QString());
    QVERIFY(findValue(*report.program.graph, "y:again").valid());
}

void CapturedTraining::contradictionsAreRefused_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<QString>("error");
    QTest::newRow("a name that is none") << captured(R"("saved": ["w", "none"])")
                                         << "pytorch.saved[1]: There is no value 'none' in the graph.";
    QTest::newRow("donated, but not kept")
        << captured(R"("saved": ["w"], "donated": ["y"])")
        << "pytorch.donated[0]: 'y' is donated to the backward graph, but not kept for it.";
    QTest::newRow("gradients that are not the outputs")
        << captured(R"("saved": ["w"], "gradients": ["g"])")
        << "pytorch.gradients: The outputs of the graph do not end with these gradients.";
    QTest::newRow("no backward half") << captured(R"("saved": ["w"], "backward": "nowhere")")
                                      << "pytorch.backward: There is no node 'nowhere' in the graph.";
    QTest::newRow("saved is no list") << captured(R"("saved": 3)") << "pytorch.saved: A list is expected here.";
    QTest::newRow("a view in another storage")
        << captured(Kept, R"({"storage": 7})")
        << "node 'flat': 'v' is said to be the bytes of 'y', but lies in storage 7, and 'y' in storage 2.";
}

void CapturedTraining::contradictionsAreRefused()
{
    QFETCH(std::string, text);

    const Result<Graph> graph = readGraphJson(text, {});

    QVERIFY(!graph.ok());
    QTEST(QString::fromStdString(describe(graph.error())), "error");
}

QTEST_APPLESS_MAIN(CapturedTraining)
#include "tst_captured_training.moc"
