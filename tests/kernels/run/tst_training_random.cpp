#include "core/facts/english/english.h"
#include "core/ops/saving.h"
#include "core/pipeline/pipeline.h"
#include "kernels/run/executor.h"
#include "kernels/run/step/element_values.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

/// Elementwise operators, products and means over [4,4] and [4], some inputs frozen, with a loss; and, where they are
/// asked for, loops, and outputs beside the loss.
class RandomTraining
{
public:
    enum class Kind { Plain, Nested };
    explicit RandomTraining(unsigned seed, Kind kind = Kind::Plain) : m_engine(seed), m_kind(kind) {}

    std::string text()
    {
        for (const char* name : {"x", "u"})
            leaf("input", name, "[4,4]");
        for (const char* name : {"w", "v"})
            leaf("param", name, name == std::string("v") ? "[4]" : "[4,4]");
        m_matrices = {"x", "u", "w"};
        const int nodes = between(3, 10);
        for (int i = 0; i < nodes; ++i)
            addNode("n" + std::to_string(i));
        m_text += "t = Sum(" + m_matrices.back() + ", " + pick() + ", " + pick() + ")\nz = ReduceSum(t) keepdims=0\n";
        std::string outputs = "output z";
        for (int i = 0; m_kind == Kind::Nested && i < 3; ++i)
            outputs += " " + pick();
        return m_text + outputs + "\ngrad" + m_gradients + " x\nloss z\n";
    }

private:
    int between(int low, int high) { return std::uniform_int_distribution(low, high)(m_engine); }
    std::string pick()
    {
        return m_matrices[static_cast<std::size_t>(between(0, static_cast<int>(m_matrices.size()) - 1))];
    }

    void leaf(const std::string& kind, const std::string& name, const std::string& shape)
    {
        m_text += kind + " " + name + " float64" + shape + "\n";
        if (name != "x" && between(0, 1) == 1) m_gradients += " " + name;
    }

    void addNode(const std::string& name)
    {
        static const std::vector<std::string> unary = {"Relu", "Tanh", "Sigmoid", "Sin", "Gelu", "Softmax", "Neg"};
        static const std::vector<std::string> binary = {"Add", "Sub", "Mul", "Max", "MatMul"};
        const auto of = [this](const std::vector<std::string>& list) {
            return list[static_cast<std::size_t>(between(0, static_cast<int>(list.size()) - 1))];
        };
        const int kind = between(0, m_kind == Kind::Nested ? 11 : 9);
        const std::string first = pick();
        if (kind < 4) m_text += name + " = " + of(unary) + "(" + first + ")\n";
        if (kind >= 4 && kind < 8) m_text += name + " = " + of(binary) + "(" + first + ", " + pick() + ")\n";
        if (kind == 8) m_text += name + " = Mul(" + first + ", v)\n";
        if (kind == 9)
            m_text +=
                name + "m = ReduceMean(" + first + ") keepdims=0\n" + name + " = Sub(" + first + ", " + name + "m)\n";
        if (kind == 10) m_text += name + " = Identity(" + first + ")\n";
        if (kind == 11) addLoop(name, first, of(unary), of(binary));
        m_matrices.push_back(name);
    }

    /// A state that a body changes, hands back, or exchanges with another.
    void addLoop(const std::string& name, const std::string& first, const std::string& one, const std::string& two)
    {
        const std::string state = between(0, 3) == 0 ? "s" : name + "b";
        m_text += "const " + name + "t int64[] = " + std::to_string(between(0, 9)) + "\nl" + name + ": " + name + ", " +
                  name + "q = Loop(" + name + "t, _, " + first + ", " + pick() +
                  ")\nbody body\n  input i int64[]\n  input c bool[]\n  input s float64[4,4]\n"
                  "  input r float64[4,4]\n  " +
                  name + "a = " + one + "(s)\n  " + name + "b = " + two + "(" + name + "a, " +
                  (between(0, 1) == 0 ? "r" : pick()) + ")\n  " + name + "d = Tanh(" + name + "b)\n  output c " +
                  state + " " + name + "d\nend\n";
        m_matrices.push_back(name + "q");
    }

    std::mt19937 m_engine;
    Kind m_kind;
    std::string m_text;
    std::string m_gradients;
    std::vector<std::string> m_matrices;
};

Report planned(const Graph& graph, std::string_view saved, std::optional<PlanFile> given = {})
{
    PlanRequest request;
    request.policies.inplace = InplacePolicy::Off;
    if (given) request.givenPlan = sharedPlan(*std::move(given));
    test::choose(request.policies, {{"saved", saved}});
    Result<Report> report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Report plannedWith(const Graph& graph, const test::Choices& policies)
{
    PlanRequest request;
    test::choose(request.policies, policies);
    Result<Report> report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

/// All elements of all gradients, in order.
std::vector<double> elementsOf(const Report& report, const kernels::RunOutcome& outcome)
{
    std::vector<double> numbers;
    for (std::size_t i = outcome.outputs.size() - report.program.graph->boundary.gradients; i < outcome.outputs.size();
         ++i) {
        for (std::int64_t at = 0; at < outcome.outputs[i].tensor.elements(); ++at)
            numbers.push_back(kernels::readElement(outcome.outputs[i].tensor, at));
    }
    return numbers;
}

kernels::RunOutcome run(const Report& report)
{
    kernels::RunObserver silent;
    Result<kernels::RunOutcome> outcome = kernels::execute(report.program, {}, silent, {});
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return std::move(outcome).value();
}

QStringList gradientsOf(const kernels::RunOutcome& outcome)
{
    QStringList lines;
    for (const RunResult::Output& gradient : outcome.result.gradients)
        lines += QString::fromStdString(gradient.name + " " + gradient.digest);
    return lines;
}

/// "n3 for backward:n5 as self"
std::set<std::string> keptBy(const Report& report)
{
    std::set<std::string> slots_;
    for (const SavedReport& saved : report.training.saved)
        slots_.insert((*report.program.graph)[saved.tensor.value].name + " for " +
                      (*report.program.graph)[saved.tensor.readBy].name + " as " + saved.tensor.name);
    return slots_;
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some)
{
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

} // namespace

class TrainingRandom : public QObject
{
    Q_OBJECT

private slots:
    void policiesKeepMoreOrLessAndComputeTheSame();
    void aKeptTensorThatIsOverwrittenIsAlwaysCaught();
    void requestsAndCallsRunLikeTheOracle();
    void whatIsComputedAnewOrGivenAwayChangesNoGradient();
    void passesAddUp();
};

void TrainingRandom::policiesKeepMoreOrLessAndComputeTheSame()
{
    for (unsigned seed = 1; seed <= 80; ++seed) {
        const Graph graph = test::graphFromText(RandomTraining(seed).text());
        const Report exact = planned(graph, "exact");
        const Report guarded = planned(graph, "guarded");
        const Report all = planned(graph, "save-all");
        const QByteArray where = "seed " + QByteArray::number(seed);

        QVERIFY2(includes(keptBy(guarded), keptBy(exact)) && includes(keptBy(all), keptBy(guarded)), where.data());
        QCOMPARE(guarded.memory.liveBytes.size(), all.memory.liveBytes.size());
        for (std::size_t step = 0; step < all.memory.liveBytes.size(); ++step)
            QVERIFY2(exact.memory.liveBytes[step] <= guarded.memory.liveBytes[step] &&
                         guarded.memory.liveBytes[step] <= all.memory.liveBytes[step],
                     where.data());
        const kernels::RunOutcome outcome = run(guarded);
        QVERIFY2(outcome.result.mismatches.empty(), where.data());
        QVERIFY2(gradientsOf(run(exact)) == gradientsOf(outcome), where.data());
        QVERIFY2(gradientsOf(run(all)) == gradientsOf(outcome), where.data());
        for (const Report* report : {&exact, &guarded, &all})
            QVERIFY2(countFindings(*report, Severity::Error) == 0, where.data());
    }
}

/// A value that is made while another is kept is put on its bytes. The finding bears the rule of the first reader,
/// which may stand in the forward graph.
void TrainingRandom::aKeptTensorThatIsOverwrittenIsAlwaysCaught()
{
    int damaged = 0;
    for (unsigned seed = 1; seed <= 80; ++seed) {
        const Graph graph = test::graphFromText(RandomTraining(seed).text());
        const Report report = planned(graph, "guarded");
        for (const SavedReport& saved : report.training.saved) {
            const ValueId kept = saved.tensor.value;
            const std::int64_t from = report.program.schedule.stepOf(saved.tensor.savedBy);
            const std::int64_t to = report.program.schedule.stepOf(saved.tensor.readBy);
            PlanFile plan = planOf(report);
            const ValuePlacement& place = report.program.map.values[kept.index()];
            const auto spoiler =
                std::find_if(plan.entries.begin(), plan.entries.end(), [&](const PlanFile::Entry& entry) {
                    const Value& value = (*report.program.graph)[findValue(*report.program.graph, entry.value)];
                    if (!value.producer.valid() || isBackward(*report.program.graph, value.producer)) return false;
                    const std::int64_t step = report.program.schedule.stepOf(value.producer);
                    return step > from && step < to && entry.bytes == place.bytes && entry.offset != place.offset;
                });
            if (!place.placed() || saved.tensor.neededFor.empty() || spoiler == plan.entries.end()) continue;
            spoiler->offset = place.offset;
            const Report judged = planned(graph, "guarded", plan);

            const bool found = std::any_of(
                judged.verdict.findings.begin(), judged.verdict.findings.end(), [&](const Finding& finding) {
                    return finding.severity == Severity::Error &&
                           std::find(finding.values.begin(), finding.values.end(), kept) != finding.values.end();
                });
            const std::string where = "seed " + std::to_string(seed) + ", '" + spoiler->value + "' on '" +
                                      (*report.program.graph)[kept].name + "'";
            QVERIFY2(found, where.c_str());
            QVERIFY2(!run(judged).result.mismatches.empty(), where.c_str());
            ++damaged;
        }
    }
    QVERIFY(damaged > 50);
}

/// Under every policy for outputs, with gradients written and added, called in every way: no broken rule, a run like
/// the oracle's, and no write through an output that reaches a gradient.
void TrainingRandom::requestsAndCallsRunLikeTheOracle()
{
    const unsigned first = test::firstSeed(90'000);
    constexpr const char* Calls[] = {"once", "train,infer,train", "forward,forward,backward,backward", "infer,train"};
    int loops = 0;
    for (unsigned seed = first; seed < first + 400; ++seed) {
        const Graph graph = test::graphFromText(RandomTraining(seed, RandomTraining::Kind::Nested).text());
        PlanRequest request;
        request.recordDecisions = false;
        request.policies.outputs = static_cast<OutputsPolicy>(seed % 5);
        request.policies.gradients = seed % 3 == 0 ? GradientRequest::Add : GradientRequest::Write;
        request.policies.calls = Calls[seed % 4];
        request.policies.inplace = seed % 7 == 0 ? InplacePolicy::Off : InplacePolicy::On;
        request.policies.recompute = seed % 2 == 0 ? RecomputePolicy::Cheap : RecomputePolicy::Off;
        request.policies.donation = seed % 11 < 6 ? DonationPolicy::On : DonationPolicy::Off;
        request.policies.retainGraph = request.policies.calls == "once" && seed % 13 < 4;
        if (request.policies.retainGraph) request.policies.backwards = 1 + seed % 3;
        request.policies.streams = 1 + seed / 5 % 3;
        const QByteArray where = "seed " + QByteArray::number(seed);

        const Result<Report> report = analyse(graph, request, {});

        QVERIFY2(report.ok(), report.ok() ? "" : (where + describe(report.error()).c_str()).constData());
        for (const Finding& finding : report.value().verdict.findings)
            QVERIFY2(finding.severity != Severity::Error,
                     (where + ": " + english(finding.message).c_str()).constData());
        kernels::RunRequest run;
        run.writeProbe = request.policies.streams == 1 || seed % 2 == 0; // without, it goes through several orders
        run.mode = kernels::RunMode::Numeric;
        kernels::RunObserver silent;
        run.saved = report.value().training.saved;
        run.findings = report.value().verdict.findings;
        const Result<kernels::RunOutcome> outcome = kernels::execute(report.value().program, run, silent, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : (where + describe(outcome.error()).c_str()).constData());
        for (const RunResult::Mismatch& mismatch : outcome.value().result.mismatches)
            QFAIL((where + ": " + mismatch.value.c_str() + " " + english(mismatch.note).c_str()).constData());
        loops += graph.bodies.size() > 1 ? 1 : 0;
    }
    QVERIFY(loops > 50);
}

void TrainingRandom::whatIsComputedAnewOrGivenAwayChangesNoGradient()
{
    std::size_t recomputed = 0;
    std::size_t donated = 0;
    for (unsigned seed = 1; seed <= 80; ++seed) {
        const Graph graph = test::graphFromText(RandomTraining(seed).text());
        const QStringList expected = gradientsOf(run(plannedWith(graph, {})));
        const std::vector<test::Choices> choices = {
            {{"recompute", "cheap"}},
            {{"donation", "on"}},
            {{"recompute", "cheap"}, {"donation", "on"}, {"saved", "save-all"}},
            {{"retain-graph", "on"}, {"donation", "on"}, {"recompute", "cheap"}},
            {{"streams", "3"}, {"recompute", "cheap"}, {"donation", "on"}}};
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const Report report = plannedWith(graph, choices[i]);
            const kernels::RunOutcome outcome = run(report);
            const QByteArray where = "seed " + QByteArray::number(seed) + ", choice " + QByteArray::number(qint64(i));
            QVERIFY2(countFindings(report, Severity::Error) == 0, where.data());
            QVERIFY2(outcome.result.mismatches.empty(), where.data());
            QVERIFY2(gradientsOf(outcome) == expected, where.data());
            recomputed += report.training.recomputed.size();
            donated += report.program.graph->boundary.donated.size();
        }
    }
    QVERIFY(recomputed > 50);
    QVERIFY(donated > 100);
}

void TrainingRandom::passesAddUp()
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const Graph graph = test::graphFromText(RandomTraining(seed).text());
        const Report once = plannedWith(graph, {});
        const Report thrice = plannedWith(graph, {{"backwards", "3"}, {"retain-graph", "on"}, {"recompute", "cheap"}});
        const kernels::RunOutcome outcome = run(thrice);
        const QByteArray where = "seed " + QByteArray::number(seed);

        QVERIFY2(countFindings(thrice, Severity::Error) == 0, where.data());
        QVERIFY2(outcome.result.mismatches.empty(), where.data());
        std::vector<double> sums = elementsOf(once, run(once));
        for (double& number : sums)
            number = number + number + number;
        QVERIFY2(elementsOf(thrice, outcome) == sums, where.data());
    }
}

QTEST_APPLESS_MAIN(TrainingRandom)
#include "tst_training_random.moc"
