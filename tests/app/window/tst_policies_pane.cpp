#include "app/models/window_text.h"
#include "app/session/policy_costs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QStandardPaths>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& example = QStringLiteral("residual-block.json"))
    {
        window.show();
        window.open(test::exampleFile(example));
    }
};

QString peak(const Opened& app)
{
    return app.child<QToolButton>("peak")->text();
}

} // namespace

class PoliciesPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void tickingAPolicyMovesThePeakAndUndoBringsItBack()
    {
        Opened app(QStringLiteral("mobile-chain.json"));
        QVERIFY(app.ready());
        const QString lean = peak(app);

        app.openPolicy("placement");
        auto* apart = app.child<QRadioButton>("placement=no-reuse");
        QTest::mouseClick(apart, Qt::LeftButton, Qt::NoModifier, QPoint(8, apart->height() / 2));
        QTRY_VERIFY(peak(app) != lean);
        QCOMPARE(app.bench.session.report()->memory.peakBytes, app.bench.session.report()->memory.noReuseBytes);

        QTest::keyClick(&app.window, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(peak(app), lean);
        QVERIFY(app.child<QRadioButton>("placement=best")->isChecked());
    }

    void policiesThatMatterStandFirst()
    {
        Opened app(QStringLiteral("frozen-scale.json"));
        QVERIFY(app.ready());
        QTRY_VERIFY(!app.bench.costs.busy());
        const auto top = [&](const char* id) {
            const auto* header = app.child<QToolButton>((QByteArray(id) + ":header").constData());
            return header->isVisible() ? header->mapTo(app.window.panes().policies->widget(), QPoint()).y() : -1;
        };
        QVERIFY(app.child<QRadioButton>("outputs=external")->isVisible()); // lowers the peak, so that it is open
        QTRY_VERIFY(top("outputs") < top("inplace"));
        QVERIFY(!app.child<QRadioButton>("inplace=off")->isVisible());
        QCOMPARE(top("cse"), -1); // merges nothing here
        QCOMPARE(app.child<QLabel>("inplace:chosen")->text(), QStringLiteral("on"));

        auto* search = app.child<QLineEdit>("policies:search");
        QTest::keyClicks(search, QStringLiteral("merge"));
        QTRY_VERIFY(top("cse") >= 0);
        QCOMPARE(top("inplace"), -1);
        QVERIFY(app.child<QRadioButton>("cse=on")->isVisible());
        search->clear();
        QTRY_COMPARE(top("cse"), -1);
    }

    void policiesThatNothingLooksAtAreDisabledAndSayWhy()
    {
        Opened app;
        QVERIFY(app.ready());
        auto* box = app.child<QWidget>("policy:match-range-search");
        auto* why = app.child<QLabel>("match-range-search:onlyWith");
        QVERIFY(box && why && !box->isEnabled() && !why->isHidden());
        QCOMPARE(why->text(), QStringLiteral("Without effect: only with 'Placement: storage-reuse'."));
        QVERIFY(!app.child<QWidget>("policy:colours")->isEnabled());
        QVERIFY(!app.child<QWidget>("policy:saved")->isEnabled());
        QCOMPARE(app.child<QLabel>("saved:onlyWith")->text(),
                 QStringLiteral("Without effect: the graph has no loss to go back from."));
        QVERIFY(app.child<QWidget>("policy:fold")->isEnabled());
        QVERIFY(app.child<QLabel>("fold:onlyWith")->isHidden());

        QVERIFY(app.bench.session.setPolicy(QStringLiteral("placement"), QStringLiteral("storage-reuse")).ok());

        QVERIFY(box->isEnabled() && why->isHidden());
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("match-range"), QStringLiteral("2048")).ok());
        QCOMPARE(app.child<QLineEdit>("match-range")->text(), QStringLiteral("2048")); // no size
        app.child<QRadioButton>("match-range-search=on")->click();
        QTRY_VERIFY(app.bench.session.report()->program.policies.matchRangeSearch);
    }
};

QTEST_MAIN(PoliciesPaneTest)
#include "tst_policies_pane.moc"
