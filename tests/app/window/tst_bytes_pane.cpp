#include "app/models/bytes_model.h"
#include "app/models/table_model.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "app/window/panes/bytes_pane.h"
#include "app/window/panes/content_picture.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Chain = R"({"schema": "plimsoll.graph/1", "name": "chain",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [8]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Sqrt", "inputs": ["a"], "outputs": ["b"]},
            {"name": "n2", "op": "Abs", "inputs": ["b"], "outputs": ["c"]},
            {"name": "n3", "op": "Neg", "inputs": ["c"], "outputs": ["y"]}],
  "outputs": ["y"]})";

/// The window on a graph, with a real plimsoll-cli behind it and the pane Bytes in front.
struct Opened : test::OpenWindow
{
    explicit Opened(const QString& file)
    {
        bench.run.setProgram(QStringLiteral(PLIMSOLL_CLI));
        window.resize(1500, 1000);
        window.show();
        window.open(file);
    }
    bool run()
    {
        child<QPushButton>("runStart")->click();
        return QTest::qWaitFor([this] { return bench.recorded.record() != nullptr; }, 20000);
    }
    void pick(const char* value, int step)
    {
        const Graph& graph = *bench.session.report()->program.graph;
        bench.selection.pick(Focus {.value = findValue(graph, value), .step = step});
    }
    QString cell(int row, BytesModel::Column column) const
    {
        return window.panes().bytes->view()->model()->index(row, column).data().toString();
    }
    QString title() const { return child<QLabel>("bytesTitle")->text(); }
    QString why() const
    {
        const auto* label = child<QLabel>("bytesEmpty");
        return label->isVisible() ? label->text() : QString();
    }
    QToolButton* arrow(Qt::ArrowType type) const
    {
        for (auto* button : window.panes().bytes->findChildren<QToolButton*>())
            if (button->arrowType() == type) return button;
        return nullptr;
    }
};

} // namespace

class BytesPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        if (!QFile::exists(QStringLiteral(PLIMSOLL_CLI))) QSKIP("plimsoll-cli was not built");
        QFile file(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(Chain);
    }
    void init() { test::failOnWarnings(); }

    void aLineLeadsToTheHistoryOfItsBytes()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        app.pick("c", 2);
        const PlannedProgram& program = app.bench.session.report()->program;
        const std::int64_t offset = program.values[findValue(*program.graph, "c").index()].offset;
        auto* view = app.child<QTableView>("bytesView");
        view->setCurrentIndex(view->model()->index(1, 0));
        QTest::keyClick(view, Qt::Key_Return);
        const Focus& focus = app.bench.selection.focus();
        QCOMPARE(focus.area.bytes, (Interval {offset + 16, offset + 32}));
        QCOMPARE(focus.step, 2);
        QVERIFY(!focus.onThing());
    }

    void theStepCursorIsTheClock()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QTRY_VERIFY(app.why().contains(QStringLiteral("Nothing was run yet")));
        QVERIFY(app.run());
        QVERIFY(app.why().contains(QStringLiteral("Pick a step")));
        app.bench.selection.setStep(0);
        QCOMPARE(app.title(), QStringLiteral("a after step 0"));

        app.pick("a", 0);
        QCOMPARE(app.title(), QStringLiteral("a after step 0"));
        QCOMPARE(app.cell(0, BytesModel::Owner), QStringLiteral("a"));
        QCOMPARE(app.cell(0, BytesModel::Written), QStringLiteral("0"));
        QCOMPARE(app.cell(0, BytesModel::Bytes).count(u' '), 15);
        const QString ofA = app.cell(0, BytesModel::Elements);
        QCOMPARE(ofA.count(QStringLiteral(", ")), 3);

        app.window.actions().at("go.next-step")->trigger(); // written over, in place
        QCOMPARE(app.title(), QStringLiteral("a after step 1"));
        QCOMPARE(app.cell(0, BytesModel::Owner), QStringLiteral("b"));
        app.window.actions().at("go.previous-step")->trigger();
        QCOMPARE(app.cell(0, BytesModel::Elements), ofA);
    }

    void theArrowsGoFromWriteToWrite()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        app.pick("a", 0);
        QStringList owners;
        for (int i = 0; i < 4; ++i) {
            owners << app.cell(0, BytesModel::Owner);
            app.arrow(Qt::RightArrow)->click();
        }
        QVERIFY2(owners.startsWith(QStringLiteral("a")) && owners.contains(QStringLiteral("c")),
                 qPrintable(owners.join(u' ')));
        const std::int64_t last = app.bench.selection.step();
        app.arrow(Qt::LeftArrow)->click();
        QVERIFY(app.bench.selection.step() < last);
    }

    void whatTheCallerGaveIsShown()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        app.pick("x", 2);
        QCOMPARE(app.cell(0, BytesModel::Written), QStringLiteral("given"));
        QCOMPARE(app.cell(0, BytesModel::Elements).count(QStringLiteral(", ")), 3);
    }

    void nanIsCountedAndMarked()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        app.pick("y", 3); // of square roots of negative numbers, too
        const auto* picture = app.child<ContentPicture>("contentPicture");
        QTRY_VERIFY2(picture->accessibleDescription().contains(QStringLiteral("NaN")),
                     qPrintable(picture->accessibleDescription()));
        QVERIFY(picture->accessibleDescription().startsWith(QStringLiteral("y, float32[8]; 8 elements")));
        bool marked = false;
        for (int row = 0; row < 2; ++row)
            marked = marked || app.window.panes()
                                   .bytes->view()
                                   ->model()
                                   ->index(row, BytesModel::Elements)
                                   .data(SeverityRole)
                                   .isValid();
        QVERIFY(marked);
    }

    void aLoopHasItsIterations()
    {
        Opened app(test::exampleFile(QStringLiteral("carried-loop.json")));
        QVERIFY(app.ready());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("backend"), QStringLiteral("reference")).ok());
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        const RunRecord& record = *app.bench.recorded.record();
        const auto inner = std::ranges::find_if(record.moments, [&](const Moment& moment) {
            if (moment.iteration.empty() || moment.contents.empty()) return false;
            const RecordedContent& first = record.contents[static_cast<std::size_t>(moment.contents.begin)];
            return first.dtype == DType::Float32 && !first.given;
        });
        QVERIFY(inner != record.moments.end());
        const ValueId value = record.contents[static_cast<std::size_t>(inner->contents.begin)].value;
        app.bench.selection.pick(Focus {.value = value, .step = inner->step});
        auto* iterations = app.window.panes().bytes->findChild<QComboBox*>();
        QVERIFY(iterations->isVisible());
        QVERIFY(iterations->count() > 1);
        QCOMPARE(iterations->currentIndex(), iterations->count() - 1);
        const QString last = app.cell(0, BytesModel::Elements);
        iterations->setCurrentIndex(0);
        Q_EMIT iterations->activated(0);
        QVERIFY(app.cell(0, BytesModel::Elements) != last);
        QCOMPARE(app.window.panes().bytes->moment(), std::optional<std::size_t>(inner - record.moments.begin()));
    }

    void withoutKeptBytesItSaysWhy()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        app.child<QCheckBox>("runKeep")->setChecked(false);
        app.child<QPushButton>("runStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
        QTest::qWait(50);
        QVERIFY(!app.bench.recorded.record());
        QVERIFY(app.why().contains(QStringLiteral("were not kept")));
    }

    void anotherPlanDropsTheRecord()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QVERIFY(app.ready());
        QTRY_VERIFY(!app.bench.recorded.record());
        QVERIFY(app.why().contains(QStringLiteral("Nothing was run yet")));
    }

    void bytesBeyondTheLimitAreKeptFromHere()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        RunRequest request;
        request.keepBytes = 40; // x, and no more
        QVERIFY(app.bench.startRun(request).ok());
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.recorded.record(), 20000);
        app.pick("c", 2);
        QCOMPARE(app.cell(0, BytesModel::Elements), QStringLiteral("not kept"));
        QVERIFY(app.child<QPushButton>("bytesKeep")->isVisible());
        const auto before = app.bench.recorded.record();
        app.child<QPushButton>("bytesKeep")->click();
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.recorded.record() && app.bench.recorded.record() != before, 20000);
        QVERIFY(app.cell(0, BytesModel::Elements).contains(QStringLiteral(", ")));
        QVERIFY(!app.child<QPushButton>("bytesKeep")->isVisible());
    }

    /// Of a plan that has lost an event: the joining node comes before the branch that it joins.
    void theOrderThatGoesWrongIsWalked()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        Choices choices;
        QVERIFY(choices.setPolicy("backend", "reference").ok());
        app.window.open(test::exampleFile(QStringLiteral("two-streams.json")), choices,
                        QStringLiteral(PLIMSOLL_SOURCE_DIR "/tests/data/two-streams-missing-event.plan.json"));
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        QVERIFY2(app.child<QLabel>("runFacts")->text().contains(QStringLiteral("in the order: stream 0 first")),
                 qPrintable(app.child<QLabel>("runFacts")->text()));
        app.pick("g", 4);
        app.window.actions().at("go.next-step")->trigger();
        QCOMPARE(app.bench.selection.step(), 9); // join, which does not wait for what makes g
        QCOMPARE(app.title(), QStringLiteral("g after step 9, in the order: stream 0 first"));
        QCOMPARE(app.cell(0, BytesModel::Owner), QStringLiteral("nobody: nothing written yet"));
        app.window.actions().at("go.next-step")->trigger();
        app.window.actions().at("go.next-step")->trigger();
        QCOMPARE(app.bench.selection.step(), 5);
        app.window.actions().at("go.previous-step")->trigger();
        QCOMPARE(app.bench.selection.step(), 10);
        QTest::keyClick(app.window.panes().picture(QStringLiteral("plan")), Qt::Key_BracketRight);
        QCOMPARE(app.bench.selection.step(), 5);
    }

    /// A value that another is written over in part: figures are of what is there.
    void figuresAreOfTheStepThatIsShown()
    {
        QFile file(m_folder.filePath(QStringLiteral("over.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema": "plimsoll.plan/1", "arenas": [{"space": "cpu", "bytes": 256, "alignment": 1}],
          "allocations": [{"value": "a", "offset": 0, "bytes": 32}, {"value": "b", "offset": 64, "bytes": 32},
                          {"value": "c", "offset": 24, "bytes": 32}, {"value": "y", "offset": 128, "bytes": 32}]})");
        file.close();
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        app.window.open(m_folder.filePath(QStringLiteral("chain.json")), {}, file.fileName());
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        const auto* picture = app.child<ContentPicture>("contentPicture");
        app.pick("a", 0);
        QTRY_VERIFY2(picture->accessibleDescription().startsWith(QStringLiteral("a, float32[8]; 8 elements")),
                     qPrintable(picture->accessibleDescription()));
        app.pick("a", 2);
        QTRY_VERIFY2(picture->accessibleDescription().startsWith(
                         QStringLiteral("a, float32[8], after step 2: 8 B of it by others; 8 elements")),
                     qPrintable(picture->accessibleDescription()));
        QCOMPARE(app.cell(0, BytesModel::Owner), QStringLiteral("nobody any more, last a"));
    }

    void aFusedValueHasNoBytes()
    {
        Opened app(m_folder.filePath(QStringLiteral("chain.json")));
        QVERIFY(app.ready());
        app.bench.session.setAsksForOffers(true);
        app.bench.offers.estimated.setProgram(QStringLiteral(PLIMSOLL_CLI));
        app.window.open(test::exampleFile(QStringLiteral("mobile-chain.json")));
        const auto fusedValue = [&app]() -> std::string {
            const auto report = app.bench.session.report();
            const Graph* graph = report ? report->program.graph.get() : nullptr;
            for (std::size_t i = 0; graph && i < graph->values.size(); ++i)
                if (graph->decided[ValueId(i)].fusedInto.valid()) return graph->values[i].name;
            return {};
        };
        if (!QTest::qWaitFor([&] { return !fusedValue().empty(); }, 10000)) QSKIP("no backend here fuses");
        QVERIFY(app.window.showView(QStringLiteral("bytes")));
        QVERIFY(app.run());
        app.pick(fusedValue().c_str(), static_cast<int>(app.bench.session.report()->program.schedule.length()) - 1);
        QVERIFY2(app.why().contains(QStringLiteral("is computed within node ")), qPrintable(app.why()));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_MAIN(BytesPaneTest)
#include "tst_bytes_pane.moc"
