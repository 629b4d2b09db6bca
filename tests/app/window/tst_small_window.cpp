#include "app/window/pane_walk.h"
#include "app/window/panes/measure_strip.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/diamond_window.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

using namespace plimsoll;
using namespace plimsoll::app;

/// A screen of 1920 × 1200 pixels, two of them for one.
class SmallWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void panesBelowShowRows();
    void theLayoutOfTablesGivesThemTheHeight();
    void aPaneThatIsOpenedIsATab();
    void f6ComesToPanesThatTheirContentsCover();

private:
    struct Window : test::DiamondWindow
    {
        explicit Window(const char* layout)
        {
            window.resize(960, 560);
            action(layout)->trigger();
        }
        QWidget& raised(const QString& id)
        {
            auto* dock = window.findChild<QDockWidget*>(id);
            dock->show();
            dock->raise();
            QTest::qWait(20);
            return *dock;
        }
    };
};

void SmallWindowTest::panesBelowShowRows()
{
    Window app("layout.plan");
    QVERIFY(app.ready());
    QCOMPARE(app.window.size(), QSize(960, 560));
    for (const char* id : {"storages", "values", "nodes", "backends"}) {
        app.raised(QString::fromLatin1(id));
        const QTableView* view = app.window.panes().tables.value(QString::fromLatin1(id))->view();
        if (view->isHidden()) continue; // it has no rows
        QVERIFY2(view->viewport()->height() >= view->verticalHeader()->defaultSectionSize(), id);
    }
    const QWidget& backends = app.raised(QStringLiteral("backends"));
    for (const QLabel* label : backends.findChild<MeasureStrip*>()->findChildren<QLabel*>())
        QVERIFY2(label->height() >= label->sizeHint().height() || label->isHidden(), qPrintable(label->text()));
    app.bench.run.setProgram(QStringLiteral(PLIMSOLL_CLI));
    QVERIFY(app.bench.startRun({}).ok());
    const QWidget& run = app.raised(QStringLiteral("run"));
    const auto* headline = run.findChild<QLabel*>(QStringLiteral("runHeadline"));
    QTRY_VERIFY(app.bench.session.run());
    QTest::qWait(20);
    QVERIFY(headline->height() >= headline->heightForWidth(headline->width()));
    QVERIFY(run.findChild<QWidget*>(QStringLiteral("runDetails"))->height() > 3 * run.fontMetrics().lineSpacing());
}

void SmallWindowTest::theLayoutOfTablesGivesThemTheHeight()
{
    Window app("layout.tables");
    QVERIFY(app.ready());
    const int pictures = app.window.panes().pictures->height();
    QVERIFY(app.raised(QStringLiteral("values")).height() > pictures);
}

/// Its tab says its name: a title beside that would take of the rows.
void SmallWindowTest::aPaneThatIsOpenedIsATab()
{
    Window app("layout.plan");
    QVERIFY(app.ready());
    auto& dock = static_cast<QDockWidget&>(app.raised(QStringLiteral("bytes")));
    QTRY_VERIFY(dock.titleBarWidget());
}

/// Facts and their scroll bar leave nothing of the pane to be seen.
void SmallWindowTest::f6ComesToPanesThatTheirContentsCover()
{
    Window app("layout.plan");
    QVERIFY(app.ready());
    app.bench.selection.pick(Focus::on(StorageId {0}));
    QTest::qWait(20);
    for (const char* id : {"policies", "inspector"})
        QVERIFY2(panesOf(app.window).contains(app.window.findChild<QDockWidget*>(QString::fromLatin1(id))), id);
}

QTEST_MAIN(SmallWindowTest)
#include "tst_small_window.moc"
