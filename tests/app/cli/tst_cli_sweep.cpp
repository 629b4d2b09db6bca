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

constexpr const char* Squares = R"({
  "schema": "plimsoll.graph/1", "name": "squares",
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["n", "n"]}],
  "nodes": [{"name": "n0", "op": "MatMul", "inputs": ["x", "x"], "outputs": ["a"]},
            {"name": "n1", "op": "Relu", "inputs": ["a"], "outputs": ["b"]}],
  "outputs": ["b"]
})";

} // namespace

class tst_CliSweep : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(graph());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(Squares) > 0);
    }

    void aLineForEachCombination()
    {
        const Finished finished = sweep({"--over", "n=32..100", "-p", "backend=reference"});
        QCOMPARE(finished.status, 0);
        const QList<QByteArray> lines = finished.out.split('\n');
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0], QByteArray("n    Peak               Lower bound        The caller's       Kernels"));
        QVERIFY2(lines[1].startsWith("32   4,096 (4.00 KiB)   4,096 (4.00 KiB)   4,096 (4.00 KiB)   "), lines[1]);
        QVERIFY2(lines[3].startsWith("100  40,000 (39.1 KiB)  40,000 (39.1 KiB)  40,000 (39.1 KiB)  "), lines[3]);
    }

    void theJsonSaysTheSame()
    {
        const Finished finished =
            sweep({"--over", "inplace=off", "--over", "n=64,8", "-p", "backend=reference", "--json", "-"});
        const QJsonObject json = QJsonDocument::fromJson(finished.out).object();
        QCOMPARE(json[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.sweep/1"));
        const QJsonArray axes = json[QLatin1String("axes")].toArray();
        QCOMPARE(axes[0].toObject()[QLatin1String("policy")].toString(), QStringLiteral("inplace"));
        QCOMPARE(axes[1].toObject()[QLatin1String("dimension")].toString(), QStringLiteral("n"));
        const QJsonArray points = json[QLatin1String("points")].toArray();
        QCOMPARE(points.size(), 2);
        QCOMPARE(points[1].toObject()[QLatin1String("values")].toArray(), (QJsonArray {"off", "8"}));
        QCOMPARE(points[1].toObject()[QLatin1String("peakBytes")].toInt(), 512);
        QVERIFY(!json[QLatin1String("stopped")].toBool());
    }

    void aPlanThatIsNotLegalIsMarked()
    {
        const Finished text = sweep({"--over", "capacity=1KiB,1MiB", "--over", "n=32", "-p", "backend=reference"});
        const QList<QByteArray> lines = text.out.split('\n');
        QVERIFY2(lines[1].contains("4,096 (4.00 KiB), not legal"), text.out.constData());
        QVERIFY2(!lines[2].contains("not legal"), text.out.constData());
        const QJsonObject json =
            sweep({"--over", "capacity=1KiB,1MiB", "--over", "n=32", "-p", "backend=reference", "--json", "-"}).json();
        const QJsonArray points = json[QLatin1String("points")].toArray();
        QCOMPARE(points[0].toObject()[QLatin1String("errors")].toInt(), 1);
        QCOMPARE(points[1].toObject()[QLatin1String("errors")].toInt(-1), 0);
    }

    void whatIsNotThereIsWrongUsage()
    {
        QCOMPARE(sweep({"--over", "m=1"}).status, 2);
        QCOMPARE(sweep({"--over", "n"}).status, 2);
        QCOMPARE(sweep({}).status, 2);
    }

private:
    QString graph() const { return m_folder.filePath(QStringLiteral("squares.json")); }
    Finished sweep(const std::vector<const char*>& more) const
    {
        QStringList arguments = {QStringLiteral("sweep"), graph()};
        for (const char* one : more)
            arguments << QString::fromLatin1(one);
        return runCli(arguments);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliSweep)
#include "tst_cli_sweep.moc"
