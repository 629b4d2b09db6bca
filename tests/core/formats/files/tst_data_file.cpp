#include "core/facts/english/english.h"
#include "core/formats/files/data_file.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

using namespace plimsoll;
using test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

/// A folder with ten bytes, twelve in a folder inside, and a file beside it that is none of its own.
struct Beside
{
    TemporaryFolder outer;
    fs::path folder = outer.path() / "model";

    Beside()
    {
        static_cast<void>(outer.write("secret.bin", "do not read"));
        static_cast<void>(outer.write("model/weights.bin", "0123456789"));
        static_cast<void>(outer.write("model/parts/one.bin", "0123456789ab"));
        fs::create_symlink("../secret.bin", folder / "out.bin");
        fs::create_symlink("..", folder / "up");
        fs::create_symlink("parts/one.bin", folder / "in.bin");
        fs::create_symlink("nothing.bin", folder / "dangling.bin");
    }
};

} // namespace

/// Where the bytes of a tensor are that a graph file names, and where they may not be.
class DataFileTest : public QObject
{
    Q_OBJECT

private slots:
    void partsOfFiles_data()
    {
        QTest::addColumn<QString>("location");
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<qint64>("length"); // -1: none is said
        QTest::addColumn<qint64>("needed"); // -1: not known
        QTest::addColumn<QString>("place"); // or the id of what is wrong
        const auto row = [](const char* location, int offset, int length, int needed, const char* place) {
            QTest::addRow("%s %d %d of %d", location, offset, length, needed)
                << QString::fromUtf8(location) << qint64 {offset} << qint64 {length} << qint64 {needed}
                << QString::fromUtf8(place);
        };
        row("weights.bin", 0, -1, -1, "weights.bin 0+10");
        row("weights.bin", 4, -1, -1, "weights.bin 4+6");
        row("weights.bin", 4, -1, 2, "weights.bin 4+2");
        row("weights.bin", 4, 6, 6, "weights.bin 4+6");
        row("weights.bin", 10, 0, 0, "weights.bin 10+0");
        row("./parts/one.bin", 0, -1, 12, "one.bin 0+12");
        row("in.bin", 0, -1, -1, "one.bin 0+12");
        row("later.bin", 3, 4, 4, "later.bin 3+4"); // planning needs no bytes
        row("later.bin", 0, -1, -1, "later.bin 0+0");
        row("weights.bin", 11, -1, -1, "data.begins-beyond-end");
        row("weights.bin", -1, -1, 2, "data.begins-beyond-end");
        row("weights.bin", 4, -1, 7, "data.ends-beyond-end");
        row("weights.bin", 4, 7, 7, "data.ends-beyond-end");
        row("weights.bin", 0, -2, -1, "data.ends-beyond-end");
        row("weights.bin", 0, 4, 8, "data.set-aside");
        row("later.bin", 0, 4, 8, "data.set-aside");
        row("later.bin", -1, 4, 4, "data.place-negative");
        row("later.bin", 0, -4, -1, "data.place-negative");
        row("", 0, -1, -1, "data.file-unnamed");
        row("/etc/hostname", 0, -1, -1, "data.path-absolute");
        row("../secret.bin", 0, -1, -1, "data.lies-outside");
        row("parts/../weights.bin", 0, -1, -1, "data.lies-outside");
        row("out.bin", 0, -1, -1, "data.leads-outside");
        row("up/secret.bin", 0, -1, -1, "data.leads-outside");
        row("parts", 0, -1, -1, "data.no-file");
    }
    void partsOfFiles()
    {
        QFETCH(QString, location);
        QFETCH(qint64, offset);
        QFETCH(qint64, length);
        QFETCH(qint64, needed);
        const Beside beside;
        const auto known = [](qint64 number) {
            return number == -1 ? std::nullopt : std::optional<std::int64_t>(number);
        };

        const auto data = locateDataFile({location.toStdString(), offset, known(length)}, beside.folder, known(needed));
        const QString found = data.ok() ? QStringLiteral("%1 %2+%3")
                                              .arg(QString::fromStdString(data.value().file.filename().string()))
                                              .arg(data.value().fileOffset)
                                              .arg(data.value().fileBytes)
                                        : QString::fromStdString(std::string(data.error().message.id));
        QTEST(found, "place");
        if (data.ok()) QVERIFY(data.value().file.string().starts_with(fs::canonical(beside.folder).string()));
    }

    /// Its end could turn up anywhere, so it is not taken for a file that comes later.
    void aLinkThatLeadsNowhereIsNoAbsentFile()
    {
        const Beside beside;
        const auto data = locateDataFile({"dangling.bin", 0, {}}, beside.folder, 4);
        if (data.ok()) QCOMPARE(data.value().file.filename(), fs::path("nothing.bin")); // inside, and still to come
        fs::remove(beside.folder / "dangling.bin");
        fs::create_symlink("../nothing.bin", beside.folder / "dangling.bin");
        QVERIFY(!locateDataFile({"dangling.bin", 0, {}}, beside.folder, 4).ok());
    }

    void filesThatAreNotThereAreNotedOnceEach()
    {
        const Beside beside;
        Graph graph;
        graph.values.resize(4);
        graph.values[0].data = TensorData {.file = beside.folder / "weights.bin", .fileBytes = 10};
        graph.values[1].data = TensorData {.file = beside.folder / "later.bin", .fileBytes = 1024};
        graph.values[2].data = TensorData {.file = beside.folder / "later.bin", .fileOffset = 1024, .fileBytes = 512};
        Node node;
        node.attributes["value"] =
            TensorLiteral {DType::UInt8, {3}, {.file = beside.folder / "more.bin", .fileBytes = 3}};
        node.attributes["values"] = std::vector<TensorLiteral> {
            {DType::UInt8, {1}, {.file = beside.folder / "more.bin", .fileOffset = 3, .fileBytes = 1}}};
        graph.nodes.push_back(node);

        const std::vector<fs::path> files = dataFilesOf(graph);
        QCOMPARE(files.size(), std::size_t {3});
        QCOMPARE(files.front().filename(), fs::path("later.bin"));
        noteMissingFiles(graph);
        const std::vector<std::string> notes = english(graph.notes);
        QCOMPARE(notes.size(), std::size_t {2});
        QVERIFY2(notes[0].find("'later.bin'") != std::string::npos && notes[0].find("1.50 KiB") != std::string::npos &&
                     notes[0].find("2 tensors") != std::string::npos,
                 notes[0].c_str());
        QVERIFY2(notes[1].find("'more.bin'") != std::string::npos && notes[1].find("4 B") != std::string::npos,
                 notes[1].c_str());
    }
};

QTEST_APPLESS_MAIN(DataFileTest)
#include "tst_data_file.moc"
