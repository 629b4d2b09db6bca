#include "app/views/sweep_canvas.h"
#include "app/window/panes/plots/sweep_pane.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Its peak is two squares of n without in place, and one with it.
constexpr const char* Squares = R"({
  "schema": "plimsoll.graph/1", "name": "squares",
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["n", "n"]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Sin", "inputs": ["a"], "outputs": ["b"]}],
  "outputs": ["b"]
})";

struct Opened : test::OpenWindow
{
    QTemporaryDir folder;

    Opened()
    {
        const QString path = folder.filePath(QStringLiteral("squares.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(Squares) < 0) qFatal("no file");
        file.close();
        bench.costs.setEnabled(false);
        window.resize(1300, 900);
        window.show();
        Choices choices = initialChoices();
        (void)choices.setPolicy("backend", "reference");
        bench.session.open(path, choices);
        pane()->job().setProgram(QStringLiteral(PLIMSOLL_CLI));
    }
    [[nodiscard]] SweepPane* pane() const
    {
        return qobject_cast<SweepPane*>(window.panes().plots.value(QStringLiteral("sweep")));
    }
    [[nodiscard]] QTableView* table() const { return child<QTableView>("sweepView"); }
    [[nodiscard]] bool bring()
    {
        if (!ready()) return false;
        window.actions().at("layout.tables")->trigger();
        return window.showView(QStringLiteral("sweep"));
    }
    [[nodiscard]] bool sweep(const char* over)
    {
        auto* field = child<QLineEdit>("sweepOver");
        field->clear();
        QTest::keyClicks(field, QString::fromLatin1(over));
        QTest::keyClick(field, Qt::Key_Return);
        return QTest::qWaitFor([this] { return !pane()->job().running(); }, 20000);
    }
    [[nodiscard]] QStringList rows() const
    {
        QStringList rows;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            rows << table()->model()->index(row, 0).data().toString() + u' ' +
                        table()->model()->index(row, 1).data().toString();
        return rows;
    }
    [[nodiscard]] QString said() const { return child<QLabel>("sweepStatus")->text(); }
};

} // namespace

class SweepPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void everyCombinationIsPlannedAndDrawn()
    {
        Opened app;
        QVERIFY(app.bring());
        const QImage before = app.pane()->canvas()->grab().toImage();
        QVERIFY(app.sweep("n=4,8 inplace=on,off"));
        QCOMPARE(app.rows(), (QStringList {"n=4, inplace=on 64 B", "n=4, inplace=off 128 B", "n=8, inplace=on 256 B",
                                           "n=8, inplace=off 512 B"}));
        QVERIFY(app.pane()->canvas()->grab().toImage() != before);
    }

    void aPointIsARowAndIsPlanned()
    {
        Opened app;
        QVERIFY(app.bring());
        QVERIFY(app.sweep("n=4,8 inplace=on,off"));
        SweepCanvas* canvas = app.pane()->canvas();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Right); // the first
        QTest::keyClick(canvas, Qt::Key_Right); // its value for n = 8
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(canvas->point(), 3);
        QCOMPARE(app.table()->selectionModel()->selectedRows().value(0).data().toString(),
                 QStringLiteral("n=8, inplace=off"));
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(app.ready());
        QCOMPARE(app.bench.session.report()->memory.peakBytes, 512);
        QCOMPARE(app.rows().size(), 4); // they are as before
        app.window.actions().at("edit.undo")->trigger();
        QVERIFY(app.ready());
        QCOMPARE(app.bench.session.report()->memory.peakBytes, 64); // n = 1, on its grid
    }

    void whatIsWrongIsSaid()
    {
        Opened app;
        QVERIFY(app.bring());
        QVERIFY(app.sweep(""));
        QVERIFY(app.said().contains(QStringLiteral("Say what is to be varied")));
        QVERIFY(app.sweep("n"));
        QVERIFY2(app.said().contains(QStringLiteral("is not NAME=VALUES")), qPrintable(app.said()));
        QVERIFY(app.sweep("m=1,2"));
        QVERIFY2(app.said().contains(QStringLiteral("'m'")), qPrintable(app.said()));
        QVERIFY(app.rows().isEmpty());
    }

    void whatCanBeVariedIsListed()
    {
        Opened app;
        QVERIFY(app.bring());
        QMenu* menu = app.child<QToolButton>("sweepAdd")->menu();
        Q_EMIT menu->aboutToShow();
        QStringList listed;
        for (QAction* action : menu->actions())
            listed << action->text();
        QVERIFY(listed.contains(QStringLiteral("n=1..64")));
        QVERIFY(listed.contains(QStringLiteral("inplace=*")));
        menu->actions().first()->trigger();
        QCOMPARE(app.child<QLineEdit>("sweepOver")->text(), QStringLiteral("n=1..64"));
    }

    void otherChoicesDropIt()
    {
        Opened app;
        QVERIFY(app.bring());
        QVERIFY(app.sweep("n=4,8"));
        QCOMPARE(app.rows().size(), 2);
        QVERIFY(app.bench.session.setPolicy("inplace", "off").ok());
        QVERIFY(app.ready());
        QTRY_VERIFY(app.rows().isEmpty());
    }
};

QTEST_MAIN(SweepPaneTest)
#include "tst_sweep_pane.moc"
