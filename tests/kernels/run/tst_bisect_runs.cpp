#include "core/advice/bisect.h"
#include "kernels/run/executor.h"

#include "core/pipeline/pipeline.h"
#include "kernels/run/memory/run_memory.h"
#include "tests/support/first_seed.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <random>
#include <tuple>

using namespace plimsoll;

namespace {

Result<std::optional<RunResult::Mismatch>> firstMismatch(const PlannedProgram& program)
{
    kernels::RunRequest request;
    request.cover = kernels::RunRequest::Cover::Never;
    kernels::RunObserver silent;
    PLIMSOLL_ASSIGN(outcome, kernels::execute(program, request, silent, {}));
    const auto& mismatches = outcome.result.mismatches;
    return mismatches.empty() ? std::nullopt : std::optional(mismatches.front());
}

/// The plan with one value put where another lies, and which one that is.
std::pair<PlanFile, std::string> damaged(PlanFile plan, std::mt19937& random)
{
    std::vector<PlanFile::Entry*> placed;
    for (PlanFile::Entry& entry : plan.entries)
        if (entry.arena.valid()) placed.push_back(&entry);
    std::uniform_int_distribution<std::size_t> any(0, placed.size() - 1);
    PlanFile::Entry& moved = *placed[any(random)];
    moved.offset = placed[any(random)]->offset;
    return {std::move(plan), moved.value};
}

bool has(const Culprit::Side& side, ValueId value)
{
    return std::ranges::find(side.values, value) != side.values.end();
}

} // namespace

/// Plans of random graphs, in each of which one value is put over another, executed for real.
class BisectRunsTest : public QObject
{
    Q_OBJECT

private slots:
    void everyCulpritHasTheOneThatWasMoved()
    {
        const unsigned first = test::firstSeed(1);
        int wrong = 0;
        for (unsigned seed = first; seed < first + 120; ++seed) {
            std::mt19937 random(seed);
            const Graph graph = test::randomGraph(seed);
            PlanRequest request;
            auto [plan, moved] = damaged(planOf(analyse(graph, {}, {}).value()), random);
            request.givenPlan = sharedPlan(std::move(plan));
            const Result<Report> report = analyse(graph, request, {});
            QVERIFY2(report.ok(), qPrintable(QString::number(seed)));
            const PlannedProgram& program = report.value().program;
            if (!kernels::checkPlacements(program).ok()) continue;
            const ValueId value = findValue(*program.graph, moved);
            const auto before = firstMismatch(program);
            QVERIFY2(before.ok(), qPrintable(QString::number(seed)));
            const Result<Bisection> found = bisect(program, firstMismatch, {});
            QVERIFY2(found.ok(), qPrintable(QString::number(seed)));
            QVERIFY2(!found.value().elsewhere, qPrintable(QString::number(seed)));
            QCOMPARE(found.value().culprits.empty(), !before.value());
            for (const Culprit& culprit : found.value().culprits) {
                const bool named = has(culprit.later, value) || (culprit.earlier && has(*culprit.earlier, value));
                QVERIFY2(named, qPrintable(QString::number(seed)));
            }
            wrong += before.value() ? 1 : 0;
        }
        QVERIFY2(wrong > 30, qPrintable(QString::number(wrong)));
    }
};

QTEST_APPLESS_MAIN(BisectRunsTest)
#include "tst_bisect_runs.moc"
