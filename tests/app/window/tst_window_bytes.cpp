#include "app/models/large_report.h"
#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "core/facts/words/area_text.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/support/random_table.h"

#include <QFile>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& file)
    {
        bench.costs.setEnabled(false);
        window.show();
        bench.session.open(file);
    }
    [[nodiscard]] PlanCanvas* plan() const
    {
        return qobject_cast<PlanCanvas*>(window.panes().pictures->canvas(QStringLiteral("plan")));
    }
    [[nodiscard]] QString told() const { return window.panes().inspector->asText(); }
    [[nodiscard]] QString title() const { return child<QLabel>("inspectorTitle")->text(); }
    /// What the palette offers for a text.
    [[nodiscard]] QListWidget* type(const QString& text)
    {
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
        auto* finder = child<QFrame>("finder");
        auto* field = finder->findChild<QLineEdit*>();
        field->setText(text);
        return finder->findChild<QListWidget*>();
    }
    void choose() { QTest::keyClick(child<QFrame>("finder")->findChild<QLineEdit*>(), Qt::Key_Return); }
};

} // namespace

class WindowBytesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void bytesAreFoundByAddress();
    void aNumberMayBeAStepOrAByte();
    void escapeLeavesTheBytes();
    void bytesStayWhenThePlanChanges();
    void ofALargePlanTheWorkerTells();
};

void WindowBytesTest::bytesAreFoundByAddress()
{
    Opened app(test::exampleFile(QStringLiteral("mobile-chain.json")));
    QVERIFY(app.ready());
    QListWidget* offered = app.type(QStringLiteral("0x10000..0x11000"));
    QCOMPARE(offered->count(), 1);
    app.choose();

    const PlanArea area = app.bench.selection.focus().area;
    QCOMPARE(app.title(), QStringLiteral("[0x10000, 0x11000)"));
    QCOMPARE(area.bytes, (Interval {0x10000, 0x11000}));
    QVERIFY2(
        app.told().contains(QStringLiteral("\n  In turn: No step needs both: 'stem.act' is alive at steps [1, 6), ")),
        qPrintable(app.told()));
    QVERIFY(!app.told().contains(QStringLiteral("Last written by"))); // no step is pointed at
    app.bench.selection.setStep(3);
    QVERIFY2(app.told().contains(QStringLiteral("Last written by")), qPrintable(app.told()));
    QCOMPARE(app.plan()->scene().emphasis.area, area);
}

void WindowBytesTest::aNumberMayBeAStepOrAByte()
{
    Opened app(test::exampleFile(QStringLiteral("mobile-chain.json")));
    QVERIFY(app.ready());
    const QListWidget* offered = app.type(QStringLiteral("12"));
    QStringList texts;
    for (int row = 0; row < offered->count(); ++row)
        texts << offered->item(row)->text();
    QVERIFY2(texts.join(u'|').contains(QStringLiteral("Step 12")), qPrintable(texts.join(u'|')));
    QVERIFY2(texts.join(u'|').contains(QStringLiteral("0xc")), qPrintable(texts.join(u'|')));
}

void WindowBytesTest::escapeLeavesTheBytes()
{
    Opened app(test::exampleFile(QStringLiteral("mobile-chain.json")));
    QVERIFY(app.ready());
    QVERIFY(app.window.select(QStringLiteral("36 KiB")));
    QVERIFY(app.bench.selection.focus().picked());

    QTest::keyClick(app.plan(), Qt::Key_Escape);

    QVERIFY(!app.bench.selection.focus().picked());
    app.bench.selection.back();
    QVERIFY(!app.bench.selection.canGoForward());
}

void WindowBytesTest::bytesStayWhenThePlanChanges()
{
    Opened app(test::exampleFile(QStringLiteral("mobile-chain.json")));
    QVERIFY(app.ready());
    QVERIFY(app.window.select(QStringLiteral("0x100..0x200")));
    const Focus before = app.bench.selection.focus();

    Choices other = app.bench.session.choices();
    other.policies.inplace = InplacePolicy::Off;
    app.bench.session.setChoices(other);
    QTRY_VERIFY(app.bench.session.report()->program.policies.inplace == InplacePolicy::Off);

    QCOMPARE(app.bench.selection.focus(), before);
}

void WindowBytesTest::ofALargePlanTheWorkerTells()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("table.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(test::randomTable(6000, 1)));
    file.close();
    Opened app(file.fileName());
    QVERIFY(app.ready());
    QVERIFY(isLarge(*app.bench.session.report()));
    const QString before = app.title();

    QVERIFY(app.window.select(QStringLiteral("0x0..0x10")));
    QCOMPARE(app.title(), before); // title and facts come together
    QVERIFY(app.window.select(QStringLiteral("0x1")));
    QTRY_COMPARE(app.title(), QStringLiteral("0x1"));
    QVERIFY2(app.told().startsWith(QStringLiteral("bytes 0x1\n\nThese bytes\n")), qPrintable(app.told()));
}

QTEST_MAIN(WindowBytesTest)
#include "tst_window_bytes.moc"
