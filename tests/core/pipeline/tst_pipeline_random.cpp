#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/first_seed.h"
#include "tests/support/random_graph.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// The first error. What the graph's own views bring about is none: it is a warning.
QString errorOf(const Report& report)
{
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity != Severity::Error) continue;
        return QString::fromStdString(std::string(ruleId(finding.rule)) + ": " + english(finding.message));
    }
    return {};
}

} // namespace

class tst_PipelineRandom : public QObject
{
    Q_OBJECT

private slots:
    /// Sharing and the verifier share no code: what one decides the other judges.
    void theVerifierAcceptsWhatThePlannerMakes()
    {
        const unsigned first = test::firstSeed(1000);
        const std::pair<const char*, const char*> policies[] = {{"outputs", "independent"},
                                                                {"outputs", "shared"},
                                                                {"outputs", "read-only"},
                                                                {"outputs", "external"},
                                                                {"inputs", "share-identity"},
                                                                {"inputs", "donate"},
                                                                {"cse", "on"},
                                                                {"inplace", "identity-only"},
                                                                {"placement", "first-fit-by-step"},
                                                                {"placement", "storage-reuse"}};
        std::size_t shared = 0;
        for (unsigned seed = first; seed < first + 400; ++seed) {
            const Graph graph = test::randomGraph(seed);
            for (const auto& [id, value] : policies) {
                PlanRequest request;
                QVERIFY(setPolicy(request.policies, id, value).ok());
                const Result<Report> report = analyse(graph, request, {});
                const QString what =
                    QStringLiteral("seed %1, %2=%3: ").arg(seed).arg(QLatin1String(id), QLatin1String(value));
                QVERIFY2(report.ok(),
                         report.ok() ? "" : qPrintable(what + QString::fromStdString(describe(report.error()))));
                const Report& plan = report.value();
                QVERIFY2(errorOf(plan).isEmpty(), qPrintable(what + errorOf(plan)));
                QVERIFY2(plan.memory.lowerBoundBytes <= plan.memory.peakBytes &&
                             plan.memory.peakBytes <= plan.memory.noReuseBytes,
                         qPrintable(what));
                for (const PlannedValue& one : plan.program.values)
                    shared += one.sharedAs == AliasKind::MayBeInPlace || one.sharedAs == AliasKind::Identity;
            }
        }
        QVERIFY2(shared > 1000, "hardly anything was shared: the test tests nothing");
    }
};

QTEST_APPLESS_MAIN(tst_PipelineRandom)
#include "tst_pipeline_random.moc"
