#include "tests/app/support/cli_run.h"

#include "tests/support/pickle_bytes.h"
#include "tests/support/snapshot_text.h"
#include "tests/support/temporary_folder.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::runCli;

namespace {

const QString Example = QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples/fragmented-training.pickle");
constexpr const char* Refusal =
    "note: Out of memory at event 764: asked for 88.2 MiB (92,480,000 B) in model.py:24 softmax;";

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
    void blocksOverOneAnotherAreFindings();
    void planPlacesThemAnew();
    void aPickleThatCallsIsRefused();
};

void tst_CliSnapshot::packSaysWhatWasReservedAndWhatIsNeeded()
{
    const Finished text =
        runCli({QStringLiteral("pack"), Example, QStringLiteral("--work-limit"), QStringLiteral("1000000")});
    QCOMPARE(text.status, 0);
    QVERIFY2(text.out.startsWith("cuda:0: reserved "), text.out.constData());
    QVERIFY2(text.out.contains("; placed anew ") && text.out.contains("the offsets are legal"), text.out.constData());
    QVERIFY2(text.out.contains(Refusal), text.out.constData());

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

    QCOMPARE(done.status, 0);
    QVERIFY2(done.out.contains("fragmented-training.pickle: no broken rule"), done.out.constData());
    QVERIFY2(done.out.contains(Refusal), done.out.constData());
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

    QCOMPARE(done.status, 0);
    const double peak = done.json()[QLatin1String("peakBytes")].toDouble();
    QVERIFY(peak > 0 && peak < 500e6);
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
