#include "app/views/plan/plan_canvas.h"
#include "tests/core/picture/picture_samples.h"

#include <QRegularExpression>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

/// Marks of findings over the bars.
class TestPlanMarks : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void findingsOverEachOtherAreHatchedOnce();
};

void TestPlanMarks::findingsOverEachOtherAreHatchedOnce()
{
    const auto painted = [](int times) {
        Report report = test::reportOf({{"a", {0, 9}, 64, 0}, {"b", {2, 7}, 64, 64}});
        for (int i = 0; i < times; ++i)
            report.verdict.findings.push_back(
                {.rule = Rule::Overlap, .arena = ArenaId(std::size_t {0}), .steps = {3, 7}, .bytes = {64, 128}});
        const auto shared = std::make_shared<const Report>(std::move(report));
        PlanCanvas canvas;
        canvas.resize(800, 500);
        canvas.setReport(shared, test::coloursOf(*shared));
        const QImage image = canvas.grab().toImage();
        const PlanViewport& view = canvas.viewport();
        const QRectF marked(QPointF(view.xOf(3), view.yOf(128)), QPointF(view.xOf(7), view.yOf(64)));
        return image.copy(marked.toRect().adjusted(20, 20, -20, -20));
    };
    const QImage once = painted(1);
    QVERIFY(painted(0) != once);
    QCOMPARE(painted(2), once);
}

QTEST_MAIN(TestPlanMarks)
#include "tst_plan_marks.moc"
