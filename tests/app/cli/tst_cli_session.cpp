#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_graph.h"
#include "tests/app/support/cli_run.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

namespace {

/// x → Relu → y → Relu → z → Relu → w: in place where that is allowed.
const char* const Chain = R"({"schema": "plimsoll.graph/1", "name": "chain",
    "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 64]}],
    "nodes": [{"name": "a", "op": "Relu", "inputs": ["x"], "outputs": ["y"]},
              {"name": "b", "op": "Relu", "inputs": ["y"], "outputs": ["z"]},
              {"name": "c", "op": "Relu", "inputs": ["z"], "outputs": ["w"]}],
    "outputs": ["w"]})";

/// A session of the chain, with or without a plan in which all have too few bytes.
QString sessionIn(const TemporaryFolder& home, bool judged)
{
    const auto file = home.path() / "chain.plimsoll";
    SavedSession session;
    session.graph = referenceTo(home.write("chain.json", Chain), file);
    SessionChoices choices;
    choices.policies = {{"inplace", "off"}};
    choices.dims = {{"batch", 4}};
    if (judged) {
        PlanFile plan;
        plan.arenas = {{"cpu", 1024, 64, std::nullopt}};
        for (const char* value : {"y", "z", "w"})
            plan.entries.push_back({value, ArenaId(std::size_t(0)), 0, 16});
        session.plans = {{sharedPlan(plan)}};
        choices.plan = 0;
    }
    session.history = {{choices}};
    return QString::fromStdString(home.write("chain.plimsoll", sessionJsonText(session)).string());
}

} // namespace

class CliSessionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSessionIsPlannedByItsChoices()
    {
        const TemporaryFolder home;
        const QString session = sessionIn(home, false);
        const auto inplaceOf = [](const Finished& check) {
            return check.json()[QStringLiteral("policies")][QStringLiteral("inplace")].toString();
        };
        QStringList command {QStringLiteral("check"), session, QStringLiteral("--json"), QStringLiteral("-")};
        QCOMPARE(inplaceOf(runCli(command)), QStringLiteral("off"));
        command << QStringLiteral("-p") << QStringLiteral("inplace=on");
        QCOMPARE(inplaceOf(runCli(command)), QStringLiteral("on"));
    }

    void theSizesOfASessionHold()
    {
        const TemporaryFolder home;
        const Finished plan = runCli({QStringLiteral("plan"), sessionIn(home, false)});
        QVERIFY2(plan.status == 0, plan.err.constData());
        QVERIFY2(!plan.text().contains(QStringLiteral("assumed")), plan.out.constData());
    }

    void thePlanOfASessionIsJudged()
    {
        const TemporaryFolder home;
        const QString judged = sessionIn(home, true);
        const Finished check = runCli({QStringLiteral("check"), judged});
        QCOMPARE(check.status, 1);
        QVERIFY2(check.text().contains(QStringLiteral("undersized")), check.out.constData());
        QCOMPARE(runCli({QStringLiteral("check"), sessionIn(home, false)}).status, 0);
    }

    /// It is printed with its reason, the verdict is that of all findings, and it is no reason to fail.
    void aFindingCanBeSuppressed()
    {
        const TemporaryFolder home;
        const QString judged = sessionIn(home, true);
        const QString report = QString::fromStdString((home.path() / "report.json").string());
        QCOMPARE(runCli({QStringLiteral("check"), judged, QStringLiteral("--json"), report}).status, 1);
        QFile file(report);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray findings = QJsonDocument::fromJson(file.readAll())[QStringLiteral("findings")].toArray();
        QVERIFY(findings.size() > 2);
        QJsonArray known;
        for (const QJsonValue& finding : findings) {
            QJsonObject one = finding.toObject();
            one[QStringLiteral("reason")] = QStringLiteral("a toy");
            known.append(one);
        }
        const auto check = [&](const QJsonArray& list) {
            const QJsonObject root {{QStringLiteral("schema"), QStringLiteral("plimsoll.suppressions/1")},
                                    {QStringLiteral("suppressions"), list}};
            const auto named = home.write("known.json", QJsonDocument(root).toJson().toStdString());
            return runCli({QStringLiteral("check"), judged, QStringLiteral("--suppress"),
                           QString::fromStdString(named.string())});
        };
        const Finished all = check(known);
        QVERIFY2(all.status == 0, all.err.constData());
        QVERIFY2(all.text().contains(QStringLiteral("Suppressed (a toy): ")), all.out.constData());
        const QString count = QStringLiteral("%1 findings are suppressed.").arg(findings.size());
        QVERIFY2(all.text().contains(count), all.out.constData());
        QVERIFY2(!all.text().contains(QStringLiteral(": Legal")), all.out.constData());
        known.removeFirst();
        QCOMPARE(check(known).status, 1);
        known.append(QJsonObject {{QStringLiteral("rule"), QStringLiteral("overlap")}});
        QCOMPARE(check(known).status, 3);
    }

    void aDamagedSessionSaysWhatIsMissing()
    {
        const TemporaryFolder home;
        const QString session = sessionIn(home, false);
        QFile file(session);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        text.replace("\"inplace\": \"off\"", "\"inplace\": [\"off\"");
        file.seek(0);
        file.resize(0);
        file.write(text);
        file.close();
        const Finished check =
            runCli({QStringLiteral("check"), session, QStringLiteral("--dim"), QStringLiteral("batch=4")});
        QVERIFY2(check.text().contains(QStringLiteral("Not all of the session could be read")), check.out.constData());
        QVERIFY2(check.text().contains(QStringLiteral("'history' is damaged")), check.out.constData());
    }

    void theGraphOfASessionIsNotWrittenOver()
    {
        const TemporaryFolder home;
        const QString session = sessionIn(home, false);
        const QString graph = QString::fromStdString((home.path() / "chain.json").string());
        QCOMPARE(runCli({QStringLiteral("check"), session, QStringLiteral("--json"), graph}).status, 2);
        QCOMPARE(runCli({QStringLiteral("check"), session, QStringLiteral("--json"), session}).status, 2);
    }
};

QTEST_GUILESS_MAIN(CliSessionTest)
#include "tst_cli_session.moc"
