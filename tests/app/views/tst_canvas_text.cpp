#include "app/views/canvas_text.h"
#include "app/views/coverage_image.h"
#include "core/graph/graph.h"
#include "tests/support/graph_text.h"

#include <QFontMetricsF>
#include <QRandomGenerator>
#include <QtTest>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::app;

class TestCanvasText : public QObject
{
    Q_OBJECT

private slots:
    void stepTicksAreRound_data();
    void stepTicksAreRound();
    void byteTicksArePowersOfTwo();
    void onlyWholePartsOfNamesAreLeftOut_data();
    void onlyWholePartsOfNamesAreLeftOut();
    void longNamesKeepBothEnds();
    void namesThatEndAlikeAreToldApart();
    void coverageAddsUp();
    void coverageIsNeverMoreThanAll();
    void sliversLeaveATrace();
    void coverageOutsideIsIgnored();
};

void TestCanvasText::stepTicksAreRound_data()
{
    QTest::addColumn<double>("stepsPerPixel");
    QTest::addColumn<double>("tick");
    QTest::newRow("wide steps") << 0.01 << 1.0;
    QTest::newRow("one to one") << 1.0 << 100.0;
    QTest::newRow("between") << 0.3 << 20.0;
    QTest::newRow("a million") << 12345.0 << 1'000'000.0;
}

void TestCanvasText::stepTicksAreRound()
{
    QFETCH(double, stepsPerPixel);
    QFETCH(double, tick);

    QCOMPARE(stepTick(stepsPerPixel, 60), tick);
}

void TestCanvasText::byteTicksArePowersOfTwo()
{
    QCOMPARE(byteTick(1, 50), 64.0);
    QCOMPARE(byteTick(1e-6, 50), 1.0);
    QCOMPARE(byteTick(1024, 64), 65536.0);
}

void TestCanvasText::onlyWholePartsOfNamesAreLeftOut_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<int>("length");
    QTest::newRow("none") << QStringList {} << 0;
    QTest::newRow("one name says itself") << QStringList {"model/a"} << 0;
    QTest::newRow("a common folder") << QStringList {"model/layer1", "model/layer2"} << 6;
    QTest::newRow("a common beginning is no part") << QStringList {"layer1", "layer2"} << 0;
    QTest::newRow("nothing in common") << QStringList {"a/x", "b/x"} << 0;
}

void TestCanvasText::onlyWholePartsOfNamesAreLeftOut()
{
    QFETCH(QStringList, names);
    QFETCH(int, length);
    std::vector<std::string> texts;
    for (const QString& name : names)
        texts.push_back(name.toStdString());

    QCOMPARE(static_cast<int>(commonPrefix(texts)), length);
}

void TestCanvasText::longNamesKeepBothEnds()
{
    const QFontMetricsF metrics {QFont()};
    const QString name = QStringLiteral("encoder_layer_11_attention_output");

    const QString cut = shortened(name, metrics, metrics.horizontalAdvance(name) / 2);

    QVERIFY(cut.startsWith(QStringLiteral("enc")) && cut.endsWith(QStringLiteral("put")));
    QVERIFY(metrics.horizontalAdvance(cut) <= metrics.horizontalAdvance(name) / 2);
    QCOMPARE(shortened(name, metrics, 1e6), name);
    const auto inRoomOf = [&](const char* room) {
        return shortened(QStringLiteral("block12.conv.act"), metrics, metrics.horizontalAdvance(QLatin1String(room)));
    };
    QCOMPARE(inRoomOf("block12.conv.act"), QStringLiteral("block12.conv.act"));
    QCOMPARE(inRoomOf("b12.conv.act"), QStringLiteral("b12.conv.act"));
    QCOMPARE(inRoomOf("b12.c.act"), QStringLiteral("b12.c.act"));
    QVERIFY(inRoomOf("b12.c").contains(u'…'));
    QCOMPARE(shortened(name, metrics, 1), QString());
    const auto initialsIn = [&](const char* room) {
        return wordInitials(QStringLiteral("Conv2d_1_pointwise"), metrics,
                            metrics.horizontalAdvance(QLatin1String(room)));
    };
    QCOMPARE(initialsIn("C_1_pointwise"), QStringLiteral("C_1_pointwise"));
    QCOMPARE(initialsIn("C_1_p"), QStringLiteral("C_1_p"));
    QCOMPARE(initialsIn("C_1"), QString());
    QCOMPARE(wordInitials(QStringLiteral("layer12_norm"), metrics, metrics.horizontalAdvance(QStringLiteral("l12_n"))),
             QStringLiteral("l12_n"));
}

void TestCanvasText::namesThatEndAlikeAreToldApart()
{
    const Graph graph = test::graphFromText("input x float32[4]\na: s/c1/r = Relu(x)\nb: s/c2/r = Relu(s/c1/r)\n"
                                            "c: s/c2/q = Exp(s/c2/r)\nd: y = Exp(s/c2/q)\noutput y\n");
    const NameEndings endings = nameEndings(graph);
    QCOMPARE(tellingEnd(endings, QStringLiteral("s/c1/r")), QStringLiteral("c1"));
    QCOMPARE(tellingEnd(endings, QStringLiteral("s/c2/r")), QStringLiteral("c2/r"));
    QCOMPARE(tellingEnd(endings, QStringLiteral("s/c2/q")), QStringLiteral("q"));
    QCOMPARE(tellingEnd(endings, QStringLiteral("plain")), QStringLiteral("plain"));
}

void TestCanvasText::coverageAddsUp()
{
    CoverageImage image({0, 0, 10, 10}, 1);
    image.add({2, 2, 0.5, 1}, {200, 0, 0});
    image.add({2.5, 2, 0.5, 1}, {0, 0, 200});

    const QRgb pixel = image.toImage().pixel(2, 2);

    QCOMPARE(qAlpha(pixel), 255);
    QCOMPARE(qRed(pixel), 100);
    QCOMPARE(qBlue(pixel), 100);
    QCOMPARE(qAlpha(image.toImage().pixel(4, 4)), 0);
}

/// However many overlap: a pixel is covered once at most, and has that share of the colour that all of them have.
void TestCanvasText::coverageIsNeverMoreThanAll()
{
    constexpr int Width = 6;
    constexpr int Height = 60;
    CoverageImage image({0, 0, Width, Height}, 1);
    std::vector<double> covered(static_cast<std::size_t>(Width * Height));
    QRandomGenerator dice(5);
    for (int i = 0; i < 3000; ++i) {
        const int x = dice.bounded(Width);
        const int top = dice.bounded(Height - 1);
        const int height = 1 + dice.bounded(i < 1500 ? 3 : Height - top);
        const double share = (1 + dice.bounded(8)) / 16.0;
        image.add({double(x), double(top), share, double(std::min(height, Height - top))}, {200, 0, 100});
        for (int y = top; y < std::min(top + height, Height); ++y)
            covered[static_cast<std::size_t>(y * Width + x)] += share;
    }
    const QImage drawn = image.toImage();
    for (int y = 0; y < Height; ++y) {
        for (int x = 0; x < Width; ++x) {
            const QRgb pixel = drawn.pixel(x, y);
            const double share = std::min(1.0, covered[static_cast<std::size_t>(y * Width + x)]);
            const double alpha = share == 0 ? 0 : 128 + 127 * share;
            QVERIFY2(std::abs(qAlpha(pixel) - alpha) <= 2, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            QVERIFY(std::abs(qRed(pixel) - 200 * qAlpha(pixel) / 255) <= 2);
            QVERIFY(std::abs(qBlue(pixel) - 100 * qAlpha(pixel) / 255) <= 2);
        }
    }
}

void TestCanvasText::sliversLeaveATrace()
{
    CoverageImage image({0, 0, 10, 10}, 2);
    image.add({3, 3, 1e-7, 1e-7}, {10, 20, 30});

    QVERIFY(qAlpha(image.toImage().pixel(6, 6)) >= 128); // to be seen, as light as it may be
}

void TestCanvasText::coverageOutsideIsIgnored()
{
    CoverageImage image({0, 0, 10, 10}, 1);
    image.add({-50, -50, 20, 20}, {1, 1, 1});
    image.add({50, 2, 20, 2}, {1, 1, 1});
    QVERIFY(image.empty());

    image.add({-50, -50, 200, 200}, {1, 1, 1});
    QCOMPARE(qAlpha(image.toImage().pixel(9, 9)), 255);
}

QTEST_MAIN(TestCanvasText)
#include "tst_canvas_text.moc"
