#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "tests/support/graph_text.h"

#include <QtTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::test;

namespace {

using Doubles = std::vector<double>;

const std::string_view Doubling = R"(
input x float32[2]
input c bool[]
const trips int64[] = 3
a: y = Neg(x)
l: z, all = Loop(trips, c, y)
body body
  input i int64[]
  input k bool[]
  input s float32[2]
  t: u = Add(s, s)
  q: kk = Identity(k)
  p: v = Identity(u)
  output kk u v
end
output z all
)";

RunRequest with(const Report& report, std::string_view name, HostTensor tensor)
{
    RunRequest request;
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = tensor.view();
    value.owner = std::make_shared<HostTensor>(tensor);
    request.inputs[findValue(*report.program.graph, name)] = value;
    return request;
}

HostTensor truth(bool value)
{
    HostTensor tensor(DType::Bool, {});
    *tensor.view().as<std::uint8_t>() = value;
    return tensor;
}

/// p = Neg(x), then \p op makes q, which the plan puts over p; then both are added.
Result<RunOutcome> executedWithQOverP(const std::string& op)
{
    Report report =
        plannedForReference("input x float32[4]\na: p = Neg(x)\nb: q = " + op + "(x)\nc: r = Add(p, q)\noutput r\n");
    moveValue(report, "q", report.program.map.values[findValue(*report.program.graph, "p").index()].offset);
    return executed(report, {{"x", {1, 2, 3, 4}}});
}

} // namespace

class TestExecutor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plainNodesComputeInOrder();
    void measuredPeakIsThePlannedOne();
    void eitherBranchOfAnIfIsTaken_data();
    void eitherBranchOfAnIfIsTaken();
    void loopCarriesStateAndStacksSlices_data();
    void loopCarriesStateAndStacksSlices();
    void swappedLoopStateGoesThroughTemporaries();
    void scanReadsSlicesBackwards();
    void loopOfUnknownLengthIsAllocatedAtTheEnd();
    void aValueMovedOntoALivingOneIsCaughtWithItsSpoiler();
    void harmlessDamageIsProvedHarmless();
    void aPlanThatLeavesItsArenaIsRefused();
    void deadBytesArePoisoned();
    void missingKernelsAreNamed();
    void theModeThatWasAskedForIsReported();
    void fingerprintsAreTheSameEachTime();
    void onlyWhatWasGuessedIsNoted();
    void fingerprintsDependOnEveryInputByte();
    void bodiesOfVendorOperatorsRunOnce();
    void aDeclaredViewRepeatsItsBytes();
    void aRunCanBeStopped();
    void inputsFollowFromTheSeed();
    void anInputOfAnotherTypeIsRefused();
};

void TestExecutor::plainNodesComputeInOrder()
{
    const Report report = plannedForReference("input x float32[3]\ny = Neg(x)\nz = Add(y, y)\noutput z x\n");

    const auto outcome = executed(report, {{"x", {1, 2, 3}}});

    QVERIFY(outcome.ok());
    QVERIFY(numbersOf(outcome.value().outputs[0]) == (Doubles {-2, -4, -6}));
    QVERIFY(numbersOf(outcome.value().outputs[1]) == (Doubles {1, 2, 3}));
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.comparedValues, std::int64_t(2));
}

void TestExecutor::measuredPeakIsThePlannedOne()
{
    const Report report = planned(graphFromText(samples::Residual));

    const auto outcome = executed(report);

    QVERIFY(outcome.ok());
    QCOMPARE(outcome.value().result.measuredPeakBytes, report.memory.peakBytes);
}

void TestExecutor::eitherBranchOfAnIfIsTaken_data()
{
    QTest::addColumn<bool>("condition");
    QTest::addColumn<double>("expected");
    QTest::newRow("then") << true << -1.0;
    QTest::newRow("else") << false << 3.0;
}

void TestExecutor::eitherBranchOfAnIfIsTaken()
{
    QFETCH(bool, condition);
    QFETCH(double, expected);
    const Report report = plannedForReference(R"(
input c bool[]
input x float32[1]
a: h = Neg(x)
d: y = If(c)
body then_branch
  t: u = Identity(h)
  output u
end
body else_branch
  e1: p = Sub(x, h)
  e2: q = Add(p, x)
  output q
end
r: z = Identity(y)
output z
)");

    RunRequest request = with(report, "c", truth(condition));
    request.cover = RunRequest::Cover::Never;
    const auto outcome = executed(report, {{"x", {1}}}, request);

    QVERIFY(outcome.ok());
    QVERIFY(numbersOf(outcome.value().outputs[0]) == Doubles {expected});
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(QString::fromStdString(english(outcome.value().result.notes.at(0))),
             condition ? QStringLiteral("If 'd' ran then_branch: 2 nodes of else_branch were not run.")
                       : QStringLiteral("If 'd' ran else_branch: 1 node of then_branch was not run."));
}

void TestExecutor::loopCarriesStateAndStacksSlices_data()
{
    QTest::addColumn<bool>("condition");
    QTest::addColumn<int>("trips");
    QTest::newRow("three trips") << true << 3;
    QTest::newRow("none, for the condition") << false << 0;
}

void TestExecutor::loopCarriesStateAndStacksSlices()
{
    QFETCH(bool, condition);
    QFETCH(int, trips);
    const Report report = plannedForReference(Doubling);

    RunRequest request = with(report, "c", truth(condition));
    request.mode = RunMode::Numeric;
    request.cover = RunRequest::Cover::Never;
    const auto outcome = executed(report, {{"x", {1, 5}}}, request);

    if (!outcome.ok()) qWarning("%s", describe(outcome.error()).c_str());
    QVERIFY(outcome.ok());
    const double factor = -static_cast<double>(1 << trips);
    QVERIFY(numbersOf(outcome.value().outputs[0]) == (Doubles {factor, 5 * factor}));
    QCOMPARE(outcome.value().outputs[1].tensor.shape[0], std::int64_t(trips));
    QVERIFY(outcome.value().result.mismatches.empty());
    const std::vector<std::string> left = {"Loop 'l' made 0 iterations: 3 nodes were not run."};
    QVERIFY(english(outcome.value().result.notes) == (trips == 0 ? left : std::vector<std::string>()));
}

void TestExecutor::swappedLoopStateGoesThroughTemporaries()
{
    const Report report = plannedForReference(R"(
input x float32[1]
input y float32[1]
const trips int64[] = 3
l: p, q = Loop(trips, _, x, y)
body body
  input i int64[]
  input k bool[]
  input s float32[1]
  input t float32[1]
  c: kk = Identity(k)
  output kk t s
end
output p q
)");

    const auto outcome = executed(report, {{"x", {1}}, {"y", {2}}});

    QVERIFY(outcome.ok());
    QVERIFY(numbersOf(outcome.value().outputs[0]) == Doubles {2});
    QVERIFY(numbersOf(outcome.value().outputs[1]) == Doubles {1});
    QVERIFY(outcome.value().result.mismatches.empty());
}

void TestExecutor::scanReadsSlicesBackwards()
{
    const Report report = plannedForReference(R"(
input x float32[3,2]
const zero float32[2] = 0 0
s: last, sums = Scan(zero, x) num_scan_inputs=1 scan_input_directions=[1] scan_output_axes=[1]
body body
  input a float32[2]
  input b float32[2]
  t: c = Add(a, b)
  u: d = Identity(c)
  output c d
end
output last sums
)");

    const auto outcome = executed(report, {{"x", {1, 2, 3, 4, 5, 6}}});

    QVERIFY(outcome.ok());
    QVERIFY(numbersOf(outcome.value().outputs[0]) == (Doubles {9, 12}));
    QVERIFY(numbersOf(outcome.value().outputs[1]) == (Doubles {5, 8, 9, 6, 10, 12}));
}

void TestExecutor::loopOfUnknownLengthIsAllocatedAtTheEnd()
{
    const Report report = plannedForReference(R"(
input x float32[2]
input m int64[]
l: z, all = Loop(m, _, x)
body body
  input i int64[]
  input k bool[]
  input s float32[2]
  t: u = Neg(s)
  q: kk = Identity(k)
  p: v = Identity(u)
  output kk u v
end
output z all
)");
    HostTensor trips(DType::Int64, {});
    *trips.view().as<std::int64_t>() = 2;

    const auto outcome = executed(report, {{"x", {1, 2}}}, with(report, "m", trips));

    QVERIFY(outcome.ok());
    QVERIFY(!report.memory.unplanned.empty());
    QVERIFY(outcome.value().outputs[1].tensor.shape == (Shape {2, 2}));
    QVERIFY(numbersOf(outcome.value().outputs[1]) == (Doubles {-1, -2, 1, 2}));
    QVERIFY(outcome.value().result.unplannedPeakBytes >= 16);
}

void TestExecutor::aValueMovedOntoALivingOneIsCaughtWithItsSpoiler()
{
    const auto outcome = executedWithQOverP("Exp");

    QVERIFY(outcome.ok());
    QVERIFY(!outcome.value().result.mismatches.empty());
    const RunResult::Mismatch& first = outcome.value().result.mismatches.front();
    QCOMPARE(first.value, std::string("p"));
    QCOMPARE(first.node, std::string("c"));
    QCOMPARE(first.step, std::int64_t(2));
    QVERIFY(first.maxAbsDiff > 3);
    QVERIFY(english(first.note).find("overwritten by 'q' at step 1") != std::string::npos);
}

void TestExecutor::harmlessDamageIsProvedHarmless()
{
    const auto outcome = executedWithQOverP("Neg");

    QVERIFY(outcome.ok());
    QVERIFY(outcome.value().result.mismatches.empty());
}

void TestExecutor::aPlanThatLeavesItsArenaIsRefused()
{
    Report report = plannedForReference("input x float32[4]\na: p = Neg(x)\noutput p\n");
    moveValue(report, "p", report.program.map.arenas[0].bytes - 8);

    const auto outcome = executed(report);

    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::BadInput);
    QVERIFY(outcome.error().where.find("'p'") != std::string::npos);
}

void TestExecutor::deadBytesArePoisoned()
{
    // p is said to die at step 1, but c reads it at step 2.
    Report report =
        plannedForReference("input x float32[4]\na: p = Neg(x)\nb: q = Exp(x)\nc: r = Add(p, q)\noutput r\n");
    Storage& storage =
        report.program.storages[report.program.values[findValue(*report.program.graph, "p").index()].storage.index()];
    storage.live = LiveRanges(Interval {0, 1});

    const auto outcome = executed(report, {{"x", {1, 2, 3, 4}}});

    QVERIFY(outcome.ok());
    QVERIFY(!outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.mismatches.front().value, std::string("p"));

    RunRequest bare;
    bare.poison = false; // nothing else is written there
    const auto left = executed(report, {{"x", {1, 2, 3, 4}}}, bare);
    QVERIFY(left.ok() && left.value().result.mismatches.empty());
    QVERIFY(english(left.value().result.notes.front()).starts_with("Dead bytes kept what was in them"));
}

void TestExecutor::missingKernelsAreNamed()
{
    const Report report = plannedForReference("input x float32[2]\na: y = my::Op(x)\nvalue y float32[2]\noutput y\n");
    RunRequest request;
    request.mode = RunMode::Numeric;

    const auto outcome = executed(report, {}, request);

    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::Unsupported);
    QVERIFY(english(outcome.error().message).find("my::Op") != std::string::npos);
}

void TestExecutor::theModeThatWasAskedForIsReported()
{
    const Report report = plannedForReference("input x float32[2]\na: y = Neg(x)\noutput y\n");
    RunRequest request;
    request.mode = RunMode::Fingerprint;

    const auto outcome = executed(report, {{"x", {1, 2}}}, request);

    QVERIFY(outcome.ok());
    QCOMPARE(outcome.value().result.mode, std::string("fingerprint"));
    QCOMPARE(outcome.value().result.fingerprintedNodes, 0);
    QCOMPARE(numbersOf(outcome.value().outputs.front()), (std::vector<double> {-1, -2}));
    QCOMPARE(executed(report, {{"x", {1, 2}}}).value().result.mode, std::string("numeric"));
}

void TestExecutor::fingerprintsAreTheSameEachTime()
{
    const Report report =
        plannedForReference("input x float32[2]\na: y = my::Op(x) k=1\nvalue y float32[8]\noutput y\n");

    const auto first = executed(report, {{"x", {1, 2}}});
    const auto second = executed(report, {{"x", {1, 2}}});

    QVERIFY(first.ok() && second.ok());
    QCOMPARE(first.value().result.mode, std::string("fingerprint"));
    QCOMPARE(first.value().result.fingerprintedNodes, std::int64_t(1));
    QCOMPARE(first.value().result.outputs[0].digest, second.value().result.outputs[0].digest);
    for (const double number : numbersOf(first.value().outputs[0]))
        QVERIFY(number >= -1 && number < 1);
}

void TestExecutor::onlyWhatWasGuessedIsNoted()
{
    const Report report =
        plannedForReference("input x float32[2]\na: y, z = my::Op(x)\nvalue y int32[?,4]\noutput y z\n");

    const auto outcome = executed(report, {{"x", {1, 2}}});

    QVERIFY(outcome.ok());
    const QString note = QString::fromStdString(english(outcome.value().result.notes.at(0)));
    QVERIFY2(note.contains(QStringLiteral("for 'y' (int32[?,4]) 1 for each unknown size was assumed")),
             qPrintable(note));
    QVERIFY2(note.contains(QStringLiteral("for 'z' (")), qPrintable(note));
    QVERIFY2(note.contains(QStringLiteral("float32 and a scalar was assumed")), qPrintable(note));
}

void TestExecutor::fingerprintsDependOnEveryInputByte()
{
    const Report report = plannedForReference("input x float32[2]\na: y = my::Op(x)\nvalue y float32[8]\noutput y\n");

    const auto one = executed(report, {{"x", {1, 2}}});
    const auto other = executed(report, {{"x", {1, 2.0000002F}}});

    QVERIFY(one.ok() && other.ok());
    QVERIFY(one.value().result.outputs[0].digest != other.value().result.outputs[0].digest);
}

void TestExecutor::bodiesOfVendorOperatorsRunOnce()
{
    const Report report = plannedForReference(R"(
input x float32[2]
a: y = my::Search(x)
body decoder
  input s float32[2]
  t: u = Neg(s)
  output u
end
value y float32[4]
output y
)");

    const auto outcome = executed(report, {{"x", {1, 2}}});

    QVERIFY(outcome.ok());
    QVERIFY(outcome.value().result.mismatches.empty());
    QCOMPARE(outcome.value().result.fingerprintedNodes, std::int64_t(1));
    QCOMPARE(outcome.value().result.comparedValues, std::int64_t(3));
}

void TestExecutor::aDeclaredViewRepeatsItsBytes()
{
    const Report report = plannedForReference(R"(
input x float32[4]
a: p = Neg(x)
b: q = my::Tail(p) alias=0:identity:0
value q float32[4]
c: r = Neg(q)
output r
)");

    const auto outcome = executed(report, {{"x", {1, 2, 3, 4}}});

    QVERIFY(outcome.ok());
    QVERIFY(numbersOf(outcome.value().outputs[0]) == (Doubles {1, 2, 3, 4}));
}

void TestExecutor::aRunCanBeStopped()
{
    // A loop without end: only the stop request ends it.
    const Report report = plannedForReference(R"(
input x float32[1]
l: z = Loop(_, _, x)
body body
  input i int64[]
  input k bool[]
  input s float32[1]
  t: u = Neg(s)
  q: kk = Identity(k)
  output kk u
end
output z
)");
    std::stop_source source;
    struct Stopper : RunObserver
    {
        std::stop_source& source;
        int steps = 0;
        explicit Stopper(std::stop_source& s) : source(s) {}
        void begin(const StepEvent&) override
        {
            if (++steps == 1000) source.request_stop();
        }
    } stopper(source);

    const auto outcome = execute(report.program, {}, stopper, Context {source.get_token(), {}});

    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::Stopped);
}

void TestExecutor::inputsFollowFromTheSeed()
{
    const Report report = plannedForReference("input x float32[8]\na: y = Identity(x)\noutput y\n");
    RunRequest other;
    other.seed = 7;

    const auto first = executed(report);
    const auto again = executed(report);
    const auto changed = executed(report, {}, other);

    QVERIFY(first.ok() && again.ok() && changed.ok());
    QCOMPARE(first.value().result.outputs[0].digest, again.value().result.outputs[0].digest);
    QVERIFY(first.value().result.outputs[0].digest != changed.value().result.outputs[0].digest);
}

void TestExecutor::anInputOfAnotherTypeIsRefused()
{
    const Report report = plannedForReference("input x float32[8]\na: y = Identity(x)\noutput y\n");

    const auto outcome = executed(report, {}, with(report, "x", HostTensor(DType::Int32, {8})));

    QVERIFY(!outcome.ok());
    QCOMPARE(outcome.error().code, ErrorCode::BadInput);
    QVERIFY(english(outcome.error().message).find("int32[8]") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestExecutor)
#include "tst_executor.moc"
