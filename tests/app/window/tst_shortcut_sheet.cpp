#include "app/window/help/manual_window.h"
#include "app/window/look/screen_room.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QKeySequenceEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTreeWidget>

using namespace plimsoll;
using namespace plimsoll::app;

/// Keys are recorded and set with the keyboard alone.
class ShortcutSheetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void tabLeavesWhatWasRecorded()
    {
        test::OpenWindow app;
        app.window.show();
        app.window.actions().at("help.shortcuts")->trigger();
        auto* sheet = app.child<QDialog>("shortcutSheet");
        QVERIFY(sheet);
        QVERIFY(QTest::qWaitForWindowActive(sheet));
        auto* tree = sheet->findChild<QTreeWidget*>();
        tree->setCurrentItem(tree->findItems(QStringLiteral("Reload"), Qt::MatchExactly | Qt::MatchRecursive).front());
        auto* field = sheet->findChild<QKeySequenceEdit*>();
        field->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_B, Qt::ControlModifier | Qt::AltModifier);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(field->keySequence(), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B));
        QPushButton* set = sheet->findChild<QPushButton*>(QStringLiteral("keys:set"));
        QVERIFY(set->isEnabled());
        QCOMPARE(QApplication::focusWidget(), set);
        QTest::keyClick(set, Qt::Key_Space);
        QCOMPARE(app.window.actions().at("file.reload")->shortcut(), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_B));
    }

    void allToDefaultIsUndone()
    {
        test::OpenWindow app;
        app.window.show();
        app.window.actions().at("help.shortcuts")->trigger();
        auto* sheet = app.child<QWidget>("shortcutSheet");
        const auto press = [sheet](const char* name) {
            QTest::mouseClick(sheet->findChild<QPushButton*>(QString::fromLatin1(name)), Qt::LeftButton);
        };
        const auto* undo = sheet->findChild<QPushButton*>(QStringLiteral("keys:undo"));
        QAction* command = app.window.actions().at("file.reload");
        const QKeySequence own(Qt::CTRL | Qt::ALT | Qt::Key_B);
        press("keys:reset-all");
        QVERIFY(!undo->isVisible()); // nothing was changed
        ActionSet::setKeys(*command, {own});
        press("keys:reset-all");
        QVERIFY(command->shortcut() != own);
        QVERIFY(undo->isVisible());
        press("keys:undo");
        QCOMPARE(command->shortcut(), own);
        QVERIFY(!undo->isVisible());
        press("keys:reset-all");
        press("keys:none"); // of another command
        QVERIFY(!undo->isVisible());
    }

    /// That of these tests is smaller than they would like.
    void noWindowIsLargerThanItsScreen()
    {
        test::OpenWindow app;
        app.window.show();
        app.window.actions().at("help.shortcuts")->trigger();
        ManualWindow manual;
        manual.show();
        for (const QWidget* each : {static_cast<QWidget*>(&manual), app.child<QWidget>("shortcutSheet")}) {
            QVERIFY(each);
            QCOMPARE(each->size(), each->size().boundedTo(screenRoom(*each)));
        }
    }
};

QTEST_MAIN(ShortcutSheetTest)
#include "tst_shortcut_sheet.moc"
