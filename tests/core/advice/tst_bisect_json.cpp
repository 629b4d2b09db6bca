#include "core/advice/bisect_json.h"

#include "tests/core/advice/damaged_diamond.h"

#include <QTest>

using namespace plimsoll;

namespace {

Culprit culpritOf(const Graph& graph, const std::vector<std::string>& earlier, const std::vector<std::string>& later)
{
    const auto sideOf = [&](const std::vector<std::string>& names) {
        Culprit::Side side;
        for (const std::string& name : names) {
            if (name.starts_with("scratch:"))
                side.scratchOf = findNode(graph, name.substr(8));
            else
                side.values.push_back(findValue(graph, name));
        }
        return side;
    };
    Culprit culprit {.later = sideOf(later)};
    if (!earlier.empty()) culprit.earlier = sideOf(earlier);
    culprit.arena = ArenaId(0);
    culprit.steps = {2, 4};
    culprit.bytes = {32, 64};
    culprit.nodes = {findNode(graph, "n2")};
    culprit.mismatch = test::spoiledDiamond();
    return culprit;
}

/// "a b + c*; n2; steps [2, 4) bytes [32, 64); a over c": what gets fresh bytes has a star.
QString lineOf(const Graph& graph, const Culprit& culprit)
{
    const auto names = [&](const Culprit::Side& side, bool moved) {
        QStringList all;
        for (const std::string& name : namesOf(graph, side))
            all << QString::fromStdString(name);
        return all.join(u' ') + (moved ? QStringLiteral("*") : QString());
    };
    QString text = culprit.earlier ? names(*culprit.earlier, !culprit.laterApart) + QStringLiteral(" + ") : QString();
    text += names(culprit.later, culprit.laterApart);
    if (culprit.wait)
        text += QStringLiteral(" waits %1 > %2")
                    .arg(QString::fromStdString(graph[culprit.wait->signal].name),
                         QString::fromStdString(graph[culprit.wait->waiter].name));
    return text + QStringLiteral("; %1; steps [%2, %3) bytes [%4, %5); %6 over %7")
                      .arg(QString::fromStdString(graph[culprit.nodes.front()].name))
                      .arg(culprit.steps.begin)
                      .arg(culprit.steps.end)
                      .arg(culprit.bytes.begin)
                      .arg(culprit.bytes.end)
                      .arg(QString::fromStdString(culprit.mismatch.overwrittenBy),
                           QString::fromStdString(culprit.mismatch.value));
}

} // namespace

/// plimsoll.bisect/1, written and read.
class BisectJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenIsReadAgain_data();
    void whatIsWrittenIsReadAgain();
    void aRunThatDiffersElsewhere();
    void whatTheGraphDoesNotHaveIsRefused();
};

void BisectJsonTest::whatIsWrittenIsReadAgain_data()
{
    using Names = std::vector<std::string>;
    QTest::addColumn<Names>("earlier");
    QTest::addColumn<Names>("later");
    QTest::addColumn<bool>("laterApart");
    QTest::addColumn<QString>("line");
    const QString rest = QStringLiteral("; n2; steps [2, 4) bytes [32, 64); c over a");
    QTest::newRow("pair") << Names {"a", "b"} << Names {"c"} << true << QStringLiteral("a b + c*") + rest;
    QTest::newRow("the earlier one moves")
        << Names {"a", "b"} << Names {"c"} << false << QStringLiteral("a b* + c") + rest;
    QTest::newRow("scratchpad") << Names {"scratch:n1"} << Names {"c"} << true
                                << QStringLiteral("scratch:n1 + c*") + rest;
    QTest::newRow("a wait") << Names {} << Names {"c"} << true << QStringLiteral("c* waits n1 > n2") + rest;
    QTest::newRow("alone") << Names {} << Names {"c", "d"} << true << QStringLiteral("c d*") + rest;
}

void BisectJsonTest::whatIsWrittenIsReadAgain()
{
    QFETCH(std::vector<std::string>, earlier);
    QFETCH(std::vector<std::string>, later);
    QFETCH(bool, laterApart);
    QFETCH(QString, line);
    const Report report = test::planned(test::Diamond);
    const Graph& graph = *report.program.graph;
    Culprit culprit = culpritOf(graph, earlier, later);
    culprit.laterApart = laterApart;
    if (line.contains(QStringLiteral("waits"))) culprit.wait = {findNode(graph, "n1"), findNode(graph, "n2")};
    const std::string text = bisectJsonText(report.program, {{culprit}, {}, 7, 9});
    QCOMPARE(text.find("\"apart\": []") != std::string::npos, culprit.wait.has_value());
    const Result<Bisection> read = readBisectJson(text, graph);
    QVERIFY2(read.ok(), text.c_str());
    QCOMPARE(read.value().culprits.size(), std::size_t(1));
    QCOMPARE(lineOf(graph, read.value().culprits.front()), line);
    QCOMPARE(read.value().sharings, 7);
    QCOMPARE(read.value().runs, 9);
    QVERIFY(!read.value().elsewhere);
}

void BisectJsonTest::aRunThatDiffersElsewhere()
{
    const Report report = test::planned(test::Diamond);
    const std::string text = bisectJsonText(report.program, {{}, test::spoiledDiamond(), 7, 2});
    const Result<Bisection> read = readBisectJson(text, *report.program.graph);
    QVERIFY2(read.ok() && read.value().elsewhere, text.c_str());
    QCOMPARE(read.value().elsewhere->value, std::string("a"));
}

void BisectJsonTest::whatTheGraphDoesNotHaveIsRefused()
{
    const Report report = test::planned(test::Diamond);
    const Report other = test::planned("input x float32[4]\nn: y = Neg(x)\noutput y\n");
    const Graph& graph = *report.program.graph;
    const std::string text = bisectJsonText(report.program, {{culpritOf(graph, {"a"}, {"c"})}, {}, 7, 9});
    QVERIFY(!readBisectJson(text, *other.program.graph).ok());
    QVERIFY(!readBisectJson("no JSON", graph).ok());
    QVERIFY(!readBisectJson("{}", graph).ok());
    QVERIFY(!readBisectJson(R"({"culprits": [{"values": ["a"], "apart": []}], "runs": 1, "sharings": 1})", graph).ok());
}

QTEST_APPLESS_MAIN(BisectJsonTest)
#include "tst_bisect_json.moc"
