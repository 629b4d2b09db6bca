#include "core/facts/english/english.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/packing/packing_rows.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

using namespace plimsoll;

namespace {

Result<PackingTable> read(const QByteArray& text)
{
    std::istringstream input(text.toStdString());
    return readPackingCsv(input);
}

} // namespace

class tst_PackingCsv : public QObject
{
    Q_OBJECT

private slots:
    void dialectsMeanTheSame_data();
    void dialectsMeanTheSame();
    void optionsAreTaken();
    void gapsComeInAnyOrder_data();
    void gapsComeInAnyOrder();
    void badTablesAreRefusedWithTheirLine_data();
    void badTablesAreRefusedWithTheirLine();
    void binaryCellsAreShownAsQuestionMarks();
    void theAnswerRepeatsTheTable();
    void filesThatAreNoTablesAreErrors();
    void moreRowsThanAllowedAreRefused();
    void longFilesAreRefusedBeforeTheyAreRead();
    void aRepeatedIdIsFoundAmongMany();
};

void tst_PackingCsv::dialectsMeanTheSame_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("minimalloc") << QByteArray("id,lower,upper,size\na,0,3,4\nb,3,9,5\n");
    QTest::newRow("other names and order") << QByteArray("size,begin,upper,buffer\n4,0,3,a\n5,3,9,b\n");
    QTest::newRow("inclusive end") << QByteArray("buffer_id,start,end,size\na,0,2,4\nb,3,8,5\n");
    QTest::newRow("capitals, blanks, quotes, CRLF, byte order mark, no last newline")
        << QByteArray("\xEF\xBB\xBF ID , \"Lower\",UPPER,size\r\n\r\na , 0,3,4\r\nb,3,9, 5");
    QTest::newRow("more columns") << QByteArray("id,name,lower,upper,size\na,x,0,3,4\nb,,3,9,5\n");
    QTest::newRow("empty options") << QByteArray(
        "id,lower,upper,size,hint,gaps,alignment,offset\na,0,3,4,-1,,,\nb,3,9,5\n");
}

void tst_PackingCsv::dialectsMeanTheSame()
{
    QFETCH(QByteArray, text);

    const auto table = read(text);

    QVERIFY2(table.ok(), table.ok() ? "" : describe(table.error()).c_str());
    QVERIFY((table.value().ids == std::vector<std::string> {"a", "b"}));
    const auto& buffers = table.value().problem.buffers;
    QCOMPARE(buffers[0].bytes, 4);
    QCOMPARE(buffers[1].bytes, 5);
    QVERIFY(buffers[0].live == LiveRanges({0, 3}));
    QVERIFY(buffers[1].live == LiveRanges({3, 9}));
    QCOMPARE(buffers[0].alignment, 1);
    QVERIFY(!buffers[0].pinnedOffset);
}

void tst_PackingCsv::optionsAreTaken()
{
    const auto table = read("id,lower,upper,size,alignment,hint,gaps,offset\n"
                            "a,0,20,4,64,128,2-5 7-9,64\nb,0,20,4,,,3-6@0:2,-1\n");

    QVERIFY(table.ok());
    const Buffer& a = table.value().problem.buffers[0];
    QCOMPARE(a.alignment, 64);
    QVERIFY(std::ranges::equal(a.live.intervals(), std::vector<Interval> {{0, 2}, {5, 7}, {9, 20}}));
    QCOMPARE(*table.value().offsets[0], 64);
    QVERIFY(!table.value().offsets[1]);
    QVERIFY(table.value().problem.buffers[1].live == LiveRanges({0, 20}));
    QCOMPARE(table.value().partialGaps, 1);
}

void tst_PackingCsv::gapsComeInAnyOrder_data()
{
    QTest::addColumn<QByteArray>("gaps");
    QTest::addColumn<QString>("alive");
    QTest::newRow("later first") << QByteArray("7-9 2-5") << QStringLiteral("0-2 5-7 9-20");
    QTest::newRow("one within another") << QByteArray("2-8 3-5") << QStringLiteral("0-2 8-20");
    QTest::newRow("at both ends") << QByteArray("0-5 15-20") << QStringLiteral("5-15");
    QTest::newRow("nothing left") << QByteArray("0-20") << QString();
    QTest::newRow("blanks") << QByteArray("  2-5   7-9 ") << QStringLiteral("0-2 5-7 9-20");
}

void tst_PackingCsv::gapsComeInAnyOrder()
{
    QFETCH(QByteArray, gaps);

    const auto table = read("id,lower,upper,size,gaps\na,0,20,4," + gaps + "\n");

    QVERIFY2(table.ok(), table.ok() ? "" : describe(table.error()).c_str());
    QStringList alive;
    for (const Interval steps : table.value().problem.buffers[0].live.intervals())
        alive << QStringLiteral("%1-%2").arg(steps.begin).arg(steps.end);
    QTEST(alive.join(QLatin1Char(' ')), "alive");
}

void tst_PackingCsv::badTablesAreRefusedWithTheirLine_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("word");
    const auto row = [](const char* name, const QByteArray& text, int line, const char* word) {
        QTest::newRow(name) << text << QStringLiteral("line %1").arg(line) << QString::fromLatin1(word);
    };
    const QByteArray head = "id,lower,upper,size\na,0,1,1\n";
    row("empty", "", 1, "empty");
    row("only blank lines", "\n\n\n", 4, "empty");
    row("no size", "id,lower,upper\n", 1, "'size'");
    row("no end", "id,lower,size\n", 1, "'upper'");
    row("both ends", "id,lower,upper,end,size\n", 1, "both");
    row("a column twice", "id,lower,start,upper,size\n", 1, "twice");
    row("upper below lower", head + "b,5,4,1\n", 3, "before");
    row("negative size", head + "b,0,4,-1\n", 3, "negative");
    row("negative step", head + "b,-2,4,1\n", 3, "negative");
    row("overflow", head + "b,0,4,9223372036854775808\n", 3, "63 bits");
    row("overflow of an inclusive end", "id,lower,end,size\nb,0,9223372036854775807,1\n", 2, "63 bits");
    row("a cell too many", head + "b,0,4,1,9\n", 3, "'9' belongs to no column");
    row("no number", head + "b,0,4,12x\n", 3, "whole number");
    row("a missing cell", head + "b,0,4\n", 3, "missing");
    row("no id", head + ",0,4,1\n", 3, "id is missing");
    row("an id twice", head + "b,0,4,1\na,0,4,1\n", 4, "already");
    row("no alignment", "id,lower,upper,size,alignment\na,0,1,1,0\n", 2, "at least 1");
    row("a gap outside", "id,lower,upper,size,gaps\na,2,9,1,0-3\n", 2, "within");
    row("a gap behind the end", "id,lower,upper,size,gaps\na,2,9,1,8-10\n", 2, "within");
    row("a gap that ends first", "id,lower,upper,size,gaps\na,2,9,1,6-4\n", 2, "within");
    row("a gap of one number", "id,lower,upper,size,gaps\na,2,9,1,4\n", 2, "a-b");
    row("an endless line", head + QByteArray(200'000, 'x'), 3, "64 KiB");
    row("bytes", QByteArray("\0\1\2\xFF\n", 5), 1, "'id'");
}

void tst_PackingCsv::badTablesAreRefusedWithTheirLine()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, word);

    const auto table = read(text);

    QVERIFY(!table.ok());
    QCOMPARE(table.error().code, ErrorCode::BadInput);
    QTEST(QString::fromStdString(table.error().where), "where");
    QVERIFY2(QString::fromStdString(english(table.error().message)).contains(word),
             english(table.error().message).c_str());
}

void tst_PackingCsv::binaryCellsAreShownAsQuestionMarks()
{
    const auto table = read("id,lower,upper,size\na,\x1B[2J\xFF\x80,4,1\nb,größe,4,1\n");

    QCOMPARE(QString::fromStdString(english(table.error().message)), QStringLiteral("The lower end '?[2J?"
                                                                                    "?' is not a whole number."));
    QVERIFY(english(read("id,lower,upper,size\nb,größe,4,1\n").error().message).find("größe") != std::string::npos);
}

void tst_PackingCsv::theAnswerRepeatsTheTable()
{
    std::istringstream input("id,size,lower,offset,upper\nb1, 4,0,7,3\n\nb2,4,3,,9\n");
    std::ostringstream output;
    Plan plan;
    plan.allocations = {{ArenaId(std::int32_t {0}), 0}, {ArenaId(std::int32_t {0}), 4}};

    QVERIFY(writePackingCsv(input, plan, output).ok());

    QCOMPARE(QString::fromStdString(output.str()),
             QStringLiteral("id,size,lower,upper,offset\nb1,4,0,3,0\nb2,4,3,9,4\n"));
    std::istringstream shorter("id,size,lower,upper\nb1,4,0,3\n");
    QVERIFY(!writePackingCsv(shorter, plan, output).ok());
}

void tst_PackingCsv::filesThatAreNoTablesAreErrors()
{
    QVERIFY(!readPackingCsv(std::filesystem::path("/nonexistent.csv")).ok());
    const auto folder = readPackingCsv(std::filesystem::temp_directory_path());
    QVERIFY(!folder.ok());
    QVERIFY(!folder.error().file.empty());
}

void tst_PackingCsv::moreRowsThanAllowedAreRefused()
{
    std::istringstream input("id,lower,upper,size\na,0,3,4\n\nb,3,9,5\nc,3,9,5\n");
    std::istringstream again(input.str());

    const auto refused = readPackingCsv(input, 2);

    QVERIFY(!refused.ok());
    QCOMPARE(QString::fromStdString(refused.error().where), QStringLiteral("line 5"));
    QVERIFY(QString::fromStdString(english(refused.error().message)).contains(QStringLiteral("more than 2")));
    QVERIFY(readPackingCsv(again, 3).ok());
}

/// The row that is one too many is named, not the bad one before it.
void tst_PackingCsv::longFilesAreRefusedBeforeTheyAreRead()
{
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("long.csv")).toStdString();
    std::ofstream(file) << " \n\nid,lower,upper,size\r\na,0,3,4\n \t\r\nb,nonsense\n\nc,0,1,1\nd,0,1,1";
    std::ifstream input(file);

    QCOMPARE(readPackingCsv(file, 3).error().where, std::string("line 9"));
    QCOMPARE(readPackingCsv(file, 4).error().where, std::string("line 6"));
    QCOMPARE(countPackingRows(input, 100).rows, std::size_t {5});
    std::istringstream endless("id\n" + std::string(1 << 20, 'x') + "\na\nb\n");
    QCOMPARE(countPackingRows(endless, 100).rows, std::size_t {2}); // nor is the rest of it read
    std::ofstream(file) << "id,lower,size\n" << std::string(1 << 20, 'x');
    QVERIFY(english(readPackingCsv(file, 3).error().message).find("'upper'") != std::string::npos);
}

void tst_PackingCsv::aRepeatedIdIsFoundAmongMany()
{
    std::string text = "id,lower,upper,size\n";
    for (int row = 0; row < 5000; ++row)
        text += "buffer-" + std::to_string(row) + ",0,1,1\n";

    QVERIFY(read(QByteArray::fromStdString(text)).ok());
    const auto refused = read(QByteArray::fromStdString(text + "buffer-1234,0,1,1\n"));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().where, std::string("line 5002"));
}

QTEST_APPLESS_MAIN(tst_PackingCsv)
#include "tst_packing_csv.moc"
