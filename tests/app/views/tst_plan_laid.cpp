#include "app/views/plan/plan_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QPainter>
#include <QtTest>

#include <functional>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const Focus Picked = Focus::on(ValueId(std::size_t {17}));

/// What a canvas undergoes, between the moment at which its bars begin to be laid and that at which it is painted.
using Change = std::function<void(PlanCanvas& canvas)>;

/// What lies over the bars moves, and is left out.
QImage barsOf(const QImage& picture, const PlanCanvas& canvas)
{
    return picture.copy(canvas.regions().bars.toAlignedRect()).convertToFormat(QImage::Format_RGB32);
}

QImage seenBars(PlanCanvas& canvas)
{
    return barsOf(canvas.grab().toImage(), canvas);
}

/// Its bars are not laid beforehand.
QImage paintedAnew(const PlanCanvas& canvas)
{
    PlanScene scene = canvas.scene();
    scene.laid = nullptr;
    QImage image(canvas.size() * canvas.devicePixelRatioF(), QImage::Format_RGB32);
    image.setDevicePixelRatio(canvas.devicePixelRatioF());
    QPainter painter(&image);
    painter.fillRect(canvas.rect(), toColor(canvas.looks().palette->panel));
    paintPlan(painter, canvas.regions(), scene, canvas.viewport(), canvas.looks());
    painter.end();
    return barsOf(image, canvas);
}

std::shared_ptr<const LaidBars> laidAsSeen(const PlanCanvas& canvas)
{
    return layBars(canvas.scene(), canvas.viewport(), canvas.looks(), canvas.devicePixelRatioF());
}

/// Tells when its worker begins with a picture.
class WatchedCanvas : public PlanCanvas
{
public:
    using PlanCanvas::m_jobs;
};

} // namespace

class TestPlanLaid : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_canvas.reset(); }

    void aLargePlanIsLaidBeforeItIsPainted_data();
    void aLargePlanIsLaidBeforeItIsPainted();
    void aSmallOneIsShownAtOnce();
    void whatIsLaidForAnotherViewIsNotPainted_data();
    void whatIsLaidForAnotherViewIsNotPainted();
    void whatIsLaidForAnotherReportIsDropped();

private:
    std::shared_ptr<const Report> give(std::size_t values, std::uint32_t seed = 1)
    {
        const auto report = std::make_shared<const Report>(test::randomReport(values, seed));
        m_canvas->setReport(report, test::coloursOf(*report));
        return report;
    }
    /// Calls it once the worker has the bars to lay.
    void onceLaying(const Change& change)
    {
        connect(&m_canvas->m_jobs, &JobRunner::started, this, [this, change, begun = 0]() mutable {
            if (++begun == 2) change(*m_canvas); // the picture was first
        });
    }

    std::unique_ptr<WatchedCanvas> m_canvas;
};

void TestPlanLaid::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_canvas = std::make_unique<WatchedCanvas>();
    m_canvas->resize(900, 600);
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

void TestPlanLaid::aLargePlanIsLaidBeforeItIsPainted_data()
{
    QTest::addColumn<Change>("change");
    QTest::newRow("everything") << Change([](PlanCanvas&) {});
    QTest::newRow("a value is picked") << Change([](PlanCanvas& canvas) { canvas.setSelection(Picked); });
    QTest::newRow("dark") << Change([](PlanCanvas& canvas) { canvas.setTheme(Theme::Dark); });
    QTest::newRow("some steps") << Change([](PlanCanvas& canvas) { canvas.showSteps({100, 50}); });
    QTest::newRow("one of two") << Change([](PlanCanvas& canvas) { canvas.setCaption(QStringLiteral("A")); });
    QTest::newRow("quiet steps are narrow")
        << Change([](PlanCanvas& canvas) { canvas.setStepAxis({.compact = true}); });
}

void TestPlanLaid::aLargePlanIsLaidBeforeItIsPainted()
{
    QFETCH(Change, change);
    const auto report = give(6000);
    change(*m_canvas);
    QTRY_VERIFY(m_canvas->scene().report == report);

    QVERIFY(m_canvas->scene().laid);
    QCOMPARE(laidAsSeen(*m_canvas), m_canvas->scene().laid);
    QCOMPARE(seenBars(*m_canvas), paintedAnew(*m_canvas));

    QTest::keyClick(m_canvas.get(), Qt::Key_W);
    QVERIFY(laidAsSeen(*m_canvas) != m_canvas->scene().laid);
    QCOMPARE(seenBars(*m_canvas), paintedAnew(*m_canvas));
}

void TestPlanLaid::aSmallOneIsShownAtOnce()
{
    const auto report = give(50);

    QCOMPARE(m_canvas->scene().report, report);
    QVERIFY(!m_canvas->scene().laid);
    QCOMPARE(seenBars(*m_canvas), paintedAnew(*m_canvas));
}

void TestPlanLaid::whatIsLaidForAnotherViewIsNotPainted_data()
{
    QTest::addColumn<Change>("change");
    QTest::newRow("larger") << Change([](PlanCanvas& canvas) { canvas.resize(1000, 700); });
    QTest::newRow("dark") << Change([](PlanCanvas& canvas) { canvas.setTheme(Theme::Dark); });
    QTest::newRow("a value is picked") << Change([](PlanCanvas& canvas) { canvas.setSelection(Picked); });
    QTest::newRow("some steps") << Change([](PlanCanvas& canvas) { canvas.showSteps({100, 50}); });
}

void TestPlanLaid::whatIsLaidForAnotherViewIsNotPainted()
{
    QFETCH(Change, change);
    onceLaying(change);
    const auto report = give(6000);
    QTRY_VERIFY(m_canvas->scene().report == report);

    QVERIFY(m_canvas->scene().laid);
    QVERIFY(laidAsSeen(*m_canvas) != m_canvas->scene().laid);
    QCOMPARE(seenBars(*m_canvas), paintedAnew(*m_canvas));
}

void TestPlanLaid::whatIsLaidForAnotherReportIsDropped()
{
    std::shared_ptr<const Report> other;
    onceLaying([&](PlanCanvas&) { other = give(7000, 2); });
    QStringList said;
    connect(m_canvas.get(), &Canvas::statusChanged, this, [&](const QString& text) {
        if (text.isEmpty()) QCOMPARE(m_canvas->scene().report, other); // it is drawn only when that one is
        said << text;
    });

    give(6000);
    QTRY_VERIFY(said.contains(QString()));

    QVERIFY(other && m_canvas->scene().report == other);
    QCOMPARE(laidAsSeen(*m_canvas), m_canvas->scene().laid);
    QCOMPARE(seenBars(*m_canvas), paintedAnew(*m_canvas));
}

QTEST_MAIN(TestPlanLaid)
#include "tst_plan_laid.moc"
