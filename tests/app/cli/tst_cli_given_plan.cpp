#include "tests/app/support/cli_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

constexpr const char* Chain = R"({
  "schema": "plimsoll.graph/1", "name": "chain",
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", 16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Relu", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n2", "op": "Add", "inputs": ["a", "b"], "outputs": ["c"]}],
  "outputs": ["c"]
})";

QString manual()
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/cli.html"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Of the manual: from the heading of a command to the next.
QString sectionOf(const QString& command)
{
    const QString text = manual();
    const qsizetype from = text.indexOf(QStringLiteral("<h2 id=\"%1\">").arg(command));
    return from < 0 ? QString() : text.mid(from, text.indexOf(QStringLiteral("<h2 "), from + 1) - from);
}

} // namespace

/// Commands on a plan that was handed over, and what the manual says of the commands.
class tst_CliGivenPlan : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("chain.json", Chain);
        QCOMPARE(runCli({QStringLiteral("plan"), path("chain.json"), QStringLiteral("--write-plan"), path("plan.json")})
                     .status,
                 0);
        QFile file(path("plan.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject plan = QJsonDocument::fromJson(file.readAll()).object();
        QJsonArray allocations = plan[QLatin1String("allocations")].toArray();
        for (QJsonValueRef item : allocations) {
            QJsonObject allocation = item.toObject();
            allocation[QLatin1String("offset")] = 0;
            item = allocation;
        }
        plan[QLatin1String("allocations")] = allocations;
        write("stacked.json", QJsonDocument(plan).toJson());
    }

    void aReportIsOfThePlanThatWasHandedOver()
    {
        const Finished finished = report("stacked.json", "stacked.md");

        QCOMPARE(finished.status, 1);
        const QByteArray text = contents("stacked.md");
        QVERIFY2(text.contains("The given plan is not legal: "), text.constData());
        QVERIFY2(text.contains("overlap"), text.constData());
    }

    void aSoundPlanGivesAReportWithoutErrors()
    {
        QCOMPARE(report("plan.json", "sound.json").status, 0);
        const QJsonObject json = QJsonDocument::fromJson(contents("sound.json")).object();
        QCOMPARE(json[QLatin1String("notes")].toArray().size(), 0);
        QVERIFY(!json[QLatin1String("findings")].isUndefined());
    }

    void aPlanIsJudgedOnItsOwnTermsAndSizes()
    {
        const auto plan = [](int second) {
            return QByteArray(
                       R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 768, "alignment": 64}], "allocations": [
                {"value": "a", "offset": 0, "bytes": 256}, {"value": "b", "offset": SECOND, "bytes": 256},
                {"value": "c", "offset": 512, "bytes": 256}]})")
                .replace("SECOND", QByteArray::number(second));
        };
        write("four.json", plan(256));
        const QStringList judged = {QStringLiteral("check"), path("chain.json"), QStringLiteral("--plan"),
                                    path("four.json")};

        const Finished checked = runCli(judged);

        QCOMPARE(checked.status, 0);
        QVERIFY2(checked.out.contains("\nbackend=captured: "), checked.out.constData());
        QVERIFY2(checked.out.contains("The sizes of the plan say batch = 4, and were taken."), checked.out.constData());
        QVERIFY(!checked.out.contains("Assumed sizes"));
        write("four.json", plan(64));
        QCOMPARE(runCli(judged).status, 1);
        const Finished ours = runCli({QStringLiteral("check"), path("chain.json")});
        QVERIFY2(ours.out.contains("Assumed sizes (--dim or --shape gives them): batch = 1\n"), ours.out.constData());
        QVERIFY2(ours.out.contains("backend=auto: "), ours.out.constData());
    }

    void aPlanOfAnotherGraphIsNotedAndAUselessOneRefused()
    {
        const Finished checked = runCli({QStringLiteral("check"), path("chain.json"), QStringLiteral("--dim"),
                                         QStringLiteral("batch=2"), QStringLiteral("--plan"), path("plan.json")});
        QVERIFY2(checked.out.contains("note: The plan was made for another graph, or for other shapes"),
                 checked.out.constData());

        write("other.json", R"({"schema": "plimsoll.plan/1", "arenas": [{"bytes": 64}],
                                "allocations": [{"value": "nobody", "arena": 0, "offset": 0, "bytes": 4}]})");
        const Finished refused = report("other.json", "other.md");
        QCOMPARE(refused.status, 3);
        QVERIFY2(refused.err.contains("other.json"), refused.err.constData());
    }

    void graphAndPlanCannotBothComeFromStandardInput()
    {
        for (const char* command : {"check", "report", "run"}) {
            QStringList arguments = {QLatin1String(command), QStringLiteral("-"), QStringLiteral("--plan"),
                                     QStringLiteral("-")};
            if (QLatin1String(command) == QLatin1String("report"))
                arguments << QStringLiteral("-o") << path("never.md");
            const Finished finished = runCli(arguments, Chain);
            QCOMPARE(finished.status, 2);
            QVERIFY2(finished.err.contains("cannot both come from standard input"), finished.err.constData());
        }
    }

    void errorsOfAnyKindNameTheirFile()
    {
        const Finished finished =
            runCli({QStringLiteral("plan"), path("chain.json"), QStringLiteral("--dim"), QStringLiteral("beach=2")});

        QCOMPARE(finished.status, 2);
        QVERIFY2(finished.err.contains("chain.json"), finished.err.constData());
    }

    void theManualHasEveryOptionOfEveryCommand_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command :
             {"plan", "check", "run", "catalogue", "explain", "report", "compare", "pack", "pool", "convert", "replay"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }

    void theManualHasEveryOptionOfEveryCommand()
    {
        QFETCH(QString, command);
        const QString section = sectionOf(command) + sectionOf(QStringLiteral("common"));
        QVERIFY2(!sectionOf(command).isEmpty(), "the manual has no such heading");
        const QString help = QString::fromUtf8(runCli({command, QStringLiteral("--help")}).out);

        auto options = QRegularExpression(QStringLiteral("^  (?:-., ?)?(?:-[a-z],)?(--[a-z-]+)"),
                                          QRegularExpression::MultilineOption)
                           .globalMatch(help);
        int seen = 0;
        while (options.hasNext()) {
            const QString option = options.next().captured(1);
            ++seen;
            if (option == QLatin1String("--help")) continue;
            QVERIFY2(section.contains(option), qPrintable(option));
        }
        QVERIFY2(seen > 0, qPrintable(help));
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

    void write(const char* name, const QByteArray& text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    [[nodiscard]] QByteArray contents(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    [[nodiscard]] Finished report(const char* plan, const char* output) const
    {
        return runCli({QStringLiteral("report"), path("chain.json"), QStringLiteral("--plan"), path(plan),
                       QStringLiteral("-o"), path(output)});
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliGivenPlan)
#include "tst_cli_given_plan.moc"
