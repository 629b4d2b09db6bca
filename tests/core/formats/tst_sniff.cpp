#include "core/facts/english/english.h"
#include "core/formats/formats.h"
#include "core/formats/sniff.h"
#include "core/formats/top_words.h"

#include <QTest>

using namespace plimsoll;

namespace {

Content contentOf(const QByteArray& bytes)
{
    return sniff(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

QString said(const Message& message)
{
    return QString::fromStdString(english(message));
}

/// A file that gzip packed under \p name, up to where the packed bytes begin.
QByteArray packed(const QByteArray& name, char flags = 8)
{
    return QByteArray("\x1F\x8B\x08", 3) + flags + QByteArray(6, '\0') + name + '\0';
}

} // namespace

/// What a file is told by its first bytes.
class SniffTest : public QObject
{
    Q_OBJECT

private slots:
    void kindOfTheFirstBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, const QByteArray& bytes, ContentKind kind) {
            QTest::newRow(name) << bytes << static_cast<int>(kind);
        };
        using enum ContentKind;
        row("an object", "{\"a\": 1}", Json);
        row("an object that is cut", "{\"a", Json);
        row("a list behind blanks", " \r\n\t[1]", Json);
        row("a text", "\"x\"", Json);
        row("behind a byte order mark", "\xEF\xBB\xBF{}", Json);
        row("null", "null\n", Json);
        row("a number", "-1.5e3 ", Json);
        row("a number and more", "1.5 apples", Text);
        row("a table", "id,lower,upper\n0,1,2\n", Text);
        row("letters of other languages", "Größe: 3 µs", Text);
        row("not well-formed", "abc\xFF\xFE", Binary);
        row("a control character", QByteArray("abc\0def", 7), Binary);
        row("delete", "abc\x7F", Binary);
        row("a letter cut at the 256th byte", QByteArray(255, 'a') + "µ and more", Text);
        row("a letter cut at the end of the file", QByteArray(255, 'a') + '\xC2', Binary);
    }
    void kindOfTheFirstBytes()
    {
        QFETCH(QByteArray, bytes);
        QTEST(static_cast<int>(contentOf(bytes).kind), "kind");
    }

    void filesOfOtherToolsAreNamed_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text"); // from its beginning
        const auto row = [](const QByteArray& bytes, const char* name, const char* text) {
            QTest::newRow(name) << bytes << QString::fromUtf8(name) << QString::fromUtf8(text);
        };
        row("", "an empty file", "The file is empty. ");
        row(" \n\t", "text", "The file holds nothing but white space. ");
        row("\x89PNG\r\n", "a PNG picture", "This is a PNG picture. ");
        row("PK\x03\x04", "a ZIP archive",
            "This is a ZIP archive; of these, programs that PyTorch exported (.pt2) are read. ");
        row("1234FT01", "weights of an ExecuTorch program", "These are weights of an ExecuTorch program (.ptd); ");
        row("module @jit_f {", "a module of MLIR", "This is a module of MLIR (StableHLO, say). ");
        row("\xEF\xBB\xBF#loc = 1", "a module of MLIR", "This is a module of MLIR (StableHLO, say). ");
        row("version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer",
            "This is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'. ");
        row("{\"schemaVersion\": 1, \"deviceProperties\": []", "a trace of a profiler (Kineto's or Chrome's)",
            "This is a trace of a profiler (Kineto's or Chrome's): times and sizes, but no tensors. Of the same model");
        row("{\"schema\": \"1.0\", \"pid\": 7, \"nodes\": [", "an execution trace of PyTorch (Chakra)",
            "This is an execution trace of PyTorch (Chakra). Of the same model a log of TORCH_TRACE");
        row("[[0, -1, 512, 3], [1", "a memory timeline of PyTorch's profiler",
            "This is a memory timeline of PyTorch's profiler: bytes over time, but no tensors. Of the same model");
        row(packed("net.onnx"), "gzip-compressed data",
            "This is compressed with gzip and holds 'net.onnx'; nothing is read out of it. Unpack it");
        row("\x80\x04}q\x01.", "a Python pickle (never executed here)",
            "This is a Python pickle (a PyTorch checkpoint, say), which is never executed here; of pickles, memory "
            "snapshots");
    }
    void filesOfOtherToolsAreNamed()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, text);
        const KnownContent known = contentOf(bytes).known;
        QTEST(said(known.name), "name");
        QVERIFY2(said(known.text).startsWith(text), qPrintable(said(known.text)));
        QVERIFY2(said(known.text).endsWith(QStringLiteral("can be read.")) || text.contains(QStringLiteral("Unpack")),
                 qPrintable(said(known.text)));
        QVERIFY2(!said(known.text).contains(QStringLiteral("content.")), qPrintable(said(known.text)));
    }

    /// What can be read is listed in full where a file cannot be: by the rows of the formats.
    void whatCanBeReadInsteadIsListed()
    {
        const QString formats = QString::fromStdString(english(readableFormats()));
        QVERIFY(formats.contains(QStringLiteral("ONNX")));
        for (const QByteArray& bytes : {QByteArray("%PDF-1.7"), QByteArray(), packed("x"), packed("", 0)})
            QVERIFY2(said(contentOf(bytes).known.text).contains(formats), bytes.constData());
    }

    void remediesAreThereWhereSomethingCanBeDone_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("zip") << QByteArray("PK\x03\x04") << "Of ZIP archives, programs that torch.export.save wrote";
        QTest::newRow("lfs") << QByteArray("version https://git-lfs") << "This is a Git LFS pointer, not the file. Run";
        QTest::newRow("pickle") << QByteArray("\x80\x02}") << "Of pickles, memory snapshots";
    }
    void remediesAreThereWhereSomethingCanBeDone()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, remedy);
        const QString given = said(contentOf(bytes).known.remedy);
        QVERIFY2(given.startsWith(remedy), qPrintable(given));
    }

    void whatPytorchPackedIsToldByItsName_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("part");
        QTest::newRow("trace") << packed("w0.123.pt.trace.json")
                               << "holds 'w0.123.pt.trace.json', by its name a trace of PyTorch's profiler, which";
        QTest::newRow("timeline")
            << packed("memory_timeline.raw")
            << "by its name a memory timeline of PyTorch's profiler, which cannot be read unpacked";
        QTest::newRow("no name") << packed("memory_timeline.raw", 0) << "compressed with gzip; nothing is read";
        QTest::newRow("fields before the name") << packed("memory_timeline.raw", 12) << "with gzip; nothing is read";
        QTest::newRow("a name that is no text") << packed("a\xFF") << "compressed with gzip; nothing is read";
        QTest::newRow("a name too long") << packed(QByteArray(256, 'a')) << "compressed with gzip; nothing is read";
        QTest::newRow("cut") << QByteArray("\x1F\x8B\x08\x08", 4) << "compressed with gzip; nothing is read";
    }
    void whatPytorchPackedIsToldByItsName()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, part);
        const QString text = said(contentOf(bytes).known.text);
        QVERIFY2(text.contains(part), qPrintable(text));
    }

    /// A graph is no content of another tool, whatever words it has.
    void graphsAreLeftToTheirReaders_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char* text :
             {"{\"schema\": \"plimsoll.graph/1\", \"pid\": 1, \"nodes\": []}", "{\"nodes\": []}",
              "{\"a\": {\"traceEvents\": 1}}", "[[1, 2, 3], [4]]", "[[1, 2, 3, \"x\"]]", "HloModule m"})
            QTest::newRow(text) << QByteArray(text);
    }
    void graphsAreLeftToTheirReaders()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(contentOf(bytes).known.name.empty());
    }

    void wordsOfAnObject_data()
    {
        QTest::addColumn<QByteArray>("text"); // with ' for quotes
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("keys and values") << QByteArray("{'b': 'x', 'a': 1}") << QByteArray("a b x");
        QTest::newRow("not those inside") << QByteArray("{'a': {'c': [['d']]}, 'b': ['e']}") << QByteArray("a b");
        QTest::newRow("quotes in quotes") << QByteArray("{'a\\'b': 1, 'c\\\\': 2}") << QByteArray("a\\'b c\\\\");
        QTest::newRow("brackets in quotes") << QByteArray("{'}{': 1, 'a': 2}") << QByteArray("a }{");
        QTest::newRow("cut in a word") << QByteArray("{'a': 1, 'bc") << QByteArray("a");
        QTest::newRow("no object") << QByteArray("'a'") << QByteArray();
    }
    void wordsOfAnObject()
    {
        QFETCH(QByteArray, text);
        text.replace('\'', '"');
        QByteArray found;
        for (const std::string_view word : topWords({text.constData(), static_cast<std::size_t>(text.size())}))
            found += (found.isEmpty() ? "" : " ") + QByteArray(word.data(), static_cast<qsizetype>(word.size()));
        QTEST(found.replace('"', '\''), "words");
    }
};

QTEST_APPLESS_MAIN(SniffTest)
#include "tst_sniff.moc"
