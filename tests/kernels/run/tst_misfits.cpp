#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "kernels/tensor_view.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <cstring>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

RunRequest withIntegers(const Report& report, std::string_view name, const std::vector<std::int64_t>& numbers)
{
    const ValueId value = findValue(*report.program.graph, name);
    HostTensor tensor(DType::Int64, report.program.graph->values[value.index()].type.shape().value());
    std::memcpy(tensor.view().data, numbers.data(), numbers.size() * sizeof numbers[0]);
    RunRequest request;
    request.inputs[value] = tensorValue(std::move(tensor));
    return request;
}

const char* const Reshaped = "input x float32[4,6]\ninput s int64[2]\nn: y = Reshape(x, s)\nvalue y float32[8,3]\n"
                             "m: z = Relu(y)\noutput z\n";

} // namespace

/// A plan is accused only where the oracle computed what was planned.
class tst_Misfits : public QObject
{
    Q_OBJECT

private slots:
    void inputsThatDecideSizesAreDrawnSoThatTheyHold();
    void otherSizesAreNoFaultOfThePlan();
    void fingerprintsGoOn();
    void aGuessedSizeIsNoFaultOfThePlan();
    void aLoopThatFailsInsideIsNoFaultOfThePlan();
    void anOverwrittenShapeIs();
    void aSizeThatOnlyTheRunKnowsMayBePlaced();
};

void tst_Misfits::inputsThatDecideSizesAreDrawnSoThatTheyHold()
{
    const auto outcome = test::executed(test::plannedForReference(Reshaped));
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.mode, std::string("numeric"));
    QCOMPARE(english(outcome.value().result.notes.back()),
             std::string("2 inputs drawn from seed 0, 's' so that the planned sizes hold"));
}

void tst_Misfits::otherSizesAreNoFaultOfThePlan()
{
    const Report report = test::plannedForReference(Reshaped);
    const auto outcome = test::executed(report, {}, withIntegers(report, "s", {3, 8}));
    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::Unsupported);
    QCOMPARE(describe(outcome.error()),
             std::string("node 'n' (Reshape): It cannot be run with these inputs: 'y' becomes float32[3,8] where "
                         "float32[8,3] was planned. Give 'x' with --inputs, or run with --mode fingerprint, which goes "
                         "on with hashes."));
}

void tst_Misfits::fingerprintsGoOn()
{
    const Report report = test::plannedForReference(Reshaped);
    RunRequest request = withIntegers(report, "s", {3, 8});
    request.mode = RunMode::Fingerprint;
    const auto outcome = test::executed(report, {}, request);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.fingerprintedNodes, 1);
}

/// What stands in for an unknown operator is a scalar; behind it a size is declared.
void tst_Misfits::aGuessedSizeIsNoFaultOfThePlan()
{
    const Report report = test::plannedForReference("input x float32[1,3]\nn: z = my::Foo(x)\nm: y = Relu(z)\n"
                                                    "value y float32[1,3]\noutput y\n");
    const auto outcome = test::executed(report);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.fingerprintedNodes, 2);
}

/// The second iteration has written over what the loop was given.
void tst_Misfits::aLoopThatFailsInsideIsNoFaultOfThePlan()
{
    const Report report = test::plannedForReference(R"(
input x float32[4]
const trips int64[] = 3
const one float32[1] = 1
p: h = Neg(x)
l: r, all = Loop(trips, _, h)
body body
  input i int64[]
  input k bool[]
  input s float32[4]
  a: u = Add(s, one)
  c: kk = Identity(k)
  d: n = ConstantOfShape(i)
  output kk u n
end
e: q = Neg(r)
output q all
)");
    RunRequest request;
    request.mode = RunMode::Fingerprint;
    const auto outcome = test::executed(report, {}, request);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QStringList wrong;
    for (const auto& mismatch : outcome.value().result.mismatches)
        wrong << QString::fromStdString(mismatch.value + ": " + english(mismatch.note));
    QCOMPARE(wrong, QStringList());
    QCOMPARE(outcome.value().result.fingerprintedNodes, 1);
}

/// The oracle reshapes as planned; under the plan something else lies where the shape was.
void tst_Misfits::anOverwrittenShapeIs()
{
    Report report = test::plannedForReference("input x float32[4,6]\ninput s int64[2]\na: t = Abs(s)\nb: u = Neg(s)\n"
                                              "n: y = Reshape(x, t)\nvalue y float32[8,3]\no: v = Identity(u)\n"
                                              "output y v\n");
    test::moveValue(report, "u", report.program.map.values[findValue(*report.program.graph, "t").index()].offset);
    const auto outcome = test::executed(report, {}, withIntegers(report, "s", {8, 3}));
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(!outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.mismatches.front().value, std::string("t"));
}

void tst_Misfits::aSizeThatOnlyTheRunKnowsMayBePlaced()
{
    Report report = test::plannedForReference("input x float32[6]\nn: i = NonZero(x)\nm: y = Neg(i)\noutput y\n");
    report.program.map.arenas.resize(1);
    report.program.map.arenas[0].bytes = 128;
    report.program.map.values[findValue(*report.program.graph, "i").index()] = {ArenaId(0), 64, 48, {}};
    const auto outcome = test::executed(report, {{"x", {1, 0, 2, 0, 3, 0}}});
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
    QVERIFY(outcome.value().result.mismatches.empty());
    report.program.map.values[findValue(*report.program.graph, "i").index()].bytes = 16;
    QVERIFY(!test::executed(report, {{"x", {1, 0, 2, 0, 3, 0}}}).ok());
}

QTEST_APPLESS_MAIN(tst_Misfits)
#include "tst_misfits.moc"
