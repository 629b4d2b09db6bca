#include "app/session/job_tag.h"
#include "app/views/colour_key_bar.h"
#include "app/views/graph/graph_canvas.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/core/picture/picture_samples.h"

#include <QAction>
#include <QStandardPaths>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

std::shared_ptr<const RunResult> runOf(const Report& report)
{
    auto run = std::make_shared<RunResult>();
    run->stepMs.assign(static_cast<std::size_t>(report.program.schedule.length()), 0.25);
    return run;
}

} // namespace

/// The pictures side by side.
class CanvasTabsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void coloursByTimeComeWithTheRun()
    {
        test::OpenWindow app;
        app.bench.costs.setEnabled(false);
        app.window.show();
        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        app.window.actions().at("colour.time")->trigger();
        QVERIFY(app.ready());
        const auto* key = app.child<ColourKeyBar>("colourKey");
        QCOMPARE(key->toolTip(), QStringLiteral("No times: the plan was not run"));
        const auto* graph = static_cast<const GraphCanvas*>(app.window.panes().picture(QStringLiteral("graph")));
        const auto bare = [&] { return std::ranges::count(graph->drawing()->valueColours, NoColour); };
        const auto all = std::ssize(app.bench.session.report()->program.values);
        app.window.showView(QStringLiteral("graph"));
        QVERIFY(app.ready());
        QCOMPARE(bare(), all);

        app.bench.session.setRun(runOf(*app.bench.session.report()));

        QTRY_VERIFY(app.window.settled() && bare() < all);
        QVERIFY2(key->toolTip().startsWith(QStringLiteral("100 µs to 251 µs  ×")), qPrintable(key->toolTip()));
        app.window.actions().at("colour.storage")->trigger();
        QVERIFY(key->isHidden());
    }

    /// Chosen while another picture is on top.
    void heightsAreOfThePlanWhichIsShown()
    {
        test::OpenWindow app;
        app.window.show();
        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        app.window.showView(QStringLiteral("live"));
        QCOMPARE(app.window.panes().shownPicture(), app.window.panes().picture(QStringLiteral("live")));

        app.window.actions().at("view.by-age")->trigger();

        QCOMPARE(app.window.panes().shownPicture(), app.window.panes().picture(QStringLiteral("plan")));
        app.window.actions().at("view.by-address")->trigger();
    }

    void itIsSaidAsLongAsColoursAreWorkedOut()
    {
        Selection selection;
        JobRunner worker;
        CanvasTabs pictures(selection, worker);
        QString said;
        connect(&pictures, &CanvasTabs::statusChanged, this, [&said](const QString& text) { said = text; });
        const auto large = std::make_shared<const Report>(test::randomReport(6000, 7));

        pictures.setReport(large, nullptr, {});
        QVERIFY(!pictures.settled());
        QCOMPARE(said, QStringLiteral("Drawing…"));

        pictures.forget();
        QVERIFY(pictures.settled());
        QVERIFY2(said.isEmpty(), qPrintable(said));

        pictures.setReport(large, nullptr, {});
        QTRY_VERIFY(pictures.settled());
        QVERIFY2(said.isEmpty(), qPrintable(said));
    }

    void coloursThatAreKnownAreNotWorkedOut()
    {
        Selection selection;
        JobRunner worker;
        CanvasTabs pictures(selection, worker);
        std::shared_ptr<const StorageColours> painted;
        connect(&pictures, &CanvasTabs::coloured, this, [&painted](const auto& colours) { painted = colours; });
        const auto large = std::make_shared<const Report>(test::randomReport(6000, 7));
        const StorageColours known(large->program.storages.size(), ColourIndex {3});

        pictures.setReport(large, std::make_shared<const StorageColours>(known), {});
        QVERIFY(!worker.busy(JobTag::Colours));
        QVERIFY(painted && *painted == known);

        pictures.setColourBy(ColourBy::Kind);
        QTRY_VERIFY(pictures.settled());
        QVERIFY(*painted != known);
        pictures.setColourBy(ColourBy::Storage);
        QVERIFY(*painted == known);
    }

    void aReportThatComesIsShownHoweverItsColoursChangeMeanwhile()
    {
        Selection selection;
        JobRunner worker;
        CanvasTabs pictures(selection, worker);
        const auto large = std::make_shared<const Report>(test::randomReport(6000, 7));

        pictures.setReport(std::make_shared<const Report>(test::randomReport(60, 7)), nullptr, {});
        pictures.setReport(large, nullptr, {});
        pictures.setColourBy(ColourBy::Kind); // while those of the storages are worked out
        QTRY_VERIFY(pictures.settled());
        QCOMPARE(pictures.canvas(QStringLiteral("plan"))->report(), large);
    }
};

QTEST_MAIN(CanvasTabsTest)
#include "tst_canvas_tabs.moc"
