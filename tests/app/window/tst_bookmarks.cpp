#include "app/session/document/document.h"
#include "app/window/commands/action_set.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    Opened()
    {
        bench.costs.setEnabled(false);
        window.show();
    }
    [[nodiscard]] bool open(const QString& file)
    {
        window.open(file);
        return ready();
    }
    [[nodiscard]] Focus on(const char* value) const
    {
        return Focus::on(findValue(*bench.session.report()->program.graph, value));
    }
    /// By the keyboard: Ctrl+B, the name, the note, and OK.
    [[nodiscard]] bool bookmark(const char* name, const char* note)
    {
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
        auto* dialog = child<QDialog>("bookmark");
        if (!dialog) return false;
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("bookmarkName")), QString::fromLatin1(name));
        QTest::keyClicks(dialog->findChild<QPlainTextEdit*>(QStringLiteral("bookmarkNote")), QString::fromLatin1(note));
        QTest::keyClick(dialog->findChild<QLineEdit*>(QStringLiteral("bookmarkName")), Qt::Key_Return);
        return QTest::qWaitFor([this] { return child<QDialog>("bookmark") == nullptr; });
    }
    /// What the inspector says first.
    [[nodiscard]] QString noted() const
    {
        const std::vector<FactSection>& sections = window.panes().inspector->view()->facts().shown().sections;
        if (sections.empty() || sections.front().title != "Bookmark") return {};
        QStringList facts;
        for (const Fact& fact : sections.front().facts)
            facts << QString::fromStdString(fact.cell.text);
        return facts.join(QStringLiteral(": "));
    }
    [[nodiscard]] QMenu* menu() const
    {
        for (QMenu* menu : window.menuBar()->findChildren<QMenu*>())
            if (menu->actions().contains(window.actions().at("pick.no-bookmark"))) return menu;
        return nullptr;
    }
    [[nodiscard]] QList<QAction*> listed() const
    {
        Q_EMIT menu()->aboutToShow();
        return menu()->findChildren<QAction*>(QStringLiteral("entry"));
    }
};

} // namespace

class BookmarksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void ofAStepItSaysSo()
    {
        Opened app;
        QVERIFY(app.open(test::exampleFile(QStringLiteral("two-branches.json"))));
        app.bench.selection.pick({.step = 2});
        QTest::keyClick(&app.window, Qt::Key_B, Qt::ControlModifier);
        auto* dialog = app.child<QDialog>("bookmark");
        QVERIFY(dialog);
        QCOMPARE(dialog->windowTitle(), QStringLiteral("Bookmark for step 2"));
        dialog->close();
    }

    void oneIsShownFoundAndUndone()
    {
        Opened app;
        QVERIFY(app.open(test::exampleFile(QStringLiteral("two-branches.json"))));
        const QString value = QString::fromStdString(app.bench.session.report()->program.graph->values[2].name);
        const Focus focus = app.on(value.toUtf8().constData());
        QVERIFY(app.noted().isEmpty());
        app.bench.selection.pick(focus);
        QVERIFY(app.bookmark("the culprit", "ask Ada"));
        QCOMPARE(app.noted(), QStringLiteral("the culprit: ask Ada"));
        app.bench.selection.clear();
        QVERIFY(app.noted().isEmpty());
        QCOMPARE(app.listed().size(), 1);
        QCOMPARE(app.listed().front()->text(), QStringLiteral("the culprit"));
        app.listed().front()->trigger();
        QVERIFY(app.bench.selection.focus().value == focus.value);
        const auto found = searchReport(app.bench.session.report(), app.bench.session.said().bookmarks,
                                        app.bench.selection)(QStringLiteral("culp"));
        QVERIFY(!found.empty() && found.front().text == QStringLiteral("the culprit"));
        app.window.actions().at("pick.no-bookmark")->trigger();
        QVERIFY(app.listed().isEmpty() && app.noted().isEmpty());
        app.window.actions().at("edit.undo")->trigger();
        QCOMPARE(app.noted(), QStringLiteral("the culprit: ask Ada"));
    }

    void aSessionKeepsIt()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("marked.plimsoll"));
        {
            Opened app;
            QVERIFY(app.open(test::exampleFile(QStringLiteral("two-branches.json"))));
            app.bench.selection.setStep(1);
            QVERIFY(app.bookmark("here it begins", ""));
            auto& document = *app.window.findChild<Document*>();
            QSignalSpy saved(&document, &Document::saved);
            QVERIFY(document.save(file).ok() && (!saved.isEmpty() || saved.wait(20000)));
        }
        Opened app;
        QVERIFY(app.open(file));
        QCOMPARE(app.listed().size(), 1);
        app.bench.selection.setStep(0);
        app.listed().front()->trigger();
        QCOMPARE(app.bench.selection.step(), 1);
        QCOMPARE(app.noted(), QStringLiteral("here it begins"));
    }
};

QTEST_MAIN(BookmarksTest)
#include "tst_bookmarks.moc"
