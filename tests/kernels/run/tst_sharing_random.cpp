#include "core/facts/english/english.h"
#include "core/verify/verifier.h"
#include "kernels/run/executor.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/tensor_view.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace plimsoll;

namespace {

struct Combination
{
    OutputsPolicy outputs;
    InputsPolicy inputs;
    InplacePolicy inplace;
    CsePolicy cse;
};

std::vector<Combination> allCombinations()
{
    std::vector<Combination> all;
    for (const auto outputs : {OutputsPolicy::Independent, OutputsPolicy::ReadOnly, OutputsPolicy::CopyOnWrite,
                               OutputsPolicy::External, OutputsPolicy::Shared}) {
        for (const auto inputs : {InputsPolicy::Protect, InputsPolicy::ShareIdentity, InputsPolicy::Donate}) {
            for (const auto inplace : {InplacePolicy::On, InplacePolicy::IdentityOnly, InplacePolicy::Off}) {
                for (const auto cse : {CsePolicy::Off, CsePolicy::On})
                    all.push_back({outputs, inputs, inplace, cse});
            }
        }
    }
    return all;
}

Policies policiesOf(const Combination& combination)
{
    Policies policies;
    policies.backend = BackendPolicy::Reference;
    policies.alignment = 1;
    policies.outputs = combination.outputs;
    policies.inputs = combination.inputs;
    policies.inplace = combination.inplace;
    policies.cse = combination.cse;
    return policies;
}

/// MXNet's planner, with one of its match ranges and up to three colours.
void planLikeMxnet(Policies& policies, unsigned number)
{
    constexpr std::int64_t Ranges[] = {16, 0, 1, 2};
    policies.placement = "storage-reuse";
    policies.matchRange = Ranges[number % 4];
    policies.matchRangeSearch = number % 5 == 0;
    policies.colours = 1 + number % 3;
}

QString named(unsigned seed, const Policies& policies)
{
    QString text = QStringLiteral("seed %1").arg(seed);
    for (const char* id :
         {"outputs", "inputs", "inplace", "cse", "placement", "match-range", "match-range-search", "colours"})
        text += QStringLiteral(" -p %1=%2").arg(QLatin1String(id), QString::fromStdString(policyValue(policies, id)));
    return text + QStringLiteral(": ");
}

/// The first error. What the graph's own views bring about is none: it is a warning.
QString errorOf(const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings) {
        if (finding.severity != Severity::Error) continue;
        return QString::fromStdString(std::string(ruleId(finding.rule)) + ": " + english(finding.message));
    }
    return {};
}

/// Drawn from the seed, with the trips of every loop given.
Result<kernels::RunOutcome> run(const Report& report, unsigned seed)
{
    kernels::RunRequest request;
    request.seed = seed;
    request.mode = kernels::RunMode::Numeric;
    kernels::HostTensor trips(DType::Int64, {});
    *trips.view().as<std::int64_t>() = seed % 4;
    request.inputs[findValue(*report.program.graph, "trips")] = kernels::tensorValue(std::move(trips));
    return test::executed(report, {}, std::move(request));
}

QString mismatchOf(const Result<kernels::RunOutcome>& outcome)
{
    if (!outcome.ok()) return QString::fromStdString(describe(outcome.error()));
    if (outcome.value().result.mismatches.empty()) return {};
    const RunResult::Mismatch& first = outcome.value().result.mismatches.front();
    return QString::fromStdString("'" + first.value + "' at step " + std::to_string(first.step) + ": " +
                                  english(first.note));
}

} // namespace

/// Random graphs under every combination of policies: the verifier is silent and the run equals the oracle.
class tst_SharingRandom : public QObject
{
    Q_OBJECT

private slots:
    void everyPolicyRunsLikeTheOracle()
    {
        const std::vector<Combination> combinations = allCombinations();
        int runs = 0;
        const unsigned from = test::firstSeed(50'000);
        for (unsigned seed = from; seed < from + 1'200; ++seed) {
            const Graph graph = test::randomGraph(seed);
            // Every combination turns up again and again: three of them for each graph.
            for (unsigned turn = 0; turn < 3; ++turn) {
                Policies policies = policiesOf(combinations[(seed * 3 + turn) % combinations.size()]);
                if ((seed / 30 + turn) % 3 == 0) planLikeMxnet(policies, seed + turn);
                const Report report = test::planned(graph, policies);
                const QString found = errorOf(report.verdict.findings);
                QVERIFY2(found.isEmpty(), qPrintable(named(seed, policies) + found));
                const QString wrong = mismatchOf(run(report, seed));
                QVERIFY2(wrong.isEmpty(), qPrintable(named(seed, policies) + wrong));
                ++runs;
            }
        }
        qInfo("%d runs under %zu combinations", runs, combinations.size());
    }

    void aGivenAwayInputSurvivesTheRun_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<double>("result");
        QTest::newRow("a node in place") << QByteArray("input x float32[4]\ny = Neg(x)\noutput y\n") << qint64 {0}
                                         << -2.0;
        QTest::newRow("the state of a loop")
            << QByteArray("const trips int64[] = 2\ninput x float32[4]\nn: y = Loop(trips, _, x)\nbody body\n"
                          "  input i int64[]\n  input c bool[]\n  input s float32[4]\n  u = Add(s, s)\n"
                          "  t = Add(u, s)\n  output c t\nend\noutput y\n")
            << qint64 {25} << 18.0;
    }
    /// What the run writes over an input that was given away is a copy: the next run needs it as it was.
    void aGivenAwayInputSurvivesTheRun()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, bytes);
        QFETCH(double, result);
        Graph graph = test::graphFromText(text.constData());
        graph.values[findValue(graph, "x").index()].visible = false;
        Policies policies = policiesOf({});
        policies.inputs = InputsPolicy::Donate;
        const Report report = test::planned(graph, policies);
        QCOMPARE(report.memory.peakBytes, bytes);
        kernels::HostTensor x(DType::Float32, {4});
        std::fill_n(x.view().as<float>(), 4, 2.0F);
        kernels::RunRequest request;
        request.inputs[findValue(graph, "x")] = kernels::tensorValue(std::move(x));

        for (int time = 0; time < 2; ++time) {
            const auto outcome = test::executed(report, {}, request);
            QVERIFY(mismatchOf(outcome).isEmpty());
            QCOMPARE(test::numbersOf(outcome.value().outputs.front()).front(), result);
        }
    }

    void aDamagedPlanIsCaughtOrHarmless_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("a storage moved") << 0;
        QTest::newRow("two outputs merged") << 1;
        QTest::newRow("in place forced") << 2;
        QTest::newRow("a live range cut") << 3;
    }
    void aDamagedPlanIsCaughtOrHarmless()
    {
        QFETCH(int, kind);
        int caught = 0;
        int harmless = 0;
        const unsigned from = test::firstSeed(50'000);
        for (unsigned seed = from; seed < from + 600; ++seed) {
            Report report = test::planned(test::randomGraph(seed), policiesOf({}));
            std::mt19937 engine(seed);
            if (!damage(report, kind, engine)) continue;
            const bool found = !errorOf(verify({report.program, report.program.map}, {})).isEmpty();
            const QString wrong = found ? QString() : mismatchOf(run(report, seed));
            QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("missed, seed %1: ").arg(seed) + wrong));
            ++(found ? caught : harmless);
        }
        qInfo("%d caught by the verifier, %d shown harmless by the oracle, 0 missed", caught, harmless);
        QVERIFY(caught > 20);
    }

private:
    static bool damage(Report& report, int kind, std::mt19937& engine)
    {
        const auto any = [&engine](std::size_t count) {
            return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine);
        };
        auto& values = report.program.map.values;
        std::vector<std::size_t> placed;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i].placed() && values[i].bytes == 64) placed.push_back(i);
        }
        if (placed.size() < 2) return false;
        if (kind == 0)
            return moveStorage(report, placed[any(placed.size())], values[placed[any(placed.size())]].offset);
        if (kind == 1) return mergeOutputs(report);
        const NodeId node {any(report.program.graph->nodes.size())};
        return kind == 2 ? forceInPlace(report, node) : cutLiveRange(report, any(placed.size()), placed);
    }

    static bool moveStorage(Report& report, std::size_t value, std::int64_t offset)
    {
        Storage& storage = report.program.storages[report.program.values[value].storage.index()];
        if (storage.offset == offset || offset + storage.bytes > report.program.map.arenas.front().bytes) return false;
        for (const ValueId one : storage.values)
            report.program.map.values[one.index()].offset += offset - storage.offset;
        storage.offset = offset;
        return true;
    }

    /// Parts the value from its storage; the run has to know what is alive where, lest it takes bytes for dead.
    static void relocate(Report& report, ValueId value, std::int64_t offset)
    {
        ValuePlacement& place = report.program.map.values[value.index()];
        place.offset = offset;
        report.program.values[value.index()].storage = StorageId(report.program.storages.size());
        report.program.storages.push_back(
            {place.arena, offset, place.bytes, report.program.values[value.index()].live, {value}, {}});
    }

    static bool mergeOutputs(Report& report)
    {
        const auto& outputs = report.program.graph->top().outputs;
        for (std::size_t i = 1; i < outputs.size(); ++i) {
            const ValuePlacement& first = report.program.map.values[outputs.front().index()];
            const ValuePlacement& second = report.program.map.values[outputs[i].index()];
            if (!first.placed() || !second.placed() || first.offset == second.offset) continue;
            relocate(report, outputs[i], first.offset);
            return true;
        }
        return false;
    }

    static bool forceInPlace(Report& report, NodeId id)
    {
        const Node& node = (*report.program.graph)[id];
        if (node.inputs.empty() || node.outputs.empty() || !node.inputs.back().valid()) return false;
        const ValuePlacement& input = report.program.map.values[node.inputs.back().index()];
        const ValuePlacement& output = report.program.map.values[node.outputs.front().index()];
        if (!input.placed() || !output.placed() || input.bytes != output.bytes || input.offset == output.offset)
            return false;
        relocate(report, node.outputs.front(), input.offset);
        return true;
    }

    /// What begins at the last step of a value gets its bytes, as if it had ended one step earlier.
    static bool cutLiveRange(Report& report, std::size_t from, const std::vector<std::size_t>& placed)
    {
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const std::size_t victim = placed[(from + i) % placed.size()];
            const std::int64_t last = report.program.values[victim].live.hull().end - 1;
            for (const std::size_t other : placed) {
                const bool begins = report.program.values[other].live.hull().begin == last;
                if (begins && report.program.values[other].storage != report.program.values[victim].storage &&
                    moveStorage(report, other, report.program.map.values[victim].offset))
                    return true;
            }
        }
        return false;
    }
};

QTEST_APPLESS_MAIN(tst_SharingRandom)
#include "tst_sharing_random.moc"
