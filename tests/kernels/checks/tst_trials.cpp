#include "core/facts/english/english.h"
#include "core/ops/saving.h"
#include "kernels/checks/device_trial.h"
#include "kernels/checks/measurements.h"
#include "kernels/common/numbers.h"
#include "tests/kernels/run/host_device.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr std::uint64_t Seed = 7;

/// A device whose kernels are right but for the first element of their output, or compute nothing.
class LyingDevice : public test::HostDevice
{
public:
    bool silent = false;
    float by = 1;

    Status run(KernelCall& call, const Implementation& chosen) override
    {
        if (silent) return {};
        PLIMSOLL_TRY(HostDevice::run(call, chosen));
        const TensorType& type = call.graph()[call.node().outputs[0]].type;
        PLIMSOLL_ASSIGN(y, call.output(0, type.dtype, type.shape().value_or(Shape {})));
        y.as<float>()[0] += by;
        return {};
    }
};

Implementation offer(std::vector<Implementation::InPlacePair> inPlace = {})
{
    Implementation implementation;
    implementation.name = "played";
    implementation.inPlace = std::move(inPlace);
    return implementation;
}

Result<std::vector<TrialOutcome>> tried(Device& device, const Trial& trial, const Implementation& chosen)
{
    PLIMSOLL_ASSIGN(prepared, trial.prepare(Seed));
    return tryOffers(device, {chosen}, prepared);
}

/// What is wrong with each outcome, "fine" for nothing.
QString outcomesOf(Device& device, const Trial& trial, const std::vector<Implementation>& offers)
{
    const auto prepared = trial.prepare(Seed);
    if (!prepared.ok()) return QString::fromStdString(english(prepared.error().message));
    const auto outcomes = tryOffers(device, offers, prepared.value());
    if (!outcomes.ok()) return QStringLiteral("error: ") + QString::fromStdString(english(outcomes.error().message));
    QStringList texts;
    for (const TrialOutcome& outcome : outcomes.value())
        texts += outcome.wrong.empty() ? QStringLiteral("fine") : QString::fromStdString(english(outcome.wrong));
    return texts.join(QStringLiteral("; "));
}

std::vector<double> numbersIn(const Trial& trial, std::uint64_t seed, std::size_t input = 0)
{
    const auto prepared = trial.prepare(seed);
    if (!prepared.ok()) qFatal("%s", english(prepared.error().message).c_str());
    return doublesOf(prepared.value().inputs[input].tensor);
}

} // namespace

/// Trials must find what is wrong with a device: these are tried on devices that are wrong on purpose.
class Trials : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aDeviceIsJudged_data();
    void aDeviceIsJudged();
    void anOutcomeSaysWhatWasRun();
    void onlyWhatIsBeyondTheBoundIsWrong_data();
    void onlyWhatIsBeyondTheBoundIsWrong();
    void theOffersOfTheCatalogueAreTried();
    void aDeviceHoldsNothingAfterwards();
    void aTrialDrawsWhatItWasTold();
    void numbersGoByTheType_data();
    void numbersGoByTheType();
    void aTrialBecomesANode();
    void aTrialIsNamedByItsTensorsAndAttributes();
    void aTrialThatIsNoNodeIsAnError();
    void everyTrialHasAReference();
    void backwardTrials_data();
    void backwardTrials();
    void anAllocationEndsOnceAfterItBegan();
};

void Trials::aDeviceIsJudged_data()
{
    QTest::addColumn<QString>("got");
    QTest::addColumn<QString>("expected");
    const Trial add = Trial("Add").input({3, 5}).input({5});
    test::HostDevice right;
    QTest::newRow("right") << outcomesOf(right, add, {offer()}) << "fine";
    QTest::newRow("right in place, too") << outcomesOf(right, add, {offer({{0, 0}}), offer()}) << "fine; fine; fine";
    QTest::newRow("nothing is offered") << outcomesOf(right, add, {}) << "";
    test::HostDevice overruns;
    overruns.overrunsAt = "node";
    QTest::newRow("writes behind its output")
        << outcomesOf(overruns, add, {offer()}) << "It wrote over the edge of a tensor.";
    test::HostDevice fails;
    fails.failsAt = "node";
    QVERIFY(outcomesOf(fails, add, {offer()}).contains(QStringLiteral("an illegal address was met")));
    LyingDevice lies;
    QVERIFY(outcomesOf(lies, add, {offer()})
                .startsWith(QStringLiteral("output 0: 1 of 15 elements differ, the first at 0")));
    // What is not finite has to be where the reference has it.
    const Trial odd = Trial("Relu").input({40}).odd();
    QTest::newRow("odd numbers") << outcomesOf(right, odd, {offer()}) << "fine";
    QVERIFY(outcomesOf(right, Trial("NoSuchOperator").input({1}), {offer()}).startsWith(QStringLiteral("error: ")));
}

void Trials::aDeviceIsJudged()
{
    QFETCH(const QString, got);
    QFETCH(const QString, expected);
    QCOMPARE(got, expected);
}

void Trials::anOutcomeSaysWhatWasRun()
{
    LyingDevice lies;
    const auto outcomes = tried(lies, Trial("Add").input({3, 5}).input({5}), offer({{0, 0}}));
    QVERIFY(outcomes.ok());
    QCOMPARE(outcomes.value().size(), std::size_t {2});
    QVERIFY(!outcomes.value()[0].inPlace.has_value());
    QCOMPARE(outcomes.value()[1].inPlace->input, 0);
    for (const TrialOutcome& outcome : outcomes.value()) {
        QCOMPARE(outcome.kernel, std::string("played"));
        QVERIFY(std::abs(outcome.maxError - 1) < 1e-6);
        QVERIFY(outcome.bound > 0 && outcome.bound < 1e-4);
    }
    // Outputs are poisoned: what is not computed is found, too.
    lies.silent = true;
    const auto untouched = tried(lies, Trial("Add").input({3, 5}).input({5}), offer());
    QVERIFY(untouched.ok());
    QVERIFY(!untouched.value().front().wrong.empty());
}

void Trials::onlyWhatIsBeyondTheBoundIsWrong_data()
{
    QTest::addColumn<float>("by");
    QTest::addColumn<bool>("passes");
    QTest::newRow("nothing") << 0.0F << true;
    QTest::newRow("the last bits") << 2e-7F << true;
    QTest::newRow("a hundredth") << 0.01F << false;
    QTest::newRow("no number") << std::numeric_limits<float>::quiet_NaN() << false;
    QTest::newRow("out of range") << std::numeric_limits<float>::infinity() << false;
}

void Trials::onlyWhatIsBeyondTheBoundIsWrong()
{
    QFETCH(const float, by);
    QFETCH(const bool, passes);
    LyingDevice lies;
    lies.by = by;
    const auto outcomes = tried(lies, Trial("Add").input({3, 5}).input({5}), offer());
    QVERIFY(outcomes.ok());
    QCOMPARE(outcomes.value().front().wrong.empty(), passes);
}

void Trials::theOffersOfTheCatalogueAreTried()
{
    test::HostDevice right;
    const auto relu = tryOnDevice(right, CudaLibraries {}, Trial("Relu").input({33}), Seed);
    QVERIFY(relu.ok());
    QVERIFY(!relu.value().empty());
    for (const TrialOutcome& outcome : relu.value())
        QVERIFY(outcome.wrong.empty());
    QVERIFY(right.ran.contains("node"));
    const auto unoffered = tryOnDevice(right, CudaLibraries {}, Trial("NonZero").input({3}), Seed);
    QVERIFY(unoffered.ok());
    QVERIFY(unoffered.value().empty());
    QVERIFY(!tryOnDevice(right, CudaLibraries {}, Trial("MatMul").input({2, 3}).input({2, 3}), Seed).ok());
}

void Trials::aDeviceHoldsNothingAfterwards()
{
    test::HostDevice right;
    Implementation wide = offer({{0, 0}});
    wide.scratchpadBytes = 4096;
    const auto outcomes = tried(right, Trial("Add").input({3, 5}).input({5}), wide);
    QVERIFY(outcomes.ok());
    QVERIFY(outcomes.value().back().wrong.empty());
    QCOMPARE(right.heldBytes(), std::int64_t {0});
    QCOMPARE(right.copiedOut, std::int64_t {2 * 15 * 4}); // the output, twice
}

void Trials::aTrialDrawsWhatItWasTold()
{
    const Trial trial =
        Trial("Unheard").input({100}).within(2, 3).input(DType::Int32, {100}).ints({4, -1}).flag(true).absent();
    const std::vector<double> reals = numbersIn(trial, Seed);
    QCOMPARE(reals, numbersIn(trial, Seed));
    QVERIFY(reals != numbersIn(trial, Seed + 1));
    QVERIFY(std::all_of(reals.begin(), reals.end(), [](double x) { return x >= 2 && x < 3; }));
    QVERIFY(std::set<double>(reals.begin(), reals.end()).size() > 90);
    const std::vector<double> whole = numbersIn(trial, Seed, 1);
    QVERIFY(std::all_of(whole.begin(), whole.end(), [](double x) { return x == std::floor(x) && x >= 0 && x < 9; }));
    QCOMPARE(numbersIn(trial, Seed, 2), (std::vector<double> {4, -1}));
    QCOMPARE(numbersIn(trial, Seed + 1, 3), std::vector<double> {1});

    const auto prepared = trial.prepare(Seed);
    QVERIFY(prepared.ok());
    const Graph& graph = prepared.value().graph;
    const Node& node = graph[prepared.value().node];
    QCOMPARE(graph[node.inputs[0]].role, ValueRole::Input);
    QCOMPARE(graph[node.inputs[2]].role, ValueRole::Constant);
    QVERIFY(graph[node.inputs[2]].data->bytes != nullptr);
    QVERIFY(prepared.value().inputs[4].kind == RuntimeValue::Kind::Absent);

    const std::vector<double> odd = numbersIn(Trial("Relu").input({40}).odd(), Seed);
    QVERIFY(std::isnan(odd[0]));
    QCOMPARE(odd[5], std::numeric_limits<double>::infinity());
    QVERIFY(std::isfinite(odd[1]));
}

void Trials::numbersGoByTheType_data()
{
    QTest::addColumn<int>("dtype");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high"); // beyond
    QTest::addColumn<bool>("whole");
    const auto row = [](DType dtype, double low, double high, bool whole) {
        QTest::newRow(std::string(dtypeName(dtype)).c_str()) << int(dtype) << low << high << whole;
    };
    row(DType::Float64, -1, 1, false);
    row(DType::Float32, -1, 1, false);
    row(DType::Float16, -1, 1.001, false); // may be rounded up
    row(DType::BFloat16, -1, 1.001, false);
    row(DType::Int64, 0, 9, true);
    row(DType::UInt8, 0, 9, true);
    row(DType::Bool, 0, 2, true);
}

void Trials::numbersGoByTheType()
{
    QFETCH(const int, dtype);
    QFETCH(const double, low);
    QFETCH(const double, high);
    QFETCH(const bool, whole);
    const std::vector<double> numbers = numbersIn(Trial("Identity").input(DType(dtype), {500}), Seed);
    QCOMPARE(numbers.size(), std::size_t {500});
    for (const double number : numbers) {
        QVERIFY(number >= low && number < high);
        QVERIFY(!whole || number == std::floor(number));
    }
    QVERIFY(*std::min_element(numbers.begin(), numbers.end()) < low + 0.1 * (high - low) + (whole ? 1 : 0));
    QVERIFY(*std::max_element(numbers.begin(), numbers.end()) > high - 0.1 * (high - low) - (whole ? 1.1 : 0));
}

void Trials::aTrialBecomesANode()
{
    const auto prepared = Trial("Split", {}).input({6}).set("num_outputs", std::int64_t {3}).outputs(3).prepare(Seed);
    QVERIFY(prepared.ok());
    const Graph& graph = prepared.value().graph;
    QCOMPARE(graph[prepared.value().node].outputs.size(), std::size_t {3});
    QCOMPARE(graph.top().outputs.size(), std::size_t {3});
    QCOMPARE(opsetVersion(graph, ""), std::int64_t {22});
    const auto older = Trial("Softmax").input({2, 3}).opset(11).prepare(Seed);
    QVERIFY(older.ok());
    QCOMPARE(opsetVersion(older.value().graph, ""), std::int64_t {11});
    const auto other = Trial("FastGelu", "com.microsoft").input({4}).prepare(Seed);
    QVERIFY(other.ok());
    QCOMPARE(other.value().graph[other.value().node].domain, std::string("com.microsoft"));
}

void Trials::aTrialIsNamedByItsTensorsAndAttributes()
{
    const Trial trial = Trial("Conv")
                            .input({1, 2})
                            .absent()
                            .input(DType::Int64, {})
                            .odd()
                            .set("group", std::int64_t {2})
                            .set("pads", Shape {1, 0})
                            .set("auto_pad", std::string("VALID"));
    QCOMPARE(QString::fromStdString(trial.name()),
             QStringLiteral("Conv float32[1,2] - int64[] odd auto_pad=VALID group=2 pads=[1,0]"));
    QCOMPARE(QString::fromStdString(Trial("Gelu", "com.microsoft").name()), QStringLiteral("com.microsoft::Gelu"));
}

void Trials::aTrialThatIsNoNodeIsAnError()
{
    QVERIFY(!Trial("MatMul").input({2, 3}).input({2, 3}).prepare(Seed).ok());
}

void Trials::everyTrialHasAReference()
{
    std::set<std::string> operators;
    for (const Trial& trial : allTrials()) {
        operators.insert(trial.op());
        const auto prepared = trial.prepare(Seed);
        QVERIFY2(prepared.ok(), trial.name().c_str());
        const Node& node = prepared.value().graph[prepared.value().node];
        QVERIFY2(findReferenceKernel(node.domain, node.op), trial.name().c_str());
        for (const ValueId output : node.outputs)
            QVERIFY2(prepared.value().graph[output].type.bytes().has_value(), trial.name().c_str());
    }
    QVERIFY(operators.size() > 100);
}

void Trials::backwardTrials_data()
{
    QTest::addColumn<QString>("names"); // of what backward nodes are handed
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const Trial& trial, const char* expected) {
        const auto backward = trial.prepareBackward(Seed);
        QString text;
        for (const Trial::Prepared& node : backward.ok() ? backward.value() : std::vector<Trial::Prepared>()) {
            const auto* names = findAttribute<std::vector<std::string>>(node.graph[node.node], "grad.names");
            for (const std::string& each : names ? *names : std::vector<std::string>())
                text += QString::fromStdString(each) + u' ';
            text += QStringLiteral("%1; ").arg(node.inputs.size());
        }
        QTest::newRow(name) << text << QString::fromLatin1(expected);
    };
    row("of its output", Trial("Sigmoid").input({3}), "g result 2; ");
    row("of its input", Trial("Sin").input({3}), "g self 2; ");
    row("an operator without a gradient", Trial("Floor").input({3}), "");
    row("odd numbers", Trial("Sin").input({3}).odd(), "");
    row("forward only", Trial("Sin").input({3}).forwardOnly(), "");
    row("integers", Trial("Abs").input(DType::Int32, {3}), "");
}

void Trials::backwardTrials()
{
    QFETCH(const QString, names);
    QFETCH(const QString, expected);
    QCOMPARE(names, expected);
}

void Trials::anAllocationEndsOnceAfterItBegan()
{
    const auto small = residualTrace(1);
    const auto large = residualTrace(2);
    QVERIFY(small.ok() && large.ok());
    std::map<int, int> state; // 1: it lives, 2: it is over
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (const AllocationEvent& event : small.value().events) {
        QCOMPARE(state[event.tensor], event.begins ? 0 : 1);
        ++state[event.tensor];
        alive += event.begins ? event.bytes : -event.bytes;
        most = std::max(most, alive);
        QVERIFY(alive >= 0);
    }
    QCOMPARE(alive, std::int64_t {0});
    QVERIFY(small.value().lowerBoundBytes <= small.value().arenaBytes);
    QVERIFY(most <= small.value().arenaBytes);
    QVERIFY(large.value().arenaBytes > small.value().arenaBytes);
}

QTEST_APPLESS_MAIN(Trials)
#include "tst_trials.moc"
