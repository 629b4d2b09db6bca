#include "tests/app/support/cli_run.h"
#include "tests/app/support/ladder_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::Ladder;
using plimsoll::test::ladderPlan;
using plimsoll::test::runCli;

class tst_CliCheckGates : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write("ladder.json", Ladder);
        write("sound.json", ladderPlan(256, 512));
        write("wrong.json", ladderPlan(256, 384)); // c over the end of b
        write("worse.json", ladderPlan(128, 384)); // b over the end of a, too
        QCOMPARE(check("sound.json --json sound-report.json").status, 0);
        QCOMPARE(check("wrong.json --json wrong-report.json").status, 1);
    }

    void aKnownFindingIsNoReasonToFail()
    {
        const Finished known = check("wrong.json --baseline wrong-report.json");
        QCOMPARE(known.status, 0);
        QVERIFY2(known.text().contains("1 finding of the baseline is known."), qPrintable(known.text()));
        QVERIFY2(known.text().contains("not legal"), qPrintable(known.text())); // which it still is
        QCOMPARE(check("wrong.json --baseline sound-report.json").status, 1);
    }

    void aNewOneIs()
    {
        const Finished found = check("worse.json --baseline wrong-report.json");
        QCOMPARE(found.status, 1);
        QVERIFY2(found.text().contains("'a'"), qPrintable(found.text()));
    }

    void gatesMeasureAgainstTheBaseline_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("status");
        const auto row = [](const char* arguments, int status) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments) << status;
        };
        row("sound.json --fail-if peak>767", 1);
        row("sound.json --fail-if peak>768", 0);
        row("sound.json --baseline wrong-report.json --fail-if peak>+0", 1);
        row("sound.json --baseline wrong-report.json --fail-if peak>+50%", 0);
        row("worse.json --baseline wrong-report.json --fail-if findings.new>0", 1);
        row("wrong.json --baseline wrong-report.json --fail-if findings.new>0", 0);
        row("wrong.json --baseline wrong-report.json --fail-if findings>0", 1);
        row("sound.json --fail-if peak>+1%", 2); // than what?
        row("sound.json --fail-if findings.new>0", 2);
        row("sound.json --fail-if much", 2);
        row("sound.json --baseline ladder.json", 2);
        row("sound.json --baseline nowhere.json", 2);
    }
    void gatesMeasureAgainstTheBaseline()
    {
        QFETCH(QString, arguments);
        QFETCH(int, status);
        const Finished checked = check(arguments.toLatin1().constData());
        QVERIFY2(checked.status == status, qPrintable(checked.text() + checked.said()));
    }

    void aGateAloneComparesWithNothing()
    {
        const Finished checked = check("sound.json --fail-if peak>767");
        QVERIFY2(checked.text().contains(QStringLiteral("peak>767 fails: it is 768 B.")), checked.out.constData());
    }

    void theReportHasAllFindings()
    {
        QCOMPARE(check("wrong.json --baseline wrong-report.json --json again.json").status, 0);
        QFile report(m_folder.filePath("again.json"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("\"overlap\""));
    }

    void theBaselineIsNotWrittenOver()
    {
        QCOMPARE(check("wrong.json --baseline wrong-report.json --json wrong-report.json").status, 2);
    }

private:
    void write(const char* name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    /// Words that end in .json are files of the folder.
    Finished check(const char* words) const
    {
        QStringList arguments {"check", m_folder.filePath("ladder.json"), "--plan"};
        for (const QString& word : QString::fromLatin1(words).split(u' '))
            arguments << (word.endsWith(".json") ? m_folder.filePath(word) : word);
        return runCli(arguments);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliCheckGates)
#include "tst_cli_check_gates.moc"
