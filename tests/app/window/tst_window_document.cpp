#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "app/window/panes.h"
#include "app/window/views/canvas_tabs.h"
#include "core/facts/english/english.h"
#include "core/facts/words/verdict.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_json.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QInputDialog>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

#include <cstdio>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

QString example()
{
    return test::exampleFile(QStringLiteral("mobile-chain.json"));
}

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
    [[nodiscard]] Focus on(const char* value) const
    {
        return Focus::on(findValue(*bench.session.report()->program.graph, value));
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
    [[nodiscard]] QList<QAbstractButton*> left() const
    {
        return window.findChildren<QAbstractButton*>(QStringLiteral("left"));
    }
};

SavedSession sessionIn(const QString& file)
{
    const auto read = readSession(std::filesystem::path(file.toStdString()));
    return read.ok() ? read.value().session : SavedSession();
}

/// The capacity in a session: the number of the edit that made it.
std::int64_t editIn(const SavedSession& session)
{
    const SessionChoices choices = choicesOf(session);
    const auto found = choices.policies.find("capacity");
    Policies policies;
    if (found == choices.policies.end() || !setPolicy(policies, "capacity", found->second).ok()) return 0;
    return policies.capacity.at("cpu");
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden);
}

bool writeChain(const QString& file, int nodes)
{
    QByteArray text = R"({"schema": "plimsoll.graph/1", "name": "long",
        "inputs": [{"name": "v0", "dtype": "float32", "shape": [4]}], "nodes": [)";
    for (int i = 0; i < nodes; ++i)
        text += (i > 0 ? ",\n" : "\n") +
                QStringLiteral(R"({"op": "Relu", "inputs": ["v%1"], "outputs": ["v%2"]})").arg(i).arg(i + 1).toUtf8();
    text += "], \"outputs\": [\"v" + QByteArray::number(nodes) + "\"]}";
    QFile out(file);
    return out.open(QIODevice::WriteOnly) && out.write(text) == text.size();
}

/// The other side of aKillLosesNoEdit(): a window that is edited without end, and says of each edit that it was made.
int editForever(const QString& folder)
{
    Opened app(folder);
    if (!app.open(example())) return 1;
    for (std::int64_t edit = 1;; ++edit) {
        const QString capacity = QStringLiteral("cpu=%1").arg(edit);
        if (!app.bench.session.setPolicy(QStringLiteral("capacity"), capacity).ok()) return 1;
        std::printf("%lld\n", static_cast<long long>(edit));
        std::fflush(stdout);
        app.bench.selection.setStep(edit % 8);
        QApplication::processEvents();
    }
}

} // namespace

class WindowDocumentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void aSessionOpensAsItWasSaved()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("work.plimsoll"));
        Focus selected;
        {
            Opened app;
            QVERIFY(app.open(example()));
            QVERIFY(app.set("inplace", "off"));
            QVERIFY(app.set("dce", "off"));
            app.bench.session.undo();
            QVERIFY(app.ready());
            selected = app.on("block0.depthwise.act");
            app.bench.selection.toggleStop(selected);
            app.bench.selection.toggleStop(Focus::atStep(3));
            selected.step = 5;
            app.bench.selection.pick(selected);
            QVERIFY(app.window.showView(QStringLiteral("live")));
            app.window.actions().at("rows.by-module")->trigger();
            app.window.actions().at("rows.pin")->trigger();
            app.bench.selection.pick(app.on("block0.project.out"));
            app.window.actions().at("rows.hide")->trigger();
            app.bench.selection.pick(selected);
            QVERIFY(app.save(file));
            QVERIFY(app.window.windowTitle().startsWith(QStringLiteral("work.plimsoll[*]")));
        }
        Opened app;
        QVERIFY(app.open(file));
        QCOMPARE(app.bench.session.choices().policies.inplace, InplacePolicy::Off);
        QCOMPARE(app.bench.session.history().edits().size(), std::size_t(3));
        QVERIFY(app.bench.session.canRedo());
        QVERIFY(app.bench.selection.focus() == selected);
        QCOMPARE(app.bench.selection.stops().size(), std::size_t(2));
        QCOMPARE(app.window.panes().pictures->current()->objectName(), QStringLiteral("live"));
        QVERIFY(app.window.panes().pictures->rows().choice() ==
                (RowChoice {{"block0.depthwise.act"}, {"block0.project.out"}, true}));
        QVERIFY(app.window.actions().at("rows.by-module")->isChecked());
        QVERIFY(!app.document().modified());
        app.bench.session.redo();
        QVERIFY(app.ready());
        QVERIFY(app.window.isWindowModified());
        app.bench.session.undo();
        QVERIFY(app.ready());
        QVERIFY(!app.window.isWindowModified());
    }

    void aPlanThatIsJudgedGoesAlong()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("judged.plimsoll"));
        std::size_t findings = 0;
        {
            Opened app;
            app.window.open(test::exampleFile(QStringLiteral("two-branches.json")));
            QVERIFY(app.ready());
            QVERIFY(app.judgeFlat(folder.filePath(QStringLiteral("plan.json"))));
            findings = app.bench.session.report()->verdict.findings.size();
            QVERIFY(findings > 0);
            QVERIFY(app.save(file));
        }
        Opened app;
        QVERIFY(app.open(file));
        QVERIFY(app.bench.session.choices().givenPlan);
        QCOMPARE(app.bench.session.choices().givenPlan->file, std::string()); // that may be another by now
        QCOMPARE(app.bench.session.report()->verdict.findings.size(), findings);
    }

    void aSmallGraphOpensWithoutItsFile()
    {
        const QTemporaryDir folder;
        const QString graph = folder.filePath(QStringLiteral("g.json"));
        const QString file = folder.filePath(QStringLiteral("g.plimsoll"));
        QVERIFY(QFile::copy(example(), graph));
        {
            Opened app;
            QVERIFY(app.open(graph));
            QVERIFY(app.save(file));
        }
        QVERIFY(QFile::remove(graph));
        Opened app;
        QVERIFY(app.open(file));
        QVERIFY2(app.window.statusBar()->currentMessage().contains(QStringLiteral("the copy that the session keeps")),
                 qPrintable(app.window.statusBar()->currentMessage()));
        const QString again = folder.filePath(QStringLiteral("again.plimsoll"));
        QVERIFY(app.save(again));
        QCOMPARE(sessionIn(again).graph.absolute, sessionIn(file).graph.absolute);
        QCOMPARE(sessionIn(again).graph.content, sessionIn(file).graph.content);
    }

    void remarksAreKept()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        const QString file = folder.filePath(QStringLiteral("noted.plimsoll"));
        Opened app(safe);
        QVERIFY(app.open(example()));
        QVERIFY(app.window.showView(QStringLiteral("remarks")));
        QPlainTextEdit& remarks = *app.window.panes().remarks;
        QTest::keyClicks(&remarks, QStringLiteral("why 7?"));
        QTRY_VERIFY(app.document().modified()); // also where nothing was saved yet: nobody can write it again
        QTest::keyClick(&remarks, Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(!app.document().modified());
        QTest::keyClicks(&remarks, QStringLiteral("stem"));
        app.bench.session.close();
        QCOMPARE(remarks.toPlainText(), QString());
        QCOMPARE(app.left().size(), 1);
        app.left().front()->click();
        QVERIFY(app.ready());
        QCOMPARE(remarks.toPlainText(), QStringLiteral("stem"));
        QVERIFY(app.save(file));
        QVERIFY(!app.document().modified());
        QCOMPARE(sessionIn(file).remarks, std::string("stem"));
    }

    void aSuppressedFindingStaysWithItsReason()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("known.plimsoll"));
        {
            Opened app;
            QVERIFY(app.open(test::exampleFile(QStringLiteral("two-branches.json"))));
            QVERIFY(app.judgeFlat(folder.filePath(QStringLiteral("plan.json"))));
            QVERIFY(app.save(file));
            app.bench.selection.pick(Focus::onFinding(0));
            auto* picture = app.child<PlanCanvas>("plan");
            QTest::keyClick(picture, Qt::Key_W);
            const AxisWindow seen = picture->viewport().seenSteps();
            app.suppress(QStringLiteral("a test"));
            QTRY_VERIFY(app.document().modified());
            QVERIFY(app.ready());
            QVERIFY(picture->viewport().seenSteps() == seen);
            QVERIFY(app.save(file));
            QVERIFY(!app.document().modified());
        }
        Opened app;
        QVERIFY(app.open(file));
        const auto findings = [&] { return app.bench.session.report()->verdict.findings; };
        QVERIFY(english(findings()[0].message).starts_with("Suppressed (a test): "));
        QVERIFY(!english(findings()[1].message).starts_with("Suppressed"));
        QCOMPARE(findings().size(), app.bench.session.judged()->verdict.findings.size());
        const std::size_t all = findings().size();
        const auto verdict = [&] { return english(legalityText(*app.bench.session.report())); };
        QVERIFY2(verdict().ends_with(", 1 of them suppressed."), verdict().c_str());
        QVERIFY(verdictLevel(*app.bench.session.report()) == VerdictLevel::Broken);
        Said every;
        for (const Finding& finding : app.bench.session.judged()->verdict.findings)
            every.suppressions.push_back({nameOf(finding, *app.bench.session.graph()), "a test"});
        app.bench.session.setSaid(every, QStringLiteral("all"));
        QCOMPARE(findings().size(), all);
        QVERIFY2(verdict().ends_with("), suppressed."), verdict().c_str());
        QVERIFY(verdictLevel(*app.bench.session.report()) == VerdictLevel::Warned);
        app.bench.session.undo();
        QCOMPARE(app.child<QToolButton>("findingsButton")->text(),
                 QStringLiteral("%1 findings, 1 suppressed").arg(findings().size()));
        app.bench.session.setSaid({}, QStringLiteral("none"));
        QVERIFY(!english(findings()[0].message).starts_with("Suppressed"));
        QVERIFY(app.document().modified());
    }

    /// Written on a thread of its own, and whole when the window is closed.
    void aLargePlanIsKept()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        const QString graph = folder.filePath(QStringLiteral("long.json"));
        QVERIFY(writeChain(graph, 2100));
        Opened app(safe);
        QVERIFY(app.open(graph));
        const QString planFile = folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(writePlanJson(planOf(*app.bench.session.report()), planFile.toStdString()).ok());
        app.bench.session.judgePlan(planFile);
        QVERIFY(QTest::qWaitFor([&] { return app.bench.session.choices().givenPlan && app.bench.settled(); }, 20000));
        QVERIFY(app.save(folder.filePath(QStringLiteral("long.plimsoll"))));
        for (const char* capacity : {"cpu=1", "cpu=2", "cpu=3"})
            QVERIFY(app.bench.session.setPolicy(QStringLiteral("capacity"), QString::fromLatin1(capacity)).ok());
        app.window.close();
        const QStringList left = copiesLeft(safe);
        QCOMPARE(left.size(), 1);
        QCOMPARE(editIn(sessionIn(left.front())), std::int64_t(3));
        QVERIFY(sessionIn(left.front()).plans.at(0).plan->entries.size() > 2000);
        QVERIFY(QFileInfo(left.front()).size() > 100'000);
        Opened next(safe); // the head of the copy says of what it is
        QCOMPARE(next.document().copiesLeft().size(), 1);
        QVERIFY(next.document().copiesLeft().front().of.endsWith(QStringLiteral("long.plimsoll")));
    }

    void aSessionWithoutItsGraphSaysSo()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("gone.plimsoll"));
        SavedSession session;
        session.graph.absolute = "/no/such/graph.onnx";
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(sessionJsonText(session)));
        out.close();
        Opened app;
        app.window.open(file);
        QTRY_VERIFY(app.bench.session.error());
        QCOMPARE(app.bench.session.error()->message.id, std::string_view("session.graph-gone"));
    }

    void aSessionIsDroppedAsAnyFile()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("dropped.plimsoll"));
        Opened app;
        QVERIFY(app.open(example()));
        QVERIFY(app.set("inplace", "off"));
        QVERIFY(app.save(file));
        app.bench.session.close();
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        QVERIFY(app.window.openMime(mime));
        QVERIFY(app.ready());
        QCOMPARE(app.document().file(), file);
        QCOMPARE(app.bench.session.choices().policies.inplace, InplacePolicy::Off);
    }

    void theGraphIsNotWrittenOver()
    {
        const QTemporaryDir folder;
        const QString graph = folder.filePath(QStringLiteral("g.json"));
        QVERIFY(QFile::copy(example(), graph));
        Opened app;
        QVERIFY(app.open(graph));
        QVERIFY(!app.document().save(graph).ok());
    }

    void aWindowThatIsClosedLeavesNothing()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        Opened app(safe);
        QVERIFY(app.open(example()));
        QVERIFY(app.set("inplace", "off"));
        QCOMPARE(filesIn(safe).size(), 2); // and its lock
        QVERIFY(copiesLeft(safe).isEmpty());
        app.window.close();
        QCOMPARE(filesIn(safe), QStringList());
    }

    /// Nothing is asked, and nothing is lost.
    void editsThatASavedSessionLacksAreOffered()
    {
        const QTemporaryDir folder;
        const QString safe = folder.filePath(QStringLiteral("safe"));
        const QString file = folder.filePath(QStringLiteral("work.plimsoll"));
        Opened app(safe);
        QVERIFY(app.open(example()));
        QVERIFY(app.save(file));
        QVERIFY(app.set("inplace", "off"));
        app.bench.session.close();
        QCOMPARE(app.left().size(), 1);
        app.left().front()->click();
        QVERIFY(app.ready());
        QCOMPARE(app.document().file(), file);
        QVERIFY(app.document().modified());
        QCOMPARE(app.bench.session.choices().policies.inplace, InplacePolicy::Off);
        QVERIFY(app.save(file));
        app.bench.session.close();
        QVERIFY(app.left().isEmpty());
        QCOMPARE(filesIn(safe), QStringList());
    }

    void whatWasLeftCanBeForgotten()
    {
        const QTemporaryDir folder;
        QFile left(folder.filePath(QStringLiteral("1-1.plimsoll")));
        QVERIFY(left.open(QIODevice::WriteOnly));
        SavedSession session;
        session.graph.absolute = "/models/g.onnx";
        left.write(QByteArray::fromStdString(sessionJsonText(session)));
        left.close();
        Opened app(folder.path());
        QCOMPARE(app.left().size(), 1);
        app.child<QAbstractButton>("forgetLeft")->click();
        QTRY_VERIFY(app.left().isEmpty());
        QCOMPARE(filesIn(folder.path()), QStringList());
    }

    void aKillLosesNoEdit()
    {
        const int kills = std::max(6, qEnvironmentVariableIntValue("PLIMSOLL_KILLS"));
        for (int kill = 0; kill < kills; ++kill) {
            const QTemporaryDir folder;
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--edit"), folder.path()});
            QVERIFY(child.waitForReadyRead(30000));
            QTest::qWait(static_cast<int>(QRandomGenerator::global()->bounded(400)));
            child.kill();
            QVERIFY(child.waitForFinished());
            const QByteArray said = child.readAllStandardOutput();
            const auto made = said.left(said.lastIndexOf('\n')).split('\n').back().toLongLong();
            const QStringList left = copiesLeft(folder.path());
            QCOMPARE(left.size(), 1);
            QCOMPARE(filesIn(folder.path()).size(), 1); // nothing temporary, and no lock
            const std::int64_t kept = editIn(sessionIn(left.front()));
            QVERIFY2(kept == made || kept == made + 1, qPrintable(QStringLiteral("%1 of %2").arg(kept).arg(made)));
            if (kill > 0) continue;
            Opened app(folder.path());
            QCOMPARE(app.left().size(), 1);
            app.left().front()->click();
            QVERIFY(app.ready());
            QCOMPARE(app.bench.session.choices().policies.capacity.at("cpu"), kept);
            QVERIFY(app.bench.session.canUndo());
            app.window.close();
            QCOMPARE(filesIn(folder.path()), QStringList());
        }
    }

    /// The application itself.
    void theApplicationLeavesACopyWhenItIsKilled()
    {
        const QTemporaryDir state;
        QProcess application;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_STATE_HOME"), state.path());
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), state.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        application.setProcessEnvironment(environment);
        application.start(QStringLiteral(PLIMSOLL_APP),
                          {example(), QStringLiteral("-p"), QStringLiteral("inplace=off")});
        const QString safe = state.filePath(QStringLiteral("plimsoll/sessions"));
        QTRY_VERIFY_WITH_TIMEOUT(!QDir(safe).entryList({QStringLiteral("*.plimsoll")}).isEmpty(), 30000);
        application.kill();
        QVERIFY(application.waitForFinished());
        const QStringList left = copiesLeft(safe);
        QCOMPARE(left.size(), 1);
        QCOMPARE(filesIn(safe).size(), 1);
        QCOMPARE(choicesOf(sessionIn(left.front())).policies.at("inplace"), std::string("off"));
        QVERIFY(sessionIn(left.front()).history.front().peakBytes);
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc == 3 && QByteArray(argv[1]) == "--edit") return editForever(QString::fromLocal8Bit(argv[2]));
    WindowDocumentTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_window_document.moc"
