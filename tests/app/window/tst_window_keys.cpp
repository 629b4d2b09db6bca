#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/commands/action_table.h"
#include "app/window/main_window.h"
#include "app/window/panes/policies_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/app/support/table_columns.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFrame>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const QString LongDim = QStringLiteral("a_dimension_with_quite_a_long_name_of_its_own");

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& file)
    {
        window.show();
        window.open(file);
    }
    QString focused() const
    {
        const QWidget* widget = window.focusWidget();
        return widget ? widget->objectName() : QString();
    }
};

QString residual()
{
    return test::exampleFile(QStringLiteral("residual-block.json"));
}

QStringList rowsOf(const QTreeWidget& tree)
{
    QStringList rows;
    for (QTreeWidgetItemIterator item(const_cast<QTreeWidget*>(&tree)); *item; ++item)
        rows << (*item)->text(0) + u'|' + (*item)->text(1) + u'|' + (*item)->text(2);
    return rows;
}

} // namespace

/// Who has the keyboard, what a small window still shows, and what stays as it is when something goes wrong.
class WindowKeysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void aViewThatIsBroughtForwardHasTheKeyboard_data();
    void aViewThatIsBroughtForwardHasTheKeyboard();
    void layoutsBringTheirViewsForward();
    void theKeyboardComesBackFromTheFinder();
    void aTableThatGetsTheKeyboardPicksNothing();
    void escapeTwiceLeavesTheWholeGraph();
    void planAndLiveRangesShowTheSameSteps();
    void longDimensionsLeaveThePoliciesTheirWidth();
    void aRowThatDoesNotMatchIsNotCounted();
    void aWindowMayGoWhileAFieldIsTypedInto();
    void aSizeStaysAsItWasTyped();
    void aComplaintScrollsIntoView();
    void aBadPasteLeavesTheVerdict();
    void aNarrowWindowShowsTheFactsOfWhatIsSelectedAtTheStart();
    void findingsAreAsHighAsTheirSentences();
    void columnsWithNothingInThemAreLeftOut();
    void thePlanBeforeIsSeenWhileItsKeyIsHeld();
    void theSheetNamesTheKeysOfThePictures();
    void rowsAreCopiedAsTheyShow();
    void findGoesToTheTableThatShows();
    void nodesStandInTheOrderOfTheirSteps();
    void aSmallWindowNamesEveryFigure();
    void allGroupsOpenAndCloseAtOnce();
    void aRealBugOpensWithItsPlanOnItsFinding();
    void aCardOpensByReturn();
    void aSmallScreenGetsASmallWindow();
};

void WindowKeysTest::aViewThatIsBroughtForwardHasTheKeyboard_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<QString>("focused");
    QTest::newRow("plan") << int(Qt::Key_1) << QStringLiteral("plan");
    QTest::newRow("live ranges") << int(Qt::Key_2) << QStringLiteral("live");
    QTest::newRow("graph") << int(Qt::Key_3) << QStringLiteral("graph");
    QTest::newRow("values") << int(Qt::Key_5) << QStringLiteral("valuesView");
    QTest::newRow("policies") << int(Qt::Key_9) << QStringLiteral("policies:search");
}

void WindowKeysTest::aViewThatIsBroughtForwardHasTheKeyboard()
{
    QFETCH(int, key);
    Opened app(residual());
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, static_cast<Qt::Key>(key), Qt::ControlModifier);
    QTEST(app.focused(), "focused");
}

void WindowKeysTest::allGroupsOpenAndCloseAtOnce()
{
    Opened app(test::exampleFile(QStringLiteral("two-branches.json")));
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(app.focused(), QStringLiteral("graph"));
    QVERIFY(app.ready());
    const auto* graph = app.child<GraphCanvas>("graph");
    QVERIFY(graph->drawing() != nullptr);
    const std::size_t closed = graph->drawing()->picture.boxes.size();
    QTest::keyClick(&app.window, Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(graph->drawing()->picture.boxes.size() > closed);
    QTest::keyClick(&app.window, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(graph->drawing()->picture.boxes.size(), closed);
}

void WindowKeysTest::layoutsBringTheirViewsForward()
{
    Opened app(residual());
    QVERIFY(app.ready());
    const auto shown = [&](const char* pane) { return !app.child<QDockWidget>(pane)->visibleRegion().isEmpty(); };
    app.window.actions().at("layout.graph")->trigger();
    QCOMPARE(app.window.panes().pictures->current()->objectName(), QStringLiteral("graph"));
    QTRY_VERIFY(shown("nodes"));
    app.window.actions().at("layout.debug")->trigger();
    QCOMPARE(app.window.panes().pictures->current()->objectName(), QStringLiteral("plan"));
    QTRY_VERIFY(shown("run") && !app.child<QDockWidget>("bytes")->isHidden());
    app.window.actions().at("layout.compare")->trigger();
    QTRY_VERIFY(shown("changes"));
}

void WindowKeysTest::theKeyboardComesBackFromTheFinder()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QCOMPARE(app.focused(), QStringLiteral("plan"));
    QTest::keyClick(&app.window, Qt::Key_2, Qt::ControlModifier);
    for (const Qt::Key end : {Qt::Key_Return, Qt::Key_Escape}) {
        QTest::keyClick(&app.window, Qt::Key_P, Qt::ControlModifier);
        auto* field = app.child<QFrame>("finder")->findChild<QLineEdit*>();
        QCOMPARE(app.window.focusWidget(), field);
        QTest::keyClicks(field, QStringLiteral("relu"));
        QTest::keyClick(field, end);
        QCOMPARE(app.focused(), QStringLiteral("live"));
    }
    QVERIFY(app.bench.selection.focus().picked());
}

void WindowKeysTest::aTableThatGetsTheKeyboardPicksNothing()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, Qt::Key_5, Qt::ControlModifier);
    QTest::qWait(20);
    QVERIFY(!app.bench.selection.focus().picked());
    QTest::keyClick(app.window.panes().tables[QStringLiteral("values")]->view(), Qt::Key_Down);
    QVERIFY(app.bench.selection.focus().value.valid());
}

void WindowKeysTest::escapeTwiceLeavesTheWholeGraph()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QVERIFY(app.window.select(QString::fromStdString(app.bench.session.report()->program.graph->nodes[2].name)));
    QTest::keyClick(&app.window, Qt::Key_Escape);
    QCOMPARE(app.child<QLabel>("inspectorTitle")->text(), QStringLiteral("2"));
    QTest::keyClick(&app.window, Qt::Key_Escape);
    QCOMPARE(app.bench.selection.step(), -1);
    QCOMPARE(app.child<QLabel>("inspectorTitle")->text(),
             QString::fromStdString(app.bench.session.report()->program.graph->name));
}

void WindowKeysTest::planAndLiveRangesShowTheSameSteps()
{
    Opened app(residual());
    QVERIFY(app.ready());
    auto* plan = app.child<PlanCanvas>("plan");
    auto* live = app.child<LiveRangeCanvas>("live");
    QTest::keyClick(plan, Qt::Key_W);
    QTest::keyClick(plan, Qt::Key_D);
    const AxisWindow before = plan->viewport().steps;
    QCOMPARE(live->viewport().steps, before);
    QTest::keyClick(live, Qt::Key_Home);
    QVERIFY(plan->viewport().steps != before);
    QCOMPARE(plan->viewport().steps, live->viewport().steps);
}

void WindowKeysTest::longDimensionsLeaveThePoliciesTheirWidth()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("long.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QStringLiteral(R"({"schema": "plimsoll.graph/1", "name": "long", "opset": 21,
        "inputs": [{"name": "x", "dtype": "float32", "shape": ["%1", "n"]}],
        "nodes": [{"name": "act", "op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})")
                   .arg(LongDim)
                   .toUtf8());
    file.close();
    Opened app(file.fileName());
    QVERIFY(app.ready());
    const PoliciesPane* policies = app.window.panes().policies;
    QTest::qWait(50);
    auto* size = app.window.findChild<QSpinBox*>(QStringLiteral("dim:") + LongDim);
    QVERIFY(size && size->isVisible());
    QTRY_VERIFY(policies->widget()->width() <= policies->viewport()->width()); // once it is laid out
    QVERIFY(size->geometry().right() < policies->viewport()->width());
    QCOMPARE(size->toolTip(), LongDim);

    // After the last size there is no stop that shows no focus.
    app.child<QSpinBox>("dim:n")->setFocus();
    QTest::keyClick(app.window.focusWidget(), Qt::Key_Tab);
    QCOMPARE(app.focused(), QStringLiteral("policies:search"));
}

void WindowKeysTest::aRowThatDoesNotMatchIsNotCounted()
{
    Opened app(test::exampleFile(QStringLiteral("sparse-features.json")));
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("findings")));
    TablePane* findings = app.window.panes().tables[QStringLiteral("findings")];
    const auto says = [&](const char* count) {
        const auto labels = findings->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* one) { return one->text() == QLatin1String(count); });
    };
    QVERIFY(says("1 row"));
    QTest::keyClicks(findings->filterField(), QStringLiteral("nosuchword"));
    QVERIFY(says("0 of 1 rows"));
}

void WindowKeysTest::aWindowMayGoWhileAFieldIsTypedInto()
{
    auto app = std::make_unique<Opened>(residual());
    QVERIFY(app->ready());
    app->openPolicy("capacity");
    auto* field = app->child<QLineEdit>("capacity");
    field->setFocus();
    QTest::keyClicks(field, QStringLiteral("500 KB"));
    QVERIFY(field->isModified() && field->hasFocus());
    app.reset();
}

void WindowKeysTest::aSizeStaysAsItWasTyped()
{
    Opened app(residual());
    QVERIFY(app.ready());
    app.openPolicy("capacity");
    auto* field = app.child<QLineEdit>("capacity");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("500 KB"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(app.bench.session.choices().policies.capacity.at("cpu"), 500000);
    QCOMPARE(field->text(), QStringLiteral("500 KB"));
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier); // what was taken is the window's to undo
    QVERIFY(app.bench.session.choices().policies.capacity.empty());
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(app.bench.session.choices().policies.capacity.at("cpu"), 500000);
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("capacity"), QStringLiteral("cpu=512000")).ok());
    QCOMPARE(field->text(), QStringLiteral("cpu=500KiB"));
}

void WindowKeysTest::aComplaintScrollsIntoView()
{
    Opened app(residual());
    QVERIFY(app.ready());
    app.window.resize(1400, 600);
    app.openPolicy("capacity");
    auto* field = app.child<QLineEdit>("capacity");
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("plenty"));
    QTest::keyClick(field, Qt::Key_Return);
    auto* complaint = app.child<QLabel>("capacity:complaint");
    QVERIFY(complaint->text().contains(QStringLiteral("plenty")));
    const QWidget* seen = app.window.panes().policies->viewport();
    QTRY_VERIFY(seen->rect().contains(complaint->mapTo(seen, complaint->rect().bottomLeft())));
    QCOMPARE(field->text(), QStringLiteral("plenty"));
}

void WindowKeysTest::aBadPasteLeavesTheVerdict()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QMimeData words;
    words.setText(QStringLiteral("neither a path nor a graph"));
    QVERIFY(!app.window.openMime(words));
    QVERIFY(app.child<QLabel>("verdict")->text().startsWith(QStringLiteral("Legal.")));
    QVERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("neither a file")));
}

void WindowKeysTest::aNarrowWindowShowsTheFactsOfWhatIsSelectedAtTheStart()
{
    Opened app(residual());
    QVERIFY(app.ready());
    app.window.resize(1000, 700);
    app.window.actions().at("layout.reset")->trigger();
    QTest::qWait(50);
    auto* title = app.child<QLabel>("inspectorTitle");
    QVERIFY(title->visibleRegion().isEmpty());
    QVERIFY(app.window.select(QString::fromStdString(app.bench.session.report()->program.graph->nodes[2].name)));
    QTRY_VERIFY(!title->visibleRegion().isEmpty());
}

void WindowKeysTest::aRealBugOpensWithItsPlanOnItsFinding()
{
    test::OpenWindow app;
    app.window.show();
    QTest::mouseClick(app.child<QAbstractButton>("sample:gallery/ort-21019.json"), Qt::LeftButton);
    QVERIFY(app.ready());
    QCOMPARE(app.bench.selection.focus().finding, 0);
    const auto report = app.bench.session.report();
    QVERIFY(!report->program.ownPlan);
    QVERIFY(report->verdict.findings.front().rule == Rule::Overlap);
    app.bench.session.makeOwnPlan();
    QTRY_VERIFY(app.child<QLabel>("verdict")->text().startsWith(QStringLiteral("Legal")));
}

void WindowKeysTest::aCardOpensByReturn()
{
    test::OpenWindow app;
    app.window.show();
    auto* card = app.child<QAbstractButton>("sample:residual-block.json");
    QVERIFY(card);
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Return);
    QVERIFY(app.ready());
}

void WindowKeysTest::aSmallScreenGetsASmallWindow()
{
    test::OpenWindow app;
    app.window.fitInto(QSize(1024, 768));
    app.window.show();
    auto* policies = app.child<QDockWidget>("policies");
    QVERIFY(!policies->isVisible()); // the start page stands alone
    for (const QToolBar* bar : app.window.findChildren<QToolBar*>())
        QVERIFY(!bar->isVisible());
    app.window.open(residual());
    QVERIFY(app.ready());
    QCOMPARE(app.window.size(), QSize(1024, 768));
    QVERIFY(app.window.tabifiedDockWidgets(policies).contains(app.child<QDockWidget>("inspector")));
}

void WindowKeysTest::findingsAreAsHighAsTheirSentences()
{
    Opened app(test::exampleFile(QStringLiteral("two-outputs.json")));
    QVERIFY(app.ready());
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("outputs"), QStringLiteral("shared")).ok());
    QTRY_VERIFY(!app.bench.session.report()->verdict.findings.empty());
    app.window.resize(1000, 700);
    app.window.actions().at("layout.tables")->trigger();
    QVERIFY(app.window.showView(QStringLiteral("findings")));
    QTest::qWait(100);
    QTableView* table = app.window.panes().tables[QStringLiteral("findings")]->view();
    QVERIFY(table->rowHeight(0) > 3 * table->fontMetrics().lineSpacing());
    QVERIFY(table->horizontalHeader()->length() <= table->viewport()->width());
}

void WindowKeysTest::columnsWithNothingInThemAreLeftOut()
{
    Opened app(residual());
    QVERIFY(app.ready());
    const QTableView* nodes = app.window.panes().tables[QStringLiteral("nodes")]->view();
    QVERIFY(nodes->isColumnHidden(test::columnOf(nodesTable(), "Source")));
    QVERIFY(!nodes->isColumnHidden(test::columnOf(nodesTable(), "Node")));
}

void WindowKeysTest::thePlanBeforeIsSeenWhileItsKeyIsHeld()
{
    Opened app(test::exampleFile(QStringLiteral("mobile-chain.json")));
    QVERIFY(app.ready());
    auto* plan = app.child<PlanCanvas>("plan");
    QTest::keyPress(plan, Qt::Key_B);
    QVERIFY(plan->ghost().empty());
    QTest::keyRelease(plan, Qt::Key_B);
    const auto before = app.bench.session.report();
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());
    QTRY_VERIFY(app.bench.session.report() != before);

    QTest::keyPress(plan, Qt::Key_B);
    QVERIFY(!plan->ghost().empty());
    QVERIFY(plan->ghost().size() < app.bench.session.report()->program.values.size());
    QTest::keyRelease(plan, Qt::Key_B);
    QVERIFY(plan->ghost().empty());
}

void WindowKeysTest::theSheetNamesTheKeysOfThePictures()
{
    Opened app(residual());
    QVERIFY(app.ready());
    app.window.actions().at("help.shortcuts")->trigger();
    auto* sheet = app.child<QDialog>("shortcutSheet");
    QVERIFY(sheet);
    const QStringList rows = rowsOf(*sheet->findChild<QTreeWidget*>());
    for (const char* keys : {"|Home, in a picture|", "|F, in a picture|", "Plan|Arrows|", "Live ranges|T|", "Graph|G|",
                             "Plan, live ranges|W, S|", "Graph|+ or Return, −|"})
        QVERIFY2(rows.filter(QString::fromUtf8(keys)).size() == 1, keys);
}

void WindowKeysTest::rowsAreCopiedAsTheyShow()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("storages")));
    const TablePane* pane = app.window.panes().tables[QStringLiteral("storages")];
    pane->view()->setFocus();
    pane->view()->selectRow(0);
    QTest::keyClick(pane->view(), Qt::Key_C, Qt::ControlModifier);

    const QStringList cells = QGuiApplication::clipboard()->text().split(u'\t');
    const QAbstractItemModel* rows = pane->view()->model();
    QCOMPARE(cells.front(), rows->index(0, test::columnOf(storagesTable(), "Storage")).data().toString());
    QCOMPARE(cells.back(), rows->index(0, test::columnOf(storagesTable(), "Holds")).data().toString());
    pane->filterField()->setText(QStringLiteral("bytes>1KiB"));
    const QStringList lines = pane->allAsText().split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), rows->rowCount() + 1);
    QVERIFY(lines.front().startsWith(QStringLiteral("Storage\tWhere\tBytes\t")));
}

void WindowKeysTest::findGoesToTheTableThatShows()
{
    Opened app(residual());
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("values")));
    QTest::qWait(20);
    QTest::keyClick(&app.window, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(app.window.focusWidget(), app.window.panes().tables[QStringLiteral("values")]->filterField());
    app.window.actions().at("layout.picture")->trigger(); // no table
    QTest::keyClick(&app.window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(app.child<QFrame>("finder")->isVisible());
}

/// Nodes of a second forward come behind those of the first backward in the graph, but run before them.
void WindowKeysTest::nodesStandInTheOrderOfTheirSteps()
{
    Opened app(test::exampleFile(QStringLiteral("accumulation-loop.json")));
    QVERIFY(app.ready());
    const auto before = app.bench.session.report();
    QVERIFY(
        app.bench.session.setPolicy(QStringLiteral("calls"), QStringLiteral("forward,forward,backward,backward")).ok());
    QTRY_VERIFY(app.bench.session.report() != before);
    const QAbstractItemModel* rows = app.window.panes().tables[QStringLiteral("nodes")]->view()->model();
    QVERIFY(rows->rowCount() > 30);
    qint64 last = -1;
    bool ahead = false;
    for (int row = 0; row < rows->rowCount(); ++row) {
        const qint64 step = rows->index(row, test::columnOf(nodesTable(), "Step")).data(SortRole).toLongLong();
        ahead = ahead || step < 0; // what is computed ahead of the run comes last
        QVERIFY(ahead ? step < 0 : step >= last);
        last = step;
    }
}

void WindowKeysTest::aSmallWindowNamesEveryFigure()
{
    Opened app(residual());
    QVERIFY(app.ready());
    app.window.resize(900, 600);
    app.window.actions().at("layout.reset")->trigger();
    QTest::qWait(50);
    for (const char* figure : {"peak", "lowerBound", "noReuse", "external"})
        QVERIFY2(app.child<QToolButton>(figure)->isVisible(), figure);
    QVERIFY(app.window.showView(QStringLiteral("backends")));
    QTest::qWait(50);
    for (const char* name : {"measureTime0", "measureTime1", "measureTime2"}) {
        const auto* label = app.child<QLabel>(name);
        QTRY_VERIFY2(label->width() >= label->sizeHint().width(), name); // prices arrive while it waits
    }
}

QTEST_MAIN(WindowKeysTest)
#include "tst_window_keys.moc"
