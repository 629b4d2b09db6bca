#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

constexpr const char* Diamond = R"({
  "schema": "plimsoll.graph/1", "name": "diamond",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Tanh", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n2", "op": "Sin", "inputs": ["b"], "outputs": ["c"]},
            {"name": "n3", "op": "Add", "inputs": ["a", "c"], "outputs": ["d"]}],
  "outputs": ["d"]
})";

/// The drawn condition leads into the branch that is right.
constexpr const char* Branch = R"({
  "schema": "plimsoll.graph/1", "name": "branch",
  "inputs": [{"name": "c", "dtype": "bool", "shape": []}, {"name": "x", "dtype": "float32", "shape": [16]}],
  "nodes": [{"name": "n_u", "op": "Sin", "inputs": ["x"], "outputs": ["u"]},
            {"name": "scope", "op": "If", "inputs": ["c"], "outputs": ["y"], "subgraphs": {
               "then_branch": {"nodes": [{"name": "n_k", "op": "Cos", "inputs": ["x"], "outputs": ["k"]},
                                         {"name": "n_o", "op": "Add", "inputs": ["k", "u"], "outputs": ["o"]}],
                               "outputs": ["o"]},
               "else_branch": {"nodes": [{"name": "n_e", "op": "Neg", "inputs": ["u"], "outputs": ["e"]}],
                               "outputs": ["e"]}}}],
  "outputs": ["y"]
})";
constexpr const char* PlanOfBranch = R"({
  "schema": "plimsoll.plan/1", "arenas": [{"space": "cpu", "bytes": 128, "alignment": 1}],
  "allocations": [{"value": "u", "offset": 0, "bytes": 64}, {"value": "scope/then_branch/k", "offset": 0, "bytes": 64},
                  {"value": "scope/then_branch/o", "offset": 64, "bytes": 64},
                  {"value": "scope/else_branch/e", "offset": 64, "bytes": 64},
                  {"value": "y", "offset": 64, "bytes": 64}]
})";

QByteArray planWith(int offsetOfC)
{
    return QByteArray(
               R"({"schema": "plimsoll.plan/1", "graph": null, "arenas": [{"space": "cpu", "bytes": 256, "alignment": 64}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 64}, {"value": "b", "offset": 64, "bytes": 64},
                  {"value": "c", "offset": )") +
           QByteArray::number(offsetOfC) +
           R"(, "bytes": 64}, {"value": "d", "offset": 192, "bytes": 64}], "steps": null})";
}

} // namespace

class tst_CliBisect : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("diamond.json", Diamond);
        write("sound.json", planWith(64));
        write("wrong.json", planWith(32));
        write("branch.json", Branch);
        write("branch.plan.json", PlanOfBranch);
    }

    void aRunThatIsRightExitsWithZero()
    {
        const Finished finished = bisect("sound.json");

        QCOMPARE(finished.status, 0);
        QCOMPARE(finished.out, QByteArray("The run equals the oracle: there is nothing to look for.\n"));
    }

    void anErrorOfARunNamesTheFile()
    {
        write("strange.json", QByteArray(Diamond).replace("Tanh", "Strange"));
        const Finished finished = runCli(
            {QStringLiteral("bisect"), path("strange.json"), QStringLiteral("--mode"), QStringLiteral("numeric")});

        QCOMPARE(finished.status, 4);
        QVERIFY2(finished.said().startsWith(QStringLiteral("plimsoll-cli: %1: ").arg(path("strange.json"))),
                 finished.err.constData());
    }

    void theGuiltyPairIsNamed()
    {
        const Finished finished = bisect("wrong.json");

        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.out.startsWith("'a' and 'c' meet in [32, 64) of arena cpu: "), finished.out.constData());
    }

    void theJsonSaysTheSame()
    {
        const Finished finished = bisect("wrong.json", {QStringLiteral("--json"), QStringLiteral("-")});

        const QJsonObject json = QJsonDocument::fromJson(finished.out).object();
        QCOMPARE(json[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.bisect/1"));
        const QJsonArray culprits = json[QLatin1String("culprits")].toArray();
        QCOMPARE(culprits.size(), 1);
        const QJsonObject culprit = culprits.first().toObject();
        QCOMPARE(culprit[QLatin1String("values")].toArray(), (QJsonArray {"a", "c"}));
        QCOMPARE(culprit[QLatin1String("apart")].toArray(), (QJsonArray {"c"}));
        QCOMPARE(culprit[QLatin1String("nodes")].toArray(), (QJsonArray {"n0", "n2", "n3"}));
        QCOMPARE(culprit[QLatin1String("bytes")].toArray(), (QJsonArray {32, 64}));
        QCOMPARE(culprit[QLatin1String("steps")].toArray(), (QJsonArray {2, 4}));
    }

    /// As a run does, it goes where the inputs do not lead.
    void aBranchThatIsNotTakenIsLookedInto()
    {
        const QStringList plain = {QStringLiteral("bisect"), path("branch.json"), QStringLiteral("--plan"),
                                   path("branch.plan.json")};
        const Finished finished = runCli(plain);
        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.out.startsWith("'u' and 'scope/then_branch/k' meet in [0, 64) of arena cpu: "),
                 finished.out.constData());
        QCOMPARE(runCli(plain + QStringList {QStringLiteral("--cover"), QStringLiteral("never")}).status, 0);
    }

    /// A plan of two streams that has lost the event between a branch and the node that joins it.
    void aMissingWaitIsNamed()
    {
        const Finished finished = twoStreams("two-streams-missing-event.plan.json");

        QCOMPARE(finished.status, 1);
        QVERIFY2(
            finished.out.startsWith("The event from 'gated' to 'join' is missing: node 'join' of stream 0 (step 9) "
                                    "uses 'g', which node 'gated' of stream 1 (step 8) writes, and does not wait "
                                    "for it: 'g' at node 'join', step 9: "),
            finished.out.constData());
        QVERIFY2(finished.out.contains("\n1 culprit found by "), finished.out.constData());
        const QJsonObject culprit = twoStreams("two-streams-missing-event.plan.json", {"--json", "-"})
                                        .json()[QLatin1String("culprits")]
                                        .toArray()
                                        .at(0)
                                        .toObject();
        QCOMPARE(culprit[QLatin1String("values")].toArray(), (QJsonArray {"g"}));
        QCOMPARE(culprit[QLatin1String("nodes")].toArray(), (QJsonArray {"gated", "join"}));
        QCOMPARE(culprit[QLatin1String("wait")].toObject(),
                 (QJsonObject {{"after", "gated"}, {"afterStream", 1}, {"before", "join"}, {"beforeStream", 0}}));
    }

    /// Bytes of one stream that another takes before the first is done: either of the two mends it.
    void twoThatMeetBesideOneAnotherNameTheWait()
    {
        QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/tests/data/two-streams-missing-event.plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject plan = QJsonDocument::fromJson(file.readAll()).object();
        QJsonArray allocations = plan[QLatin1String("allocations")].toArray();
        for (auto entry : allocations) { // what stream 1 makes, over what stream 0 still reads
            QJsonObject moved = entry.toObject();
            const QString value = moved[QLatin1String("value")].toString();
            if (value == QStringLiteral("pc") || value == QStringLiteral("pg")) moved[QLatin1String("offset")] = 262144;
            entry = moved;
        }
        plan[QLatin1String("allocations")] = allocations;
        QJsonArray events = plan[QLatin1String("events")].toArray();
        events.append(QJsonObject {{"after", "gated"}, {"before", "join"}});
        plan[QLatin1String("events")] = events;
        QJsonArray arenas = {QJsonObject {{"space", "cpu"}, {"bytes", 327680}, {"alignment", 64}}};
        plan[QLatin1String("arenas")] = arenas;
        write("racing.json", QJsonDocument(plan).toJson());

        const Finished finished = twoStreams(path("racing.json"));
        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.out.startsWith("'n' (1 more at the same bytes) and 'pc'") ||
                     finished.out.startsWith("'nt' and 'pc'"),
                 finished.out.constData());
        QVERIFY2(finished.out.contains("; node 'pool_conv' of stream 1 (step 6) does not wait for node 'wide' of "
                                       "stream 0 (step 4)\n"),
                 finished.out.constData());
    }

private:
    static Finished twoStreams(const QString& plan, const QStringList& more = {})
    {
        const QString data = QStringLiteral(PLIMSOLL_SOURCE_DIR "/tests/data/");
        return runCli(QStringList {QStringLiteral("bisect"),
                                   QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json"),
                                   QStringLiteral("--plan"), plan.startsWith(u'/') ? plan : data + plan,
                                   QStringLiteral("-p"), QStringLiteral("backend=reference")} +
                      more);
    }
    Finished bisect(const char* plan, const QStringList& more = {})
    {
        return runCli(QStringList {QStringLiteral("bisect"), path("diamond.json"), QStringLiteral("--plan"), path(plan),
                                   QStringLiteral("-p"), QStringLiteral("backend=captured")} +
                      more);
    }
    QString path(const char* name) { return m_folder.filePath(QString::fromLatin1(name)); }
    void write(const char* name, const QByteArray& text)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(tst_CliBisect)
#include "tst_cli_bisect.moc"
