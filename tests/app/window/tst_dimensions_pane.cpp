#include "app/window/panes/size_panes.h"
#include "tests/app/support/no_warnings.h"
#include "tests/app/support/pane_session.h"

#include <QLabel>
#include <QSpinBox>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Open = R"({"schema": "plimsoll.graph/1", "name": "open", "opset": 21,
  "inputs": [{"name": "x", "dtype": "float32", "shape": ["batch", "n", 4]}],
  "nodes": [{"name": "act", "op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})";

struct Opened : test::PaneSession<DimensionsPane>
{
    [[nodiscard]] QSpinBox* size(const char* dim) const
    {
        return pane.findChild<QSpinBox*>(QStringLiteral("dim:") + QString::fromLatin1(dim));
    }
    /// What stands in the pane, apart from sizes.
    [[nodiscard]] QStringList words() const
    {
        QStringList words;
        for (const QLabel* label : pane.findChildren<QLabel*>())
            if (!label->text().isEmpty()) words << label->text();
        return words;
    }
};

} // namespace

/// The symbolic dimensions of a graph are bound in the window.
class DimensionsPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void everyDimensionHasItsSize()
    {
        Opened app;
        QVERIFY(app.pane.isHidden());

        QVERIFY(app.open(Open));

        QVERIFY(!app.pane.isHidden());
        QCOMPARE(app.size("batch")->value(), 1);
        QCOMPARE(app.size("n")->value(), 1);
        QCOMPARE(app.words().count(QStringLiteral("assumed")), 2);
    }

    void aSizeThatIsGivenIsNotAssumed()
    {
        Opened app;
        QVERIFY(app.open(Open));
        const std::int64_t before = app.session.report()->memory.noReuseBytes;

        app.size("batch")->setValue(1000);
        QVERIFY(app.settled());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);

        QVERIFY(app.session.report()->memory.noReuseBytes > before);
        QCOMPARE(app.session.choices().shapes.dims.at("batch"), 1000);
        QCOMPARE(app.size("batch")->value(), 1000);
        QCOMPARE(app.words().count(QStringLiteral("assumed")), 1);
    }

    void aClosedGraphHasNoDimensions()
    {
        Opened app;
        QVERIFY(app.open(Open));
        app.session.close();
        QVERIFY(app.pane.isHidden());
    }
};

QTEST_MAIN(DimensionsPaneTest)
#include "tst_dimensions_pane.moc"
