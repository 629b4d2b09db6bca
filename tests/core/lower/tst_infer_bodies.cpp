#include "core/lower/types/infer_types.h"

#include "graph_draft.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;

/// Types across nested graphs: branches, loops, and what they read of their surroundings.
class InferBodies : public QObject
{
    Q_OBJECT

private slots:
    void aKnownConditionChoosesTheBranch_data();
    void aKnownConditionChoosesTheBranch();
    void aBranchThatCannotRunIsLeftOpen();
    void whatNoOperatorAllowsIsAnErrorInBranchesToo_data();
    void whatNoOperatorAllowsIsAnErrorInBranchesToo();
    void branchesHaveNoInputs();
    void loopsWithKnownTripsStackTheirSlices_data();
    void loopsWithKnownTripsStackTheirSlices();
    void aCarriedShapeThatGrowsBecomesUnknown();
    void bodiesReadWhatIsAroundThem();
    void deeplyNestedLoopsEnd();
};

namespace {

/// A loop over \p trips that carries s [2] and stacks what the body calls "slice".
void loopDraft(Draft& draft, const std::string& trips, const std::string& bodyNode)
{
    draft.input("s", floats({2}));
    draft.input("m", TensorType::dense(DType::Int64, {}));
    draft.constant("three", {3}, true);
    draft.flag("yes", true);
    draft.flag("no", false);
    const NodeId loop = draft.node("Loop " + trips + " s -> last stacked");
    draft.builder.openBody(loop, "body");
    draft.builder.addInput("i", {});
    draft.builder.addInput("c", {});
    draft.builder.addInput("state", {});
    draft.node("Identity c -> go");
    draft.node(bodyNode);
    draft.node("Shape next -> slice");
    for (const char* name : {"go", "next", "slice"})
        draft.builder.addOutput(draft.builder.find(name));
    draft.builder.closeBody();
}

} // namespace

void InferBodies::aKnownConditionChoosesTheBranch_data()
{
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("type");
    QTest::newRow("true") << "yes"
                          << "float32[2]";
    QTest::newRow("false") << "no"
                           << "float32[3]";
    QTest::newRow("data") << "data"
                          << "float32[?]";
}

void InferBodies::aKnownConditionChoosesTheBranch()
{
    QFETCH(QString, condition);
    QFETCH(QString, type);
    Draft draft;
    draft.input("two", floats({2}));
    draft.input("three", floats({3}));
    draft.input("data", TensorType::dense(DType::Bool, {}));
    draft.flag("yes", true);
    draft.flag("no", false);
    const NodeId branch = draft.node("If " + condition.toStdString() + " -> y");
    for (const char* name : {"two", "three"}) {
        draft.builder.openBody(branch, name);
        draft.node(std::string("Relu ") + name + " -> r");
        draft.result("r");
        draft.builder.closeBody();
    }

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "y"), type);
    QCOMPARE(typeOf(inferred, "If_0/two/r"), QStringLiteral("float32[2]"));
    if (condition == QLatin1String("data"))
        QCOMPARE(reasonFor(inferred, "y"), QStringLiteral("the branches give different sizes"));
}

void InferBodies::aBranchThatCannotRunIsLeftOpen()
{
    Draft draft;
    draft.input("x", floats({2, 3}));
    draft.constant("axis", {0});
    draft.flag("no", false);
    const NodeId branch = draft.node("If no -> y");
    draft.builder.openBody(branch, "then");
    draft.node("Squeeze x axis -> r");
    draft.result("r");
    draft.builder.closeBody();
    draft.builder.openBody(branch, "else");
    draft.node("Identity x -> r");
    draft.result("r");
    draft.builder.closeBody();

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[2,3]"));
    QVERIFY(reasonFor(inferred, "If_0/then/r").contains(QStringLiteral("not of size 1")));
}

void InferBodies::whatNoOperatorAllowsIsAnErrorInBranchesToo_data()
{
    QTest::addColumn<QString>("inside");
    QTest::addColumn<int>("results"); ///< Of each branch.
    QTest::addColumn<QString>("mentions");
    QTest::newRow("three inputs") << "Relu two two two" << 1 << "It has 3 inputs; Relu takes 1.";
    QTest::newRow("no result") << "Relu two" << 0 << "Its branch 'then' has 0 outputs, and the node 1";
    QTest::newRow("as it should be") << "Relu two" << 1 << "none";
}

void InferBodies::whatNoOperatorAllowsIsAnErrorInBranchesToo()
{
    QFETCH(QString, inside);
    QFETCH(int, results);
    QFETCH(QString, mentions);
    Draft draft;
    draft.input("two", floats({2}));
    draft.flag("no", false);
    const NodeId branch = draft.node("If no -> y");
    for (const std::string name : {"then", "else"}) {
        draft.builder.openBody(branch, name);
        draft.node(inside.toStdString() + " -> " + name + "Result");
        if (results > 0) draft.builder.addOutput(draft.builder.find(name + "Result"));
        draft.builder.closeBody();
    }

    const QString error = errorOf(draft.infer());

    QVERIFY2(error.contains(mentions), qPrintable(error));
}

void InferBodies::branchesHaveNoInputs()
{
    Draft draft;
    draft.input("two", floats({2}));
    draft.flag("no", false);
    const NodeId branch = draft.node("If no -> y");
    for (const std::string name : {"then", "else"}) {
        draft.builder.openBody(branch, name);
        draft.input((name + "Input").c_str(), floats({2}));
        draft.node("Relu " + name + "Input -> " + name + "Result");
        draft.builder.addOutput(draft.builder.find(name + "Result"));
        draft.builder.closeBody();
    }

    const QString error = errorOf(draft.infer());

    QVERIFY2(error.contains("Its branch 'then' has an input, 'If_0/then/thenInput', which nothing gives."),
             qPrintable(error));
}

void InferBodies::loopsWithKnownTripsStackTheirSlices_data()
{
    QTest::addColumn<QString>("trips");
    QTest::addColumn<QString>("stacked");
    QTest::newRow("known") << "three yes"
                           << "int64[3,1]";
    QTest::newRow("no condition") << "three _"
                                  << "int64[3,1]";
    QTest::newRow("never") << "three no"
                           << "int64[0,1]";
    QTest::newRow("data") << "m yes"
                          << "int64[?,1]";
    QTest::newRow("while") << "_ yes"
                           << "int64[?,1]";
}

void InferBodies::loopsWithKnownTripsStackTheirSlices()
{
    QFETCH(QString, trips);
    QFETCH(QString, stacked);
    Draft draft;
    loopDraft(draft, trips.toStdString(), "Relu state -> next");

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "last"), QStringLiteral("float32[2]"));
    QCOMPARE(typeOf(inferred, "stacked"), stacked);
    if (stacked.contains(QLatin1Char('?')))
        QCOMPARE(reasonFor(inferred, "stacked"), QStringLiteral("the trip count of the Loop is data"));
}

void InferBodies::aCarriedShapeThatGrowsBecomesUnknown()
{
    Draft draft;
    loopDraft(draft, "m yes", "Concat state state -> next");
    draft.builder.graph().nodes[2].attributes["axis"] = std::int64_t {0};

    const auto inferred = draft.infer();

    QCOMPARE(typeOf(inferred, "last"), QStringLiteral("float32[?]"));
    QCOMPARE(typeOf(inferred, "Loop_0/body/next"), QStringLiteral("float32[?]"));
    QCOMPARE(reasonFor(inferred, "last"),
             QStringLiteral("its size changes from one iteration of the loop to the next"));
}

void InferBodies::bodiesReadWhatIsAroundThem()
{
    Draft draft;
    loopDraft(draft, "three yes", "Add state s -> next");

    QCOMPARE(typeOf(draft.infer(), "Loop_0/body/next"), QStringLiteral("float32[2]"));
}

void InferBodies::deeplyNestedLoopsEnd()
{
    Draft draft;
    draft.input("s", floats({2}));
    draft.flag("yes", true);
    const int depth = 24;
    for (int i = 0; i < depth; ++i) {
        const NodeId loop = draft.node("Loop _ yes s -> out");
        draft.builder.openBody(loop, "b");
        draft.builder.addInput("i", {});
        draft.builder.addInput("c", {});
        draft.builder.addInput("s", {});
    }
    draft.node("Concat s s -> out", {{"axis", std::int64_t {0}}});
    for (int i = 0; i < depth; ++i) {
        draft.result("c");
        draft.result("out");
        draft.builder.closeBody();
    }

    QCOMPARE(typeOf(draft.infer(), "out"), QStringLiteral("float32[?]"));
}

QTEST_APPLESS_MAIN(InferBodies)
#include "tst_infer_bodies.moc"
