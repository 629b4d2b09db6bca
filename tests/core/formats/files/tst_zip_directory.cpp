#include "core/facts/english/english.h"
#include "core/formats/files/zip_directory.h"

#include <QTest>

#include <functional>

using namespace plimsoll;

namespace {

QByteArray number(std::int64_t value, int bytes)
{
    QByteArray text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i));
    return text;
}

struct Packed
{
    QByteArray name;
    QByteArray bytes;
    int method = 0; ///< 0: stored, 8: deflated.
    int flags = 0;  ///< 1: encrypted.
    QByteArray extra {};
};

/// An archive as a ZIP tool writes it: the files, the directory, the end.
struct Archive
{
    QByteArray files;
    QByteArray directory;
    int count = 0;
    QByteArray comment {};

    void add(const Packed& one)
    {
        const QByteArray sizes = number(one.bytes.size(), 4) + number(one.bytes.size(), 4);
        directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(one.flags, 2) + number(one.method, 2) +
                     number(0, 8) + sizes + number(one.name.size(), 2) + number(0, 2) + number(0, 2) + number(0, 8) +
                     number(files.size(), 4) + one.name;
        files += "PK\x03\x04" + number(20, 2) + number(one.flags, 2) + number(one.method, 2) + number(0, 8) + sizes +
                 number(one.name.size(), 2) + number(one.extra.size(), 2) + one.name + one.extra + one.bytes;
        ++count;
    }
    [[nodiscard]] QByteArray bytes() const
    {
        return files + directory + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) +
               number(directory.size(), 4) + number(files.size(), 4) + number(comment.size(), 2) + comment;
    }
};

Archive twoFiles()
{
    Archive archive;
    archive.add({"a/model.json", "{}"});
    archive.add({"a/weights", "12345", 0, 0, "padding"});
    return archive;
}

Result<std::vector<ZipEntry>> read(const QByteArray& bytes)
{
    return readZipDirectory(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

} // namespace

/// Which files an archive has, and where their bytes are.
class ZipDirectoryTest : public QObject
{
    Q_OBJECT

private slots:
    void filesAreFoundWhereTheirBytesBegin()
    {
        Archive archive = twoFiles();
        archive.comment = "written by a test";
        const QByteArray bytes = archive.bytes();
        const auto entries = read(bytes);
        QVERIFY2(entries.ok(), entries.ok() ? "" : describe(entries.error()).c_str());
        QCOMPARE(entries.value().size(), std::size_t {2});
        for (const ZipEntry& entry : entries.value()) {
            QVERIFY(entry.stored);
            QCOMPARE(bytes.mid(entry.offset, entry.bytes), entry.name == "a/weights" ? "12345" : "{}");
        }
    }

    void whatIsPackedOrLockedHasANameOnly()
    {
        Archive archive;
        archive.add({"deflated", "xyz", 8});
        archive.add({"locked", "xyz", 0, 1});
        archive.add({"plain", "xyz", 0, 8}); // another flag: sizes follow the bytes, too
        archive.files[0] = 'x';              // what cannot be used is not looked at
        const auto entries = read(archive.bytes());
        QVERIFY2(entries.ok(), entries.ok() ? "" : describe(entries.error()).c_str());
        QVERIFY(!entries.value()[0].stored && !entries.value()[1].stored && entries.value()[2].stored);
        QCOMPARE(entries.value()[1].name, std::string("locked"));
    }

    void anEmptyArchiveHasNoFiles()
    {
        QVERIFY(read(Archive().bytes()).ok());
        QVERIFY(read(Archive().bytes()).value().empty());
    }

    void brokenArchivesSayWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::function<void(QByteArray&)>& damage, const char* says) {
            QByteArray bytes = twoFiles().bytes();
            damage(bytes);
            QTest::newRow(name) << bytes << QString::fromUtf8(says);
        };
        const qsizetype end = twoFiles().bytes().size() - 22;
        const qsizetype directory = twoFiles().files.size();
        row(
            "nothing", [](QByteArray& b) { b.clear(); }, "zip.directory-missing");
        row(
            "cut in the end", [](QByteArray& b) { b.chop(1); }, "zip.directory-missing");
        row(
            "no end", [&](QByteArray& b) { b[end] = 'x'; }, "zip.directory-missing");
        row(
            "more files than listed", [&](QByteArray& b) { b[end + 10] = 3; }, "zip.directory-short");
        row(
            "the directory is elsewhere", [&](QByteArray& b) { b[end + 16] = 1; }, "zip.directory-short");
        row(
            "a long name", [&](QByteArray& b) { b[directory + 29] = 1; }, "zip.directory-cut");
        row(
            "64 bits", [&](QByteArray& b) { b.replace(end + 16, 4, QByteArray(4, '\xFF')); }, "zip.too-large");
        row(
            "so many files", [&](QByteArray& b) { b.replace(end + 10, 2, QByteArray(2, '\xFF')); }, "zip.too-large");
        row(
            "a file elsewhere", [&](QByteArray& b) { b[directory + 42] = 1; }, "zip.file-misplaced");
        row(
            "a file beyond", [&](QByteArray& b) { b[directory + 45] = 0x7F; }, "zip.file-misplaced");
        row(
            "a file too long", [&](QByteArray& b) { b[directory + 26] = 1; }, "zip.file-cut");
        const qsizetype begin = 30 + 12; // behind the header of the first file and its name
        row(
            "a file one byte too long",
            [&](QByteArray& b) { b.replace(directory + 24, 4, number(b.size() - begin + 1, 4)); }, "zip.file-cut");
        row(
            "a name too long", [](QByteArray& b) { b[27] = 0x7F; }, "zip.file-cut");
    }
    void brokenArchivesSayWhatIsWrong()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto entries = read(bytes);
        QVERIFY(!entries.ok());
        Message why = entries.error().message;
        if (why.id == "zip.broken") why = std::get<Message>(why.arguments.front().value);
        QCOMPARE(QString::fromStdString(std::string(why.id)), says);
    }
};

QTEST_APPLESS_MAIN(ZipDirectoryTest)
#include "tst_zip_directory.moc"
