#include "app/models/bytes_model.h"
#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "app/window/panes/bytes_pane.h"
#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/plimsoll/session_json.h"
#include "tests/app/support/open_window.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Chain = R"({"schema": "plimsoll.graph/1", "name": "chain",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [8]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Sqrt", "inputs": ["a"], "outputs": ["b"]},
            {"name": "n2", "op": "Add", "inputs": ["a", "b"], "outputs": ["y"]}],
  "outputs": ["y"]})";

/// With a real plimsoll-cli behind it; without one it cannot run.
struct Opened : test::OpenWindow
{
    explicit Opened(const QString& safe = {}, bool runs = true)
    {
        bench.costs.setEnabled(false);
        bench.run.setProgram(runs ? QStringLiteral(PLIMSOLL_CLI) : QStringLiteral("/no/such/program"));
        if (!safe.isEmpty()) window.keepSafeIn(safe);
        window.resize(1500, 1000);
        window.show();
    }
    bool open(const QString& file)
    {
        window.open(file);
        return ready() && QTest::qWaitFor([this] { return !bench.jobs.busy(); }, 20000);
    }
    bool run()
    {
        child<QPushButton>("runStart")->click();
        return recorded();
    }
    bool recorded()
    {
        const bool read = QTest::qWaitFor([this] { return bench.recorded.record() != nullptr; }, 20000);
        if (!read && bench.recorded.error()) qInfo("%s", describe(*bench.recorded.error()).c_str());
        return read;
    }
    [[nodiscard]] Document& document() const { return *window.findChild<Document*>(); }
    bool save(const QString& file)
    {
        QSignalSpy saved(&document(), &Document::saved);
        return document().save(file).ok() && (!saved.isEmpty() || saved.wait(20000));
    }
    /// What the pane Bytes says that a has behind a step.
    QStringList bytesOf(const char* value, int step)
    {
        const Graph& graph = *bench.session.report()->program.graph;
        bench.selection.pick(Focus {.value = findValue(graph, value), .step = step});
        const auto* model = window.panes().bytes->view()->model();
        QStringList cells;
        for (const auto column : {BytesModel::Owner, BytesModel::Written, BytesModel::Bytes, BytesModel::Elements})
            cells << model->index(0, column).data().toString();
        return cells;
    }
    [[nodiscard]] QStringList told() const
    {
        QStringList rows {child<QLabel>("runHeadline")->text(), child<QLabel>("runFacts")->text()};
        const auto* details = child<QTreeWidget>("runDetails");
        for (int i = 0; i < details->topLevelItemCount(); ++i)
            for (int k = 0; k < details->topLevelItem(i)->childCount(); ++k)
                rows << details->topLevelItem(i)->child(k)->text(0) + details->topLevelItem(i)->child(k)->text(2);
        return rows;
    }
    [[nodiscard]] QStringList findings() const
    {
        QStringList all;
        for (const Finding& finding : bench.session.report()->verdict.findings)
            all << QString::fromStdString(english(finding.message));
        return all;
    }
};

} // namespace

/// A session has its last run: it is looked at without running again.
class KeptRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
#ifdef __SANITIZE_THREAD__
        QSKIP("once Qt has started a process (clone with CLONE_VM) the sanitizer takes this one for a forked child and "
              "sees no lock of the threads that begin afterwards");
#endif
        if (!QFile::exists(QStringLiteral(PLIMSOLL_CLI))) QSKIP("plimsoll-cli was not built");
        QFile file(m_graph);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(Chain);
    }
    void init()
    {
        test::failOnWarnings();
    }

    void aRunIsThereWhenTheSessionIsOpenedAgain()
    {
        const QString file = m_folder.filePath(QStringLiteral("work.plimsoll"));
        QStringList told;
        QStringList bytes;
        {
            Opened app;
            QVERIFY(app.open(m_graph));
            QVERIFY(app.window.showView(QStringLiteral("bytes")));
            QVERIFY(app.save(file));
            QVERIFY(!app.document().modified());
            app.child<QCheckBox>("runPoison")->setChecked(false);
            QVERIFY(app.run());
            QVERIFY(app.document().modified()); // the file lacks it
            told = app.told();
            bytes = app.bytesOf("a", 1);
            QVERIFY(app.save(file));
            QVERIFY(!app.document().modified());
        }
        Opened app({}, false);
        QVERIFY(app.open(file));
        QVERIFY(app.recorded());
        QCOMPARE(app.told(), told);
        QVERIFY(!app.child<QCheckBox>("runPoison")->isChecked()); // it says how it was run
        QVERIFY(app.child<QCheckBox>("runKeep")->isChecked());
        QCOMPARE(app.bytesOf("a", 1), bytes);
        QVERIFY(!app.document().modified());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QVERIFY(app.ready());
        QVERIFY(!app.bench.session.run()); // it is of the plan before
        QVERIFY(app.save(file));
        QVERIFY(!sessionOf(file).run);
    }

    /// What it has shown stands among the findings.
    void findingsOfARunAreKept()
    {
        const QString file = m_folder.filePath(QStringLiteral("wrong.plimsoll"));
        const QString planFile = m_folder.filePath(QStringLiteral("plan.json"));
        QStringList findings;
        {
            Opened app;
            QVERIFY(app.open(m_graph));
            PlanFile plan = planOf(*app.bench.session.report());
            for (PlanFile::Entry& entry : plan.entries)
                entry.offset = 0;
            QVERIFY(writePlanJson(plan, planFile.toStdString()).ok());
            app.bench.session.judgePlan(planFile);
            QVERIFY(QTest::qWaitFor([&] { return app.bench.session.choices().givenPlan && app.window.settled(); }));
            QVERIFY(app.run());
            QVERIFY(!app.bench.session.run()->mismatches.empty());
            findings = app.findings();
            QVERIFY(app.save(file));
        }
        Opened app({}, false);
        QVERIFY(app.open(file));
        QCOMPARE(app.findings(), findings);
        QVERIFY(app.findings().size() > qsizetype(app.bench.session.judged()->verdict.findings.size()));
    }

    void aRunOfAnotherPlanIsLeftOut()
    {
        const QString file = m_folder.filePath(QStringLiteral("other.plimsoll"));
        {
            Opened app;
            QVERIFY(app.open(m_graph));
            QVERIFY(app.run());
            QVERIFY(app.save(file));
        }
        QFile out(file);
        QVERIFY(out.open(QIODevice::ReadOnly));
        const QByteArray text = out.readAll();
        out.close();
        const QByteArray digest = QByteArray::fromStdString(sessionOf(file).run->planDigest);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(QByteArray(text).replace(digest, "0000"));
        out.close();
        Opened app({}, false);
        QSignalSpy said(&app.document(), &Document::said);
        QVERIFY(app.open(file));
        QVERIFY(!app.bench.session.run());
        QVERIFY(std::ranges::any_of(said, [](const QList<QVariant>& one) {
            return one.front().value<Error>().message.id == "session.run-of-another-plan";
        }));
    }

    /// The copy has it beside, written once, and edits stay small.
    void aKillLosesNoRun()
    {
        const QString safe = m_folder.filePath(QStringLiteral("safe"));
        QStringList told;
        QStringList bytes;
        QString copied;
        {
            Opened app(safe);
            QVERIFY(app.open(m_graph));
            QVERIFY(app.run());
            told = app.told();
            bytes = app.bytesOf("a", 1);
            const auto runs = [&] { return QDir(safe).entryList({QStringLiteral("*.run")}); };
            QTRY_COMPARE(runs().size(), 1);
            QTRY_VERIFY(!QDir(safe).entryList({QStringLiteral("*.plimsoll")}).isEmpty());
            const QString copy = QDir(safe).filePath(QDir(safe).entryList({QStringLiteral("*.plimsoll")}).front());
            QTRY_VERIFY(sessionOf(copy).run);
            QVERIFY(QFileInfo(copy).size() < 10'000);
            const QString killed = m_folder.filePath(QStringLiteral("killed"));
            QVERIFY(QDir().mkpath(killed));
            copied = QDir(killed).filePath(QFileInfo(copy).fileName());
            QVERIFY(QFile::copy(copy, copied));
            QVERIFY(QFile::copy(copy + QStringLiteral(".run"), copied + QStringLiteral(".run")));
            app.window.close();
            QCOMPARE(QDir(safe).entryList(QDir::Files | QDir::Hidden), QStringList());
        }
        Opened app(QFileInfo(copied).absolutePath(), false);
        QCOMPARE(app.document().copiesLeft().size(), 1);
        QVERIFY(app.open(copied));
        QVERIFY(app.recorded());
        QCOMPARE(app.told(), told);
        QCOMPARE(app.bytesOf("a", 1), bytes);
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QVERIFY(app.ready());
        QVERIFY(!QFile::exists(copied + QStringLiteral(".run"))); // of no plan that is shown
    }

private:
    static SavedSession sessionOf(const QString& file)
    {
        const auto read = readSession(std::filesystem::path(file.toStdString()));
        return read.ok() ? read.value().session : SavedSession();
    }

    QTemporaryDir m_folder;
    QString m_graph = m_folder.filePath(QStringLiteral("chain.json"));
};

QTEST_MAIN(KeptRunTest)
#include "tst_kept_run.moc"
