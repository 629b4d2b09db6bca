#include "app/views/graph/graph_canvas.h"
#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "tests/app/support/word_ground.h"
#include "tests/core/picture/picture_samples.h"

#include <QRegularExpression>
#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Values in place, views and a scratch of the caller, over few steps: bars and boxes are wide enough for words.
Report sample()
{
    Report report = test::reportOf({{"in", {0, 2}, 256, 0, 0, AliasKind::Fresh, true},
                                    {"a", {0, 3}, 4096, 0, 1},
                                    {"b", {2, 5}, 4096, 0, 1, AliasKind::MayBeInPlace},
                                    {"c", {1, 6}, 4096, 4096, 2},
                                    {"d", {5, 8}, 4096, 4096, 2, AliasKind::View},
                                    {"e", {3, 8}, 2048, 8192, 3}});
    report.memory.peakBytes = 10'240;
    return report;
}

Rgb rgb(QRgb pixel)
{
    return {static_cast<std::uint8_t>(qRed(pixel)), static_cast<std::uint8_t>(qGreen(pixel)),
            static_cast<std::uint8_t>(qBlue(pixel))};
}

/// Of all but a tenth of the pixels: a line that a word crosses does not make it hard to read.
double leastContrast(const test::PaintedWords& words)
{
    std::vector<double> all;
    for (int y = 0; y < words.ground.height(); ++y)
        for (int x = 0; x < words.ground.width(); ++x) {
            const Rgb below = rgb(words.ground.pixel(x, y));
            all.push_back(contrast(below, mix(below, rgb(words.colour.rgb()), words.colour.alphaF())));
        }
    const auto tenth = all.begin() + std::ssize(all) / 10;
    std::ranges::nth_element(all, tenth);
    return *tenth;
}

} // namespace

/// Words of pictures against what is really painted below them.
class LegibleWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everyWordCanBeRead_data();
    void everyWordCanBeRead();
    void hatchesEndBehindWords();
};

void LegibleWordsTest::everyWordCanBeRead_data()
{
    QTest::addColumn<int>("theme");
    QTest::addColumn<int>("picked"); ///< -1: nothing, so that nothing is dimmed.
    const std::pair<const char*, Theme> themes[] = {
        {"light", Theme::Light}, {"dark", Theme::Dark}, {"contrast", Theme::Contrast}};
    for (const auto& [name, theme] : themes) {
        QTest::addRow("%s", name) << static_cast<int>(theme) << -1;
        QTest::addRow("%s, dimmed", name) << static_cast<int>(theme) << 5;
    }
}

void LegibleWordsTest::everyWordCanBeRead()
{
    QFETCH(int, theme);
    QFETCH(int, picked);
    const auto report = std::make_shared<const Report>(sample());
    PlanCanvas plan;
    LiveRangeCanvas live;
    GraphCanvas graph;
    for (Canvas* canvas : std::initializer_list<Canvas*> {&plan, &live, &graph}) {
        canvas->resize(900, 700);
        canvas->setTheme(static_cast<Theme>(theme));
        canvas->setReport(report, test::coloursOf(*report));
        canvas->show();
        QVERIFY(QTest::qWaitForWindowExposed(canvas));
        if (canvas == &graph) QTRY_VERIFY_WITH_TIMEOUT(graph.drawing(), 20'000);
        canvas->fit();
        if (picked >= 0) canvas->setSelection(Focus::on(ValueId(static_cast<std::size_t>(picked))));
        test::WordGround ground(canvas->size());
        QPainter painter(&ground);
        canvas->paint(painter, canvas->rect(), canvas->looks());
        painter.end();
        QVERIFY(ground.words().size() > 8);
        for (const test::PaintedWords& words : ground.words())
            QVERIFY2(leastContrast(words) >= canvas->looks().leastContrast(),
                     qPrintable(QStringLiteral("%1 of %2: %3, %4 on %5")
                                    .arg(words.text, QString::fromLatin1(canvas->metaObject()->className()))
                                    .arg(leastContrast(words))
                                    .arg(words.colour.name(QColor::HexArgb), QColor(words.ground.pixel(0, 0)).name())));
    }
}

void LegibleWordsTest::hatchesEndBehindWords()
{
    const auto report = std::make_shared<const Report>(sample());
    GraphCanvas graph;
    graph.resize(900, 700);
    graph.setReport(report, test::coloursOf(*report));
    graph.show();
    QVERIFY(QTest::qWaitForWindowExposed(&graph));
    QTRY_VERIFY_WITH_TIMEOUT(graph.drawing(), 20'000);
    graph.fit();
    test::WordGround ground(graph.size());
    QPainter painter(&ground);
    graph.paint(painter, graph.rect(), graph.looks());
    painter.end();
    const auto named = std::ranges::find(ground.words(), QStringLiteral("node2"), &test::PaintedWords::text);
    QVERIFY(named != ground.words().end());
    for (int y = 0; y < named->ground.height(); ++y)
        for (int x = 0; x < named->ground.width(); ++x)
            QCOMPARE(named->ground.pixelColor(x, y), named->ground.pixelColor(0, 0));
}

QTEST_MAIN(LegibleWordsTest)
#include "tst_legible_words.moc"
