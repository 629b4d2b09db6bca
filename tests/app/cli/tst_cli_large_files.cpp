#include "tests/app/support/cli_run.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll::test;

/// Files of more than 2 GiB: lengths beyond 31 bits, most of them a hole in the disk.
class tst_CliLargeFiles : public QObject
{
    Q_OBJECT

private slots:
    void everyCommandSaysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QString>("says");
        QTest::newRow("table") << QByteArray("id,lower,upper,size\n") << "line 2: The line is longer than 64 KiB";
        QTest::newRow("ONNX") << QByteArray("\x08\x07\x3A\x80\x80\x80\x80\x08", 8)
                              << "larger than 2 GiB, the most a "
                                 "protobuf file can be. Store the "
                                 "weights as external data.";
        QTest::newRow("JSON") << QByteArray("{\"schema\": \"plimsoll.graph/1\"").leftJustified(300)
                              << "larger than 2 GiB, the most that is read as JSON";
        QTest::newRow("nothing") << QByteArray() << "larger than 2 GiB";
        QTest::newRow("archive") << QByteArray("PK\x03\x04") << "The ZIP archive is broken";
        QTest::newRow("TensorFlow Lite") << QByteArray("\x1C\0\0\0TFL3", 8) << "has no subgraph";
        QTest::newRow("ExecuTorch") << QByteArray("\x1C\0\0\0ET12", 8) << "has no method";
        QTest::newRow("pickle") << QByteArray("\x80\x04}(X\x08\0\0\0segments", 17) << "";
        QTest::newRow("HLO") << QByteArray("HloModule m\n\nENTRY e {\n") << "line 4";
    }

    void everyCommandSaysWhatIsWrong()
    {
        QFETCH(QByteArray, begin);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("large")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(begin);
        if (!file.resize(qint64 {2049} << 20)) QSKIP("there is no room for files with holes");
        file.close();
        const QString out = folder.filePath(QStringLiteral("out.json"));
        for (const char* line :
             {"plan FILE", "check FILE", "compare FILE", "explain FILE a", "report FILE -o OUT", "convert FILE OUT"}) {
            QStringList words = QString::fromLatin1(line).split(u' ');
            words.replaceInStrings(QStringLiteral("FILE"), file.fileName())
                .replaceInStrings(QStringLiteral("OUT"), out);
            QElapsedTimer clock;
            clock.start();
            const Finished done = runCli(words);
            QVERIFY2(done.status == 3, qPrintable(QLatin1String(line) + done.said()));
            QVERIFY2(done.said().contains(says), qPrintable(done.said()));
            QVERIFY2(clock.elapsed() < 60'000, line); // no hang; a busy machine reads 2 GiB slowly
        }
    }
};

QTEST_GUILESS_MAIN(tst_CliLargeFiles)
#include "tst_cli_large_files.moc"
