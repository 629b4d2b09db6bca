#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/commands/action_table.h"
#include "app/window/commands/searches.h"
#include "app/window/exporting.h"
#include "app/window/look/window_style.h"
#include "app/window/main_window.h"
#include "app/window/pages/problem_page.h"
#include "app/window/pages/start_page.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "core/picture/palette.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QRadioButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStyleOptionHeader>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A window on the screen that has nothing of an earlier one.
struct Opened : test::OpenWindow
{
    explicit Opened(const QString& example = {})
    {
        window.show();
        if (!example.isEmpty()) window.open(test::exampleFile(example));
    }
    QString peak() const { return window.findChild<QToolButton*>(QStringLiteral("peak"))->text(); }
};

void click(QAbstractButton* button)
{
    QTest::mouseClick(button, Qt::LeftButton, Qt::NoModifier, QPoint(8, button->height() / 2));
}

} // namespace

class WindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QApplication::setStyle(new WindowStyle);
    }
    void init() { test::failOnWarnings(); }
    void theStartPageOpensASampleByAClick();
    void everyActionIsDescribedAndNoShortcutIsTakenTwice();
    void aRowThatIsPickedIsSeenEverywhere();
    void aBrokenFileShowsTheProblemPageAndAGoodOneTheDocument();
    void theSampleOfSharedOutputsOpensOnItsWarning();
    void adviceFollowsTheError();
    void theProblemIsOfTheFileThatHasIt_data();
    void theProblemIsOfTheFileThatHasIt();
    void findingsAreWalkedByKey();
    void stepAndNodeGoTogether();
    void stepKeysMoveTheCursor();
    void anythingIsFoundByName();
    void commandsAreFoundByName();
    void aFilterLeavesTheRowsThatMatch();
    void layoutsComeBack();
    void aDroppedFileIsOpened();
    void namesOfAFileAreNoHtml();
    void aSmallWindowFits_data();
    void aSmallWindowFits();
    void picturesAreSavedAsTheFileEnds_data();
    void picturesAreSavedAsTheFileEnds();
    void sortMarksPointTheWayTheRowsGo();
    void themesSwitchLive();
    void fuzzyPrefersWordsAndRuns();
};

void WindowTest::theStartPageOpensASampleByAClick()
{
    Opened app;
    auto* sample = app.child<QAbstractButton>("sample:residual-block.json");
    QVERIFY(sample && sample->isVisible());
    click(sample);

    QVERIFY(app.ready());
    QVERIFY(app.child<QWidget>("summary")->isVisible());
    QVERIFY(app.child<QLabel>("verdict")->text().startsWith(QStringLiteral("Legal")));
    QVERIFY(!app.child<StartPage>("start")->isVisible());
}

void WindowTest::everyActionIsDescribedAndNoShortcutIsTakenTwice()
{
    QHash<QString, QString> taken;
    for (const ActionInfo& info : actionTable()) {
        QVERIFY2(*info.text && *info.tip && *info.category, info.id);
        for (const QKeySequence& key : QKeySequence::listFromString(QString::fromLatin1(info.shortcut))) {
            if (key.isEmpty()) continue;
            QVERIFY2(!taken.contains(key.toString()), info.id);
            taken.insert(key.toString(), QString::fromLatin1(info.id));
        }
    }
    Opened app;
    QCOMPARE(app.window.actions().all().size(), static_cast<qsizetype>(actionTable().size()));
}

void WindowTest::aRowThatIsPickedIsSeenEverywhere()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("values")));
    QTableView* table = app.window.panes().tables[QStringLiteral("values")]->view();
    QTRY_VERIFY(table->isVisible());
    const QModelIndex cell = table->model()->index(2, 0);
    table->scrollTo(cell);

    QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, table->visualRect(cell).center());

    const Focus focus = app.bench.selection.focus();
    QCOMPARE(toQString((*app.bench.session.report()->program.graph)[focus.value].name), cell.data().toString());
    QCOMPARE(app.child<QLabel>("inspectorTitle")->text(), cell.data().toString());
    for (const char* picture : {"plan", "live", "graph"})
        QVERIFY(app.window.panes().pictures->canvas(QString::fromLatin1(picture))->selection().samePick(focus));
    const QModelIndex storage =
        app.window.panes().tables[QStringLiteral("storages")]->view()->selectionModel()->selectedRows().value(0);
    QCOMPARE(storage.siblingAtColumn(0).data().toString(), cell.siblingAtColumn(3).data().toString());
}

void WindowTest::aBrokenFileShowsTheProblemPageAndAGoodOneTheDocument()
{
    Opened app(QStringLiteral("broken-cycle.json"));
    auto* problem = app.child<ProblemPage>("problem");
    QTRY_VERIFY(problem->isVisible());
    QVERIFY(app.child<QLabel>("problemTitle")->text().contains(QStringLiteral("broken-cycle.json")));
    QVERIFY(problem->asText().contains(QStringLiteral("cycle")));
    QVERIFY(!app.child<QDockWidget>("policies")->isVisible());

    click(app.child<QAbstractButton>("toStart"));
    QTRY_VERIFY(app.child<StartPage>("start")->isVisible());
    app.window.open(test::exampleFile(QStringLiteral("two-outputs.json")));
    QVERIFY(app.ready());
    QVERIFY(!problem->isVisible());
    QVERIFY(app.child<QDockWidget>("policies")->isVisible());
}

void WindowTest::theSampleOfSharedOutputsOpensOnItsWarning()
{
    Opened app;
    click(app.child<QAbstractButton>("sample:two-outputs.json"));
    QVERIFY(app.ready());
    QCOMPARE(app.bench.selection.focus().finding, 0);
    QVERIFY(app.child<QRadioButton>("outputs=shared")->isChecked());
    QVERIFY(app.child<QLabel>("verdict")->toolTip().startsWith(QStringLiteral(
        "No rule is broken under this policy, but 1 warning: outputs a and b share bytes; writing one changes")));
    QVERIFY(app.child<QLabel>("runWarning")->text().contains(QStringLiteral("1 warning")));

    app.openPolicy("outputs");
    click(app.child<QRadioButton>("outputs=independent"));
    QTRY_VERIFY(app.child<QLabel>("verdict")->text().startsWith(QStringLiteral("Legal.")));
}

void WindowTest::adviceFollowsTheError()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("small.onnx"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no graph at all");
    file.close();
    ProblemPage page;
    page.show(path, {ErrorCode::BadInput, say("onnx.bare-graph"), "byte 0", {}});
    QVERIFY(!page.asText().contains(QStringLiteral("damaged")));
    page.show(path, {ErrorCode::BadInput, say("protobuf.cut"), "byte 9", {}});
    QVERIFY(page.asText().contains(QStringLiteral("damaged")));
    page.show(path, {ErrorCode::BadInput, Message("This is a text, but not JSON."), {}, {}});
    QVERIFY(!page.asText().contains(QStringLiteral("place named above")));
    QVERIFY2(page.asText().contains(QStringLiteral("6e 6f 20 67")), qPrintable(page.asText()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("\x89PNG\r\n\x1a\n and the rest of it");
    file.close();
    page.show(path, {ErrorCode::BadInput, Message("This is a PNG picture."), {}, {}});
    QVERIFY2(page.asText().contains(QStringLiteral("Looks like: a PNG picture (")), qPrintable(page.asText()));
    page.showFine(path);
    QCOMPARE(page.asText(), QStringLiteral("Nothing is wrong with this file."));
}

void WindowTest::theProblemIsOfTheFileThatHasIt_data()
{
    QTest::addColumn<Error>("error");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("named");
    QTest::addColumn<QString>("notNamed");
    const Error graph {ErrorCode::BadInput, Message("No node."), "nodes[0]", {}};
    const Error plan {ErrorCode::BadInput, Message("No value 'x'."), "allocations[0]", "folder/given.plan"};
    const Error usage {ErrorCode::BadUsage, Message("No value."), "bound of 'x'", {}};
    const auto row = [](const char* name, const Error& error, const char* title, const char* named, const char* not_) {
        QTest::newRow(name) << error << QString::fromLatin1(title) << QString::fromLatin1(named)
                            << QString::fromLatin1(not_);
    };
    row("the graph", graph, "two-outputs.json cannot be opened", "JSON text", "given.plan");
    row("the plan", plan, "given.plan does not fit two-outputs.json", "folder/given.plan", "JSON text");
    row("an option", usage, "two-outputs.json cannot be planned as asked", "--max-stored", "open another file");
}

void WindowTest::theProblemIsOfTheFileThatHasIt()
{
    QFETCH(Error, error);
    QFETCH(QString, title);
    QFETCH(QString, named);
    QFETCH(QString, notNamed);
    ProblemPage page;
    page.show(test::exampleFile(QStringLiteral("two-outputs.json")), error);
    QCOMPARE(page.findChild<QLabel*>(QStringLiteral("problemTitle"))->text(), title);
    QVERIFY2(page.asText().contains(named), qPrintable(page.asText()));
    QVERIFY2(!page.asText().contains(notNamed), qPrintable(page.asText()));
}

void WindowTest::findingsAreWalkedByKey()
{
    Opened app(QStringLiteral("two-outputs.json"));
    QVERIFY(app.ready());
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("outputs"), QStringLiteral("shared")).ok());
    QTRY_COMPARE(app.bench.session.report()->program.policies.outputs, OutputsPolicy::Shared);

    QTest::keyClick(&app.window, Qt::Key_N);
    QCOMPARE(app.bench.selection.focus().finding, 0);
    QCOMPARE(app.child<QLabel>("inspectorTitle")->text(), QStringLiteral("output-aliasing"));
    QTest::keyClick(&app.window, Qt::Key_N, Qt::ShiftModifier);
    QCOMPARE(app.bench.selection.focus().finding,
             static_cast<int>(app.bench.session.report()->verdict.findings.size()) - 1);
    QTest::keyClick(&app.window, Qt::Key_Escape);
    QVERIFY(!app.bench.selection.focus().picked());
}

void WindowTest::stepAndNodeGoTogether()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    const auto report = app.bench.session.report();
    const Step& step = report->program.schedule.steps[2];
    QVERIFY(app.window.select(QString::fromStdString((*report->program.graph)[step.node].name)));
    QCOMPARE(app.bench.selection.step(), 2);
    QTest::keyClick(&app.window, Qt::Key_Right, Qt::ControlModifier);
    const auto* nodes = app.window.panes().tables[QStringLiteral("nodes")]->view()->selectionModel();
    QCOMPARE(nodes->selectedRows().value(0).data().toString(), QStringLiteral("3"));
}

void WindowTest::stepKeysMoveTheCursor()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(app.bench.selection.step(), 0);
    QTest::keyClick(&app.window, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&app.window, Qt::Key_Left, Qt::ControlModifier);
    QTest::keyClick(&app.window, Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(app.bench.selection.step(), 0);
}

void WindowTest::anythingIsFoundByName()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    const auto report = app.bench.session.report();
    const QString name = QString::fromStdString(report->program.graph->nodes.back().name);
    QTest::keyClick(&app.window, Qt::Key_P, Qt::ControlModifier);
    auto* finder = app.child<QFrame>("finder");
    QTRY_VERIFY(finder->isVisible());
    auto* field = finder->findChild<QLineEdit*>();
    QTest::keyClicks(field, name);
    QTest::keyClick(field, Qt::Key_Return);

    QVERIFY(!finder->isVisible());
    QVERIFY(app.bench.selection.focus().picked());
    QVERIFY(app.child<QLabel>("inspectorTitle")->text().contains(name));
}

void WindowTest::commandsAreFoundByName()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* finder = app.child<QFrame>("finder");
    QTRY_VERIFY(finder->isVisible());
    auto* field = finder->findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("table storages"));
    auto* list = finder->findChild<QListWidget*>();
    QVERIFY(list->count() > 0);
    QVERIFY(list->item(0)->text().contains(QStringLiteral("Storages")));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!finder->isVisible());
}

void WindowTest::aFilterLeavesTheRowsThatMatch()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("nodes")));
    TablePane* nodes = app.window.panes().tables[QStringLiteral("nodes")];
    const int all = nodes->view()->model()->rowCount();
    QTest::keyClicks(nodes->filterField(), QStringLiteral("Conv"));
    const int some = nodes->view()->model()->rowCount();
    QVERIFY(some > 0 && some < all);
    QTest::keyClick(nodes->filterField(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(nodes->filterField(), Qt::Key_Delete);
    QCOMPARE(nodes->view()->model()->rowCount(), all);
    QTest::keyClicks(nodes->filterField(), QStringLiteral("live>abc"));
    auto* complaint = nodes->findChild<QLabel*>(QStringLiteral("filterComplaint"));
    QCOMPARE(complaint->text(), QStringLiteral("not a number: abc"));
    app.window.open(test::exampleFile(QStringLiteral("two-outputs.json")));
    QVERIFY(app.ready());
    QVERIFY(nodes->filterField()->text().isEmpty() && complaint->text().isEmpty());
}

void WindowTest::layoutsComeBack()
{
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    app.window.actions().at("layout.picture")->trigger();
    QVERIFY(!app.child<QDockWidget>("policies")->isVisible());
    app.window.actions().at("layout.reset")->trigger();
    for (const char* id : {"policies", "inspector", "findings", "storages", "values", "nodes", "run"})
        QVERIFY2(!app.child<QDockWidget>(id)->isHidden(), id);
}

void WindowTest::aDroppedFileIsOpened()
{
    Opened app;
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(test::exampleFile(QStringLiteral("two-outputs.json")))});
    QVERIFY(app.window.openMime(mime));
    QVERIFY(app.ready());

    QMimeData words;
    words.setText(QStringLiteral("neither a path nor a graph"));
    QVERIFY(!app.window.openMime(words));
}

void WindowTest::namesOfAFileAreNoHtml()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("names.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": "plimsoll.graph/1", "name": "<b>g</b>", "outputs": ["<b>y</b>"],
                   "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
                   "nodes": [{"op": "Relu", "inputs": ["x"], "outputs": ["<b>y</b>"]}]})");
    file.close();
    Opened app;
    app.window.open(file.fileName());
    QVERIFY(app.ready() && app.window.select(QStringLiteral("<b>y</b>")));
    int named = 0;
    for (const QLabel* label : app.window.findChildren<QLabel*>()) {
        if (!label->isVisible() || !label->text().contains(QStringLiteral("<b>"))) continue;
        ++named;
        QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    QVERIFY(named >= 2); // the title of the inspector, and the graph's name
}

void WindowTest::aSmallWindowFits_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("one column at the side") << QSize(1000, 700);
    QTest::newRow("two columns") << QSize(1280, 720);
}

void WindowTest::aSmallWindowFits()
{
    QFETCH(QSize, size);
    Opened app(QStringLiteral("transformer-block.json"));
    QVERIFY(app.ready());
    app.window.resize(size);
    app.window.actions().at("layout.reset")->trigger();
    QTest::qWait(50);
    app.window.resize(size);
    QTest::qWait(50);
    QCOMPARE(app.window.size(), size);
    const auto bars = app.window.findChildren<QTabBar*>();
    QVERIFY(bars.size() >= 2);
    for (const QTabBar* bar : bars) {
        QCOMPARE(bar->elideMode(), Qt::ElideNone); // names are whole
        if (!bar->isVisible()) continue;
        const int tabs = bar->tabRect(bar->count() - 1).right();
        QVERIFY2(tabs < bar->width(), qPrintable(QStringLiteral("%1 of %2").arg(tabs).arg(bar->width())));
    }
}

void WindowTest::picturesAreSavedAsTheFileEnds_data()
{
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("png") << "png" << QByteArray("\x89PNG");
    QTest::newRow("svg") << "svg" << QByteArray("<?xml");
    QTest::newRow("pdf") << "pdf" << QByteArray("%PDF-");
}

void WindowTest::picturesAreSavedAsTheFileEnds()
{
    QFETCH(QString, ending);
    QFETCH(QByteArray, begins);
    Opened app(QStringLiteral("residual-block.json"));
    QVERIFY(app.ready());
    const QTemporaryDir folder;
    for (const char* view : {"plan", "live", "graph"}) {
        QVERIFY(app.window.showView(QLatin1String(view)));
        QTRY_VERIFY(app.window.settled());
        const QString name = folder.filePath(QLatin1String(view) + u'.' + ending);
        QVERIFY(exportPicture(*app.window.panes().pictures->current(), name, {}).ok());
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.startsWith(begins));
        if (ending == QStringLiteral("svg")) QVERIFY(text.contains(">Conv<") || text.contains(">r1<"));
    }
    QVERIFY(!exportWindow(app.window, folder.filePath(QStringLiteral("no/such/folder.png")), {}).ok());
}

void WindowTest::sortMarksPointTheWayTheRowsGo()
{
    const auto upperInk = [](QStyleOptionHeader::SortIndicator mark) { // less what is in the lower half
        QImage image(20, 20, QImage::Format_RGB32);
        image.fill(Qt::white);
        QStyleOptionHeader option;
        option.rect = image.rect();
        option.sortIndicator = mark;
        option.palette.setColor(QPalette::ButtonText, Qt::black);
        QPainter painter(&image);
        WindowStyle().drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, &painter, nullptr);
        painter.end();
        int ink = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                ink += (255 - qGray(image.pixel(x, y))) * (y < image.height() / 2 ? 1 : -1);
        return ink;
    };
    QVERIFY(upperInk(QStyleOptionHeader::SortUp) > 0); // Qt's name for the greatest first
    QVERIFY(upperInk(QStyleOptionHeader::SortDown) < 0);
}

void WindowTest::themesSwitchLive()
{
    Opened app;
    app.window.actions().at("view.dark")->trigger();
    QTRY_VERIFY(app.window.palette().color(QPalette::Window).lightness() < 100);
    app.window.actions().at("view.light")->trigger();
    QTRY_VERIFY(app.window.palette().color(QPalette::Window).lightness() > 200);
    QVERIFY(app.window.actions().at("view.light")->isChecked());
    QVERIFY(!app.window.actions().at("view.dark")->isChecked());

    app.window.actions().at("view.contrast")->trigger();
    const QPalette& strong = app.window.palette();
    const auto contrastOf = [&](QPalette::ColorRole text, QPalette::ColorRole behind) {
        const auto rgb = [&](QPalette::ColorRole role) {
            const QColor colour = strong.color(role);
            return Rgb {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
                        static_cast<std::uint8_t>(colour.blue())};
        };
        return contrast(rgb(text), rgb(behind));
    };
    QTRY_COMPARE(strong.color(QPalette::Window), QColor(Qt::black));
    QVERIFY(contrastOf(QPalette::WindowText, QPalette::Window) >= 7);
    QVERIFY(contrastOf(QPalette::PlaceholderText, QPalette::Base) >= 7);
    QVERIFY(contrastOf(QPalette::Text, QPalette::AlternateBase) >= 7);
    QVERIFY(contrastOf(QPalette::HighlightedText, QPalette::Highlight) >= 7);
    QVERIFY(contrastOf(QPalette::Link, QPalette::Base) >= 7);
    const QImage picture = app.window.panes().pictures->current()->grab().toImage();
    QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::black));
    app.window.actions().at("view.light")->trigger();
}

void WindowTest::fuzzyPrefersWordsAndRuns()
{
    const auto score = [](const char* pattern, const char* text) {
        return fuzzyScore(QString::fromLatin1(pattern), QString::fromLatin1(text));
    };
    QCOMPARE(score("xyz", "conv1"), -1);
    QVERIFY(score("conv", "conv1") > score("conv", "some/longer/name/of/deconv1"));
    QVERIFY(score("nf", "Next finding") > score("nf", "engine off"));
    QVERIFY(score("", "anything") >= 0);
}

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
