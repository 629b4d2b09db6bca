#include "tests/app/support/cli_run.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#include <array>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

/// The first gradient of a run.
QJsonObject gradientOf(const Finished& run)
{
    return run.json().value("run").toObject().value("gradients").toArray().at(0).toObject();
}

QString example(const char* name)
{
    return QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/") + QString::fromLatin1(name);
}

QString written(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    QFile file(folder.filePath(QString::fromLatin1(name)));
    if (file.open(QIODevice::WriteOnly)) file.write(text);
    return file.fileName();
}

const QByteArray Custom = R"({"schema": "plimsoll.graph/1",
 "inputs": [{"name": "x", "dtype": "float32", "shape": [4], "requiresGrad": true}],
 "nodes": [{"name": "n", "op": "Twice", "domain": "my", "inputs": ["x"], "outputs": ["y"]},
           {"name": "s", "op": "ReduceSum", "inputs": ["y"], "outputs": ["z"], "attributes": {"keepdims": 0}}],
 "values": [{"name": "y", "dtype": "float32", "shape": [4]}],
 "outputs": ["z"], "loss": "z"})";

} // namespace

/// Graphs with a loss on the command line, and the three stories of the issue that began it.
class tst_CliTraining : public QObject
{
    Q_OBJECT

private slots:
    void aFrozenFactorKeepsNothing_data();
    void aFrozenFactorKeepsNothing();
    void aBufferUsedAgainRunsUnderTheGuardOnly();
    void dropoutOfChannelsKeepsTheActivationNeedlessly();
    void derivativesComeFromAFile();
    void brokenDerivativesNameTheLine();
    void requestsAndCallsAreOptions();
    void buffersAndFurtherInputsAreRead();
};

void tst_CliTraining::aFrozenFactorKeepsNothing_data()
{
    QTest::addColumn<QString>("saved");
    QTest::addColumn<int>("boundary");
    QTest::addColumn<int>("peak");
    QTest::newRow("guarded") << "guarded" << 0 << 4800;
    QTest::newRow("save-all") << "save-all" << 2400 << 4804;
}

void tst_CliTraining::aFrozenFactorKeepsNothing()
{
    QFETCH(QString, saved);

    const QJsonObject report = runCli({"plan", example("frozen-scale.json"), "-p", "inplace=off", "-p", "alignment=1",
                                       "-p", "saved=" + saved, "--json", "-"})
                                   .json();

    QTEST(report["boundaryBytes"].toInt(-1), "boundary");
    QTEST(report["peakBytes"].toInt(-1), "peak");
    int sum = 0;
    for (const QJsonValue one : report["saved"].toArray())
        sum += one["bytes"].toInt();
    QTEST(sum, "boundary");
}

void tst_CliTraining::aBufferUsedAgainRunsUnderTheGuardOnly()
{
    const Finished guarded = runCli({"run", example("accumulation-loop.json"), "--json", "-"});
    const Finished all = runCli({"run", example("accumulation-loop.json"), "-p", "saved=save-all", "--json", "-"});

    QCOMPARE(guarded.status, 0);
    const QJsonObject gradient = gradientOf(guarded);
    QCOMPARE(gradient["name"].toString(), QStringLiteral("grad:mu"));
    QCOMPARE(gradient["data"].toArray().at(0).toDouble(), 3.0);
    QCOMPARE(all.status, 1);
    QStringList versions;
    for (const QJsonValue finding : all.json()["findings"].toArray()) {
        if (finding["rule"].toString() == QStringLiteral("saved-version"))
            versions += finding["message"].toString().section(u'.', 0, 0);
    }
    QCOMPARE(versions.size(), 2);
    QVERIFY(versions[0].endsWith("is at version 3 when 'backward:mul1' begins; expected version 2"));
    QVERIFY(versions[1].endsWith("is at version 3 when 'backward:mul0' begins; expected version 1"));
}

void tst_CliTraining::dropoutOfChannelsKeepsTheActivationNeedlessly()
{
    const Finished explained = runCli({"explain", example("dropout2d.json"), "b", "-p", "saved=save-all"});

    QVERIFY2(explained.out.contains("which computes no gradient that reads it"), explained.out.constData());
    QVERIFY2(explained.out.contains("  saved=guarded: boundary 100,352 B (-100,352), peak "),
             explained.out.constData());
    QVERIFY2(explained.out.contains("  freeze w: boundary 0 B"), explained.out.constData());
}

void tst_CliTraining::derivativesComeFromAFile()
{
    const QTemporaryDir folder;
    const QString graph = written(folder, "custom.json", Custom);
    const QString formulas = written(folder, "twice.txt", "# doubles\nop my::Twice(self) -> result\n  self: 2 * g\n");

    QCOMPARE(runCli({"plan", graph}).status, 3);
    const Finished finished = runCli({"run", graph, "--derivatives", formulas, "--json", "-"});

    QCOMPARE(finished.status, 0);
    QCOMPARE(gradientOf(finished)["data"].toArray(), (QJsonArray {2, 2, 2, 2}));
}

void tst_CliTraining::brokenDerivativesNameTheLine()
{
    const QTemporaryDir folder;
    const QString graph = written(folder, "custom.json", Custom);
    const QString formulas = written(folder, "twice.txt", "op my::Twice(self) -> result\n  self: 2 * h\n");

    const Finished finished = runCli({"plan", graph, "--derivatives", formulas});

    QCOMPARE(finished.status, 3);
    QVERIFY2(finished.err.contains("twice.txt: line 2: 'h' is neither an argument nor an output of Twice."),
             finished.err.constData());
    QCOMPARE(runCli({"plan", graph, "--derivatives", folder.filePath("none.txt")}).status, 3);
}

const QByteArray Requests = R"({"schema": "plimsoll.graph/1",
 "inputs": [{"name": "x", "dtype": "float32", "shape": [4], "gradient": "write"}],
 "parameters": [{"name": "w", "dtype": "float32", "shape": [4], "gradient": "add"}],
 "nodes": [{"name": "m", "op": "Mul", "inputs": ["x", "w"], "outputs": ["y"]},
           {"name": "s", "op": "ReduceSum", "inputs": ["y"], "outputs": ["z"], "attributes": {"keepdims": 0}}],
 "outputs": ["z"], "loss": "z"})";

/// "x write grad:x, w add grad:w onto grad:w:before"
QString requestsOf(const QJsonObject& report)
{
    QStringList all;
    for (const QJsonValue one : report["gradientRequests"].toArray()) {
        QStringList words = {one["variable"].toString(), one["request"].toString()};
        if (one["gradient"].isString()) words << one["gradient"].toString();
        if (one["buffer"].isString()) words << "onto" << one["buffer"].toString();
        all << words.join(u' ');
    }
    return all.join(QStringLiteral(", "));
}

void tst_CliTraining::requestsAndCallsAreOptions()
{
    const QTemporaryDir folder;
    const QString graph = written(folder, "requests.json", Requests);

    const QJsonObject file = runCli({"plan", graph, "-p", "alignment=1", "--json", "-"}).json();
    const QJsonObject named =
        runCli({"plan", graph, "--gradient", "x=null", "--gradient", "w=write", "--json", "-"}).json();
    const Finished text = runCli({"plan", graph, "--gradient", "x=null"});
    const Finished calls =
        runCli({"run", graph, "-p", "calls=train,infer,train", "-p", "alignment=1", "--write-probe"});

    QCOMPARE(requestsOf(file), QStringLiteral("x write grad:x, w add grad:w onto grad:w:before"));
    QCOMPARE(file["peakBytes"].toInt(), 20); // z and grad:x; what is added to is the caller's
    QCOMPARE(requestsOf(named), QStringLiteral("x null, w write grad:w"));
    QVERIFY2(text.out.contains("\nGradients\n  Variable  Request  Gradient  Added to       Bytes\n  x         null\n"
                               "  w         add      grad:w    grad:w:before     16\n"),
             text.out.constData());
    QCOMPARE(calls.status, 0);
    QVERIFY2(calls.out.contains("writing outputs between forward and backward changed no gradient"),
             calls.out.constData());
    QCOMPARE(runCli({"report", graph, "-o", folder.filePath("report.md")}).status, 0);
    QFile markdown(folder.filePath("report.md"));
    QVERIFY(markdown.open(QIODevice::ReadOnly));
    QVERIFY(markdown.readAll().contains("| w | add | grad:w | grad:w:before | 16 |"));
    QCOMPARE(runCli({"plan", graph, "--gradient", "x=sum"}).status, 2);
    QCOMPARE(runCli({"plan", graph, "--gradient", "y=write"}).status, 2);
    const QString noLoss = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/residual-block.json");
    const Finished none = runCli({"plan", noLoss, "--gradient", "x=add"});
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("The graph has no loss"), none.err.constData());
    const Finished nobody = runCli({"plan", noLoss, "--recompute", "nosuch"});
    QCOMPARE(nobody.status, 2);
    QVERIFY2(nobody.err.contains("There is no value 'nosuch' to compute anew."), nobody.err.constData());
    QCOMPARE(runCli({"plan", graph, "-p", "calls=train,backward"}).status, 2);
}

/// A file of numpy: four numbers of float32.
QByteArray npy(std::array<float, 4> numbers)
{
    QByteArray header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }";
    header = header.leftJustified(117, ' ') + '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes.append(static_cast<char>(header.size())).append('\0').append(header);
    return bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof numbers);
}

void tst_CliTraining::buffersAndFurtherInputsAreRead()
{
    const QTemporaryDir folder;
    const QString graph = written(folder, "requests.json", Requests);
    written(folder, "x.npy", npy({1, 2, 3, 4}));
    written(folder, "x@2.npy", npy({10, 10, 10, 10}));
    written(folder, "grad:w:before.npy", npy({100, 200, 300, 400}));

    const QJsonObject report =
        runCli({"run", graph, "-p", "calls=train,train", "--inputs", folder.path(), "--json", "-"}).json();

    const QJsonArray gradients = report["run"]["gradients"].toArray();
    const QJsonObject last = gradients.at(gradients.size() - 1).toObject();
    QCOMPARE(last["name"].toString(), QStringLiteral("grad:w@2"));
    QCOMPARE(last["data"].toArray(), (QJsonArray {111, 212, 313, 414}));
}

QTEST_GUILESS_MAIN(tst_CliTraining)
#include "tst_cli_training.moc"
