#include "core/facts/english/english.h"
#include "core/formats/packing/packing_file.h"

#include "tests/support/pickle_bytes.h"
#include "tests/support/snapshot_text.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

#include <sstream>

using namespace plimsoll;
using plimsoll::test::TemporaryFolder;

namespace {

const std::string Snapshot = test::snapshotJson("segment 0 2097152\nalloc 0 512\nalloc 512 600\n");

std::string tableOf(int rows)
{
    std::string text = "id,lower,upper,size\n";
    for (int row = 0; row < rows; ++row)
        text += "buffer" + std::to_string(row) + "," + std::to_string(row) + "," + std::to_string(row + 3) + ",64\n";
    return text;
}

QString errorOf(const Result<PackingTable>& table)
{
    return table.ok() ? QString() : QString::fromStdString(describe(table.error()));
}

Result<PackingTable> streamed(const std::string& bytes)
{
    std::istringstream stream(bytes);
    return readPackingStream(stream);
}

} // namespace

class TestPackingFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStreamIsReadAsAFileIs_data();
    void aStreamIsReadAsAFileIs();
    void tablesOfAnyLengthComeThroughAStream_data();
    void tablesOfAnyLengthComeThroughAStream();
    void whatIsNeitherIsNamed_data();
    void whatIsNeitherIsNamed();
    void aTableHasNoDevices();
};

void TestPackingFile::aStreamIsReadAsAFileIs_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("rows");
    const auto row = [](const char* name, const std::string& bytes, int rows) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << rows;
    };
    row("a table", tableOf(3), 3);
    row("a pickle", test::pickleOf(Snapshot), 2);
    row("JSON", Snapshot, 2);
    row("JSON behind empty lines", "\n \n" + Snapshot, 2);
    row("JSON behind a byte order mark", "\xEF\xBB\xBF" + Snapshot, 2);
}

void TestPackingFile::aStreamIsReadAsAFileIs()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, rows);
    const TemporaryFolder folder;

    const auto table = streamed(bytes.toStdString());
    const auto same = readPackingFile(folder.write("table", bytes.toStdString()));

    QVERIFY2(table.ok() && same.ok(), qPrintable(errorOf(table) + errorOf(same)));
    QCOMPARE(static_cast<int>(table.value().ids.size()), rows);
    QCOMPARE(table.value().ids, same.value().ids);
}

void TestPackingFile::tablesOfAnyLengthComeThroughAStream_data()
{
    QTest::addColumn<int>("rows");
    for (const int rows : {0, 1, 400, 10'000})
        QTest::addRow("%d rows", rows) << rows;
}

/// Its head is looked at first; a row may be cut in two there.
void TestPackingFile::tablesOfAnyLengthComeThroughAStream()
{
    QFETCH(int, rows);

    const auto table = streamed(tableOf(rows));

    QVERIFY2(table.ok(), qPrintable(errorOf(table)));
    QCOMPARE(static_cast<int>(table.value().ids.size()), rows);
    for (int row = 0; row < rows; ++row)
        QCOMPARE(table.value().ids[static_cast<std::size_t>(row)], "buffer" + std::to_string(row));
}

void TestPackingFile::whatIsNeitherIsNamed_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reason");
    QTest::newRow("another pickle") << QByteArray::fromStdString(test::pickleOf("[1, 2]"))
                                    << QStringLiteral("This is a Python pickle (a PyTorch checkpoint, say)");
    QTest::newRow("a graph") << QByteArray("{\"schema\": \"plimsoll.graph/1\", \"nodes\": []}")
                             << QStringLiteral("This is neither a table of buffers (CSV) nor a memory snapshot");
    QTest::newRow("a protobuf") << QByteArray("\x08\x07\x12\x04onnx", 8)
                                << QStringLiteral("This is neither a table of buffers (CSV) nor a memory snapshot");
    QTest::newRow("other columns") << QByteArray("name,size\na,5\n")
                                   << QStringLiteral("line 1: The header has no column 'id': it is 'name,size'.");
    QTest::newRow("semicolons") << QByteArray("id;lower;upper;size\n")
                                << QStringLiteral("line 1: The header has no column 'id': it is 'id;lower;upper;size'. "
                                                  "Columns are separated by commas.");
}

void TestPackingFile::whatIsNeitherIsNamed()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reason);
    const TemporaryFolder folder;
    const std::string file = folder.write("file", bytes.toStdString()).string();

    const QString error = errorOf(readPackingFile(file));

    QVERIFY2(error.startsWith(QString::fromStdString(file) + QStringLiteral(": ") + reason), qPrintable(error));
}

void TestPackingFile::aTableHasNoDevices()
{
    const TemporaryFolder folder;

    QVERIFY(errorOf(readPackingFile(folder.write("t.csv", tableOf(1)).string() + "#cuda:0"))
                .contains(QStringLiteral("no other can be asked for by the name 'cuda:0'")));
}

QTEST_APPLESS_MAIN(TestPackingFile)
#include "tst_packing_file.moc"
