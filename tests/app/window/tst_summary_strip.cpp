#include "app/models/window_text.h"
#include "app/window/pages/samples.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/summary_strip.h"
#include "core/facts/words/verdict.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::app;

class SummaryStripTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void whatWentWrongIsReadWhole();
    void oneOfSeveralGraphsIsChosen();
    void anotherGraphIsPlannedByTheSamePolicies();
    void theWasteStandsBesidePeakAndBound();
    void noBoundIsToldOfAPlanThatIsNotLegal();
    void noLineOfTheVerdictIsCut();
};

/// What may not share has a bound that no legal plan is held against.
void SummaryStripTest::noBoundIsToldOfAPlanThatIsNotLegal()
{
    test::OpenWindow app;
    const Sample bug = realBugs().first();
    app.window.open(sampleFile(bug.file), bug.choices, sampleFile(bug.plan));
    QVERIFY(app.ready());
    QCOMPARE(verdictLevel(*app.bench.session.report()), VerdictLevel::Broken);
    QCOMPARE(app.child<QToolButton>("waste")->text(), QStringLiteral("–"));
    QVERIFY(app.child<QToolButton>("waste")->toolTip().startsWith(QStringLiteral("The sharing is not legal")));
    const auto bound = app.child<QToolButton>("lowerBound");
    QCOMPARE(bound->text(), app::sizeText(app.bench.session.report()->verdict.given->anySharingBoundBytes));
    QVERIFY(bound->toolTip().endsWith(QStringLiteral("whatever shares")));
    QVERIFY(app.child<QToolButton>("peak")->text() != QStringLiteral("–"));
    app.bench.session.makeOwnPlan();
    QTRY_COMPARE(app.child<QToolButton>("lowerBound")->text(),
                 app::sizeText(app.bench.session.report()->memory.lowerBoundBytes));
}

/// As the command line says it: 100 % is as much again as the bound.
void SummaryStripTest::theWasteStandsBesidePeakAndBound()
{
    test::OpenWindow app;
    app.window.resize(1366, 768);
    app.window.show();
    app.window.open(test::exampleFile(QStringLiteral("transformer-block.json")));
    QVERIFY(app.ready());
    QCOMPARE(app.child<QToolButton>("waste")->text(), QStringLiteral("0 B"));

    QVERIFY(app.bench.session.setPolicy(QStringLiteral("placement"), QStringLiteral("no-reuse")).ok());
    QVERIFY(app.ready());

    const auto report = app.bench.session.report();
    const auto& memory = report->memory;
    const std::int64_t waste = memory.peakBytes - memory.lowerBoundBytes;
    QVERIFY(waste > 0);
    const auto* figure = app.child<QToolButton>("waste");
    QVERIFY(figure->isVisible());
    QCOMPARE(figure->text(), app::sizeText(waste));
    const QString share = app::percentText(double(waste) / double(memory.lowerBoundBytes));
    const auto labels = figure->parentWidget()->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == share; }));
    QVERIFY(app.window.panes().inspector->asText().contains(QStringLiteral("Waste")));
}

void SummaryStripTest::noLineOfTheVerdictIsCut()
{
    test::OpenWindow app;
    app.window.show();
    app.window.open(test::exampleFile(QStringLiteral("transformer-block.json")));
    QVERIFY(app.ready());
    const auto* verdict = app.child<QLabel>("verdict");
    app.window.panes().summary->setProblem(
        QStringLiteral("a-long-word-that-leaves-the-ends-of-lines-empty ").repeated(40));
    for (int width = 700; width < 1500; width += 37) {
        app.window.resize(width, 700);
        QCoreApplication::processEvents();
        const QRect room(0, 0, verdict->width(), 10000);
        const int needed = verdict->fontMetrics().boundingRect(room, Qt::TextWordWrap, verdict->text()).height();
        QVERIFY2(needed <= verdict->height(), qPrintable(QString::number(width)));
        QVERIFY(verdict->text().endsWith(QStringLiteral("…")));
    }
}

void SummaryStripTest::anotherGraphIsPlannedByTheSamePolicies()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("two.log")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (const char* name : {"First", "Second"})
        file.write(QByteArray("class ") + name + "(torch.nn.Module):\n    def forward(self, x: \"f32[4]\"):\n" +
                   "        y: \"f32[4]\" = torch.ops.aten.neg.default(x)\n        return (y,)\n\n");
    file.close();
    test::OpenWindow app;
    app.window.show();
    app.window.open(file.fileName());
    QVERIFY(app.ready());
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("recompute"), QStringLiteral("cheap")).ok());
    QVERIFY(app.ready());

    auto* graphs = app.child<QComboBox>("graphs");
    graphs->setFocus();
    QTest::keyClick(graphs, Qt::Key_Down);
    QVERIFY(app.ready());

    QVERIFY(app.bench.session.file().endsWith(QStringLiteral("#Second")));
    QCOMPARE(policyValue(app.bench.session.choices().policies, "inplace"), std::string("off"));
    QCOMPARE(app.bench.session.choices().named, (std::set<std::string, std::less<>> {"inplace", "recompute"}));
    QVERIFY2(app.window.statusBar()->currentMessage().contains(QStringLiteral("Recomput")),
             qPrintable(app.window.statusBar()->currentMessage())); // of a graph without a backward pass
    QVERIFY(!app.window.statusBar()->currentMessage().contains(QStringLiteral("In place")));
}

/// As what a wrong shape leads to, in a narrow window.
void SummaryStripTest::whatWentWrongIsReadWhole()
{
    test::OpenWindow app;
    app.window.resize(1000, 700);
    app.window.show();
    app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
    QVERIFY(app.ready());
    const auto* verdict = app.child<QLabel>("verdict");
    QString problem;
    for (int i = 0; i < 6; ++i)
        problem += QStringLiteral("The shape 1x2x3 of the input that was given does not fit the node. ");
    app.window.panes().summary->setProblem(problem);
    QCoreApplication::processEvents();
    QVERIFY(verdict->text().startsWith(problem));
    QVERIFY(verdict->text().contains(QStringLiteral("The plan stays as it was. Legal.")));
    QVERIFY(verdict->height() >= verdict->heightForWidth(verdict->width()));
}

void SummaryStripTest::oneOfSeveralGraphsIsChosen()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("two.hlo")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("HloModule first\nENTRY e {\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] negate(x)\n}\n\n"
               "HloModule second\nENTRY e {\n  x = f32[16] parameter(0)\n  ROOT z = f32[16] negate(x)\n}\n");
    file.close();
    test::OpenWindow app;
    app.window.show();
    app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
    QVERIFY(app.ready());
    auto* graphs = app.child<QComboBox>("graphs");
    QVERIFY(graphs->isHidden());
    app.window.open(file.fileName());
    QVERIFY(app.ready());
    QVERIFY(!graphs->isHidden());
    QCOMPARE(graphs->currentText(), QStringLiteral("first"));

    graphs->setFocus();
    QTest::keyClick(graphs, Qt::Key_Down);
    QVERIFY(app.ready());

    QCOMPARE(graphs->currentText(), QStringLiteral("second"));
    QVERIFY(findValue(*app.bench.session.graph(), "z").valid());
    app.bench.session.reload();
    QVERIFY(app.ready());
    QCOMPARE(graphs->currentText(), QStringLiteral("second"));
}

QTEST_MAIN(SummaryStripTest)
#include "tst_summary_strip.moc"
