#include "app/views/helps_canvas.h"
#include "app/window/panes/plots/helps_pane.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Two changes save alone, and more together: big follows from constants, and b is computed twice.
constexpr const char* Twofold = R"({
  "schema": "plimsoll.graph/1", "name": "twofold",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [10, 100]}],
  "constants": [{"name": "w", "dtype": "float32", "shape": [10, 1], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]},
                {"name": "wide", "dtype": "int64", "shape": [2], "data": [10, 100]}],
  "nodes": [{"name": "n0", "op": "Expand", "inputs": ["w", "wide"], "outputs": ["big"]},
            {"name": "n1", "op": "Sin", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n2", "op": "Sin", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n3", "op": "Add", "inputs": ["a", "b"], "outputs": ["c"]},
            {"name": "n4", "op": "Add", "inputs": ["c", "big"], "outputs": ["z"]}],
  "outputs": ["z"]
})";

/// A window on that graph, with the pane in front.
struct Opened : test::OpenWindow
{
    QTemporaryDir folder;

    Opened() : OpenWindow(test::unsearchingEngine())
    {
        const QString path = folder.filePath(QStringLiteral("twofold.json"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(Twofold) < 0) qFatal("no file");
        file.close();
        window.resize(1300, 900);
        window.show();
        bench.session.open(path);
    }
    /// Once there is a plan, the pane comes to the front.
    [[nodiscard]] bool bring()
    {
        if (!ready()) return false;
        window.actions().at("layout.tables")->trigger(); // room for rows
        window.actions().at("view.what-helps")->trigger();
        return quiet();
    }
    [[nodiscard]] bool quiet()
    {
        return QTest::qWaitFor([this] { return ready() && !pane()->running() && table()->model()->rowCount() > 0; },
                               20000);
    }
    [[nodiscard]] HelpsPane* pane() const { return window.panes().helps; }
    [[nodiscard]] QTableView* table() const { return child<QTableView>("what-helpsView"); }
    [[nodiscard]] QString at(int row, int column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] int rowOf(const QString& change) const
    {
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            if (at(row, 0) == change) return row;
        return -1;
    }
    [[nodiscard]] QString policy(const char* id) const
    {
        return QString::fromStdString(policyValue(bench.session.choices().policies, id));
    }
    void fitInto(const QString& capacity)
    {
        auto* field = child<QLineEdit>("fitCapacity");
        field->setText(capacity);
        QTest::keyClick(field, Qt::Key_Return);
    }
    [[nodiscard]] QString answer() const { return child<QLabel>("fitAnswer")->text(); }
};

const QString Pair = QStringLiteral("'Merge repeats: on', 'Fold constants: all'");

} // namespace

/// What helps most, and what fits a capacity.
class HelpsPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void whatNeedsLeastComesFirstAlsoOfPairs();
    void aRowIsTakenByDoubleClickReturnOrButtonAndUndone();
    void whatFitsIsFoundAndApplied();
    void whatDoesNotFitAndWhatIsNoSizeIsSaid();
};

void HelpsPaneTest::whatNeedsLeastComesFirstAlsoOfPairs()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(!app.child<QDockWidget>("what-helps")->isVisible());
    QVERIFY(app.bring());
    const int pair = app.rowOf(Pair);
    QVERIFY(pair >= 0);
    QVERIFY(pair < app.rowOf(QStringLiteral("'Fold constants: all'")));
    QVERIFY(app.rowOf(QStringLiteral("'Merge repeats: on'")) >= 0);
    QVERIFY(app.child<QLabel>("helpsStatus")->text().contains(QStringLiteral("lower the peak")));
    QVERIFY(app.bench.session.report()->policyChanges.empty()); // what others show is as it was
}

void HelpsPaneTest::aRowIsTakenByDoubleClickReturnOrButtonAndUndone()
{
    Opened app;
    QVERIFY(app.bring());
    const auto taken = [&] {
        return app.policy("cse") == QStringLiteral("on") && app.policy("fold") == QStringLiteral("all");
    };
    for (const int way : {0, 1, 2}) {
        const int row = app.rowOf(Pair);
        QVERIFY(row >= 0);
        app.table()->selectRow(row);
        app.table()->scrollTo(app.table()->model()->index(row, 0));
        const QPoint at = app.table()->visualRect(app.table()->model()->index(row, 0)).center();
        QVERIFY2(app.table()->viewport()->rect().contains(at), qPrintable(QString::number(at.y())));
        if (way == 0) {
            QTest::mouseClick(app.table()->viewport(), Qt::LeftButton, {},
                              at); // a view minds where the first press was
            QTest::mouseDClick(app.table()->viewport(), Qt::LeftButton, {}, at);
        }
        if (way == 1) {
            app.window.activateWindow();
            app.table()->setFocus();
            QTRY_VERIFY(app.table()->hasFocus());
            QTest::keyClick(app.table(), Qt::Key_Return);
        }
        if (way == 2) QTest::mouseClick(app.child<QPushButton>("helpsTake"), Qt::LeftButton);
        QVERIFY2(taken(), qPrintable(QString::number(way)));
        QVERIFY(app.ready());
        app.bench.session.undo(); // both at once
        QCOMPARE(app.policy("cse"), QStringLiteral("off"));
        QCOMPARE(app.policy("fold"), QStringLiteral("shapes"));
        QVERIFY(app.quiet());
    }
}

void HelpsPaneTest::whatFitsIsFoundAndApplied()
{
    Opened app;
    QVERIFY(app.bring());
    const std::int64_t peak = app.bench.session.report()->memory.peakBytes;
    auto* take = app.child<QPushButton>("fitTake");
    QVERIFY(!take->isVisible());
    app.fitInto(QString::number(peak - 1));
    QTRY_VERIFY_WITH_TIMEOUT(take->isVisible(), 60000);
    QVERIFY2(app.answer().startsWith(QStringLiteral("It fits with ")), qPrintable(app.answer()));
    QTest::mouseClick(take, Qt::LeftButton);
    QVERIFY(app.ready());
    QCOMPARE(app.policy("capacity"), QStringLiteral("cpu=%1").arg(peak - 1));
    QVERIFY(app.bench.session.report()->memory.peakBytes < peak);
    app.bench.session.undo();
    QCOMPARE(app.policy("capacity"), QStringLiteral("none"));
    QVERIFY(app.ready());
    QVERIFY(!app.bench.session.canUndo());
}

void HelpsPaneTest::whatDoesNotFitAndWhatIsNoSizeIsSaid()
{
    Opened app;
    QVERIFY(app.bring());
    app.fitInto(QStringLiteral("many"));
    QVERIFY2(app.answer().contains(QStringLiteral("many")), qPrintable(app.answer()));
    app.fitInto(QStringLiteral("16MiB"));
    QTRY_VERIFY2(app.answer().startsWith(QStringLiteral("It fits as it is")), qPrintable(app.answer()));
    QVERIFY(!app.child<QPushButton>("fitTake")->isVisible());
    app.fitInto(QStringLiteral("64"));
    QTRY_VERIFY_WITH_TIMEOUT(app.answer().startsWith(QStringLiteral("No combination ")), 60000);
    // Stopped, it says what there is.
    app.fitInto(QStringLiteral("8000"));
    QTest::mouseClick(app.child<QPushButton>("fitStop"), Qt::LeftButton);
    QTRY_VERIFY(!app.pane()->running());
    QVERIFY(!app.answer().isEmpty());
}

QTEST_MAIN(HelpsPaneTest)
#include "tst_helps_pane.moc"
