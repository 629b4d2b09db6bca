#include "tests/app/support/diamond_window.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QTimer>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Does that with the dialog that \p action opens.
void inDialog(QAction* action, const std::function<void(QDialog&)>& act)
{
    QTimer::singleShot(0, action, [&act] { act(*qobject_cast<QDialog*>(QApplication::activeModalWidget())); });
    action->trigger();
}

/// What it says of an address, and whether it takes it.
std::pair<QString, bool> answer(const QDialog& dialog, const char* typed)
{
    auto* field = dialog.findChild<QLineEdit*>(QStringLiteral("moveField"));
    field->selectAll();
    QTest::keyClicks(field, QString::fromLatin1(typed));
    return {dialog.findChild<QLabel*>(QStringLiteral("moveSays"))->text(),
            dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled()};
}

} // namespace

/// A plan that is edited where it is seen.
class WindowPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void aDragMovesAStorage_data();
    void aDragMovesAStorage();
    void aDragSnapsToANeighbour();
    void whatMeetsByAccidentIsDraggedAlone();
    void escapeLetsGo();
    void anotherPlanLetsGo();
    void anAddressIsTyped();
    void keysMoveToFreePlaces();
    void onlyWhatLiesInAnArenaIsMoved();
    void bytesOfItsOwn();
    void intoTheBytesOfAnother();
    void aNodeRunsEarlier();
    void theRowOfAMovedNodeIsFollowed();
    void placesAreMadeForAnOrder();
    void whatForbidsAnOrderIsSaid();
    void changesAreListedWithTheirPeaks();
};

void WindowPlanTest::aDragMovesAStorage_data()
{
    QTest::addColumn<Qt::KeyboardModifiers>("held");
    QTest::newRow("with Alt") << Qt::KeyboardModifiers(Qt::AltModifier);
    QTest::newRow("with Ctrl") << Qt::KeyboardModifiers(Qt::ControlModifier);
}

void WindowPlanTest::aDragMovesAStorage()
{
    QFETCH(Qt::KeyboardModifiers, held);
    test::DiamondWindow app;
    QVERIFY(app.ready());
    QCOMPARE(app.errors(), std::size_t(0));
    const QImage before = app.plan()->grab().toImage();
    QTest::mousePress(app.plan(), Qt::LeftButton, held, app.at(2.5, 150));
    QTest::mouseMove(app.plan(), app.at(2.5, 60));
    QTest::mouseMove(app.plan(), app.at(2.5, 56));
    QCOMPARE(app.offsetOf("c"), 128);
    QVERIFY(app.plan()->grab().toImage() != before);
    QTest::mouseRelease(app.plan(), Qt::LeftButton, held, app.at(2.5, 56));
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 32); // 150 - 56 bytes lower, on a grid of 32
    QVERIFY(app.errors() > 0);
    QVERIFY(app.bench.session.choices().givenPlan->file.empty());
    QCOMPARE(app.bench.selection.focus().value, app.idOf("c"));
    app.action("edit.undo")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 128);
    QCOMPARE(app.errors(), std::size_t(0));
    app.action("edit.redo")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 32);
}

void WindowPlanTest::aDragSnapsToANeighbour()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    QTest::mousePress(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(3.5, 200));
    QTest::mouseMove(app.plan(), app.at(3.5, 74)); // d where b was
    QTest::mouseRelease(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(3.5, 74));
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("d"), 64);
    QCOMPARE(app.errors(), std::size_t(0));
    QCOMPARE(app.peak(), 192);
}

void WindowPlanTest::whatMeetsByAccidentIsDraggedAlone()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    const auto drag = [&](double step, double from, double to) {
        QTest::mousePress(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(step, from));
        QTest::mouseMove(app.plan(), app.at(step, to));
        QTest::mouseRelease(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(step, to));
        return app.ready();
    };
    QVERIFY(drag(2.5, 150, 86)); // c over b, in place
    QCOMPARE(app.offsetOf("c"), 64);
    QVERIFY(drag(3.2, 100, 164));
    QCOMPARE(app.offsetOf("c"), 128);
    QCOMPARE(app.offsetOf("b"), 64);
    QVERIFY(drag(2.5, 150, 86));
    app.bench.selection.pick(Focus::on(app.bench.session.report()->program.values[app.idOf("c").index()].storage));
    QVERIFY(drag(3.2, 100, 292)); // where the storage is picked it goes whole
    QCOMPARE(app.offsetOf("c"), 256);
    QCOMPARE(app.offsetOf("b"), 256);
}

void WindowPlanTest::escapeLetsGo()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.plan()->setFocus();
    QTest::mousePress(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(2.5, 150));
    QTest::mouseMove(app.plan(), app.at(2.5, 60));
    QTest::keyClick(app.plan(), Qt::Key_Escape);
    QTest::mouseRelease(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(2.5, 60));
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 128);
    QVERIFY(!app.bench.session.canUndo());
}

void WindowPlanTest::anotherPlanLetsGo()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    QTest::mousePress(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(2.5, 150));
    QTest::mouseMove(app.plan(), app.at(2.5, 60));
    app.bench.session.makeOwnPlan();
    QVERIFY(app.ready());
    const AxisWindow steps = app.plan()->viewport().steps;
    QTest::mouseMove(app.plan(), app.at(1.5, 20));
    QTest::mouseRelease(app.plan(), Qt::LeftButton, Qt::AltModifier, app.at(1.5, 20));
    QVERIFY(app.ready());
    QVERIFY(!app.bench.session.choices().givenPlan);
    QVERIFY(app.plan()->viewport().steps == steps);
}

void WindowPlanTest::anAddressIsTyped()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("c");
    inDialog(app.action("plan.move"), [](QDialog& dialog) {
        QCOMPARE(dialog.findChild<QLabel*>(QStringLiteral("moveNow"))->text(),
                 QStringLiteral("c lies at 0x80, 64 B long."));
        QCOMPARE(answer(dialog, "here").second, false);
        QCOMPARE(answer(dialog, "100"),
                 std::pair(QStringLiteral("In its arena 'c' begins at a multiple of 32 bytes; 100 is none."), false));
        QCOMPARE(answer(dialog, "0x20"), std::pair(QStringLiteral("meets a, b"), true));
        QCOMPARE(answer(dialog, "0x80").second, false); // it lies there
        QCOMPARE(answer(dialog, "1KiB"), std::pair(QStringLiteral("meets nothing that is alive then"), true));
        QTest::keyClick(dialog.findChild<QLineEdit*>(QStringLiteral("moveField")), Qt::Key_Return);
    });
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 1024);
    QCOMPARE(app.peak(), 1088);
    QCOMPARE(app.errors(), std::size_t(0));
    inDialog(app.action("plan.move"), [](QDialog& dialog) { QTest::keyClick(&dialog, Qt::Key_Escape); });
    QCOMPARE(app.offsetOf("c"), 1024);
}

void WindowPlanTest::keysMoveToFreePlaces()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("d");
    app.plan()->setFocus();
    QTest::keyClick(app.plan(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("d"), 64);
    QTest::keyClick(app.plan(), Qt::Key_Down, Qt::AltModifier); // a lies there
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("d"), 64);
    app.action("plan.up")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("d"), 192);
}

void WindowPlanTest::onlyWhatLiesInAnArenaIsMoved()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    for (const auto& [name, moved] : {std::pair("c", true), {"x", false}, {"n1", false}, {"s1", true}}) {
        app.pick(name);
        for (const char* id : {"plan.move", "plan.up", "plan.down"})
            QCOMPARE(app.action(id)->isEnabled(), moved);
    }
    app.bench.selection.clear();
    QVERIFY(!app.action("plan.move")->isEnabled());
}

void WindowPlanTest::bytesOfItsOwn()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("a");
    app.action("plan.own")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("a"), 256);
    QCOMPARE(app.peak(), 320);
    QCOMPARE(app.errors(), std::size_t(0));
    QVERIFY(app.bench.session.previousReport()->memory.peakBytes == 256);
    app.action("edit.undo")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("a"), 0);
}

void WindowPlanTest::intoTheBytesOfAnother()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("d");
    app.action("plan.into")->trigger();
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("b"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("d"), 64);
    QCOMPARE(app.peak(), 192);
    QCOMPARE(app.errors(), std::size_t(0));
}

void WindowPlanTest::aNodeRunsEarlier()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    const auto stepOf = [&](const char* node) {
        const PlannedProgram& program = app.bench.session.report()->program;
        return program.schedule.stepOf(findNode(*program.graph, node));
    };
    app.pick("n1");
    app.action("plan.earlier")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(stepOf("n1"), 0);
    QCOMPARE(app.errors(), std::size_t(0));
    app.pick("b"); // which it makes
    app.action("plan.later")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(stepOf("n1"), 1);
    app.action("edit.undo")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(stepOf("n1"), 0);
    app.pick("x");
    QVERIFY(!app.action("plan.earlier")->isEnabled());
}

void WindowPlanTest::theRowOfAMovedNodeIsFollowed()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("nodes")));
    auto* view = app.child<QWidget>("nodes")->findChild<QTableView*>();
    view->setFocus();
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(1, 0)).center());
    const NodeId node = app.bench.selection.focus().node;
    QVERIFY(node.valid());
    const QString name = QString::fromStdString((*app.bench.session.report()->program.graph)[node].name);

    app.action("plan.earlier")->trigger();
    QVERIFY(app.ready());

    const auto rows = view->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QStringList shown;
    for (int column = 0; column < 4; ++column)
        shown << view->model()->index(rows.front().row(), column).data().toString();
    QVERIFY2(shown.contains(name), qPrintable(name + QStringLiteral(": ") + shown.join(u' ')));
}

void WindowPlanTest::placesAreMadeForAnOrder()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("n1");
    app.action("plan.earlier")->trigger();
    QVERIFY(app.ready());
    const std::int64_t before = app.bench.session.report()->memory.peakBytes;
    app.action("plan.anew")->trigger();
    QTRY_VERIFY(app.bench.session.report()->memory.peakBytes < before);
    QVERIFY(app.ready());
    const PlannedProgram& program = app.bench.session.report()->program;
    QCOMPARE(program.schedule.stepOf(findNode(*program.graph, "n1")), 0);
    QCOMPARE(app.errors(), std::size_t(0));
    app.action("file.own-plan")->trigger();
    QVERIFY(app.ready());
    QVERIFY(!app.action("plan.anew")->isEnabled()); // it is our own
}

void WindowPlanTest::whatForbidsAnOrderIsSaid()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    app.pick("n2");
    app.action("plan.earlier")->trigger();
    QVERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("'n2' reads 'b', which 'n1' makes.")));
    QVERIFY(!app.bench.session.canUndo());
}

void WindowPlanTest::changesAreListedWithTheirPeaks()
{
    test::DiamondWindow app;
    QVERIFY(app.ready());
    QMenu* menu = nullptr;
    for (QMenu* one : app.window.menuBar()->findChildren<QMenu*>())
        if (one->title() == QStringLiteral("C&hanges and their peaks")) menu = one;
    QVERIFY(menu);
    const auto listed = [&] {
        Q_EMIT menu->aboutToShow();
        QStringList lines;
        for (const QAction* action : menu->actions())
            lines << (action->isChecked() ? QStringLiteral("* ") : QString()) + action->text();
        return lines;
    };
    app.pick("a");
    app.action("plan.own")->trigger();
    QVERIFY(app.ready());
    app.pick("n1");
    app.action("plan.earlier")->trigger();
    QVERIFY(app.ready());
    app.action("file.own-plan")->trigger();
    QVERIFY(app.ready());
    app.action("edit.undo")->trigger();
    QVERIFY(app.ready());
    QCOMPARE(listed(), (QStringList {"As it was opened\t256 B", "a on bytes of its own\t256 B → 320 B",
                                     "* n1 earlier\t320 B → 320 B", "Our own plan\t320 B → 128 B"}));
    menu->actions().at(1)->trigger();
    QVERIFY(app.ready());
    QCOMPARE(app.peak(), 320);
    QVERIFY(listed().at(1).startsWith(u'*'));
    QVERIFY(app.bench.session.canRedo());
}

QTEST_MAIN(WindowPlanTest)
#include "tst_window_plan.moc"
