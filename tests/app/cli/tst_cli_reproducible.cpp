#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

/// The same command writes the same bytes, whatever surrounds it.
class tst_CliReproducible : public QObject
{
    Q_OBJECT

private slots:
    /// Scratchpads of oneDNN depend on the number of threads: what is planned with other offers is another plan.
    void initTestCase()
    {
        const QString streams = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json");
        const QString offers = m_folder.filePath("offers.json");
        QCOMPARE(QProcess::execute(PLIMSOLL_CLI, {"catalogue", streams, "-p", "backend=cuda", "--json", offers}), 0);
    }

    void theSameBytesUnderOtherSurroundings_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("written");

        const QString graph = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/transformer-block.json");
        const QString streams = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json");
        const QStringList reference {"-p", "backend=reference"};
        const auto add = [&](const char* name, const QStringList& words, const QString& written) {
            QTest::newRow(name) << words + QStringList {"--reproducible"} << written;
        };
        for (const char* ending : {"json", "html", "md", "csv", "svg", "dot"}) {
            const QString file = QStringLiteral("report.%1").arg(QLatin1String(ending));
            add(ending, QStringList {"report", graph, "-o", file} + reference, file);
        }
        const QStringList searched {"-p", "placement=best", "--work-limit", "2000000"};
        add("search", QStringList {"report", graph, "-o", "s.json"} + reference + searched, "s.json");
        add("search, drawn", QStringList {"report", graph, "-o", "s.html"} + reference + searched, "s.html");
        add("plan", QStringList {"plan", graph, "--json", "p.json"} + reference, "p.json");
        add("check", QStringList {"check", graph, "--json", "c.json"} + reference, "c.json");
        add("run", QStringList {"run", streams, "--json", "r.json"} + reference, "r.json");
        const QStringList device {"-p", "backend=cuda", "--emulate-device", "--catalogue", "../offers.json"};
        add("run on a device", QStringList {"run", streams, "--json", "d.json"} + device, "d.json");
        QFile table(m_folder.filePath("table.csv"));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("id,lower,upper,size\n1,0,3,64\n2,1,4,32\n3,3,6,48\n4,0,6,16\n5,4,6,64\n");
        add("pack", {"pack", table.fileName(), "--work-limit", "1000000", "--json", "k.json"}, "k.json");
    }

    void theSameBytesUnderOtherSurroundings()
    {
        QFETCH(const QStringList, words);
        QFETCH(const QString, written);

        const QByteArray here =
            outcome(words, written, "one", {{"LC_ALL", "C"}, {"TZ", "UTC"}, {"OMP_NUM_THREADS", "1"}});
        const QByteArray there = outcome(words, written, "another place",
                                         {{"LC_ALL", "de_DE.UTF-8"},
                                          {"TZ", "Asia/Tokyo"},
                                          {"OMP_NUM_THREADS", "2"},
                                          {"HOME", m_folder.path()},
                                          {"COLUMNS", "40"}});

        QVERIFY(!here.isEmpty());
        QCOMPARE(there, here);
    }

    /// Without the option there are times.
    void timesAreThereOtherwise()
    {
        const QString graph = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/two-streams.json");
        QVERIFY(outcome({"report", graph, "-o", "t.md"}, "t.md", "timed", {}).contains("planning took"));
        const QByteArray run = outcome({"run", graph, "--json", "t.json"}, "t.json", "timed", {});
        QVERIFY(!run.contains("\"planningMs\": null") && !run.contains("\"stepMs\": []"));
    }

private:
    /// What the command says and writes, run in a folder of that name.
    QByteArray outcome(const QStringList& words, const QString& written, const QString& folder,
                       const QMap<QString, QString>& surroundings)
    {
        QDir(m_folder.path()).mkpath(folder);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto& [name, value] : surroundings.asKeyValueRange())
            environment.insert(name, value);
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.filePath(folder));
        process.start(PLIMSOLL_CLI, words);
        if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit) return {};
        QFile file(m_folder.filePath(folder + "/" + written));
        if (!file.open(QIODevice::ReadOnly)) return {};
        return process.readAllStandardOutput() + file.readAll();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliReproducible)
#include "tst_cli_reproducible.moc"
