#include "app/session/document/document.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_json.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QInputDialog>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& safe = {})
    {
        bench.costs.setEnabled(false);
        if (!safe.isEmpty()) window.keepSafeIn(safe);
        window.show();
    }
    [[nodiscard]] bool open(const QString& file)
    {
        window.open(file);
        return ready();
    }
    [[nodiscard]] Document& document() const { return *window.findChild<Document*>(); }
    [[nodiscard]] bool save(const QString& file)
    {
        QSignalSpy saved(&document(), &Document::saved);
        return document().save(file).ok() && (!saved.isEmpty() || saved.wait(20000));
    }
    [[nodiscard]] bool set(const char* policy, const char* value)
    {
        return bench.session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok() && ready();
    }
    /// What Edit > Changes and their peaks lists; a star marks the one that holds.
    [[nodiscard]] QStringList changes() const
    {
        for (QMenu* menu : window.findChildren<QMenu*>()) {
            if (menu->title() != QStringLiteral("C&hanges and their peaks")) continue;
            Q_EMIT menu->aboutToShow();
            QStringList texts;
            for (const QAction* action : menu->actions())
                texts << action->text() + (action->isChecked() ? QStringLiteral(" *") : QString());
            return texts;
        }
        return {};
    }
    /// Lays all places of the plan over each other and judges it.
    [[nodiscard]] bool judgeFlat(const QString& planFile)
    {
        PlanFile plan = planOf(*bench.session.report());
        for (PlanFile::Entry& entry : plan.entries)
            entry.offset = 0;
        if (!writePlanJson(plan, planFile.toStdString()).ok()) return false;
        bench.session.judgePlan(planFile);
        return QTest::qWaitFor([&] { return bench.session.choices().givenPlan && bench.settled(); });
    }
    /// By the action, with that typed as the reason.
    void suppress(const QString& reason)
    {
        QTimer::singleShot(0, [reason] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            dialog->setTextValue(reason);
            dialog->accept();
        });
        window.actions().at("pick.suppress")->trigger();
    }
};

SavedSession sessionIn(const QString& file)
{
    const auto read = readSession(std::filesystem::path(file.toStdString()));
    return read.ok() ? read.value().session : SavedSession();
}

} // namespace

/// Changes, suppressions among them, as undo and sessions have them.
class KeptEditsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    /// As any change: nothing is planned anew.
    void aSuppressionIsTakenBack()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("known.plimsoll"));
        Opened app;
        QVERIFY(app.open(test::exampleFile(QStringLiteral("two-branches.json"))));
        QVERIFY(app.judgeFlat(folder.filePath(QStringLiteral("plan.json"))));
        const auto judged = app.bench.session.judged();
        const auto shown = [&] { return app.child<QToolButton>("findingsButton")->text(); };
        const QString none = shown();
        for (const int finding : {0, 1}) {
            app.bench.selection.pick(Focus::onFinding(finding));
            app.suppress(QStringLiteral("a test"));
        }
        QVERIFY2(shown().endsWith(QStringLiteral(", 2 suppressed")), qPrintable(shown()));
        QCOMPARE(app.changes().size(), 4);
        QVERIFY2(app.changes().back().startsWith(QStringLiteral("Suppressed: ")), qPrintable(app.changes()[3]));
        QVERIFY(app.changes().back().endsWith(QStringLiteral("\t *"))); // no peak of its own
        app.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&app.window));
        QTest::keyClick(&app.window, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY2(shown().endsWith(QStringLiteral(", 1 suppressed")), qPrintable(shown()));
        QVERIFY(app.save(file));
        QTest::keyClick(&app.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(shown(), none);
        QVERIFY(app.document().modified());
        QTest::keyClick(&app.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!app.document().modified());
        QCOMPARE(app.bench.session.judged(), judged);
        const QStringList changes = app.changes();
        QVERIFY(app.open(file));
        QCOMPARE(app.changes(), changes);
        QVERIFY2(shown().endsWith(QStringLiteral(", 1 suppressed")), qPrintable(shown()));
        app.bench.session.redo();
        QVERIFY2(shown().endsWith(QStringLiteral(", 2 suppressed")), qPrintable(shown()));
        app.bench.session.goTo(0); // another plan, and nothing is known of it
        QVERIFY(app.ready());
        QCOMPARE(app.bench.session.said(), Said());
    }

    /// Also of a plan whose file is not known any more, and of states that are not planned again.
    void theChangesReadTheSameWhenItIsOpenedAgain()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        const QString file = folder.filePath(QStringLiteral("work.plimsoll"));
        QStringList changes;
        {
            Opened app(safe);
            QVERIFY(app.open(test::exampleFile(QStringLiteral("mobile-chain.json"))));
            QVERIFY(app.set("inplace", "off"));
            QVERIFY(app.judgeFlat(folder.filePath(QStringLiteral("flat.json"))));
            const auto widen = [](PlanFile plan, const Report&) -> Result<PlanFile> {
                plan.entries.back().offset = 4096;
                return plan;
            };
            QVERIFY(app.bench.session.editPlan(widen, QStringLiteral("out to 0x1000")).ok());
            QVERIFY(app.ready());
            app.bench.session.undo();
            QVERIFY(app.ready());
            changes = app.changes();
            QCOMPARE(changes.size(), 4);
            QVERIFY2(changes[2].startsWith(QStringLiteral("The plan flat.json\t")), qPrintable(changes[2]));
            QVERIFY2(changes[2].contains(QStringLiteral(" → ")) && changes[2].endsWith(u'*'), qPrintable(changes[2]));
            QVERIFY(changes[3].contains(QStringLiteral(" → ")));
            QVERIFY(app.save(file));
            const QString copy = QDir(safe).filePath(QDir(safe).entryList({QStringLiteral("*.plimsoll")}).front());
            QTRY_COMPARE(sessionIn(copy).history[3].what, std::string("out to 0x1000"));
            QVERIFY(sessionIn(copy).history[3].peakBytes); // what a kill leaves
        }
        Opened app;
        QVERIFY(app.open(file));
        QCOMPARE(app.changes(), changes);
    }

    /// A file that is being written when the window goes is whole, and nothing is left to restore.
    void whatIsBeingSavedIsWhole()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        const QString file = folder.filePath(QStringLiteral("work.plimsoll"));
        {
            Opened app(safe);
            QVERIFY(app.open(test::exampleFile(QStringLiteral("mobile-chain.json"))));
            QVERIFY(app.set("inplace", "off"));
            QVERIFY(app.document().save(file).ok());
            app.window.close();
        }
        QCOMPARE(choicesOf(sessionIn(file)).policies.at("inplace"), std::string("off"));
        QCOMPARE(QDir(safe).entryList(QDir::Files | QDir::Hidden), QStringList());
        Opened app;
        QVERIFY(app.open(test::exampleFile(QStringLiteral("mobile-chain.json"))));
        QSignalSpy said(&app.document(), &Document::said);
        QVERIFY(app.document().save(folder.filePath(QStringLiteral("no/such/work.plimsoll"))).ok());
        QTRY_COMPARE(said.size(), 1);
        QVERIFY(app.document().file().isEmpty());
    }

    /// Another file that is opened meanwhile counts.
    void aSessionThatArrivesLateIsDropped()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("work.plimsoll"));
        Opened app;
        QVERIFY(app.open(test::exampleFile(QStringLiteral("mobile-chain.json"))));
        QVERIFY(app.save(file));
        app.bench.session.close();
        app.window.open(file);
        app.window.open(test::exampleFile(QStringLiteral("two-branches.json")));
        QVERIFY(app.ready());
        QTest::qWait(100);
        QVERIFY(app.document().file().isEmpty());
        QVERIFY(app.bench.session.file().endsWith(QStringLiteral("two-branches.json")));
        app.window.open(file);
        app.bench.jobs.stop(JobTag::Open); // the user wants it no more: what is open stays
        QVERIFY(app.ready());
        QVERIFY(app.bench.session.file().endsWith(QStringLiteral("two-branches.json")));
    }
};

QTEST_MAIN(KeptEditsTest)
#include "tst_kept_edits.moc"
