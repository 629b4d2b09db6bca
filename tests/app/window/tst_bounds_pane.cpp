#include "app/window/panes/size_panes.h"
#include "tests/app/support/no_warnings.h"
#include "tests/app/support/pane_session.h"

#include <QGridLayout>
#include <QSpinBox>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Sparse = R"({"schema": "plimsoll.graph/1", "name": "sparse", "opset": 21,
  "inputs": [{"name": "x", "dtype": "float32", "shape": [4, 100], "storageType": "csr", "maxStored": 40},
             {"name": "open", "dtype": "float32", "shape": [6, 8], "storageType": "row_sparse"},
             {"name": "dense", "dtype": "float32", "shape": [100, 2]}],
  "nodes": [{"name": "dot", "op": "MatMul", "inputs": ["x", "dense"], "outputs": ["y"]},
            {"name": "keep", "op": "Identity", "inputs": ["open"], "outputs": ["k"]},
            {"name": "act", "op": "Relu", "inputs": ["x"], "outputs": ["r"]}],
  "outputs": ["y", "k", "r"]})";

struct Opened : test::PaneSession<BoundsPane>
{
    [[nodiscard]] QSpinBox* field(const char* value) const
    {
        for (QSpinBox* box : pane.findChildren<QSpinBox*>(QStringLiteral("bound:") + QLatin1String(value))) {
            if (pane.layout()->indexOf(box) >= 0) return box; // others are about to be deleted
        }
        return nullptr;
    }
    [[nodiscard]] std::int64_t bound(const char* value) const
    {
        const auto report = session.report();
        return (*report->program.graph)[findValue(*report->program.graph, value)].type.maxStored;
    }
};

} // namespace

/// Bounds of sparse values are choices like all others.
class BoundsPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }

    void sparseInputsHaveAField()
    {
        Opened app;
        QVERIFY(app.open(Sparse));
        QVERIFY(!app.pane.isHidden());
        QVERIFY(app.field("x") && app.field("open") && app.field("k"));
        QVERIFY(!app.field("dense") && !app.field("x:dense") && !app.field("r"));
        QCOMPARE(app.field("x")->value(), 40);
        QCOMPARE(app.field("x")->maximum(), 400);
        QCOMPARE(app.field("x")->text(), QStringLiteral("40 elements"));
        QCOMPARE(app.field("open")->text(), QStringLiteral("no bound given"));
        QCOMPARE(app.field("open")->maximum(), 6);
    }

    void aBoundPlansAnewAndIsUndone()
    {
        Opened app;
        QVERIFY(app.open(Sparse));
        const qint64 before = app.session.report()->memory.externalBytes;
        app.field("x")->setValue(80);
        QVERIFY(app.settled());
        QCOMPARE(app.bound("x"), std::int64_t(80));
        QCOMPARE(app.session.report()->memory.externalBytes - before, qint64(40 * (8 + 4)));
        app.field("open")->setValue(2);
        QVERIFY(app.settled());
        QCOMPARE(app.bound("k"), std::int64_t(2)); // which follows from that of the input
        QVERIFY(!app.field("k"));
        QVERIFY(app.session.report()->memory.unplanned.empty());
        app.session.undo();
        QVERIFY(app.settled());
        QCOMPARE(app.bound("open"), std::int64_t(-1));
        QCOMPARE(app.field("x")->value(), 80);
        app.session.undo();
        QVERIFY(app.settled());
        QCOMPARE(app.field("x")->value(), 40);
        QCOMPARE(app.session.report()->memory.externalBytes, before);
        app.session.redo();
        QVERIFY(app.settled());
        QCOMPARE(app.field("x")->value(), 80);
    }

    void takenBackItIsAsTheFileSays()
    {
        Opened app;
        QVERIFY(app.open(Sparse));
        app.field("x")->setValue(7);
        QVERIFY(app.settled());
        app.field("x")->setValue(-1);
        QVERIFY(app.settled());
        QCOMPARE(app.field("x")->value(), 40);
        QVERIFY(app.session.choices().shapes.maxStored.empty());
    }

    void withoutSparseInputsThereIsNothing()
    {
        Opened app;
        QVERIFY(app.open(R"({"schema": "plimsoll.graph/1", "name": "dense", "opset": 21,
            "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
            "nodes": [{"name": "act", "op": "Relu", "inputs": ["x"], "outputs": ["y"]}], "outputs": ["y"]})"));
        QVERIFY(app.pane.isHidden());
    }
};

QTEST_MAIN(BoundsPaneTest)
#include "tst_bounds_pane.moc"
