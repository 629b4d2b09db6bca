#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/views/search_canvas.h"
#include "app/window/exporting.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/step_panel.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QXmlStreamReader>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    Opened()
    {
        bench.costs.setEnabled(false);
        window.resize(900, 600);
        window.show();
        window.open(test::exampleFile(QStringLiteral("transformer-block.json")));
    }
    void trigger(const char* id) const { window.actions().at(id)->trigger(); }
    [[nodiscard]] Canvas& picture(const char* view) const { return *window.panes().picture(QLatin1String(view)); }
    [[nodiscard]] const Graph& graph() const { return *bench.session.report()->program.graph; }
};

QByteArray contentOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString copied()
{
    return QGuiApplication::clipboard()->text();
}

/// Names \p file in the dialog that comes next, under the filter that begins so.
void answerDialog(const QString& file, const QString& filter)
{
    QTimer::singleShot(0, qApp, [file, filter] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        for (const QString& name : dialog->nameFilters())
            if (name.startsWith(filter)) dialog->selectNameFilter(name);
        auto* field = dialog->findChild<QLineEdit*>();
        field->setText(file);
        QTest::keyClick(field, Qt::Key_Return);
    });
}

/// A picture of which the whole is larger than any image.
class Endless : public Canvas
{
public:
    void paint(QPainter& painter, const QRectF& area, const Style&) override { painter.fillRect(area, Qt::red); }
    [[nodiscard]] QSizeF wholeSize() const override { return {60'000, 100}; }
    void fit() override {}
    bool frameSelection() override { return false; }

protected:
    void reportChanged() override {}
};

QStringList menuAt(QWidget& widget)
{
    const QPoint at = widget.rect().center();
    QContextMenuEvent event(QContextMenuEvent::Keyboard, at, widget.mapToGlobal(at));
    QCoreApplication::sendEvent(&widget, &event);
    const QPointer<QMenu> menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QStringList ids;
    if (!menu) return ids;
    for (const QAction* action : menu->actions())
        ids << action->objectName();
    menu->close();
    return ids;
}

} // namespace

class WindowExportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void theWholeHasWhatTheViewLeavesOut()
    {
        Opened app;
        QVERIFY(app.ready());
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("rows.svg"));
        Canvas& live = app.picture("live");
        QVERIFY(app.window.showView(QStringLiteral("live")));
        QTest::keyClick(&live, Qt::Key_End);
        const QByteArray last = ">" + QByteArray::fromStdString(app.graph().values.back().name) + "<";
        QVERIFY(exportPicture(live, file, {}).ok());
        QVERIFY(!contentOf(file).contains(last));
        QVERIFY(exportPicture(live, file, {}, PicturePart::Whole).ok());
        QVERIFY2(contentOf(file).contains(last), last);
    }

    void theWholeGraphIsAsLargeAsLife()
    {
        Opened app;
        QVERIFY(app.ready());
        app.window.showView(QStringLiteral("graph"));
        QTRY_VERIFY(app.window.settled());
        auto& graph = dynamic_cast<GraphCanvas&>(app.picture("graph"));
        const QPointF origin = graph.viewport().origin;
        const QImage seen = graph.grab().toImage();
        const Result<QImage> image = pictureOf(graph, PicturePart::Whole);
        QVERIFY(image.ok());
        QVERIFY(image.value().height() >= graph.drawing()->bounds().height());
        QVERIFY(image.value().height() > graph.height());
        QCOMPARE(graph.viewport().origin, origin);
        QVERIFY2(graph.grab().toImage() == seen, "the view is what it was");
    }

    void theWholePlanIsTheSameWhereverOneLooks()
    {
        Opened app;
        QVERIFY(app.ready());
        auto& plan = dynamic_cast<PlanCanvas&>(app.picture("plan"));
        const QImage before = pictureOf(plan, PicturePart::Whole).value();
        QTest::keyClick(&plan, Qt::Key_W);
        QTest::keyClick(&plan, Qt::Key_D);
        const QImage seen = pictureOf(plan, PicturePart::Seen).value();
        QCOMPARE(seen.size(), plan.size());
        QVERIFY2(before.width() >= 24 * plan.scene().picture.steps, "a step has room for a name");
        // The strip says what part is seen: all of it.
        QVERIFY(pictureOf(plan, PicturePart::Whole).value() == before);
        QVERIFY(pictureOf(plan, PicturePart::Seen).value() == seen);
    }

    /// Pages are white, whatever the screen has.
    void exportsAreLightUnderADarkTheme()
    {
        Opened app;
        QVERIFY(app.ready());
        Canvas& plan = app.picture("plan");
        const QImage light = pictureOf(plan, PicturePart::Seen).value();
        app.trigger("view.dark");
        QVERIFY(plan.looks().theme == Theme::Dark);
        QVERIFY(pictureOf(plan, PicturePart::Seen).value() == light);
        QVERIFY(pictureOf(plan, PicturePart::Seen, Theme::Dark).value() != light);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.svg"));
        QVERIFY(exportPicture(plan, file, {}).ok());
        const QByteArray ofDark = contentOf(file);
        app.trigger("view.light");
        QVERIFY(exportPicture(plan, file, {}).ok());
        QVERIFY(contentOf(file) == ofDark);
    }

    /// Bars run over the axis otherwise: SVG has no clip of the painter.
    void anSvgOfAPartIsClipped()
    {
        Opened app;
        QVERIFY(app.ready());
        auto& plan = static_cast<PlanCanvas&>(app.picture("plan"));
        plan.resize(700, 420); // high enough for names
        QTest::keyClick(&plan, Qt::Key_W);
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("plan.svg"));
        QVERIFY(exportPicture(plan, file, {}).ok());
        const QByteArray svg = contentOf(file);
        QXmlStreamReader reader(svg);
        QStringList open;
        QStringList clippedTexts;
        while (!reader.atEnd()) {
            switch (reader.readNext()) {
            case QXmlStreamReader::StartElement:
                open << reader.attributes().value(QStringLiteral("clip-path")).toString();
                break;
            case QXmlStreamReader::EndElement:
                open.removeLast();
                break;
            case QXmlStreamReader::Characters:
                if (open.join(QString()).contains(QStringLiteral("clip"))) clippedTexts << reader.text().toString();
                QVERIFY(!reader.text().contains(QChar(0xf8ff)));
                break;
            default:
                break;
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        const QRectF bars = plan.viewport().area;
        QVERIFY(svg.contains(QStringLiteral("<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"/></clipPath>")
                                 .arg(bars.x())
                                 .arg(bars.y())
                                 .arg(bars.width())
                                 .arg(bars.height())
                                 .toUtf8()));
        QVERIFY(!clippedTexts.filter(QRegularExpression(QStringLiteral("^attention|^fc|^h"))).isEmpty());
        QVERIFY(!clippedTexts.contains(QStringLiteral("live bytes")));
    }

    void whatNoImageHoldsIsSaid()
    {
        Endless canvas;
        const QTemporaryDir folder;
        const Status png = exportPicture(canvas, folder.filePath(QStringLiteral("e.png")), {}, PicturePart::Whole);
        QVERIFY(!png.ok());
        QCOMPARE(png.error().message.id, std::string_view("export.too-many-pixels"));
        QVERIFY(exportPicture(canvas, folder.filePath(QStringLiteral("e.svg")), {}, PicturePart::Whole).ok());
        const QString pdf = folder.filePath(QStringLiteral("e.pdf"));
        QVERIFY(exportPicture(canvas, pdf, {}, PicturePart::Whole).ok());
        const QRegularExpression page(QStringLiteral("/MediaBox \\[0 0 (\\d+)"));
        const auto match = page.match(QString::fromLatin1(contentOf(pdf)));
        QVERIFY(match.hasMatch());
        QCOMPARE(match.captured(1), QStringLiteral("14400")); // the most that a page may have
        QVERIFY(!exportPicture(canvas, folder.filePath(QStringLiteral("e.gif")), {}).ok());
    }

    void aTableIsSavedAsItIsShown()
    {
        Opened app;
        QVERIFY(app.ready());
        app.window.showView(QStringLiteral("values"));
        TablePane* values = app.window.panes().tables.value(QStringLiteral("values"));
        QTRY_COMPARE(app.window.panes().shownTable(), values);
        values->filterField()->setText(QStringLiteral("softmax"));
        values->view()->sortByColumn(0, Qt::DescendingOrder);
        app.trigger("edit.copy-csv");
        const QStringList lines = copied().split(QStringLiteral("\r\n"));
        QVERIFY(lines.first().startsWith(QStringLiteral("Value,")));
        QCOMPARE(lines.size(), values->model().rowCount() + 2); // titles, and an end behind the last row
        for (int row = 0; row < values->model().rowCount(); ++row)
            QVERIFY(lines[row + 1].startsWith(values->model().index(row, 0).data().toString() + u','));
        const QByteArray csv = copied().toUtf8();
        app.trigger("edit.copy-markdown");
        QCOMPARE(copied().count(u'\n'), values->model().rowCount() + 2);
        QVERIFY(copied().startsWith(QStringLiteral("| Value |")));

        const QTemporaryDir folder;
        answerDialog(folder.filePath(QStringLiteral("t")), QStringLiteral("CSV"));
        app.trigger("file.table");
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("t.csv"))), csv);
        answerDialog(folder.filePath(QStringLiteral("t")), QStringLiteral("Markdown"));
        app.trigger("file.table");
        QCOMPARE(QString::fromUtf8(contentOf(folder.filePath(QStringLiteral("t.md")))), copied());
    }

    void thePictureThatHasTheKeyboardIsTaken()
    {
        Opened app;
        QVERIFY(app.ready());
        app.trigger("edit.copy-picture");
        QCOMPARE(QGuiApplication::clipboard()->image().size(), app.picture("plan").size());
        app.window.showView(QStringLiteral("search"));
        app.window.activateWindow();
        QTRY_VERIFY(app.window.isActiveWindow());
        app.picture("search").setFocus();
        app.trigger("edit.copy-picture");
        QCOMPARE(QGuiApplication::clipboard()->image().size(), app.picture("search").size());
        const QTemporaryDir folder;
        answerDialog(folder.filePath(QStringLiteral("p")), QStringLiteral("SVG"));
        app.trigger("file.whole-picture");
        QVERIFY(contentOf(folder.filePath(QStringLiteral("p.svg"))).contains("<title>Search</title>"));
    }

    void factsOfTheStepLeaveAsTables()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.window.select(QStringLiteral("s0")));
        app.bench.selection.setStep(2);
        app.window.activateWindow();
        QTRY_VERIFY(app.window.isActiveWindow());
        FactView* step = app.window.panes().inspector->step()->view();
        step->setFocus();
        app.trigger("edit.copy-csv");
        QVERIFY2(copied().startsWith(QStringLiteral("Section,Name,Value\r\nAt this step,Runs,")), qPrintable(copied()));
        const std::int64_t live = app.bench.session.report()->memory.liveBytes[2];
        QVERIFY(copied().contains(QStringLiteral("\r\nAt this step,Live,%1\r\n").arg(live)));
        app.trigger("edit.copy-markdown");
        QVERIFY2(copied().startsWith(QStringLiteral("## step 2\n")), qPrintable(copied()));
        const QTemporaryDir folder;
        answerDialog(folder.filePath(QStringLiteral("s")), QStringLiteral("Markdown"));
        app.trigger("file.table");
        QCOMPARE(QString::fromUtf8(contentOf(folder.filePath(QStringLiteral("s.md")))), copied());
        QCOMPARE(app.window.statusBar()->currentMessage(),
                 QStringLiteral("Written: ") + folder.filePath(QStringLiteral("s.md")));
    }

    void factsAreCopiedAsMarkdown()
    {
        Opened app;
        QVERIFY(app.ready());
        QVERIFY(app.window.select(QStringLiteral("s0")));
        app.trigger("edit.copy-facts-markdown");
        QVERIFY2(copied().startsWith(QStringLiteral("## storage s0\n\n### ")), qPrintable(copied()));
        QVERIFY(copied().contains(QStringLiteral("| Fact | Value |\n| --- | --- |\n| ")));
    }

    void everyPictureHasATable_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<QString>("selected");
        QTest::addColumn<QString>("table");
        QTest::newRow("plan") << "plan"
                              << ""
                              << "values";
        QTest::newRow("a storage in the plan") << "plan"
                                               << "s2"
                                               << "storages";
        QTest::newRow("live ranges") << "live"
                                     << ""
                                     << "values";
        QTest::newRow("graph") << "graph"
                               << ""
                               << "nodes";
        QTest::newRow("search") << "search"
                                << ""
                                << "search-history";
        QTest::newRow("time against peak") << "time-against-peak"
                                           << ""
                                           << "time-against-peak";
    }
    void everyPictureHasATable()
    {
        QFETCH(QString, view);
        QFETCH(QString, selected);
        QFETCH(QString, table);
        Opened app;
        QVERIFY(app.ready());
        app.window.activateWindow();
        QTRY_VERIFY(app.window.isActiveWindow());
        QVERIFY(app.window.showView(view));
        if (!selected.isEmpty()) QVERIFY(app.window.select(selected));
        app.window.panes().picture(view)->setFocus();
        app.trigger("view.as-table");
        const QTableView* rows = app.window.panes().tables.value(table)->view();
        QTRY_VERIFY(!rows->visibleRegion().isEmpty() || rows->model()->rowCount() == 0);
        QTRY_VERIFY(rows->hasFocus() || rows->parentWidget()->isAncestorOf(app.window.focusWidget()) ||
                    rows->model()->rowCount() == 0);
        if (!selected.isEmpty()) QCOMPARE(rows->currentIndex().siblingAtColumn(0).data().toString(), selected);
    }

    void menusOfferIt()
    {
        Opened app;
        QVERIFY(app.ready());
        for (const char* view : {"plan", "live", "graph", "search"}) {
            app.window.showView(QLatin1String(view));
            const QStringList entries = menuAt(app.picture(view));
            for (const char* id : {"view.as-table", "file.picture", "file.whole-picture", "edit.copy-picture"})
                QVERIFY2(entries.contains(QLatin1String(id)), view);
        }
    }
};

QTEST_MAIN(WindowExportTest)
#include "tst_window_export.moc"
