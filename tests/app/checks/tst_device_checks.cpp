#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

/// plimsoll-device-checks as a program: what it writes and how it exits.
class TestDeviceChecks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allKernelsPassWithoutADevice();
    void onlyOneOperator();
    void helpIsGiven();
    void wrongUsageIsSaid_data();
    void wrongUsageIsSaid();
    void allKernelsPassOnADevice();
};

namespace {

struct Run
{
    int exit = -1;
    QJsonObject json;
    QString said;
};

Run run(const QStringList& arguments)
{
    QProcess process;
    process.start(QFileInfo(QStringLiteral(PLIMSOLL_CLI)).dir().filePath(QStringLiteral("plimsoll-device-checks")),
                  arguments);
    if (!process.waitForFinished(110000)) return {};
    return {process.exitCode(), QJsonDocument::fromJson(process.readAllStandardOutput()).object(),
            QString::fromUtf8(process.readAllStandardError())};
}

QString firstFailure(const QJsonObject& json)
{
    for (const QJsonValue& check : json[QStringLiteral("checks")].toArray()) {
        if (!check[QStringLiteral("passed")].toBool())
            return check[QStringLiteral("case")].toString() + QStringLiteral(": ") +
                   check[QStringLiteral("wrong")].toString();
    }
    return {};
}

} // namespace

void TestDeviceChecks::allKernelsPassWithoutADevice()
{
    const Run all = run({QStringLiteral("--emulated"), QStringLiteral("--seed"), QStringLiteral("7")});

    QCOMPARE(firstFailure(all.json), QString());
    QCOMPARE(all.exit, 0);
    QCOMPARE(all.json[QStringLiteral("schema")].toString(), QStringLiteral("plimsoll.device-checks/1"));
    QVERIFY(all.json[QStringLiteral("device")].toString().contains(QStringLiteral("emulated")));
    int backward = 0;
    for (const QJsonValue& check : all.json[QStringLiteral("checks")].toArray())
        backward += check[QStringLiteral("backward")].toBool() ? 1 : 0;
    QVERIFY(all.json[QStringLiteral("checks")].toArray().size() - backward > 900);
    QVERIFY2(backward > 300, qPrintable(QString::number(backward)));
    QCOMPARE(all.json[QStringLiteral("memory")].toArray().size(), 2);
    QVERIFY2(all.said.contains(QStringLiteral(" 0 failed")), qPrintable(all.said));
}

void TestDeviceChecks::onlyOneOperator()
{
    const Run one = run({QStringLiteral("--emulated"), QStringLiteral("--only"), QStringLiteral("Gemm")});

    QCOMPARE(one.exit, 0);
    const QJsonArray checks = one.json[QStringLiteral("checks")].toArray();
    QVERIFY(!checks.isEmpty());
    for (const QJsonValue& check : checks) {
        QCOMPARE(check[QStringLiteral("op")].toString(), QStringLiteral("Gemm"));
        QVERIFY(check[QStringLiteral("maxError")].toDouble() <= 1e-3);
    }
}

void TestDeviceChecks::helpIsGiven()
{
    const Run help = run({QStringLiteral("--help")});
    QCOMPARE(help.exit, 0);
    QCOMPARE(help.said, QString());
}

void TestDeviceChecks::wrongUsageIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("an unknown argument") << QStringList {QStringLiteral("--fast")};
    QTest::newRow("no seed behind --seed") << QStringList {QStringLiteral("--seed")};
    QTest::newRow("a seed that is no number") << QStringList {QStringLiteral("--seed"), QStringLiteral("7x")};
}

void TestDeviceChecks::wrongUsageIsSaid()
{
    QFETCH(const QStringList, arguments);
    const Run wrong = run(arguments);

    QCOMPARE(wrong.exit, 2);
    QVERIFY2(wrong.said.contains(QStringLiteral("usage:")), qPrintable(wrong.said));
}

void TestDeviceChecks::allKernelsPassOnADevice()
{
    const Run all = run({});
    if (all.exit == 4) {
        QCOMPARE(all.said.trimmed().count(u'\n'), 0);
        QSKIP(qPrintable(all.said.trimmed()));
    }
    QCOMPARE(firstFailure(all.json), QString());
    QCOMPARE(all.exit, 0);
}

QTEST_APPLESS_MAIN(TestDeviceChecks)
#include "tst_device_checks.moc"
