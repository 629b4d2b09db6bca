#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_canvas.h"
#include "app/views/plan/plan_marks.h"
#include "core/pipeline/pipeline.h"

#include "tests/core/picture/picture_samples.h"
#include "tests/support/graph_text.h"

#include <QBuffer>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

/// Words over the plan: where they stand, and which give way.
class TestPlanLabels : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void levelsAreNamedAtTheirLines();
    void aBoundThatIsNotKnownIsNotNamed();
    void theCapacityIsNamedInTheCurve();
    void linesRunBeneathNames();
    void rowsAreNamedAndCounted();
    void manyOutlinesAreTheLargest();
    void theLegendGivesWayToTheHeading();
    void theSizeHidesNothingOfTheName();
    void severalCallsAreToldApart();
    void aNameGivesWayToItsRoom();
    void aShortNameKeepsItsNumber();
    void whatIsMissingForAPlanIsSaid();
    void aChainOfShortBarsHasOneName();
    void namesOfShortBarsGiveWayToBadges();
    void noWordOfAnAxisIsCut();
    void namesOfLowArenasGiveWay();
    void aTipBreaksBetweenWords();

private:
    void show(Report report, QSize size);
    [[nodiscard]] QString svg();

    std::unique_ptr<PlanCanvas> m_canvas;
};

void TestPlanLabels::show(Report report, QSize size)
{
    const auto shared = std::make_shared<const Report>(std::move(report));
    m_canvas = std::make_unique<PlanCanvas>();
    m_canvas->resize(size);
    m_canvas->setReport(shared, test::coloursOf(*shared));
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

QString TestPlanLabels::svg()
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(m_canvas->size());
    generator.setViewBox(m_canvas->rect());
    QPainter painter(&generator);
    m_canvas->paint(painter, m_canvas->rect(), m_canvas->looks());
    painter.end();
    return QString::fromUtf8(buffer.data());
}

void TestPlanLabels::levelsAreNamedAtTheirLines()
{
    Report report = test::reportOf({{"a", {0, 9}, 1000, 0}, {"b", {0, 9}, 1000, 1000}});
    report.memory.lowerBoundBytes = report.memory.arenas[0].lowerBoundBytes = 1960;
    show(std::move(report), {700, 300});
    const QString drawn = svg();
    const double near = QFontMetricsF(m_canvas->looks().smallFont).height() + 4;
    for (const auto& [name, byte] : {std::pair("peak 1.95 KiB", 2000.0), std::pair("lower bound 1.91 KiB", 1960.0)}) {
        const QRegularExpression text(QStringLiteral(" y=\"([0-9.]+)\"[^<]*>%1<").arg(QLatin1String(name)));
        const auto match = text.match(drawn);
        QVERIFY2(match.hasMatch(), name);
        const double at = match.captured(1).toDouble();
        const double line = m_canvas->viewport().yOf(byte);
        QVERIFY2(std::abs(at - line) < near,
                 qPrintable(QStringLiteral("%1: at %2, line %3").arg(QLatin1String(name)).arg(at).arg(line)));
    }
}

void TestPlanLabels::aBoundThatIsNotKnownIsNotNamed()
{
    Report report = test::reportOf({{"a", {0, 9}, 1000, 0}, {"b", {0, 9}, 1000, 1000}});
    report.memory.lowerBoundBytes = report.memory.arenas[0].lowerBoundBytes = 0;
    show(std::move(report), {700, 300});
    QVERIFY(svg().contains(QStringLiteral("Peak 1.95 KiB")));
    QVERIFY(!svg().contains(QStringLiteral("bound")));
    m_canvas->setCaption(QStringLiteral("Before"));
    QVERIFY(svg().contains(QStringLiteral("Before: peak 1.95 KiB<")));
}

/// Beside the plan's own: a near one at its line, a far one at the upper edge.
void TestPlanLabels::theCapacityIsNamedInTheCurve()
{
    for (const auto& [capacity, name] : {std::pair(1500, "capacity 1.46 KiB<"), std::pair(2500, "capacity 2.44 KiB<"),
                                         std::pair(1'000'000, "capacity 977 KiB, above<")}) {
        Report report = test::reportOf({{"a", {0, 9}, 1000, 0}, {"b", {0, 9}, 1000, 1000}});
        report.program.map.arenas[0].capacityBytes = capacity;
        show(std::move(report), {700, 500});
        const QString curve = svg().mid(svg().indexOf(QStringLiteral("live bytes")));
        QVERIFY2(curve.contains(QLatin1String(name)), name);
    }
    show(test::reportOf({{"a", {0, 9}, 1000, 0}}), {700, 500});
    QVERIFY(!svg().contains(QStringLiteral("capacity")));
}

void TestPlanLabels::linesRunBeneathNames()
{
    Report report = test::reportOf({{"the-only-name", {0, 9}, 1000, 0}});
    report.memory.lowerBoundBytes = report.memory.arenas[0].lowerBoundBytes = 500; // through the middle of the bar
    show(std::move(report), {700, 300});
    const QString drawn = svg();
    QVERIFY(drawn.contains(QStringLiteral("lower bound 500 B")));
    QVERIFY(drawn.indexOf(QStringLiteral(">the-only-name<")) > drawn.indexOf(QStringLiteral("lower bound 500 B")));
}

void TestPlanLabels::rowsAreNamedAndCounted()
{
    show(test::reportOf({{"first", {0, 9}, 1000, 0, 0},
                         {"second", {3, 9}, 1000, 0, 0, AliasKind::MayBeInPlace},
                         {"third", {0, 9}, 8, 1000, 1}}),
         {700, 400});
    m_canvas->setAxis(PlanAxis::Storages);
    for (const char* name : {"s0<", "s1<", "2 storages<"})
        QVERIFY2(svg().contains(QLatin1String(name)), name);
    m_canvas->setAxis(PlanAxis::Values);
    QVERIFY(svg().contains(QStringLiteral("3 tensors<")));
    QVERIFY(svg().count(QStringLiteral(">second<")) >= 2); // in its row, and beside it
}

void TestPlanLabels::manyOutlinesAreTheLargest()
{
    PlanViewport view;
    view.setWorld(1000, 1000, nullptr);
    view.setArea({0, 0, 1000, 1000});
    view.fit();
    std::vector<GhostBar> ghost(60, {QRectF(10, 10, 1, 1), std::nullopt});
    QCOMPARE(outlinedGhost(ghost, view).size(), std::size_t {60});
    for (int i = 0; i < 300; ++i)
        ghost.push_back({QRectF(i, 20, 10, 10 + i), std::nullopt});
    const std::vector<GhostBar> outlined = outlinedGhost(ghost, view);
    QCOMPARE(outlined.size(), std::size_t {250});
    QVERIFY(std::ranges::all_of(outlined, [](const GhostBar& bar) { return bar.was.height() >= 60; }));
}

void TestPlanLabels::theLegendGivesWayToTheHeading()
{
    Report report = test::reportOf({{"a", {0, 4}, 64, 0, 0}, {"b", {3, 6}, 64, 0, 0, AliasKind::MayBeInPlace}});
    report.memory.peakBytes = 65;
    show(std::move(report), {900, 600});
    const double row = m_canvas->regions().header.height();
    m_canvas->resize(360, 600);
    QVERIFY(m_canvas->regions().header.height() > 1.5 * row);
    QVERIFY(svg().contains(QStringLiteral("above the lower bound 64 B<")));
}

/// An underscore reaches into the line below; what is hatched gets ground beneath its letters.
void TestPlanLabels::theSizeHidesNothingOfTheName()
{
    const auto inkBelow = [&](const char* name) {
        show(test::reportOf({{"x", {0, 3}, 64, 0, 0}, {name, {2, 5}, 64, 0, 0, AliasKind::MayBeInPlace}}), {700, 400});
        const PlanRegions parts = m_canvas->regions();
        const QFontMetricsF metrics(m_canvas->looks().font);
        const QRectF line(m_canvas->viewport().xOf(2) + 4, parts.bars.top(),
                          metrics.horizontalAdvance(QLatin1String("____")), metrics.height() + 60);
        return m_canvas->grab(line.toAlignedRect()).toImage();
    };
    const QImage plain = inkBelow("aaaa");
    const QImage lined = inkBelow("____");
    int longest = 0; // run of pixels in a row that only the underscores have
    for (int y = 0; y < lined.height(); ++y) {
        int run = 0;
        for (int x = 0; x < lined.width(); ++x) {
            run = std::abs(qGray(lined.pixel(x, y)) - qGray(plain.pixel(x, y))) > 20 ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    QVERIFY2(longest > lined.width() * 2 / 3, qPrintable(QString::number(longest)));
}

void TestPlanLabels::severalCallsAreToldApart()
{
    show(test::reportOf({{"a", {0, 9}, 1000, 0}}), {900, 400});
    QVERIFY(!svg().contains(QStringLiteral("ward")));
    PlanRequest request;
    QVERIFY(setPolicy(request.policies, "calls", "train,train").ok());
    show(analyse(test::graphFromText("input x float32[64]\ngrad x\na: va = Sigmoid(x)\nb: vb = Exp(va)\n"
                                     "s: z = ReduceSum(vb) keepdims=0\noutput z\nloss z\n"),
                 request, {})
             .value(),
         {1200, 500});
    const QString drawn = svg();
    QVERIFY(drawn.contains(QStringLiteral(">backward: at most ")));
    QVERIFY(drawn.contains(QStringLiteral(">forward<")));
    QVERIFY(drawn.contains(QStringLiteral(">backward<")));
}

void TestPlanLabels::aNameGivesWayToItsRoom()
{
    PlanScene scene;
    scene.report = std::make_shared<const Report>(test::reportOf({{"encoder/layer/activation_out", {0, 1}, 64, 0}}));
    scene.picture = makePlanPicture(*scene.report, {});
    const PlanBar& bar = scene.picture.bars.front();
    const QFontMetricsF metrics {QFont()};
    const auto nameIn = [&](const char* room) {
        return barName(scene, bar, metrics, metrics.horizontalAdvance(QString::fromLatin1(room)) + 0.5);
    };

    QCOMPARE(nameIn("encoder/layer/activation_out"), QStringLiteral("encoder/layer/activation_out"));
    QCOMPARE(nameIn("activation_out"), QStringLiteral("activation_out"));
    const QString cut = nameIn("activation");
    QVERIFY2(cut.contains(QStringLiteral("…")) && cut.startsWith(u'a') && cut.endsWith(u't'), qPrintable(cut));
    QCOMPARE(nameIn("s0"), QStringLiteral("s0"));
    QCOMPARE(nameIn(""), QString());
    scene.endings.values[QStringLiteral("activation_out")] = 2; // of another layer, too
    QCOMPARE(nameIn("layer/activation_out"), QStringLiteral("layer/activation_out"));
    scene.endings.holders[QStringLiteral("layer")] = 1;
    QCOMPARE(nameIn("layer/activation_ou"), QStringLiteral("layer"));
    scene.namePrefix = QStringLiteral("encoder/"); // what all names share is left out
    QCOMPARE(nameIn("encoder/layer/activation_out"), QStringLiteral("layer/activation_out"));
}

/// Of many of one operator the number tells which it is.
void TestPlanLabels::aShortNameKeepsItsNumber()
{
    PlanScene scene;
    scene.report = std::make_shared<const Report>(test::reportOf({{"add.15", {0, 1}, 64, 0}}));
    scene.picture = makePlanPicture(*scene.report, {});
    const QFontMetricsF metrics {QFont()};
    for (const char* room : {"add.1", "a.15"}) {
        const double width = metrics.horizontalAdvance(QString::fromLatin1(room)) + 0.5;
        const QString name = barName(scene, scene.picture.bars.front(), metrics, width);
        QVERIFY2(name.endsWith(QStringLiteral("15")), qPrintable(name));
    }
}

/// The sizes of inputs can be given, and nothing has to run for that.
void TestPlanLabels::whatIsMissingForAPlanIsSaid()
{
    show(analyse(test::graphFromText("input x float32[4]\na: y = my::Op(x)\nb: z = Relu(y)\noutput z\n"), {}, {})
             .value(),
         {1200, 400});
    const QString drawn = svg();
    QVERIFY2(drawn.contains(QStringLiteral("Nothing is planned yet")), qPrintable(drawn));
    QVERIFY(!drawn.contains(QStringLiteral("belongs to the caller")));
}

/// What goes on in the same bytes has room for a name where none of its parts has.
void TestPlanLabels::aChainOfShortBarsHasOneName()
{
    std::string text = "input x float32[64]\nn0: first = Sigmoid(x)\n";
    std::string last = "first";
    for (int i = 1; i < 20; ++i) {
        const std::string next = "v" + std::to_string(i);
        text += "n" + std::to_string(i) + ": " + next + " = Exp(" + last + ")\n";
        last = next;
    }
    PlanRequest request;
    show(analyse(test::graphFromText(text + "e: y = ReduceSum(" + last + ")\noutput y\n"), request, {}).value(),
         {460, 300});
    const QString drawn = svg();
    QVERIFY(drawn.contains(QStringLiteral(">first<")));
    QVERIFY(!drawn.contains(QRegularExpression(QStringLiteral(">v\\d+<"))));
}

namespace {

/// Where the words of a drawing stand that match, their baselines.
std::vector<QPointF> placesOf(const QString& svg, const QString& words)
{
    std::vector<QPointF> places;
    const QRegularExpression text(QStringLiteral(" x=\"([0-9.-]+)\" y=\"([0-9.-]+)\"[^<]*>(?:%1)<").arg(words));
    for (auto found = text.globalMatch(svg); found.hasNext();) {
        const auto match = found.next();
        places.emplace_back(match.captured(1).toDouble(), match.captured(2).toDouble());
    }
    return places;
}

} // namespace

void TestPlanLabels::namesOfShortBarsGiveWayToBadges()
{
    const auto drawn = [&](int width, bool finding) {
        Report report = test::reportOf(
            {{"early", {0, 5}, 64, 0}, {"twelve", {5, 6}, 64, 0}, {"late", {6, 9}, 64, 0}, {"high", {0, 9}, 320, 64}});
        if (finding)
            report.verdict.findings.push_back({.rule = Rule::Overlap,
                                               .values = {ValueId(std::size_t {1})},
                                               .arena = ArenaId(std::size_t {0}),
                                               .steps = {5, 6},
                                               .bytes = {0, 64}});
        show(std::move(report), {width, 210});
        return svg();
    };
    QVERIFY(drawn(560, false).contains(QStringLiteral(">twelve<")));
    const QString tight = drawn(560, true);
    QVERIFY(!tight.contains(QStringLiteral(">twelve<")));
    QVERIFY(tight.contains(QStringLiteral(">!<")));
    QVERIFY(drawn(1400, true).contains(QStringLiteral(">twelve<")));
}

void TestPlanLabels::noWordOfAnAxisIsCut()
{
    std::vector<test::Row> rows;
    for (int i = 0; i < 1000; ++i)
        rows.push_back({"value" + std::to_string(i), {i, i + 2}, 64, 64 * (i % 3)});
    for (const int height : {400, 407, 414, 421}) {
        show(test::reportOf(rows), {813, height});
        m_canvas->setAxis(PlanAxis::Values);
        const QFontMetricsF metrics(m_canvas->looks().smallFont);
        const QString drawn = svg();
        const std::vector<QPointF> names = placesOf(drawn, QStringLiteral("value\\d+"));
        QVERIFY(names.size() > 3);
        for (const QPointF& name : names)
            QVERIFY(name.y() + metrics.descent() <= m_canvas->viewport().area.bottom() + 1);
        QVERIFY(drawn.contains(QStringLiteral(">800<")));
        QVERIFY(!drawn.contains(QStringLiteral(">1,000<"))); // it would stand half outside
    }
}

void TestPlanLabels::namesOfLowArenasGiveWay()
{
    PlanPicture picture;
    const auto add = [&](const char* title, std::int64_t base, std::int64_t bytes) {
        picture.lanes.push_back({.title = title, .base = base, .bytes = bytes, .extent = bytes});
    };
    add("first", 0, 16);
    add("second", 24, 16);
    add("third", 48, 1500);
    add("fourth", 1580, 500);
    PlanViewport view;
    view.area = {100, 0, 400, 300};
    view.worldBytes = 2100;
    view.bytes = {0, 2100};
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({500, 300});
    QPainter painter(&generator);
    paintByteAxis(painter, {0, 0, 100, 300}, view, picture, makeStyle(Theme::Light, QFont()));
    painter.end();
    const QString axis = QString::fromUtf8(buffer.data());
    QVERIFY(axis.contains(QStringLiteral(">third<")));
    QVERIFY(axis.contains(QStringLiteral(">fourth<")));
    QVERIFY(!axis.contains(QStringLiteral(">second<"))); // it would stand in 'third'
}

void TestPlanLabels::aTipBreaksBetweenWords()
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({400, 300});
    QPainter painter(&generator);
    const QString said =
        QStringLiteral("Node 'layer3' reads 't2' at step 4, after 'layer2' at step 3, which writes 't4'.");
    paintTip(painter, {10, 10}, {0, 0, 200, 300}, {QStringLiteral("t4"), said}, makeStyle(Theme::Light, QFont()));
    painter.end();
    const QRegularExpression text(QStringLiteral(">([^<>]+)</text>"));
    const QStringList words = said.split(u' ');
    int lines = 0;
    for (auto found = text.globalMatch(QString::fromUtf8(buffer.data())); found.hasNext(); ++lines)
        for (const QString& word :
             found.next().captured(1).replace(QStringLiteral("&apos;"), QStringLiteral("'")).trimmed().split(u' '))
            QVERIFY2(word == QStringLiteral("t4") || words.contains(word), qPrintable(word));
    QVERIFY(lines > 3);
}

QTEST_MAIN(TestPlanLabels)
#include "tst_plan_labels.moc"
