#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/commands/devices.h"
#include "app/window/commands/searches.h"
#include "app/window/main_window.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QStandardPaths>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    Opened()
    {
        window.show();
        window.open(test::exampleFile(QStringLiteral("residual-block.json")));
    }
};

} // namespace

/// The command palette, and "go to anything".
class WindowFinderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void thePaletteHasEveryEntryOfTheMenus();
    void thePaletteHasWhatWasKept();
    void aPaneThatIsNamedIsShown();
    void aStepIsFoundAsItIsWritten();
    void whatIsNoThingMayBeACommand();
    void aDeviceSetsTheCapacityAsOneEdit();
    void everyDeviceHasItsFigureAndSource();
};

void WindowFinderTest::thePaletteHasEveryEntryOfTheMenus()
{
    Opened app;
    QVERIFY(app.ready());
    const auto search = searchCommands(*app.window.menuBar(), app.window.actions());
    const auto found = [&](const char* typed) { return search(QString::fromLatin1(typed)).front(); };

    QVERIFY2(found("theme dark").text.startsWith(QStringLiteral("View › Theme")), qPrintable(found("theme dark").text));
    QVERIFY(found("theme dark").choose);
    QCOMPARE(found("undo").text, QStringLiteral("Edit: Undo"));
    QVERIFY2(!found("undo").choose, "nothing was changed yet, and nothing else is chosen in its place");
}

void WindowFinderTest::thePaletteHasWhatWasKept()
{
    const Settings kept(true);
    const QString layouts = QStringLiteral("layouts/v%1").arg(Settings::LayoutVersion);
    kept.setNamed(layouts, {{QStringLiteral("Mine & yours"), QByteArray("layout")}});
    Workbench bench {Engine()};
    const MainWindow window(bench, kept);
    QVERIFY(test::paletteHas(window, QStringLiteral("Mine & yours")));
    kept.setNamed(layouts, {});
}

/// Its entry in the menu hides what is shown.
void WindowFinderTest::aPaneThatIsNamedIsShown()
{
    Opened app;
    QVERIFY(app.ready());
    const auto search = searchCommands(*app.window.menuBar(), app.window.actions());
    const auto* holes = app.window.panes().tables.value(QStringLiteral("holes"));
    for (int time = 0; time < 2; ++time) {
        search(QStringLiteral("panes holes")).front().choose();
        QTRY_VERIFY(!holes->visibleRegion().isEmpty());
    }
}

void WindowFinderTest::aStepIsFoundAsItIsWritten()
{
    Opened app;
    QVERIFY(app.ready());
    const auto search = searchReport(app.bench.session.report(), {}, app.bench.selection);
    for (const char* typed : {"2", "#2", "step 2", "Step 2"})
        QCOMPARE(search(QString::fromLatin1(typed)).front().text, QStringLiteral("Step 2"));
    const FinderItem beyond = search(QStringLiteral("0xfffffff0")).front();
    QVERIFY(beyond.text.contains(QStringLiteral("0xfffffff0")) && !beyond.choose);
    const FinderItem broken = search(QStringLiteral("/([/")).front();
    QVERIFY(broken.text.startsWith(QStringLiteral("no regular expression")) && !broken.choose);
}

/// Where no thing has the name, commands have; where they have not, it says where conditions belong.
void WindowFinderTest::whatIsNoThingMayBeACommand()
{
    Opened app;
    QVERIFY(app.ready());
    app.window.actions().at("go.anything")->trigger();
    auto* finder = app.child<QFrame>("finder");
    QTRY_VERIFY(finder->isVisible());
    auto* field = finder->findChild<QLineEdit*>();
    const auto* list = finder->findChild<QListWidget*>();
    QTest::keyClicks(field, QStringLiteral("stack by age"));
    QVERIFY(list->count() > 0);
    QVERIFY(list->item(0)->text().endsWith(QStringLiteral("Stack by age")));
    field->clear();
    QTest::keyClicks(field, QStringLiteral("required>1MiB"));
    QCOMPARE(list->count(), 0);
    const auto labels = finder->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("bytes>1MiB"));
    }));
}

/// A plan of 196 KiB: it fits 256 KiB, and not 128.
void WindowFinderTest::aDeviceSetsTheCapacityAsOneEdit()
{
    Opened app;
    QVERIFY(app.ready());
    const auto peak = app.bench.session.report()->memory.peakBytes;
    QVERIFY(peak > 128 * 1024 && peak <= 256 * 1024);
    app.window.actions().at("edit.device")->trigger();
    auto* finder = app.child<QFrame>("finder");
    QTRY_VERIFY(finder->isVisible());
    const auto* list = finder->findChild<QListWidget*>();
    QCOMPARE(list->count(), deviceProfiles().size());
    QTest::keyClicks(finder->findChild<QLineEdit*>(), QStringLiteral("stm32f446"));
    QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return);
    QVERIFY(app.ready());

    QCOMPARE(app.bench.session.choices().policies.capacity.at("cpu"), std::int64_t {131072});
    QCOMPARE(app.bench.session.history().position(), std::size_t {1});
    const DeviceProfile small {QStringLiteral("small"), {}, 131072, {}};
    const DeviceProfile large {QStringLiteral("large"), {}, 262144, {}};
    QCOMPARE(fitText(*app.bench.session.report(), small),
             QStringLiteral("does not fit by ") + app::sizeText(app.bench.session.report()->memory.peakBytes - 131072));
    QVERIFY(fitText(*app.bench.session.report(), large).startsWith(QStringLiteral("fits, ")));
    app.bench.session.undo();
    QVERIFY(app.ready());
    QVERIFY(app.bench.session.choices().policies.capacity.empty());
}

void WindowFinderTest::everyDeviceHasItsFigureAndSource()
{
    QVERIFY(deviceProfiles().size() >= 10);
    for (const DeviceProfile& device : deviceProfiles())
        QVERIFY2(!device.name.isEmpty() && !device.memory.isEmpty() && device.bytes > 0 && !device.source.isEmpty(),
                 qPrintable(device.name));
}

QTEST_MAIN(WindowFinderTest)
#include "tst_window_finder.moc"
