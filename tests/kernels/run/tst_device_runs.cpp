#include "core/ops/reorder_node.h"
#include "tests/kernels/run/device_support.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/catalogue_text.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <random>

using namespace plimsoll;

namespace {

constexpr std::string_view Chain = "input x float32[16]\n"
                                   "param w float32[16]\n"
                                   "a: p = Relu(x)\n"
                                   "b: q = Mul(p, w)\n"
                                   "c: r = Sigmoid(q)\n"
                                   "d: s = Add(r, p)\n"
                                   "e: t = Tanh(s)\n"
                                   "output t\n";

/// A loop that doubles and stacks, and in it a branch that the trip decides; a scan over what it stacked.
constexpr std::string_view Nested = R"(
input x float32[4]
input w float32[4]
const trips int64[] = 3
const one int64[] = 1
const zero float32[4] = 0 0 0 0
a: p = Relu(x)
l: z, all = Loop(trips, _, p)
body body
  input i int64[]
  input c bool[]
  input s float32[4]
  t: u = Add(s, w)
  d: odd = Equal(i, one)
  e: v = If(odd)
  body then_branch
    f: g = Mul(u, p)
    output g
  end
  body else_branch
    h: j = Sigmoid(u)
    output j
  end
  output c v u
end
s: last, sums = Scan(zero, all) num_scan_inputs=1
body body
  input b float32[4]
  input n float32[4]
  y: q = Add(b, n)
  o: r = Exp(q)
  output q r
end
output z last sums
)";
const std::vector<std::string> Inside = {"l/body/t", "l/body/d", "l/body/e/then_branch/f", "l/body/e/else_branch/h",
                                         "s/body/y", "s/body/o"};

/// \p onDevice: the nodes that the device offers to compute, each with a scratchpad.
Report planned(std::string_view text, const std::vector<std::string>& onDevice)
{
    std::string offers;
    for (const std::string& node : onDevice)
        offers += node + " cuda map device=cuda:0 scratch=32 align=16 ms=0.01\n";
    return test::plannedForDevice(test::graphFromText(text), test::catalogueFromText(offers));
}

std::int64_t arenaBytes(const Report& report, const std::string& space)
{
    std::int64_t bytes = 0;
    for (const PlannedArena& arena : report.program.map.arenas)
        bytes += arena.space == space ? arena.bytes : 0;
    return bytes;
}

ArenaId arenaOf(const Report& report, const std::string& space)
{
    const auto& arenas = report.program.map.arenas;
    const auto found = std::find_if(arenas.begin(), arenas.end(), [&](const auto& one) { return one.space == space; });
    return ArenaId(static_cast<std::size_t>(found - arenas.begin()));
}

} // namespace

class tst_DeviceRuns : public QObject
{
    Q_OBJECT

private slots:
    void someNodesRunOnTheDevice_data()
    {
        QTest::addColumn<QStringList>("onDevice");
        QTest::newRow("none") << QStringList {};
        QTest::newRow("all") << QStringList {"a", "b", "c", "d", "e"};
        QTest::newRow("the middle") << QStringList {"c"};
        QTest::newRow("every second") << QStringList {"a", "c", "e"};
        QTest::newRow("the others") << QStringList {"b", "d"};
        QTest::newRow("the weight's reader") << QStringList {"b"};
    }

    void someNodesRunOnTheDevice()
    {
        QFETCH(QStringList, onDevice);
        const std::vector<std::string> names = test::namesOf(onDevice);
        const Report report = planned(Chain, names);
        QCOMPARE(test::errorsIn(report), QString());
        const auto device = std::make_shared<test::HostDevice>();
        {
            const auto outcome = test::runOn(device, report);
            QCOMPARE(test::faultOf(outcome), QString());
            QCOMPARE(device->ran, std::set<std::string>(names.begin(), names.end()));
            const RunResult& result = outcome.value().result;
            QCOMPARE(result.measuredPeakBytes, report.memory.peakBytes);
            for (const PlannedArena& arena : report.program.map.arenas)
                QCOMPARE(result.measuredBySpace.at(arena.space), arena.bytes);
            QCOMPARE(QString::fromStdString(result.backend),
                     names.empty() ? QStringLiteral("reference")
                                   : QStringLiteral("cuda (emulated)") +
                                         (names.size() < 5 ? QStringLiteral("+reference") : QString()));
            QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(Chain))));
        }
        QVERIFY2(device->blocks->empty(), "the device keeps blocks after the run");
    }

    /// Owners stay with the CPU, which copies conditions, states and slices from and to what the device computes.
    void nestedGraphsRunOnTheDevice_data()
    {
        QTest::addColumn<QStringList>("onDevice");
        for (const std::string& name : Inside)
            QTest::newRow(name.c_str()) << QStringList {QString::fromStdString(name)};
        QStringList all = {QStringLiteral("a")};
        for (const std::string& name : Inside)
            all << QString::fromStdString(name);
        QTest::newRow("all") << all;
    }

    void nestedGraphsRunOnTheDevice()
    {
        QFETCH(QStringList, onDevice);
        const std::vector<std::string> names = test::namesOf(onDevice);
        const Report report = planned(Nested, names);
        QCOMPARE(test::errorsIn(report), QString());
        const auto device = std::make_shared<test::HostDevice>();
        const auto outcome = test::runOn(device, report);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(device->ran, std::set<std::string>(names.begin(), names.end()));
        QCOMPARE(outcome.value().result.measuredPeakBytes, report.memory.peakBytes);
        QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(Nested))));
    }

    void damageInsideANestedGraphIsFound()
    {
        Report report = planned(Nested, Inside);
        const ValueId u = findValue(*report.program.graph, "l/body/u"); // read again at the end of the trip
        const ValueId j = findValue(*report.program.graph, "l/body/e/else_branch/j");
        QVERIFY(u.valid() && j.valid());
        report.program.map.values[j.index()].offset = report.program.map.values[u.index()].offset;
        QVERIFY2(test::errorsIn(report).contains(QStringLiteral("'l/body/u'")), qPrintable(test::errorsIn(report)));
        const QString fault = test::faultOf(test::runOn(std::make_shared<test::HostDevice>(), report));
        QVERIFY2(fault.startsWith(QStringLiteral("'l/body/u'")), qPrintable(fault));
        QVERIFY2(fault.contains(QStringLiteral("overwritten by 'l/body/e/else_branch/j'")), qPrintable(fault));
    }

    void aStateInTheWrongMemoryIsFoundAndNotExecuted()
    {
        Report report = planned(Nested, Inside);
        const ValueId s = findValue(*report.program.graph, "l/body/s");
        report.program.map.values[s.index()] = {arenaOf(report, "cuda:0"), 0, 16, {}};
        QVERIFY2(test::errorsIn(report).contains(QStringLiteral("wrong-space: Node 'l'")),
                 qPrintable(test::errorsIn(report)));
        const QString fault = test::faultOf(test::runOn(std::make_shared<test::HostDevice>(), report));
        QVERIFY2(fault.contains(QStringLiteral("wrong-space: the plan puts it into 'cuda:0'")), qPrintable(fault));
    }

    /// A hash in place of what a device could not compute would hide that it is broken.
    void aFaultInsideANestedGraphEndsTheRun()
    {
        const auto device = std::make_shared<test::HostDevice>();
        device->failsAt = "l/body/t";
        kernels::RunRequest request;
        request.devices["cuda:0"] = {device, true};
        for (const kernels::RunMode mode : {kernels::RunMode::Auto, kernels::RunMode::Fingerprint}) {
            request.mode = mode;
            const auto outcome = test::executed(planned(Nested, Inside), {}, request);
            QVERIFY(!outcome.ok());
            QVERIFY2(test::faultOf(outcome).contains(QStringLiteral("an illegal address was met")),
                     qPrintable(test::faultOf(outcome)));
        }
    }

    void weightsAreCopiedOnceAheadOfTheRun()
    {
        const Report report = planned(Chain, {"b"});
        QCOMPARE(report.memory.preparedBytes, 64);
        const auto device = std::make_shared<test::HostDevice>();
        QVERIFY(test::runOn(device, report).ok());
        QCOMPARE(device->copiedIn, 64 + 2 * 64); // w once, p in either world
    }

    /// Beside what is planned: guard zones, the weight that is copied ahead, and a block that was there before.
    void whatADeviceHoldsStandsBesideWhatIsPlanned()
    {
        const Report report = planned(Chain, {"a", "b", "c", "d", "e"});
        const auto device = std::make_shared<test::HostDevice>();
        const auto before = device->reserve(100);
        const auto outcome = test::runOn(device, report);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(outcome.value().result.held.size(), std::size_t(1));
        const RunResult::Held& held = outcome.value().result.held.front();
        const std::int64_t arena = arenaBytes(report, "cuda:0");
        QCOMPARE(held.plannedBytes, arena);
        QCOMPARE(held.arenaBytes, (arena + 2 * 4096 + 511) / 512 * 512);
        QCOMPARE(held.ownBytes, 512);
        QCOMPARE(held.otherBytes(), 512);         // w
        QVERIFY(held.oracleBytes >= 3 * 3 * 512); // two inputs and an output between canaries
        const std::int64_t beside = held.arenaBytes + held.otherBytes();
        QVERIFY(held.driverBytes > beside && held.driverBytes <= beside + held.oracleBytes);
        QCOMPARE(std::ssize(held.steps), report.program.schedule.length());
        QCOMPARE(held.steps.back(), held.peakBytes());
        QCOMPARE(held.steps.front(), held.ownBytes + held.arenaBytes); // w is brought for its reader
        QCOMPARE(device->heldBytes(), held.ownBytes);
    }

    void everySpaceHasItsCapacity()
    {
        Policies policies;
        QVERIFY(setPolicy(policies, "capacity", "cuda:0=64").ok());
        const Catalogue catalogue = test::catalogueFromText("a cuda map device=cuda:0\n d cuda map device=cuda:0\n");
        const Report report = test::plannedForDevice(test::graphFromText(Chain), catalogue, policies);
        QVERIFY2(test::errorsIn(report).startsWith(QStringLiteral("beyond-capacity")),
                 qPrintable(test::errorsIn(report)));
        QVERIFY(arenaBytes(report, "cuda:0") > 64);
        QCOMPARE(report.memory.peakBytes, arenaBytes(report, "cuda:0") + arenaBytes(report, "cpu"));
    }

    void anOverrunShowsInTheGuardZoneOfTheDevice()
    {
        const Report report = planned("input x float32[16]\nn: y = Relu(x)\nm: z = Exp(y)\noutput z\n", {"m"});
        const auto device = std::make_shared<test::HostDevice>();
        device->overrunsAt = "m";
        Report damaged = report;
        const ValueId z = findValue(*report.program.graph, "z:cuda:0");
        QVERIFY(z.valid());
        PlannedArena& arena = damaged.program.map.arenas[damaged.program.map.values[z.index()].arena.index()];
        damaged.program.map.values[z.index()].offset = std::exchange(arena.bytes, arena.bytes + 64);
        const auto outcome = test::runOn(device, damaged);
        QVERIFY2(test::faultOf(outcome).contains(QStringLiteral("the guard zone after arena")),
                 qPrintable(test::faultOf(outcome)));
    }

    /// Under the plan another value lies there; in the oracle nothing does.
    void anOverrunShowsBesideItsTensor()
    {
        const auto device = std::make_shared<test::HostDevice>();
        device->overrunsAt = "b";
        const auto outcome = test::runOn(device, planned(Chain, {"a", "b", "c"}));
        QVERIFY2(
            test::faultOf(outcome).contains(QStringLiteral("'q': its kernel wrote behind 'q', 0 bytes from its edge")),
            qPrintable(test::faultOf(outcome)));
        QCOMPARE(outcome.value().result.mismatches.front().node, std::string("b"));
    }

    /// By way of the host, since these devices know nothing of one another.
    void valuesGoFromDeviceToDevice()
    {
        const Graph graph = test::graphFromText(Chain);
        const Report report =
            test::plannedForDevice(graph, test::catalogueFromText("a cuda map device=cuda:0 ms=0.01\n"
                                                                  "b cuda map device=cuda:1 ms=0.01\n"
                                                                  "c cuda map device=cuda:0 ms=0.01\n"));
        QCOMPARE(test::errorsIn(report), QString());
        kernels::RunRequest request;
        const auto other = std::make_shared<test::HostDevice>();
        request.devices["cuda:1"] = {other, true};
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report, request);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(other->ran, std::set<std::string> {"b"});
        QStringList ways;
        for (const RunResult::Copies& copies : outcome.value().result.copies)
            ways << QString::fromStdString(copies.from + " > " + copies.to);
        QVERIFY2(ways.contains(QStringLiteral("cuda:0 > cuda:1")), qPrintable(ways.join(u' ')));
        QVERIFY2(ways.contains(QStringLiteral("cuda:1 > cuda:0")), qPrintable(ways.join(u' ')));
        QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runOn(nullptr, test::plannedForReference(Chain))));
    }

    void sharingThatIsWrongIsFoundByTheJudgeAndByTheRun()
    {
        Report report = planned(Chain, {"a", "b", "c", "d", "e"});
        const ValueId kept = findValue(*report.program.graph, "p"); // read again by d
        const ValueId spoils = findValue(*report.program.graph, "q");
        report.program.map.values[spoils.index()].offset = report.program.map.values[kept.index()].offset;
        QVERIFY2(test::errorsIn(report).contains(QStringLiteral("'p'")), qPrintable(test::errorsIn(report)));
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report);
        QVERIFY2(test::faultOf(outcome).startsWith(QStringLiteral("'p'")), qPrintable(test::faultOf(outcome)));
        QVERIFY2(test::faultOf(outcome).contains(QStringLiteral("overwritten by 'q'")),
                 qPrintable(test::faultOf(outcome)));
    }

    void deadBytesOfTheDeviceArePoisoned()
    {
        Report report = planned(Chain, {"a", "b", "c", "d", "e"}); // p is said to die before d reads it
        const ValueId p = findValue(*report.program.graph, "p");
        const std::int64_t born = report.program.schedule.stepOf((*report.program.graph)[p].producer);
        report.program.storages[report.program.values[p.index()].storage.index()].live =
            LiveRanges(Interval {born, born + 1});
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report);
        QVERIFY2(test::faultOf(outcome).startsWith(QStringLiteral("'p'")), qPrintable(test::faultOf(outcome)));
    }

    void bytesInTheWrongMemoryAreFoundAndNotExecuted_data()
    {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("to");
        QTest::newRow("the device's on the CPU") << QStringLiteral("r") << QStringLiteral("cpu");
        QTest::newRow("the CPU's on the device") << QStringLiteral("p") << QStringLiteral("cuda:0");
        QTest::newRow("a copy on the wrong side") << QStringLiteral("r:cpu") << QStringLiteral("cuda:0");
    }

    void bytesInTheWrongMemoryAreFoundAndNotExecuted()
    {
        QFETCH(QString, value);
        QFETCH(QString, to);
        Report report = planned(Chain, {"c"});
        const ValueId id = findValue(*report.program.graph, value.toStdString());
        QVERIFY(id.valid());
        report.program.map.values[id.index()].arena = arenaOf(report, to.toStdString());
        report.program.map.values[id.index()].offset = 0;
        QVERIFY2(test::errorsIn(report).contains(QStringLiteral("wrong-space: Node ")),
                 qPrintable(test::errorsIn(report)));
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), report);
        QVERIFY(!outcome.ok());
        QVERIFY2(test::faultOf(outcome).contains(QStringLiteral("wrong-space: the plan puts it into '%1'").arg(to)),
                 qPrintable(test::faultOf(outcome)));
        QVERIFY(test::faultOf(outcome).contains(QStringLiteral("'%1'").arg(value)));
    }

    void aFaultNamesNodeStepAndAddresses()
    {
        const Report report = planned(Chain, {"b", "c"});
        const auto device = std::make_shared<test::HostDevice>();
        device->failsAt = "c";
        kernels::RunRequest request;
        const QString error = test::faultOf(test::runOn(device, report, request));
        for (const char* part :
             {"an illegal address was met", "'c'", "step", "reads 'q' at 0x", "64 bytes", "played by the test"})
            QVERIFY2(error.contains(QLatin1String(part)), qPrintable(error));
    }

    void withoutItsDeviceNothingRuns()
    {
        kernels::RunObserver silent;
        const auto outcome = kernels::execute(planned(Chain, {"c"}).program, {}, silent, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, ErrorCode::Unsupported);
        QVERIFY2(test::faultOf(outcome).contains(QStringLiteral("no device 'cuda:0'")),
                 qPrintable(test::faultOf(outcome)));
    }

    void theWriteProbeWritesWhatWasCopiedOut()
    {
        kernels::RunRequest request;
        request.writeProbe = true;
        const auto outcome =
            test::runOn(std::make_shared<test::HostDevice>(), planned(Chain, {"a", "b", "c", "d", "e"}), request);
        QCOMPARE(test::faultOf(outcome), QString());
        QVERIFY(outcome.value().result.probe.has_value());
        QCOMPARE(outcome.value().result.probe->refreshedOutputs, 1);
    }

    void theReferenceIsComparedWithWhatTheDeviceComputes()
    {
        kernels::RunRequest request;
        request.reference = true;
        const auto outcome = test::runOn(std::make_shared<test::HostDevice>(), planned(Chain, {"b", "c"}), request);
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(outcome.value().result.referenceValues, 4); // q, r, and the copies of p and r
    }

    /// Every graph, some nodes here and some there: the judge is silent, the run equals the oracle, and the results are
    /// those of the CPU.
    void anyPlacementOfNodesRunsLikeTheOracle()
    {
        int onDevice = 0;
        int inside = 0;
        int there = 0;
        int copies = 0;
        const unsigned from = test::firstSeed(70'000);
        for (unsigned seed = from; seed < from + 400; ++seed) {
            std::mt19937 random(seed);
            Graph graph = test::randomGraph(seed);
            for (const ValueId value : callersOf(graph))
                if (random() % 2 == 0) graph[value].at.edit().space = "cuda:0";
            Policies policies;
            policies.alignment = std::int64_t {1} << (random() % 10);
            policies.outputs = static_cast<OutputsPolicy>(random() % 5);
            policies.inputs = static_cast<InputsPolicy>(random() % 3);
            policies.inplace = static_cast<InplacePolicy>(random() % 3);
            const Report report = test::plannedForDevice(graph, test::randomOffers(graph, random), policies);
            const QByteArray name = QByteArrayLiteral("seed ") + QByteArray::number(seed) + ": ";
            if (policies.outputs != OutputsPolicy::Shared) QCOMPARE(name + test::errorsIn(report).toUtf8(), name);
            const auto device = std::make_shared<test::HostDevice>();
            const auto outcome = test::runSeeded(device, report, seed);
            QCOMPARE(name + test::faultOf(outcome).toUtf8(), name);
            QCOMPARE(test::digestsOf(outcome), test::digestsOf(test::runSeeded(nullptr, onTheCpu(graph), seed)));
            for (const RunResult::Held& held : outcome.value().result.held)
                QVERIFY2(held.otherBytes() >= 0 && held.plannedBytes <= held.arenaBytes, name.constData());
            onDevice += static_cast<int>(device->ran.size());
            there += static_cast<int>(std::ranges::count_if(callersOf(*report.program.graph), [&](ValueId value) {
                return !device->ran.empty() && (*report.program.graph)[value].at->space == "cuda:0";
            }));
            inside += static_cast<int>(std::ranges::count_if(
                device->ran, [](const std::string& node) { return node.find('/') != std::string::npos; }));
            copies += static_cast<int>(
                std::count_if(report.program.graph->nodes.begin(), report.program.graph->nodes.end(), isSpaceCopy));
        }
        qInfo("%d nodes on the device, %d of them in nested graphs, %d copies", onDevice, inside, copies);
        QVERIFY(onDevice > 400);
        QVERIFY(inside > 100);
        QVERIFY(there > 400);
        QVERIFY(copies > 400);
    }

private:
    static std::vector<ValueId> callersOf(const Graph& graph)
    {
        std::vector<ValueId> values = graph.top().outputs;
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            const ValueRole role = graph.values[i].role;
            if (role == ValueRole::Input || role == ValueRole::Parameter) values.emplace_back(i);
        }
        return values;
    }

    static Report onTheCpu(const Graph& graph)
    {
        Policies policies;
        policies.backend = BackendPolicy::Reference;
        return test::planned(graph, policies);
    }
};

QTEST_APPLESS_MAIN(tst_DeviceRuns)
#include "tst_device_runs.moc"
