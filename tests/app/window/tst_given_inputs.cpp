#include "app/window/panes/given_inputs.h"
#include "core/facts/english/english.h"
#include "core/formats/files/npy.h"
#include "tests/support/graph_text.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Rows of letters: red, green, blue, white, black.
QImage image(const QStringList& rows)
{
    const QMap<QChar, QColor> colours = {
        {u'r', Qt::red}, {u'g', Qt::green}, {u'b', Qt::blue}, {u'w', Qt::white}, {u'k', Qt::black}};
    QImage picture(int(rows.front().size()), int(rows.size()), QImage::Format_RGB32);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            picture.setPixelColor(x, y, colours.value(rows[y][x]));
    return picture;
}

/// "input_0.npy uint8[1,2]: 76 255"
QString contentOf(const QString& folder)
{
    const QStringList files = QDir(folder).entryList(QDir::Files);
    QFile file(QDir(folder).filePath(files.value(0)));
    if (files.size() != 1 || !file.open(QIODevice::ReadOnly)) return files.join(u' ');
    const QByteArray bytes = file.readAll();
    const auto read = readNpy(std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size()))));
    if (!read.ok()) return QString::fromStdString(describe(read.error()));
    const auto& [dtype, shape, data] = read.value();
    QString text = files.front() + u' ' + QString::fromStdString(describe(TensorType::dense(dtype, shape))) + u':';
    const std::size_t width = std::size_t(dtypeBits(dtype) / 8);
    for (std::size_t at = 0; at < data.bytes->size(); at += width) {
        float real = 0;
        if (dtype == DType::Float32) std::memcpy(&real, data.bytes->data() + at, width);
        if (dtype == DType::UInt8) real = float(std::to_integer<int>((*data.bytes)[at]));
        text += u' ' + QString::number(real);
    }
    return text;
}

} // namespace

/// What the user hands over for the inputs of a run.
class tst_GivenInputs : public QObject
{
    Q_OBJECT

private slots:
    void anImageBecomesItsInput_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* name, const char* inputs, const char* file, const char* wanted) {
            QTest::newRow(name) << QString::fromLatin1(inputs) << QString::fromLatin1(file)
                                << QString::fromLatin1(wanted);
        };
        row("planes", "input x float32[1,3,2,2]\n", "a.png", "input_0.npy float32[1,3,2,2]: 1 0 0 1 0 1 0 1 0 0 1 1");
        row("channels last", "input x float32[2,2,3]\n", "a.png",
            "input_0.npy float32[2,2,3]: 1 0 0 0 1 0 0 0 1 1 1 1");
        row("grey, in a batch", "input x uint8[2,1,1,2]\n", "a.png", "input_0.npy uint8[2,1,1,2]: 63 191 63 191");
        row("the one of its shape", "input n int64[1]\ninput x uint8[2,2]\n", "a.png",
            "input_1.npy uint8[2,2]: 87 127 39 255");
        row("the one of its name", "input x uint8[3,3]\ninput y uint8[2,2]\n", "y.png",
            "input_1.npy uint8[2,2]: 87 127 39 255");
        row("one of two", "input x uint8[2,2]\ninput y uint8[2,2]\n", "a.png",
            "Several inputs could take it. Name the file after one of them: 'x', 'y'.");
        row("no image", "input x float32[1,10]\ninput y float32[1,64,8,8]\ninput z int64[4,4]\n", "a.png",
            "No input has the shape of an image, such as float32[1,3,224,224].");
        row("of another type", "input x int64[2,2]\n", "x.png",
            "An image cannot become 'int64[2,2]': float32, float16, float64 or uint8, and 1 GiB at most.");
    }
    void anImageBecomesItsInput()
    {
        QFETCH(QString, graph);
        QFETCH(QString, file);
        QFETCH(QString, wanted);
        const QTemporaryDir from;
        const QTemporaryDir room;
        const QString path = from.filePath(file);
        QVERIFY(image({QStringLiteral("rg"), QStringLiteral("bw")}).save(path));
        const Graph read = test::graphFromText(graph.toStdString() + "o = Neg(x)\noutput o\n");
        const auto folder = inputsFolder(inputsAt(path), read, room.path());
        QCOMPARE(folder.ok() ? contentOf(folder.value()) : QString::fromStdString(english(folder.error().message)),
                 wanted);
    }

    void aTensorOfAnyNameGoesToTheOnlyInput()
    {
        const QTemporaryDir from;
        const QTemporaryDir room;
        const std::array<float, 2> elements = {3, 4};
        const std::string bytes = npyFile(DType::Float32, {2}, std::as_bytes(std::span(elements)));
        for (const char* name : {"other.npy", "input_0.npy"}) {
            QFile file(from.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes.data(), qint64(bytes.size()));
        }
        const Graph graph = test::graphFromText("input x float32[2]\no = Neg(x)\noutput o\n");
        const auto folder = inputsFolder(inputsAt(from.filePath(QStringLiteral("other.npy"))), graph, room.path());
        QVERIFY(folder.ok());
        QCOMPARE(contentOf(folder.value()), QStringLiteral("input_0.npy float32[2]: 3 4"));
        // One that has a name of its own stands for its folder.
        QCOMPARE(inputsAt(from.filePath(QStringLiteral("input_0.npy"))), from.path());
    }
};

QTEST_GUILESS_MAIN(tst_GivenInputs)
#include "tst_given_inputs.moc"
