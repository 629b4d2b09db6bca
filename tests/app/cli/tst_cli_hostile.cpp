#include "core/facts/english/english.h"
#include "core/sandbox/sandbox.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;

/// What a user sees of a kernel that was taken over (hostile_cli.cpp).
class tst_CliHostile : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::vector<Message> gaps = sandboxGaps();
        if (!gaps.empty()) QSKIP(english(gaps.front()).c_str());
        QVERIFY(m_folder.isValid());
    }

    void everyAttackEndsAsSaid_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        const QByteArray at = " and was ended at step 0 of 1, node 'conv'.";
        QTest::newRow("connect") << 4 << "The worker tried to open a network connection" + at;
        QTest::newRow("fork") << 4 << "The worker tried to start another process" + at;
        QTest::newRow("exec") << 4 << "The worker tried to start a program" + at;
        QTest::newRow("memory") << 4 << QByteArray("The work broke off: there is not enough memory for it. ");
        QTest::newRow("loop") << 4 << QByteArray("The run was stopped after 2 seconds (--max-seconds) ");
        QTest::newRow("babble") << 4
                                << QByteArray("The run was ended by a Killed (signal 9) at step 0 of 1, node 'conv'.");
        QTest::newRow("paint") << 0 << QByteArray("progress 0 1 \\x1b[31mconv\n");
        QTest::newRow("read") << 0 << QByteArray();
        QTest::newRow("write") << 0 << QByteArray();
        QTest::newRow("fill") << 0 << QByteArray();
    }

    void everyAttackEndsAsSaid()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        const QString report = m_folder.filePath(QStringLiteral("report.json"));
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PLIMSOLL_ATTACK"), QString::fromLatin1(QTest::currentDataTag()));
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        QStringList arguments = {"run", "graph.json", "--max-seconds", "2"};
        if (status != 0) arguments += {"--json", report};
        if (said.startsWith("progress")) arguments += QStringLiteral("--progress");

        process.start(QStringLiteral(HOSTILE_CLI), arguments);
        QVERIFY(process.waitForFinished(60'000));

        const QByteArray err = process.readAllStandardError();
        QCOMPARE(process.exitCode(), status);
        QVERIFY2(err.contains(said), err.constData());
        QCOMPARE(process.readAllStandardOutput().trimmed(), status == 0 ? QByteArray("withstood") : QByteArray());
        QVERIFY(!QFile::exists(report));
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("hostile.txt"))));
        QCOMPARE(QFileInfo(m_folder.filePath(QStringLiteral("record.jsonl"))).size(), qint64 {0});
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliHostile)
#include "tst_cli_hostile.moc"
