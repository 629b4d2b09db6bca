#include "tests/app/support/cli_run.h"

#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

constexpr const char* Complete = R"({"schema": "plimsoll.graph/1",
        "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})";

} // namespace

/// Graphs of which sizes are missing, or in which nothing is to plan.
class tst_CliIncomplete : public QObject
{
    Q_OBJECT

private slots:
    void anIncompletePlanIsSaidFirst_data();
    void anIncompletePlanIsSaidFirst();
    void compareAndExplainSayIncompleteFirst();

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char* name, const QByteArray& text) const;

    QTemporaryDir m_folder;
};

void tst_CliIncomplete::write(const char* name, const QByteArray& text) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void tst_CliIncomplete::anIncompletePlanIsSaidFirst_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("missing");
    QTest::newRow("no shape") << QByteArray(
                                     R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32"}],
        "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})")
                              << QStringLiteral("2 of 2 values have no size (the file gives no shape for 'x')");
    QTest::newRow("an unknown operator")
        << QByteArray(R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "nodes": [{"op": "Foo", "domain": "my", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})")
        << QStringLiteral("1 of 2 values has no size (operator my::Foo is not known and the file gives no type)");
    QTest::newRow("a table without rows")
        << QByteArray("id,lower,upper,size\n") << QStringLiteral("nothing to plan was found (the table has no rows)");
    QTest::newRow("no nodes") << QByteArray(R"({"schema": "plimsoll.graph/1", "nodes": [], "outputs": []})")
                              << QStringLiteral("nothing to plan was found (the graph has no node)");
    QTest::newRow("a module in Python")
        << QByteArray("class Net(nn.Module):\n    def forward(self, x):\n        return self.layer(x)\n")
        << QStringLiteral("nothing to plan was found (the graph has no node)");
}

/// By every command, and only `check` makes an error of it.
void tst_CliIncomplete::anIncompletePlanIsSaidFirst()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, missing);
    write("incomplete.txt", file);
    const QString graph = path("incomplete.txt");

    const Finished plan = runCli({QStringLiteral("plan"), graph});
    QCOMPARE(plan.status, 0);
    QVERIFY2(plan.text().startsWith(QStringLiteral("incomplete: ")), plan.out.constData());
    QVERIFY2(plan.text().section(QLatin1Char('\n'), 0, 0).contains(missing), plan.out.constData());
    QVERIFY2(!plan.out.contains("proved lowest") && !plan.out.contains("Legal."), plan.out.constData());

    const Finished check = runCli({QStringLiteral("check"), graph});
    QCOMPARE(check.status, 1);
    QVERIFY2(check.text().startsWith(QStringLiteral("error incomplete: ")), check.out.constData());
    QVERIFY2(check.text().contains(missing), check.out.constData());
    const Finished allowed = runCli({QStringLiteral("check"), QStringLiteral("--allow-incomplete"), graph});
    QCOMPARE(allowed.status, 0);
    QVERIFY2(allowed.text().startsWith(QStringLiteral("incomplete: ")), allowed.out.constData());
    QVERIFY2(!allowed.out.contains("egal."), allowed.out.constData());

    const QJsonObject json =
        runCli({QStringLiteral("plan"), graph, QStringLiteral("--json"), QStringLiteral("-")}).json();
    QVERIFY(json[QLatin1String("incomplete")][QLatin1String("message")].toString().contains(missing));
    const QString html = path("incomplete.html");
    QCOMPARE(runCli({QStringLiteral("report"), graph, QStringLiteral("-o"), html}).status, 0);
    QFile report(html);
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(report.readAll().contains("<p class=\"verdict warned\">Incomplete: "));
}

void tst_CliIncomplete::compareAndExplainSayIncompleteFirst()
{
    write("open.json", R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32"}],
        "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})");
    write("complete.json", Complete);
    const QString missing = QStringLiteral(
        "incomplete: 2 of 2 values have no size (the file gives no shape for 'x'); give one with --shape x=…\n");
    const QStringList sides = {QStringLiteral("compare"), path("open.json"), path("complete.json")};

    const Finished compared = runCli(sides);
    QCOMPARE(compared.status, 0);
    QVERIFY2(compared.text().startsWith(QStringLiteral("A is ") + missing + QStringLiteral("A, before: ")),
             compared.out.constData());
    const QJsonObject json = runCli(sides + QStringList {QStringLiteral("--json"), QStringLiteral("-")}).json();
    QCOMPARE(json[QLatin1String("a")][QLatin1String("incomplete")][QLatin1String("values")].toInt(), 2);
    QVERIFY(json[QLatin1String("b")][QLatin1String("incomplete")].isNull());

    const Finished explained = runCli({QStringLiteral("explain"), path("open.json"), QStringLiteral("y")});
    QVERIFY2(explained.text().startsWith(missing), explained.out.constData());
    const Finished complete = runCli({QStringLiteral("explain"), path("complete.json"), QStringLiteral("y")});
    QVERIFY2(!complete.out.contains("incomplete"), complete.out.constData());
}

QTEST_GUILESS_MAIN(tst_CliIncomplete)
#include "tst_cli_incomplete.moc"
