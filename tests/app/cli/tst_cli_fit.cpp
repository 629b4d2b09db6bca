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

/// big is 4,000 bytes that follow from w alone, and alive beside y.
constexpr const char* Foldable = R"({
  "schema": "plimsoll.graph/1", "name": "foldable",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [10, 100]}],
  "constants": [{"name": "w", "dtype": "float32", "shape": [10, 1], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]},
                {"name": "wide", "dtype": "int64", "shape": [2], "data": [10, 100]}],
  "nodes": [{"name": "n0", "op": "Expand", "inputs": ["w", "wide"], "outputs": ["big"]},
            {"name": "n1", "op": "Relu", "inputs": ["x"], "outputs": ["y"]},
            {"name": "n2", "op": "Add", "inputs": ["y", "big"], "outputs": ["z"]}],
  "outputs": ["z"]
})";

} // namespace

class tst_CliFit : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(graph());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(Foldable) > 0);
    }

    void whatFitsIsNamedWithWhatItTakes()
    {
        const Finished finished = fit(QStringLiteral("4KiB"));

        QCOMPARE(finished.status, 0);
        QVERIFY2(finished.out.startsWith("It fits with fold=all: peak 4,032 B instead of 8,064 B. Planned "),
                 finished.out.constData());
        QVERIFY2(finished.out.contains("\n  fold=all  everything that depends on constants alone\n"),
                 finished.out.constData());
        QCOMPARE(finished.err, QByteArray());
    }

    void aPlanThatFitsNeedsNothing()
    {
        const Finished finished = fit(QStringLiteral("8KiB"));

        QCOMPARE(finished.status, 0);
        QCOMPARE(finished.out, QByteArray("It fits as it is: peak 8,064 B.\n"));
    }

    void whatFitsNowhereExitsWithOne()
    {
        const Finished finished = fit(QStringLiteral("1KiB"));

        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.out.startsWith("No combination "), finished.out.constData());
    }

    void theJsonSaysTheSame()
    {
        const Finished finished = fit(QStringLiteral("4KiB"), {QStringLiteral("--json"), QStringLiteral("-")});

        const QJsonObject json = QJsonDocument::fromJson(finished.out).object();
        QCOMPARE(json[QLatin1String("schema")].toString(), QStringLiteral("plimsoll.fit/1"));
        QVERIFY(json[QLatin1String("fits")].toBool());
        QCOMPARE(json[QLatin1String("capacity")].toObject(), (QJsonObject {{"cpu", 4096}}));
        const QJsonObject found = json[QLatin1String("found")].toObject();
        QCOMPARE(found[QLatin1String("changes")].toObject(), (QJsonObject {{"fold", "all"}}));
        QCOMPARE(found[QLatin1String("spaces")].toObject(), (QJsonObject {{"cpu", 4032}}));
        QCOMPARE(found[QLatin1String("overBytes")].toInt(), 0);
        QCOMPARE(json[QLatin1String("asItIs")][QLatin1String("overBytes")].toInt(), 8064 - 4096);
        QVERIFY(json[QLatin1String("proof")].isNull());
        QCOMPARE(json[QLatin1String("pairs")][QLatin1String("tried")],
                 json[QLatin1String("pairs")][QLatin1String("all")]);
    }

    void fewerPlansCanBeAskedFor()
    {
        const Finished finished = fit(QStringLiteral("1KiB"), {QStringLiteral("--plans"), QStringLiteral("5"),
                                                               QStringLiteral("--json"), QStringLiteral("-")});

        QVERIFY(QJsonDocument::fromJson(finished.out).object()[QLatin1String("plans")].toInt() <= 5);
    }

    void withoutACapacityItIsWrongUsage()
    {
        const Finished finished = runCli({QStringLiteral("fit"), graph()});

        QCOMPARE(finished.status, 2);
        QVERIFY2(finished.err.contains("-p capacity=64KiB"), finished.err.constData());
    }

    void aMemoryThatIsNotThereIsWrongUsage() { QCOMPARE(fit(QStringLiteral("sram=4KiB")).status, 2); }

private:
    Finished fit(const QString& capacity, const QStringList& more = {})
    {
        return runCli(
            QStringList {QStringLiteral("fit"), graph(), QStringLiteral("-p"), QStringLiteral("capacity=") + capacity} +
            more);
    }
    QString graph() { return m_folder.filePath(QStringLiteral("foldable.json")); }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(tst_CliFit)
#include "tst_cli_fit.moc"
