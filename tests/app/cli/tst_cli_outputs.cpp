#include "tests/app/support/cli_run.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace plimsoll::test;

namespace {

const QByteArray Graph = R"({"schema": "plimsoll.graph/1", "name": "g",
 "inputs": [{"name": "x", "dtype": "float32", "shape": [2048]}],
 "parameters": [{"name": "w", "dtype": "float32", "shape": [2048], "dataFile": "w.json", "dataOffset": 0}],
 "nodes": [{"name": "n", "op": "Add", "inputs": ["x", "w"], "outputs": ["y"]}], "outputs": ["y"]})";
const QByteArray Plan = R"({"schema": "plimsoll.plan/1", "graph": null,
 "arenas": [{"space": "cpu", "bytes": 8192, "alignment": 64}],
 "allocations": [{"value": "y", "offset": 0, "bytes": 8192}], "steps": null})";
const QByteArray Table = "id,lower,upper,size\na,0,2,4\nb,1,3,4\n";

/// A folder with a graph and its weights, a plan, a table and one file of inputs; commands run in it.
class Workplace
{
public:
    Workplace()
    {
        write(QStringLiteral("g.json"), Graph);
        write(QStringLiteral("w.json"), QByteArray(8192, '\1'));
        write(QStringLiteral("p.json"), Plan);
        write(QStringLiteral("t.csv"), Table);
        QDir(m_folder.path()).mkdir(QStringLiteral("in"));
        write(QStringLiteral("in/x.npy"), "{}");
        QFile::link(QStringLiteral("t.csv"), m_folder.filePath(QStringLiteral("soft.csv")));
        std::filesystem::create_hard_link(path(QStringLiteral("t.csv")), path(QStringLiteral("hard.csv")));
    }

    [[nodiscard]] Finished run(const QString& line) const
    {
        QStringList words = line.split(u' ');
        for (QString& word : words) {
            const bool file = word.contains(u'.') || word == QStringLiteral("in");
            if (file && !word.startsWith(u'-')) word = m_folder.path() + u'/' + word;
        }
        return runCli(words);
    }

    /// Name and content of everything in it.
    [[nodiscard]] QMap<QString, QByteArray> content() const
    {
        QMap<QString, QByteArray> all;
        QDirIterator files(m_folder.path(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                all[QDir(m_folder.path()).relativeFilePath(file.fileName())] = file.readAll();
        }
        return all;
    }

private:
    [[nodiscard]] std::filesystem::path path(const QString& name) const
    {
        return m_folder.filePath(name).toStdString();
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
    }

    QTemporaryDir m_folder;
};

} // namespace

class tst_CliOutputs : public QObject
{
    Q_OBJECT

private slots:
    void noCommandWritesOverWhatItReads_data()
    {
        QTest::addColumn<QString>("says");
        for (const char* line : {"pack t.csv -o t.csv",
                                 "pack t.csv -o ./t.csv",
                                 "pack t.csv -o soft.csv",
                                 "pack t.csv -o hard.csv",
                                 "pack t.csv --json t.csv",
                                 "convert g.json g.json",
                                 "convert g.json ./g.json",
                                 "convert g.json w.json",
                                 "report g.json -o g.json",
                                 "report g.json -o w.json",
                                 "plan g.json --json g.json",
                                 "plan g.json --json w.json",
                                 "plan g.json --write-plan g.json",
                                 "check g.json --plan p.json --json p.json",
                                 "check g.json --plan p.json --json w.json",
                                 "run g.json --json g.json",
                                 "run g.json --record g.json",
                                 "run g.json --record w.json",
                                 "run g.json --inputs in --json in/x.npy",
                                 "run g.json --plan p.json --record p.json",
                                 "compare g.json t.csv --json t.csv",
                                 "pool g.json t.csv --json t.csv",
                                 "replay in --json in/x.npy",
                                 "catalogue g.json --json w.json"})
            QTest::newRow(line) << "would write over";
        for (const char* line : {"plan g.json --json new.json --write-plan ./new.json", "pack t.csv -o new --json new",
                                 "run g.json --json new.json --record new.json"})
            QTest::newRow(line) << "are the same file";
        for (const char* line : {"plan g.json --json - --write-plan -", "pack t.csv -o - --json -"})
            QTest::newRow(line) << "cannot both go to standard output";
    }

    void noCommandWritesOverWhatItReads()
    {
        const Workplace place;
        const auto before = place.content();

        const Finished done = place.run(QString::fromLatin1(QTest::currentDataTag()));

        QCOMPARE(done.status, 2);
        QFETCH(QString, says);
        QVERIFY2(done.said().contains(says), qPrintable(done.said()));
        QCOMPARE(place.content(), before);
    }

    void whatFailsLeavesNothingBehind()
    {
        const Workplace place;
        const auto before = place.content();
        QCOMPARE(place.run(QStringLiteral("plan g.json --json new.json --write-plan nowhere/p.json")).status, 3);
        QCOMPARE(place.content(), before);
    }

    void weightsGoBesideTheOldOnes()
    {
        const Workplace place;
        auto before = place.content();

        QCOMPARE(place.run(QStringLiteral("convert g.json new.json")).status, 0);

        auto after = place.content();
        QCOMPARE(after.size(), before.size() + 2);
        for (auto file = before.cbegin(); file != before.cend(); ++file)
            QCOMPARE(after.take(file.key()), file.value());
        const QByteArray graph = after.take(QStringLiteral("new.json"));
        QVERIFY(graph.contains(after.firstKey().toUtf8()));
        QCOMPARE(after.first(), QByteArray(8192, '\1'));
        QCOMPARE(place.run(QStringLiteral("run new.json")).status, 0);
    }

    void aRecordReplacesAnyOtherFileOnceTheGraphIsRead()
    {
        const Workplace place;
        QCOMPARE(place.run(QStringLiteral("run g.json --record t.csv")).status, 0);
        QVERIFY(place.content()[QStringLiteral("t.csv")].startsWith(R"({"schema":"plimsoll.record/1")"));
    }
};

QTEST_GUILESS_MAIN(tst_CliOutputs)
#include "tst_cli_outputs.moc"
