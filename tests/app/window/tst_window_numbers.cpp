#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/main_window.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/no_warnings.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened
{
    app::Settings settings {true};
    app::Workbench bench {unsearched()};
    app::MainWindow window {bench, settings};

    Opened()
    {
        bench.session.setAsksForOffers(false);
        window.resize(1366, 768);
        window.show();
        window.activateWindow();
        window.open(test::exampleFile(QStringLiteral("residual-block.json")));
    }
    static Engine unsearched() { return test::unsearchingEngine(); }
    bool ready()
    {
        return QTest::qWaitFor([this] { return bench.session.report() && window.settled(); }, 20000);
    }
    QAction* action(const char* id) const { return window.actions().at(id); }
    QString title() const { return window.findChild<QLabel*>(QStringLiteral("inspectorTitle"))->text(); }
    QString peak() const { return window.findChild<QToolButton*>(QStringLiteral("peak"))->text(); }
    TablePane* values() const { return window.panes().tables.value(QStringLiteral("values")); }
    /// The cell of the first row under a title; \p role as a view asks for it.
    QString cell(const QString& title, int role = Qt::DisplayRole) const
    {
        const QAbstractItemModel& table = values()->model();
        for (int column = 0; column < table.columnCount(); ++column)
            if (table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() == title)
                return table.index(0, column).data(role).toString();
        return {};
    }
};

} // namespace

/// Sizes rounded or exact, addresses with sixteen digits or ten: everywhere at once.
class WindowNumbersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        test::failOnWarnings();
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
    }
    void cleanup() { setNumberForm({}); }
    void sizesAreRoundedOrExact();
    void addressesAreHexadecimalOrDecimal();
    void sentencesSayExactSizes();
    void tipsAreExactInBothForms();
    void aFilterFindsWhatIsShown();
    void changesSayWhatTheyAddUpTo();
    void theFormIsKept();
    void exactNumbersAreCopied();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowNumbersTest::sizesAreRoundedOrExact()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY2(app.peak().endsWith(QStringLiteral("KiB")), qPrintable(app.peak()));
    const std::int64_t bytes = app.bench.session.report()->memory.peakBytes;
    const QImage before = app.window.grab().toImage();

    app.action("view.exact-bytes")->trigger();
    QCOMPARE(app.peak(), countText(bytes) + QStringLiteral(" B"));
    QVERIFY2(app.cell(QStringLiteral("Required")).endsWith(QStringLiteral(" B")),
             qPrintable(app.cell(QStringLiteral("Required"))));
    QVERIFY(app.window.panes().inspector->asText().contains(app.peak()));
    QVERIFY(app.window.grab().toImage() != before);

    app.action("view.exact-bytes")->trigger();
    QVERIFY(app.peak().endsWith(QStringLiteral("KiB")));
    QTRY_VERIFY(app.window.grab().toImage() == before);
}

void WindowNumbersTest::addressesAreHexadecimalOrDecimal()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(app.window.select(QStringLiteral("0x4000..0x8000")));
    QCOMPARE(app.title(), QStringLiteral("[0x4000, 0x8000)"));
    QVERIFY(app.cell(QStringLiteral("Offset")).startsWith(QStringLiteral("0x")));

    app.action("view.decimal-addresses")->trigger();
    QCOMPARE(app.title(), QStringLiteral("[16,384, 32,768)"));
    QVERIFY(!app.cell(QStringLiteral("Offset")).contains(u'x'));
}

void WindowNumbersTest::sentencesSayExactSizes()
{
    const Message said = say("sentences", Message("one"), say("text", word::Size {1'468'006}));
    QCOMPARE(windowText(said), QStringLiteral("one 1.40 MiB"));
    setNumberForm({.exactBytes = true});
    QCOMPARE(windowText(said), QStringLiteral("one 1,468,006 B"));
}

void WindowNumbersTest::tipsAreExactInBothForms()
{
    QCOMPARE(sizeTip(1'468'006), QStringLiteral("1.40 MiB (1,468,006 B)"));
    QCOMPARE(sizeTip(64), QStringLiteral("64 B"));
    QCOMPARE(cellTip(cell::bytes(1'468'006)), QStringLiteral("1,468,006 bytes"));
    setNumberForm({.exactBytes = true});
    QCOMPARE(sizeTip(1'468'006), QStringLiteral("1.40 MiB (1,468,006 B)"));
    QCOMPARE(cellTip(cell::bytes(1'468'006)), QStringLiteral("1,468,006 bytes"));
}

void WindowNumbersTest::aFilterFindsWhatIsShown()
{
    Opened app;
    QVERIFY(app.ready());
    app.values()->filterField()->setText(QStringLiteral("KiB"));
    QVERIFY(app.values()->model().rowCount() > 0);
    app.action("view.exact-bytes")->trigger();
    QCOMPARE(app.values()->model().rowCount(), 0);
}

void WindowNumbersTest::changesSayWhatTheyAddUpTo()
{
    Opened app;
    QVERIFY(app.ready());
    const auto count = [&] {
        for (const QLabel* label : app.window.panes().tables.value(QStringLiteral("changes"))->findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("together"))) return label->text();
        return QString();
    };
    const auto replanned = [&](const char* policy, const char* value) {
        const auto old = app.bench.session.report();
        QVERIFY(app.bench.session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok());
        QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.report() != old && app.ready(), 20000);
    };
    QCOMPARE(count(), QString());
    const std::int64_t before = app.bench.session.report()->memory.peakBytes;
    replanned("alignment", "65536");
    QCOMPARE(app.bench.session.report()->memory.peakBytes - before, 61'440);
    QTRY_VERIFY2(count().endsWith(QStringLiteral(", all together +60.0 KiB")), qPrintable(count()));

    app.action("view.exact-bytes")->trigger();
    QVERIFY2(count().endsWith(QStringLiteral(", all together +61,440 B")), qPrintable(count()));
}

void WindowNumbersTest::theFormIsKept()
{
    {
        Opened app;
        QVERIFY(app.ready());
        app.action("view.decimal-addresses")->trigger();
    }
    setNumberForm({});
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(app.action("view.decimal-addresses")->isChecked());
    QVERIFY(!app.action("view.exact-bytes")->isChecked());
    QVERIFY(numberForm().decimalAddresses);
}

void WindowNumbersTest::exactNumbersAreCopied()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(app.window.showView(QStringLiteral("values")));
    app.values()->view()->setFocus();
    app.values()->view()->selectRow(0);
    const auto bytes = app.cell(QStringLiteral("Required"), ExactRole);
    app.action("pick.copy-exact")->trigger();
    QVERIFY(QApplication::clipboard()->text().split(u'\t').contains(bytes));
    bool number = false;
    QVERIFY(bytes.toLongLong(&number) > 1024 && number);

    FactView* facts = app.window.panes().inspector->view();
    facts->setFocus();
    const QModelIndex section = facts->model()->index(0, 0);
    for (int row = 0; row < facts->model()->rowCount(section); ++row) {
        facts->setCurrentIndex(facts->model()->index(row, 0, section));
        app.action("pick.copy-exact")->trigger();
        QVERIFY2(!QApplication::clipboard()->text().contains(QStringLiteral("KiB")),
                 qPrintable(QApplication::clipboard()->text()));
    }
    facts->setCurrentIndex(QModelIndex()); // then the row of the table is meant
    app.action("pick.copy-exact")->trigger();
    QVERIFY(QApplication::clipboard()->text().split(u'\t').contains(bytes));
}

QTEST_MAIN(WindowNumbersTest)
#include "tst_window_numbers.moc"
