#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "app/window/panes/table_pane.h"
#include "core/facts/compare/peak_differences.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/report/report_json.h"
#include "tests/app/support/ladder_file.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QScreen>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Twice as large, with other names of a and b, made otherwise.
constexpr const char* Other = R"({
  "schema": "plimsoll.graph/1", "name": "other",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [128]}],
  "nodes": [{"name": "n0", "op": "Sin", "inputs": ["x"], "outputs": ["p"]},
            {"name": "n1", "op": "Cos", "inputs": ["p"], "outputs": ["q"]},
            {"name": "n2", "op": "Add", "inputs": ["p", "q"], "outputs": ["c"]}],
  "outputs": ["c"]
})";

struct Opened : test::OpenWindow
{
    QTemporaryDir folder;

    Opened()
    {
        bench.costs.setEnabled(false);
        window.resize(1500, 1000);
        window.show();
        Choices choices = initialChoices();
        for (const auto& [id, value] : {std::pair("backend", "captured"), std::pair("inplace", "off")})
            (void)choices.setPolicy(id, value);
        bench.session.open(write("ladder.json", test::Ladder), choices);
    }
    [[nodiscard]] QString write(const char* name, const QByteArray& text) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    [[nodiscard]] PlanComparison& comparison() { return bench.session.comparison(); }
    [[nodiscard]] QAction* action(const char* id) const { return window.actions().at(id); }
    [[nodiscard]] TablePane* changes() const { return window.panes().tables.value(QStringLiteral("changes")); }
    [[nodiscard]] const PlanCanvas* plan() const { return child<PlanCanvas>("plan"); }
    [[nodiscard]] QLabel* said() const { return child<QLabel>("comparedWith"); }
    bool compareWith(const QString& file)
    {
        comparison().compareWith(file);
        return QTest::qWaitFor([&] { return comparison().file() == file; }, 20000) && matched();
    }
    bool change(const char* policy, const char* value)
    {
        const auto before = bench.session.report();
        return bench.session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok() &&
               QTest::qWaitFor([&] { return bench.session.report() != before && window.settled(); }, 20000);
    }
    bool save(const QString& file)
    {
        auto* document = window.findChild<Document*>();
        QSignalSpy saved(document, &Document::saved);
        return document->save(file).ok() && (!saved.isEmpty() || saved.wait(20000));
    }
    [[nodiscard]] bool matched()
    {
        return QTest::qWaitFor([&] { return comparison().shown().matches && window.settled(); }, 20000);
    }
    [[nodiscard]] QStringList rows() const
    {
        QStringList names;
        for (int row = 0; row < changes()->model().rowCount(); ++row)
            names << changes()->model().index(row, 0).data().toString();
        names.sort();
        return names;
    }
    /// By the mouse; \p more: beside what is picked.
    void pick(const char* name, Qt::KeyboardModifiers more = Qt::NoModifier) const
    {
        QTableView* view = changes()->view();
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const QModelIndex index = view->model()->index(row, 0);
            if (index.data().toString() != QLatin1String(name)) continue;
            view->scrollTo(index);
            QTest::mouseClick(view->viewport(), Qt::LeftButton, more, view->visualRect(index).center());
            return;
        }
        QFAIL("there is no such row");
    }
};

} // namespace

/// The plan beside that of a file, and what is the same by hand.
class WindowComparedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void aSavedReportIsTheGhost()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(!app.action("file.compare-before")->isEnabled());
        QVERIFY(!app.said()->isVisible());
        const QString file =
            app.write("saved.json", QByteArray::fromStdString(writeReportJson(*app.bench.session.report())));
        QVERIFY(app.change("placement", "no-reuse"));
        QVERIFY(app.change("reserved", "cpu=0+512"));
        QVERIFY(app.compareWith(file));
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with saved.json."));
        QVERIFY(app.said()->isVisible());
        QVERIFY(app.action("view.keep-ghost")->isChecked());
        QCOMPARE(app.plan()->ghost().size(), std::size_t {3}); // all lay 512 lower
        QVERIFY(std::ranges::all_of(app.plan()->ghost(), [](const GhostBar& bar) { return bar.is.has_value(); }));
        QVERIFY(app.rows().size() >= 1);
        QVERIFY(app.change("reserved", "none")); // the ghost stays that of the file
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with saved.json."));
        app.action("file.compare-before")->trigger();
        QVERIFY(!app.said()->isVisible());
        QCOMPARE(app.comparison().shown().other, app.bench.session.previousReport());
        QCOMPARE(app.plan()->ghost().size(), std::size_t {3});
    }

    void aPlanOfTheGraphIsJudgedBeside()
    {
        Opened app;
        QVERIFY(app.ready());
        PlanFile plan = planOf(*app.bench.session.report());
        for (PlanFile::Entry& entry : plan.entries)
            entry.offset += 256;
        plan.arenas.front().bytes += 256;
        const QString file = app.folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(writePlanJson(plan, file.toStdString()).ok());
        QVERIFY(app.compareWith(file));
        QCOMPARE(app.comparison().shown().other->memory.peakBytes, app.bench.session.report()->memory.peakBytes + 256);
        QCOMPARE(app.plan()->ghost().size(), std::size_t {3});
        QVERIFY(app.plan()->viewport().worldBytes >= double(app.comparison().shown().other->memory.peakBytes));
    }

    void anotherGraphIsPlannedByTheSamePolicies()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.compareWith(app.write("other.json", Other)));
        const auto other = app.comparison().shown().other;
        QCOMPARE(other->program.graph->name, std::string("other"));
        QVERIFY(other->program.policies.backend == BackendPolicy::Captured);
        QCOMPARE(app.rows(), QStringList({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"),
                                          QStringLiteral("p"), QStringLiteral("q")}));
        QCOMPARE(app.plan()->viewport().worldBytes, 3 * 512.0); // that of the other is higher
        app.action("view.keep-ghost")->trigger();
        QCOMPARE(app.plan()->viewport().worldBytes, 3 * 256.0);
        app.action("go.next-difference")->trigger();
        const Focus first = app.bench.selection.focus();
        QVERIFY(first.value.valid());
        app.action("go.next-difference")->trigger();
        QVERIFY(!app.bench.selection.focus().samePick(first));
    }

    void allOfALongerPlanIsSeen()
    {
        Opened app;
        QVERIFY(app.ready());
        QByteArray longer = test::Ladder;
        longer.replace(R"("outputs": ["c"]})", R"("outputs": ["c"]},
            {"name": "n3", "op": "Sin", "inputs": ["c"], "outputs": ["d"]},
            {"name": "n4", "op": "Cos", "inputs": ["d"], "outputs": ["e"]})");
        longer.replace(R"("outputs": ["c"]
})",
                       R"("outputs": ["e"]
})");
        QVERIFY(app.compareWith(app.write("longer.json", longer)));
        QCOMPARE(app.plan()->viewport().worldSteps, 5.0);
        QVERIFY(app.plan()->viewport().steps.last() >= 5);
        QVERIFY(app.change("placement", "no-reuse"));
        QCOMPARE(app.plan()->viewport().worldSteps, 5.0);
        app.action("file.compare-before")->trigger();
        QCOMPARE(app.plan()->viewport().worldSteps, 3.0);
    }

    void twoRowsAreSaidToBeTheSame()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.compareWith(app.write("other.json", Other)));
        app.pick("a");
        QVERIFY(!app.action("pick.same")->isEnabled());
        app.pick("b", Qt::ControlModifier);
        QVERIFY(!app.action("pick.same")->isEnabled()); // both are of this plan
        app.pick("a");
        app.pick("p", Qt::ControlModifier);
        QVERIFY(app.action("pick.same")->isEnabled());
        app.action("pick.same")->trigger();
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with other.json. 1 pair is the same by hand."));
        QVERIFY(app.matched());
        QVERIFY(!app.rows().contains(QStringLiteral("p")));
        const auto matches = app.comparison().shown().matches;
        QCOMPARE(comparePeaksSum(app, *matches), -3 * 256);
        const auto moved = [&] {
            return std::ranges::count_if(app.plan()->ghost(), [](const GhostBar& bar) { return bar.is.has_value(); });
        };
        QCOMPARE(moved(), 2); // a and c
        app.pick("q");
        app.pick("b", Qt::ControlModifier);
        app.action("pick.same")->trigger();
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with other.json. 2 pairs are the same by hand."));
        QVERIFY(app.matched());
        QCOMPARE(moved(), 3);
        app.action("pick.not-same")->trigger();
        app.action("pick.not-same")->trigger();
        QVERIFY(!app.action("pick.not-same")->isEnabled());
        QVERIFY(app.matched());
        QVERIFY(app.rows().contains(QStringLiteral("p")));
        QCOMPARE(moved(), 1);
    }

    void theMenuOfTheTableHasIt()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.compareWith(app.write("other.json", Other)));
        app.pick("a");
        app.pick("q", Qt::ControlModifier);
        QTableView* view = app.changes()->view();
        const QModelIndexList rows = view->selectionModel()->selectedRows();
        const QPoint at = view->visualRect(rows.first()).center();
        QTest::mouseClick(view->viewport(), Qt::RightButton, {}, at);
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, view->viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(view->viewport(), &event);
        QMenu* menu = nullptr;
        for (QMenu* one : app.window.findChildren<QMenu*>())
            if (one->isVisible()) menu = one;
        QVERIFY(menu);
        QVERIFY(menu->actions().contains(app.action("pick.same")));
        QVERIFY(app.action("pick.same")->isEnabled());
        QVERIFY(menu->screen()->availableGeometry().contains(menu->geometry()));
        menu->close();
    }

    void whatIsSaidGoesWithTheComparison()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.compareWith(app.write("other.json", Other)));
        app.comparison().say({"p", "a"});
        QVERIFY(app.change("placement", "no-reuse")); // it is still the same file
        QCOMPARE(app.comparison().said().size(), std::size_t {1});
        QVERIFY(app.matched());
        QCOMPARE(app.comparison().shown().matches->byHand, std::size_t {1});
        app.action("file.compare-before")->trigger();
        QVERIFY(app.comparison().said().empty());
        app.bench.session.close();
        QVERIFY(!app.comparison().shown().other);
    }

    /// As any edit, and in the session; with what the plan is compared with is none.
    void whatIsSaidIsTakenBackAndKept()
    {
        Opened app;
        QVERIFY(app.ready());
        const QString other = app.write("other.json", Other);
        const QString session = app.folder.filePath(QStringLiteral("work.plimsoll"));
        QVERIFY(app.compareWith(other));
        QVERIFY(!app.bench.session.canUndo());
        const auto report = app.bench.session.report();
        app.comparison().say({"p", "a"});
        app.comparison().say({"q", "b"});
        app.window.activateWindow();
        QTest::keyClick(&app.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with other.json. 1 pair is the same by hand."));
        QVERIFY(app.matched());
        QCOMPARE(app.comparison().shown().matches->byHand, std::size_t {1});
        QCOMPARE(app.bench.session.report(), report); // nothing was planned for it
        app.action("file.compare-before")->trigger(); // what was said of the file is known when it is back
        QVERIFY(app.comparison().said().empty());
        QVERIFY(app.compareWith(other));
        QCOMPARE(app.comparison().said().size(), std::size_t {1});
        QVERIFY(app.save(session));

        const auto openAgain = [&] {
            app.window.open(session);
            return app.ready();
        };
        QVERIFY(openAgain());
        QTRY_COMPARE(app.comparison().file(), other);
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with other.json. 1 pair is the same by hand."));
        app.bench.session.redo();
        QCOMPARE(app.comparison().said().size(), std::size_t {2});
        QVERIFY(app.save(session));

        QVERIFY(QDir(app.folder.path()).mkdir(QStringLiteral("moved"))); // the session goes, with all that it names
        for (const char* name : {"ladder.json", "other.json", "work.plimsoll"})
            QVERIFY(QFile::rename(app.folder.filePath(QString::fromLatin1(name)),
                                  app.folder.filePath(QStringLiteral("moved/") + QString::fromLatin1(name))));
        app.window.open(app.folder.filePath(QStringLiteral("moved/work.plimsoll")));
        QVERIFY(app.ready());
        QTRY_COMPARE(app.comparison().file(), app.folder.filePath(QStringLiteral("moved/other.json")));
        QCOMPARE(app.comparison().said().size(), std::size_t {2});

        QVERIFY(QFile::remove(app.folder.filePath(QStringLiteral("moved/other.json"))));
        app.window.open(app.folder.filePath(QStringLiteral("moved/work.plimsoll")));
        QVERIFY(app.ready());
        QVERIFY2(app.window.statusBar()->currentMessage().contains(QStringLiteral("is not there any more")),
                 qPrintable(app.window.statusBar()->currentMessage()));
        QVERIFY(app.comparison().file().isEmpty());
        QVERIFY(app.bench.session.canUndo());
    }

    /// Where there is no plan before.
    void aPlanThatIsHandedInIsBesideOurOwn()
    {
        Opened app;
        QVERIFY(app.ready());
        PlanFile plan = planOf(*app.bench.session.report());
        for (PlanFile::Entry& entry : plan.entries)
            entry.offset = entry.value == "c" ? 4096 : entry.offset;
        plan.arenas.front().bytes = 8192;
        const QString file = app.folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(writePlanJson(plan, file.toStdString()).ok());
        app.bench.session.open(app.folder.filePath(QStringLiteral("ladder.json")), initialChoices(), file);
        QVERIFY(app.ready());
        QTRY_VERIFY(app.comparison().shown().other);
        QVERIFY(!app.bench.session.previousReport());
        QCOMPARE(app.said()->text(), QStringLiteral("Compared with our own plan."));
        QVERIFY(app.said()->isVisible());
        const auto& given = app.bench.session.report()->verdict.given;
        QCOMPARE(app.comparison().shown().other->memory.peakBytes, given->ownPeakBytes.value());
        QTRY_VERIFY(app.rows().contains(QStringLiteral("c")));
        app.action("go.next-difference")->trigger();
        QVERIFY(app.bench.selection.focus().value.valid());
        QVERIFY(app.change("alignment", "128")); // now there is one before
        QCOMPARE(app.comparison().shown().other, app.bench.session.previousReport());
        QVERIFY(!app.said()->isVisible());
        app.bench.session.close();
        QVERIFY(!app.comparison().shown().other);
    }

    void whatCannotBeReadIsSaid()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.compareWith(app.write("other.json", Other)));
        const auto other = app.comparison().shown().other;
        app.comparison().compareWith(app.write("broken.json", R"({"schema": "plimsoll.report/1", "arenas": 3})"));
        QTRY_VERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("broken.json")));
        QCOMPARE(app.comparison().shown().other, other);
        app.comparison().compareWith(app.folder.filePath(QStringLiteral("nowhere.onnx")));
        QTRY_VERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("nowhere.onnx")));
        QCOMPARE(app.comparison().shown().other, other);
    }

    void aLateResultIsDropped()
    {
        Opened app;
        QVERIFY(app.ready());
        const QString file = app.write("other.json", Other);
        app.comparison().compareWith(file);
        app.comparison().compareWithPlanBefore();
        QTRY_VERIFY(!app.bench.jobs.busy());
        QTest::qWait(100);
        QVERIFY(app.comparison().file().isEmpty());
        app.comparison().compareWith(file);
        app.bench.session.close();
        QTRY_VERIFY(!app.bench.jobs.busy());
        QTest::qWait(100);
        QVERIFY(app.comparison().file().isEmpty());
    }

private:
    static int comparePeaksSum(Opened& app, const PlanMatches& matches)
    {
        return static_cast<int>(
            comparePeaks(*app.comparison().shown().other, *app.bench.session.report(), matches).sum);
    }
};

QTEST_MAIN(WindowComparedTest)
#include "tst_window_compared.moc"
