#include "tests/app/support/cli_run.h"

#include "tests/support/pickle_bytes.h"
#include "tests/support/snapshot_text.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

const QString Example = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/fragmented-training.pickle");
constexpr const char* Refusal =
    "error out-of-memory: Out of memory at event 764: asked for 88.2 MiB (92,480,000 B) in model.py:24 softmax";

QByteArray pickled(const char* lines)
{
    return QByteArray::fromStdString(plimsoll::test::pickleOf(plimsoll::test::snapshotJson(lines)));
}

} // namespace

class tst_CliSnapshot : public QObject
{
    Q_OBJECT

private slots:
    void packSaysWhatWasReservedAndWhatIsNeeded();
    void theTableIsWrittenWithTheAddressesItHad();
    void itIsReadFromStandardInput();
    void checkJudgesTheAddresses();
    void aRefusalIsMarkedInThePicture();
    void blocksOverOneAnotherAreFindings();
    void aCapacityIsForThePlanMadeAnew_data();
    void aCapacityIsForThePlanMadeAnew();
    void planPlacesThemAnew();
    void explainTellsWhoAskedAndForHowMuch();
    void aPickleThatCallsIsRefused();
};

void tst_CliSnapshot::packSaysWhatWasReservedAndWhatIsNeeded()
{
    const Finished text =
        runCli({QStringLiteral("pack"), Example, QStringLiteral("--work-limit"), QStringLiteral("1000000")});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.startsWith(Refusal), text.out.constData());
    QVERIFY2(text.out.contains("\ncuda:0: reserved "), text.out.constData());
    QVERIFY2(text.out.contains("; placed anew "), text.out.constData());
    QVERIFY2(text.out.contains("256 allocations on 990,061,056 B of addresses, at most 470,901,248 B of them alive at "
                               "once; the offsets are legal"),
             text.out.constData());

    const QJsonObject json = runCli({QStringLiteral("pack"), Example, QStringLiteral("--work-limit"),
                                     QStringLiteral("1000000"), QStringLiteral("--json"), QStringLiteral("-")})
                                 .json();
    const QJsonValue allocator = json[QLatin1String("allocator")];
    const double alive = allocator[QLatin1String("mostAliveBytes")].toDouble();
    const double anew = json[QLatin1String("anew")][QLatin1String("peakBytes")].toDouble();
    const double reserved = allocator[QLatin1String("mostReservedBytes")].toDouble();
    QCOMPARE(json[QLatin1String("lowerBoundBytes")].toDouble(), alive);
    QVERIFY(alive > 0 && alive <= anew && anew < reserved);
    QVERIFY(json[QLatin1String("notes")].toArray().size() > 3);
    QCOMPARE(json[QLatin1String("findings")][0][QLatin1String("rule")].toString(), QStringLiteral("out-of-memory"));
    const QJsonValue refused = allocator[QLatin1String("refused")][0];
    QCOMPARE(refused[QLatin1String("requestBytes")].toInt(), 92480000);
    QCOMPARE(refused[QLatin1String("frames")][0].toString(), QStringLiteral("model.py:24 softmax"));
}

void tst_CliSnapshot::theTableIsWrittenWithTheAddressesItHad()
{
    const plimsoll::test::TemporaryFolder folder;
    const QString csv = QString::fromStdString((folder.path() / "t.csv").string());
    const QByteArray snapshot =
        pickled("segment 4096 2097152\nalloc 4096 600 @m.py:1:f\nalloc 5120 512 @m.py:1:f\nfree 4096 600\n");
    QFile file(QString::fromStdString(folder.write("s.pickle", snapshot.toStdString()).string()));

    QCOMPARE(runCli({QStringLiteral("pack"), file.fileName(), QStringLiteral("-o"), csv}).status, 0);

    QFile table(csv);
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll(),
             QByteArray("id,lower,upper,size,offset\nm.py:1 f 1,1,3,1024,0\nm.py:1 f 2,2,4,512,1024\n"));
    const Finished anew = runCli({QStringLiteral("pack"), file.fileName(), QStringLiteral("--repack"),
                                  QStringLiteral("-o"), QStringLiteral("-")});
    QCOMPARE(anew.status, 0);
    QVERIFY2(anew.out.startsWith("id,lower,upper,size,offset\nm.py:1 f 1,1,3,1024,"), anew.out.constData());
}

void tst_CliSnapshot::itIsReadFromStandardInput()
{
    QFile file(Example);
    QVERIFY(file.open(QIODevice::ReadOnly));

    const Finished done =
        runCli({QStringLiteral("pack"), QStringLiteral("-"), QStringLiteral("--work-limit"), QStringLiteral("1000")},
               file.readAll());

    QCOMPARE(done.status, 0);
    QVERIFY2(done.out.contains(Refusal), done.out.constData());
}

void tst_CliSnapshot::checkJudgesTheAddresses()
{
    const Finished done = runCli({QStringLiteral("check"), Example});

    QCOMPARE(done.status, 1);
    QVERIFY2(done.out.contains("fragmented-training.pickle: Out of memory: a request was refused."),
             done.out.constData());
    QVERIFY2(done.out.startsWith(Refusal), done.out.constData());
    QVERIFY2(done.out.contains("when repacked."), done.out.constData());
}

/// At the step of the last allocation before it, the largest hole.
void tst_CliSnapshot::aRefusalIsMarkedInThePicture()
{
    const plimsoll::test::TemporaryFolder folder;
    const QString json = QString::fromStdString((folder.path() / "r.json").string());
    const QString svg = QString::fromStdString((folder.path() / "r.svg").string());
    const QByteArray snapshot = pickled("segment 4096 4194304\nalloc 4096 1048576 @m.py:1:f\nalloc 2101248 1048576 "
                                        "@m.py:2:g\noom 100 2097152 @m.py:3:h\n");
    const QString file = QString::fromStdString(folder.write("s.pickle", snapshot.toStdString()).string());

    QCOMPARE(runCli({QStringLiteral("check"), file, QStringLiteral("--json"), json}).status, 1);
    QCOMPARE(runCli({QStringLiteral("report"), file, QStringLiteral("--plan"), file, QStringLiteral("-o"), svg}).status,
             1);

    QFile report(json);
    QVERIFY(report.open(QIODevice::ReadOnly));
    const QJsonObject finding =
        QJsonDocument::fromJson(report.readAll()).object()[QLatin1String("findings")][0].toObject();
    QCOMPARE(finding[QLatin1String("rule")].toString(), QStringLiteral("out-of-memory"));
    QCOMPARE(finding[QLatin1String("severity")].toString(), QStringLiteral("error"));
    QCOMPARE(finding[QLatin1String("steps")].toArray(), QJsonArray({1, 2}));
    QCOMPARE(finding[QLatin1String("bytes")].toArray(), QJsonArray({1048576, 2097152}));
    QFile picture(svg);
    QVERIFY(picture.open(QIODevice::ReadOnly));
    QVERIFY(picture.readAll().contains("Out of memory at event 3"));
}

void tst_CliSnapshot::blocksOverOneAnotherAreFindings()
{
    const plimsoll::test::TemporaryFolder folder;
    const QByteArray twice = pickled("alloc 4096 1024\nalloc 4608 512\n");
    const QString file = QString::fromStdString(folder.write("s.pickle", twice.toStdString()).string());

    const Finished packed = runCli({QStringLiteral("pack"), file});
    const Finished checked = runCli({QStringLiteral("check"), file});

    QCOMPARE(packed.status, 1);
    QVERIFY2(packed.out.startsWith("cuda:0: alive at most 1.50 KiB; placed anew 1.50 KiB"), packed.out.constData());
    QVERIFY2(packed.out.contains("The file has no segments"), packed.out.constData());
    QVERIFY2(
        packed.out.contains("'0x1200 1' and '0x1000 1' share bytes [512, 1,024) while both are alive, first at 2."),
        packed.out.constData());
    QVERIFY2(packed.out.contains("The file contradicts itself: Event 2 allocates 0x1200 over bytes that are in use."),
             packed.out.constData());
    QCOMPARE(checked.status, 1);
}

void tst_CliSnapshot::planPlacesThemAnew()
{
    const Finished done = runCli({QStringLiteral("plan"), Example, QStringLiteral("--json"), QStringLiteral("-")});

    QCOMPARE(done.status, 1); // the process has died of memory, whatever plan there would have been
    const double peak = done.json()[QLatin1String("peakBytes")].toDouble();
    QVERIFY(peak > 0 && peak < 500e6);
    QCOMPARE(done.json()[QLatin1String("arenas")][0][QLatin1String("space")].toString(), QStringLiteral("cuda:0"));
    QCOMPARE(done.json()[QLatin1String("graph")][QLatin1String("format")].toString(),
             QStringLiteral("memory snapshot"));
}

void tst_CliSnapshot::explainTellsWhoAskedAndForHowMuch()
{
    const plimsoll::test::TemporaryFolder folder;
    const QByteArray snapshot = pickled("segment 0 2097152\nblock 512 9 active_allocated @/src/a.py:1:f</src/b.py:5:g\n"
                                        "block 512 8 active_allocated\nsegment 4194304 2097152\n"
                                        "alloc 4194304 1000 @/src/a.py:7:h\n");
    const QString file = QString::fromStdString(folder.write("s.pickle", snapshot.toStdString()).string());
    const auto explained = [&](const char* subject) {
        return runCli({QStringLiteral("explain"), file, QString::fromUtf8(subject)}).out;
    };

    QVERIFY2(explained("a.py:7 h 1").contains("\n  Source: /src/a.py:7 h\n  Asked for: 1,000 B\n"),
             explained("a.py:7 h 1"));
    QVERIFY2(explained("a.py:1 f 1").contains("\n  Source: /src/a.py:1 f, called by b.py:5 g\n  Asked for: 9 B\n"),
             explained("a.py:1 f 1"));
    QVERIFY2(explained("0x200 1").contains("\n  Asked for: 8 B\n"), explained("0x200 1"));
    QVERIFY2(explained("t=1").contains("\n  Source: /src/a.py:7 h\n"), explained("t=1"));
}

void tst_CliSnapshot::aCapacityIsForThePlanMadeAnew_data()
{
    QTest::addColumn<QString>("capacity");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("room enough") << QStringLiteral("600MiB") << 0
                                 << QByteArray(", within the capacity of 600 MiB\n256 allocations");
    QTest::newRow("too little") << QStringLiteral("300MiB") << 1
                                << QByteArray("; the offsets are legal\nInfeasible: 470,901,248 B are needed, "
                                              "314,572,800 B is the capacity: at 677 these are alive: ");
}

/// The addresses reach over 946 MiB, at no time all of them.
void tst_CliSnapshot::aCapacityIsForThePlanMadeAnew()
{
    QFETCH(QString, capacity);
    QFETCH(int, status);
    QFETCH(QByteArray, said);
    const QStringList arguments = {QStringLiteral("pack"),         Example,
                                   QStringLiteral("--work-limit"), QStringLiteral("1000000"),
                                   QStringLiteral("--capacity"),   capacity};

    const Finished done = runCli(arguments);
    const QJsonObject json = runCli(arguments + QStringList {QStringLiteral("--json"), QStringLiteral("-")}).json();

    QCOMPARE(done.status, status);
    QVERIFY2(done.out.contains(said), done.out.constData());
    QVERIFY2(!done.out.contains("beyond the capacity"), done.out.constData());
    QCOMPARE(json[QLatin1String("fits")].toBool(), status == 0);
    QVERIFY(json[QLatin1String("legal")].toBool());
    QCOMPARE(json[QLatin1String("anew")][QLatin1String("infeasible")].toBool(), status == 1);
    QCOMPARE(json[QLatin1String("anew")][QLatin1String("shortfalls")].toArray().size(), status);
}

void tst_CliSnapshot::aPickleThatCallsIsRefused()
{
    const QByteArray evil = QByteArray("\x80\x04}(\x8C\x08segmentscos\nsystem\n\x8C\x02ls\x85Ru.");

    const Finished done = runCli({QStringLiteral("pack"), QStringLiteral("-")}, evil);

    QCOMPARE(done.status, 3);
    QVERIFY2(done.err.contains("standard input: byte 14: The pickle holds more than plain data: GLOBAL is refused"),
             done.err.constData());
}

QTEST_GUILESS_MAIN(tst_CliSnapshot)
#include "tst_cli_snapshot.moc"
