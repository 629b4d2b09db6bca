#include "app/views/plan/plan_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QAccessible>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QWheelEvent>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

Q_DECLARE_METATYPE(plimsoll::Focus)

namespace {

//  bytes
//   128 |       +---c---+
//    64 | +--a-+=b==+-d--+
//     0 +-0----3----6----9-> step     b is written over a
Report fourValues()
{
    return test::reportOf({{"a", {0, 4}, 64, 0, 0},
                           {"b", {3, 6}, 64, 0, 0, AliasKind::MayBeInPlace},
                           {"c", {3, 7}, 64, 64},
                           {"d", {6, 9}, 64, 0}});
}

const ValueId A(std::size_t {0});
const ValueId C(std::size_t {2});
const ValueId D(std::size_t {3});

} // namespace

class TestPlanCanvas : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_canvas.reset(); }

    void aClickPicksTheTopmostBar();
    void aClickOnAFindingPicksIt();
    void aClickOnTheRulerMovesTheStep();
    void draggingPansAndPicksNothing();
    void theWheelZoomsAboutThePointer_data();
    void theWheelZoomsAboutThePointer();
    void keysZoomAndPan_data();
    void keysZoomAndPan();
    void bracketsAskForTheStepBeside();
    void arrowsGoToNeighbours_data();
    void arrowsGoToNeighbours();
    void framingTwiceFits();
    void theStripMovesTheWindow();
    void hoveringSaysWhatIsThere();
    void aRunIsSeenBesideThePlan();
    void everyStorageHasItsColour();
    void selectionDimsTheOthers();
    void findingsAreNeverTooSmallToSee();
    void whatIsHoveredEndsWhereAMenuOpens();
    void aPickOutOfViewComesIntoIt();
    void bothPartnersOfAWarningAreFramed();
    void withoutAReportItSaysWhy();
    void replacingTheReportKeepsTheView();
    void svgHasShapesAndNames();
    void screenReadersHearTheSelection();
    void themesDiffer();

private:
    void give(Report report)
    {
        const auto shared = std::make_shared<const Report>(std::move(report));
        m_canvas->setReport(shared, test::coloursOf(*shared));
        QTRY_VERIFY(m_canvas->scene().report == shared); // a large one is drawn by the worker
    }
    [[nodiscard]] QPoint at(double step, double byte) const
    {
        return QPointF(m_canvas->viewport().xOf(step), m_canvas->viewport().yOf(byte)).toPoint();
    }
    [[nodiscard]] QColor colourAt(double step, double byte) const
    {
        return m_canvas->grab().toImage().pixelColor(at(step, byte));
    }
    void turnWheel(QPoint position, int units, Qt::KeyboardModifiers modifiers)
    {
        QWheelEvent event(position, m_canvas->mapToGlobal(position), {}, {0, units}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_canvas.get(), &event);
    }

    std::unique_ptr<PlanCanvas> m_canvas;
};

void TestPlanCanvas::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<PlanCanvas>();
    m_canvas->resize(900, 600);
    give(fourValues());
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

void TestPlanCanvas::aClickPicksTheTopmostBar()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(3.5, 30));
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][0].value<Focus>().samePick(Focus::on(ValueId(std::size_t {1}))));
}

void TestPlanCanvas::aClickOnAFindingPicksIt()
{
    Report report = fourValues();
    report.verdict.findings.push_back(
        {.rule = Rule::Overlap, .arena = ArenaId(std::size_t {0}), .steps = {7, 9}, .bytes = {0, 32}});
    give(std::move(report));
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(8, 16));
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(8, 48));
    QVERIFY(spy[0][0].value<Focus>() == Focus::onFinding(0));
    QVERIFY(spy[1][0].value<Focus>().samePick(Focus::on(D)));
}

void TestPlanCanvas::aClickOnTheRulerMovesTheStep()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::stepChanged);
    const int y = static_cast<int>(m_canvas->regions().ruler.center().y());

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPoint(at(5.5, 0).x(), y));

    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy[0][0].toLongLong(), 5);
}

void TestPlanCanvas::draggingPansAndPicksNothing()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const QPoint from = at(4, 60);
    const double step = m_canvas->viewport().stepAt(from.x());

    QTest::mousePress(m_canvas.get(), Qt::LeftButton, {}, from);
    QTest::mouseMove(m_canvas.get(), from + QPoint(-40, 0));
    QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, {}, from + QPoint(-40, 0));

    QVERIFY(spy.isEmpty());
    QVERIFY(qAbs(m_canvas->viewport().stepAt(from.x() - 40) - step) < 1e-6);
}

void TestPlanCanvas::theWheelZoomsAboutThePointer_data()
{
    QTest::addColumn<int>("modifier");
    QTest::addColumn<bool>("steps");
    QTest::addColumn<bool>("bytes");
    QTest::newRow("both") << int(Qt::NoModifier) << true << true;
    QTest::newRow("Ctrl: steps") << int(Qt::ControlModifier) << true << false;
    QTest::newRow("Shift: bytes") << int(Qt::ShiftModifier) << false << true;
}

void TestPlanCanvas::theWheelZoomsAboutThePointer()
{
    QFETCH(int, modifier);
    QFETCH(bool, steps);
    QFETCH(bool, bytes);
    const PlanViewport before = m_canvas->viewport();
    const QPoint pointer = at(4, 60);

    turnWheel(pointer, 240, Qt::KeyboardModifiers(modifier));

    const PlanViewport& after = m_canvas->viewport();
    QCOMPARE(after.steps.span < before.steps.span, steps);
    QCOMPARE(after.bytes.span < before.bytes.span, bytes);
    QVERIFY(qAbs(after.stepAt(pointer.x()) - before.stepAt(pointer.x())) < 1e-6);
    QVERIFY(qAbs(after.byteAt(pointer.y()) - before.byteAt(pointer.y())) < 1e-6);
}

void TestPlanCanvas::keysZoomAndPan_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifier");
    QTest::addColumn<QString>("effect");
    QTest::newRow("W") << int(Qt::Key_W) << int(Qt::NoModifier) << "fewer steps";
    QTest::newRow("S") << int(Qt::Key_S) << int(Qt::NoModifier) << "more steps";
    QTest::newRow("A") << int(Qt::Key_A) << int(Qt::NoModifier) << "earlier";
    QTest::newRow("D") << int(Qt::Key_D) << int(Qt::NoModifier) << "later";
    QTest::newRow("Shift+W") << int(Qt::Key_W) << int(Qt::ShiftModifier) << "fewer bytes";
    QTest::newRow("Shift+S") << int(Qt::Key_S) << int(Qt::ShiftModifier) << "more bytes";
}

void TestPlanCanvas::keysZoomAndPan()
{
    QFETCH(int, key);
    QFETCH(int, modifier);
    QFETCH(QString, effect);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_W);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_W, Qt::ShiftModifier);
    const PlanViewport before = m_canvas->viewport();

    QTest::keyClick(m_canvas.get(), Qt::Key(key), Qt::KeyboardModifiers(modifier));

    const PlanViewport& after = m_canvas->viewport();
    QStringList effects;
    if (after.steps.span < before.steps.span) effects << QStringLiteral("fewer steps");
    if (after.steps.span > before.steps.span) effects << QStringLiteral("more steps");
    if (after.bytes.span < before.bytes.span) effects << QStringLiteral("fewer bytes");
    if (after.bytes.span > before.bytes.span) effects << QStringLiteral("more bytes");
    if (after.steps.span == before.steps.span && after.steps.first < before.steps.first)
        effects << QStringLiteral("earlier");
    if (after.steps.span == before.steps.span && after.steps.first > before.steps.first)
        effects << QStringLiteral("later");
    QCOMPARE(effects, QStringList(effect));
}

void TestPlanCanvas::bracketsAskForTheStepBeside()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::stepAsked);

    QTest::keyClick(m_canvas.get(), Qt::Key_BracketRight);
    QTest::keyClick(m_canvas.get(), Qt::Key_BracketLeft);

    QCOMPARE(spy.size(), 2);
    QCOMPARE(spy[0][0].toInt(), 1);
    QCOMPARE(spy[1][0].toInt(), -1);
}

void TestPlanCanvas::arrowsGoToNeighbours_data()
{
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("to"); // -1: stays
    QTest::newRow("from nothing to the first") << -1 << int(Qt::Key_Right) << 0;
    QTest::newRow("a, right") << 0 << int(Qt::Key_Right) << 1;
    QTest::newRow("b, right") << 1 << int(Qt::Key_Right) << 3;
    QTest::newRow("d, left") << 3 << int(Qt::Key_Left) << 1;
    QTest::newRow("a, up") << 0 << int(Qt::Key_Up) << 2;
    QTest::newRow("c, up") << 2 << int(Qt::Key_Up) << -1;
}

void TestPlanCanvas::arrowsGoToNeighbours()
{
    QFETCH(int, from);
    QFETCH(int, key);
    QFETCH(int, to);
    if (from >= 0) m_canvas->setSelection(Focus::on(ValueId(std::int32_t {from})));
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::keyClick(m_canvas.get(), Qt::Key(key));

    QCOMPARE(spy.size(), to < 0 ? 0 : 1);
    if (to >= 0) QVERIFY(spy[0][0].value<Focus>() == Focus::on(ValueId(std::int32_t {to})));
}

void TestPlanCanvas::framingTwiceFits()
{
    give(test::randomReport(300, 2));
    const AxisWindow all = m_canvas->viewport().steps;
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {101})));

    QTest::keyClick(m_canvas.get(), Qt::Key_F);
    const AxisWindow framed = m_canvas->viewport().steps;
    QTest::keyClick(m_canvas.get(), Qt::Key_F);

    QVERIFY(framed.span < all.span);
    QVERIFY(framed.first <= 101 && framed.last() >= 102);
    QVERIFY(m_canvas->viewport().steps == all);
}

void TestPlanCanvas::theStripMovesTheWindow()
{
    give(test::randomReport(300, 2));
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const QRectF strip = m_canvas->regions().strip;

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {},
                      QPointF(strip.left() + strip.width() * 0.75, strip.center().y()).toPoint());

    const AxisWindow seen = m_canvas->viewport().steps;
    QVERIFY(qAbs(seen.first + seen.span / 2 - 225) < 2);
}

void TestPlanCanvas::hoveringSaysWhatIsThere()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::hovered);
    QTest::mouseMove(m_canvas.get(), at(5, 100));
    QTest::mouseMove(m_canvas.get(), at(5, 90));
    QTest::mouseMove(m_canvas.get(), at(1, 120));
    QCOMPARE(spy.size(), 2);
    QVERIFY(spy[0][0].toString().contains(QStringLiteral("steps [3, 7)")));
    QCOMPARE(spy[1][0].toString(), QString());
}

void TestPlanCanvas::aRunIsSeenBesideThePlan()
{
    const QRectF curve = m_canvas->regions().curve;
    const auto colourOf = [&](double step, double bytes) {
        const double y = curve.bottom() - bytes / 1.08 / double(m_canvas->scene().picture.peakBytes) * curve.height();
        return m_canvas->grab().toImage().pixelColor(int(m_canvas->viewport().xOf(step)), int(y));
    };
    const QColor before = colourOf(4.5, 96);
    QSignalSpy spy(m_canvas.get(), &Canvas::hovered);
    RunResult run {.stepMs = {0.5, 0, 0, 0, 0.25, 0, 0, 0, 0}};
    run.bytesInUse = {{"cpu", {0, 0, 0, 0, 64, 0, 0, 0, 0}}, {"cuda:0", {0, 0, 0, 0, 32, 0, 0, 0, 0}}};
    m_canvas->setRun(std::make_shared<const RunResult>(run));
    QVERIFY(colourOf(4.5, 96) != before);
    QTest::mouseMove(m_canvas.get(), QPoint(int(m_canvas->viewport().xOf(4.5)), int(curve.center().y())));
    QCOMPARE(spy.back().front().toString(),
             QStringLiteral("measured: 0.25 ms, 64 B in use in cpu, 32 B in use in cuda:0"));
    const QColor empty = colourOf(4.5, 112);
    run.held = {{.space = "cuda:0", .steps = {0, 0, 0, 0, 48, 0, 0, 0, 0}}};
    m_canvas->setRun(std::make_shared<const RunResult>(run));
    QVERIFY(colourOf(4.5, 112) != empty); // 64 in cpu and 48 held
    QTest::mouseMove(m_canvas.get(), QPoint(int(m_canvas->viewport().xOf(4.4)), int(curve.center().y())));
    QVERIFY2(spy.back().front().toString().endsWith(QStringLiteral("32 B in use in cuda:0, which held 48 B")),
             qPrintable(spy.back().front().toString()));
    m_canvas->setRun(nullptr);
    QCOMPARE(colourOf(4.5, 96), before);
}

void TestPlanCanvas::everyStorageHasItsColour()
{
    const StorageColours colours = colourStorages(m_canvas->report()->program);
    const Palette& palette = *m_canvas->looks().palette;

    QCOMPARE(colourAt(1.5, 20), toColor(palette.storages[colours[0]]));
    QCOMPARE(colourAt(5.5, 80), toColor(palette.storages[colours[1]]));
    QCOMPARE(colourAt(1.5, 100), toColor(palette.background));
}

void TestPlanCanvas::selectionDimsTheOthers()
{
    const QColor before = colourAt(1.5, 20);
    const QColor picked = colourAt(5.5, 80);

    m_canvas->setSelection(Focus::on(C));

    QVERIFY(colourAt(1.5, 20) != before);
    QCOMPARE(colourAt(5.5, 80), picked);
}

void TestPlanCanvas::findingsAreNeverTooSmallToSee()
{
    Report report = test::randomReport(20'000, 2);
    report.verdict.findings.push_back(
        {.rule = Rule::Overlap, .arena = ArenaId(std::size_t {0}), .steps = {9000, 9001}, .bytes = {0, 1}});
    give(std::move(report));
    const QImage image = m_canvas->grab().toImage();
    const QColor red = toColor(m_canvas->looks().palette->violation);

    int pixels = 0;
    const QRect around(at(9000, 0) - QPoint(8, 8), QSize(16, 16));
    for (int y = around.top(); y < around.bottom(); ++y) {
        for (int x = around.left(); x < around.right(); ++x)
            pixels += image.pixelColor(x, y) == red;
    }

    QVERIFY2(pixels >= 16, qPrintable(QString::number(pixels)));
}

/// Its box would stand beside the menu.
void TestPlanCanvas::whatIsHoveredEndsWhereAMenuOpens()
{
    QSignalSpy hovered(m_canvas.get(), &Canvas::hovered);
    QSignalSpy menus(m_canvas.get(), &Canvas::menuRequested);
    QTest::mouseMove(m_canvas.get(), at(5, 100));
    QTRY_COMPARE(hovered.size(), 1);
    QContextMenuEvent menu(QContextMenuEvent::Mouse, at(5, 100), m_canvas->mapToGlobal(at(5, 100)));
    QCoreApplication::sendEvent(m_canvas.get(), &menu);
    QCOMPARE(menus.size(), 1);
    QCOMPARE(hovered.last()[0].toString(), QString());
}

void TestPlanCanvas::aPickOutOfViewComesIntoIt()
{
    give(test::randomReport(300, 2));
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const AxisWindow before = m_canvas->viewport().steps;
    QVERIFY(before.first > 10);
    m_canvas->setSelection(Focus::on(ValueId(std::size_t {1})));
    QVERIFY(m_canvas->viewport().steps.first <= 2);
    m_canvas->setSelection(Focus::atStep(299));
    QVERIFY(m_canvas->viewport().steps.last() >= 299);
    QCOMPARE(m_canvas->viewport().steps.span, before.span);
}

void TestPlanCanvas::bothPartnersOfAWarningAreFramed()
{
    const auto framed = [&](double step, double byte) {
        const QColor colour = toColor(m_canvas->looks().palette->warning);
        const QImage image = m_canvas->grab().toImage();
        const int x = at(step, byte).x();
        for (int y = at(step, byte).y() - 6; y < at(step, byte).y() + 6; ++y) {
            if (image.pixelColor(x, y) == colour) return true;
        }
        return false;
    };
    QVERIFY(!framed(1.5, 64));
    Report report = fourValues();
    report.verdict.findings.push_back({.rule = Rule::OutputAliasing,
                                       .severity = Severity::Warning,
                                       .values = {A, D},
                                       .arena = ArenaId(std::size_t {0}),
                                       .steps = {7, 9},
                                       .bytes = {0, 64}});
    give(std::move(report));

    QVERIFY(framed(1.5, 64));
    QVERIFY(framed(8, 64));
}

void TestPlanCanvas::withoutAReportItSaysWhy()
{
    m_canvas->setEmptyText(QStringLiteral("Nothing here"));
    m_canvas->setReport(nullptr, nullptr);
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);

    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, QPoint(400, 300));
    QTest::keyClick(m_canvas.get(), Qt::Key_F);
    QTest::keyClick(m_canvas.get(), Qt::Key_Right);
    turnWheel({400, 300}, 120, Qt::NoModifier);
    const QImage image = m_canvas->grab().toImage();

    QVERIFY(spy.isEmpty());
    QCOMPARE(m_canvas->selectionText(), QStringLiteral("Nothing here"));
    QCOMPARE(image.pixelColor(20, 20), toColor(m_canvas->looks().palette->panel));
}

void TestPlanCanvas::replacingTheReportKeepsTheView()
{
    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    const AxisWindow steps = m_canvas->viewport().steps;

    give(fourValues());
    QVERIFY(m_canvas->viewport().steps == steps);

    give(test::randomReport(50, 1));
    QVERIFY(m_canvas->viewport().steps != steps);
}

void TestPlanCanvas::svgHasShapesAndNames()
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize({800, 500});
    generator.setViewBox(QRect(0, 0, 800, 500));
    QPainter painter(&generator);
    m_canvas->paint(painter, QRectF(0, 0, 800, 500), makeStyle(Theme::Light, m_canvas->font()));
    painter.end();

    const QByteArray svg = buffer.data();
    QVERIFY(svg.count("<rect") + svg.count("<path") > 10);
    QVERIFY(svg.contains("Softmax"));
    QVERIFY(svg.contains("lower bound") || svg.contains("peak"));
}

void TestPlanCanvas::screenReadersHearTheSelection()
{
    m_canvas->setSelection(Focus::on(A));
    QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(m_canvas.get());

    QVERIFY(heard);
    QCOMPARE(heard->text(QAccessible::Name), QStringLiteral("Plan"));
    QVERIFY(heard->text(QAccessible::Description).startsWith(QStringLiteral("a of 64 B, in storage 0")));
    QCOMPARE(heard->text(QAccessible::Value),
             QStringLiteral("a of 64 B, in storage 0 of 64 B, values: 2, steps [0, 6); it has bytes [0x0, 0x40), "
                            "steps [0, 4)"));
    Focus atStep = Focus::on(A);
    atStep.step = 2;
    m_canvas->setSelection(atStep); // as [ and ] do
    QVERIFY2(heard->text(QAccessible::Description).contains(QStringLiteral(". step 2 of ")),
             qPrintable(heard->text(QAccessible::Description)));
    QVERIFY(heard->text(QAccessible::Value).endsWith(QStringLiteral(" alive")));
    m_canvas->setSelection(Focus::on(A));
    QCOMPARE(heard->role(), QAccessible::Graphic);
}

void TestPlanCanvas::themesDiffer()
{
    const QColor light = colourAt(1.5, 20);
    m_canvas->setTheme(Theme::Dark);

    QVERIFY(colourAt(1.5, 20) != light);
    QCOMPARE(colourAt(1.5, 100), toColor(palette(Theme::Dark).background));
}

QTEST_MAIN(TestPlanCanvas)
#include "tst_plan_canvas.moc"
