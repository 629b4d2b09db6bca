#include "app/window/panes/size_panes.h"
#include "tests/app/support/no_warnings.h"
#include "tests/app/support/pane_session.h"

#include <QLineEdit>
#include <QTest>
#include <QToolTip>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Open = R"({"schema": "plimsoll.graph/1", "name": "open", "opset": 21,
  "inputs": [{"name": "data", "dtype": "float32"}, {"name": "fixed", "dtype": "float32", "shape": [4]}],
  "nodes": [{"name": "act", "op": "Relu", "inputs": ["data"], "outputs": ["y"]},
            {"name": "sum", "op": "Add", "inputs": ["y", "fixed"], "outputs": ["z"]}],
  "outputs": ["z"]})";

struct Opened : test::PaneSession<ShapesPane>
{
    void type(const QString& text) const
    {
        auto* field = pane.findChild<QLineEdit*>(QStringLiteral("shape:data"));
        field->setText(text);
        field->setModified(true);
        Q_EMIT field->editingFinished();
    }
};

} // namespace

/// The shapes of inputs that a file leaves open are given in the window.
class ShapesPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void onlyInputsWithoutAShapeHaveAField()
    {
        Opened app;
        QVERIFY(app.pane.isHidden());
        QVERIFY(app.open(Open));
        QVERIFY(!app.pane.isHidden());
        QCOMPARE(app.pane.findChildren<QLineEdit*>().size(), 1);
        QCOMPARE(app.session.report()->memory.unplanned.size(), std::size_t {2});
    }

    void aShapeMakesThePlanComplete()
    {
        Opened app;
        QVERIFY(app.open(Open));
        app.type(QStringLiteral("3x4"));
        QVERIFY(app.settled());
        QVERIFY(app.session.report()->memory.unplanned.empty());
        QVERIFY(app.session.choices().shapes.shapes.at("data") == (Shape {3, 4}));
        app.session.undo();
        QVERIFY(app.settled());
        QCOMPARE(app.pane.findChild<QLineEdit*>(QStringLiteral("shape:data"))->text(), QString());
    }

    void whatIsNoShapeIsNotTaken()
    {
        Opened app;
        QVERIFY(app.open(Open));
        app.type(QStringLiteral("3x4"));
        app.type(QStringLiteral("3xfour"));
        QVERIFY(app.session.choices().shapes.shapes.at("data") == (Shape {3, 4}));
        QCOMPARE(app.pane.findChild<QLineEdit*>(QStringLiteral("shape:data"))->text(), QStringLiteral("3x4"));
        QVERIFY2(QToolTip::text().startsWith(QStringLiteral("3xfour is no shape")), qPrintable(QToolTip::text()));
        app.type(QString());
        QVERIFY(app.session.choices().shapes.shapes.empty());
    }

    void whatIsTypedWhenThePaneGoesIsNotTaken()
    {
        Opened app;
        QVERIFY(app.open(Open));
        {
            ShapesPane second(app.session);
            second.show();
            second.activateWindow();
            auto* field = second.findChild<QLineEdit*>(QStringLiteral("shape:data"));
            field->setFocus();
            QTRY_VERIFY(field->hasFocus());
            QTest::keyClicks(field, QStringLiteral("3x4"));
        }
        QVERIFY(app.session.choices().shapes.shapes.empty());
    }
};

QTEST_MAIN(ShapesPaneTest)
#include "tst_shapes_pane.moc"
