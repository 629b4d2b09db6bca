#include "core/analysis/stream_assignment.h"
#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "core/verify/verifier.h"

#include "tests/support/catalogue_text.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QTest>

#include <set>

using namespace plimsoll;

namespace {

/// A plan that one choice allows and another forbids.
struct Case
{
    const char* policy;
    const char* strict; ///< Its value under which the plan is judged…
    const char* loose;  ///< …and what it was made under.
    const char* graph;
    const char* offers = "";
};

constexpr const char* Chain = "input x float32[16]\na: u = Exp(x)\nb: v = Sin(u)\nc: y = Cos(v)\noutput y\n";
constexpr const char* Twins = "input x float32[4]\na: y = Exp(x)\nf: z = Identity(y)\noutput y z\n";
constexpr const char* Training = "input x float32[64]\nn0: h = Exp(x)\nn1: o = Exp(h)\nn2: y = Exp(o)\n"
                                 "n3: z = ReduceSum(y) keepdims=0\noutput z\ngrad x\nloss z\n";
constexpr const char* Convolution = "input x float32[1,6,4,4]\nparam w float32[6,6,3,3]\ntop: z = Sigmoid(x)\n"
                                    "conv: a = Conv(z, w) pads=[1,1,1,1]\nout: y = Sigmoid(a)\noutput y\n";
constexpr const char* Branches = "input x float32[64]\np: vp = Exp(x)\na: va = Sin(vp)\nb: vb = Cos(va)\n"
                                 "d: vd = Sin(vp)\ne: ve = Cos(vd)\nj: vj = Add(vb, ve)\noutput vj\n";

constexpr Case Cases[] = {
    {"outputs", "independent", "outputs=shared", Twins},
    {"outputs", "independent", "outputs=shared inputs=share-identity",
     "input x float32[4]\nparam w float32[4]\na: z = Exp(x)\nf: y = Identity(w)\noutput y z\n"},
    {"outputs", "external", "outputs=independent", Chain},
    {"inputs", "protect", "inputs=donate", Chain},
    {"inputs", "share-identity", "inputs=donate", Chain},
    {"inplace", "identity-only", "inplace=on", Chain},
    {"inplace", "off", "inplace=on", Chain},
    {"inplace", "off", "inplace=identity-only",
     "input x float32[4]\na: u = Exp(x)\nf: v = Identity(u)\nb: y = Sin(v)\noutput y\n"},
    {"subbuffers", "off", "subbuffers=on",
     "input x float32[16]\na: u = Exp(x)\nb: v = Cos(x)\nc: y = Concat(u, v) axis=0\noutput y\n"},
    {"donation", "off", "donation=on", Training},
    {"retain-graph", "on", "inplace=off", Training},
    {"retain-graph", "on", "donation=on", Training},
    {"streams", "2", "streams=1", Branches},
    {"streams", "8", "streams=1", Branches},
    {"replay", "graph", "replay=once", Chain},
    {"padding", "off", "padding=on", Convolution,
     "conv onednn jit in=nChw8c,plain out=nChw8c ms=1 bytes=4096 inbytes=4096\n"},
    {"alignment", "64", "alignment=4",
     "input x float32[3]\na: u = Exp(x)\nb: v = Sin(x)\nc: y = Add(u, v)\noutput y v\n"},
    {"capacity", "cpu=64", "capacity=none",
     "input x float32[16]\na: u = Exp(x)\nb: v = Cos(x)\nc: y = MatMul(u, v)\noutput y\n"},
    {"reserved", "0+64", "reserved=none", Chain},
};

PlannedProgram planOf(const Case& one)
{
    Graph graph = test::graphFromText(one.graph);
    graph[graph.top().inputs.front()].visible = false; // so that it may be given away
    PlanRequest request;
    test::chooseFromText(request.policies, one.loose);
    request.catalogue = std::make_shared<const Catalogue>(test::catalogueFromText(one.offers));
    request.search.workLimit = 100'000;
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s: %s", one.policy, describe(report.error()).c_str());
    return std::move(report).value().program;
}

/// The same plan of a program that is to keep another policy.
std::vector<Finding> judged(PlannedProgram program, std::string_view policy, std::string_view value)
{
    if (!setPolicy(program.policies, policy, value).ok()) qFatal("no such policy");
    if (policy == "streams") {
        auto streams = assignStreams(*program.graph, program.schedule, program.policies.streams);
        if (!streams.ok()) qFatal("%s", describe(streams.error()).c_str());
        program.streams = std::move(streams).value();
    }
    return verify({program, program.map}, {});
}

/// Rules with how grave a finding is: what a policy asks for may be worth a warning all the same.
std::set<std::pair<Rule, Severity>> rulesOf(const std::vector<Finding>& findings)
{
    std::set<std::pair<Rule, Severity>> rules;
    for (const Finding& finding : findings)
        rules.emplace(finding.rule, finding.severity);
    return rules;
}

QString textOf(const std::set<Rule>& rules)
{
    QStringList text;
    for (const Rule rule : rules)
        text << QString::fromLatin1(ruleId(rule).data());
    return text.join(u' ');
}

using Values = std::vector<std::string>;

Values valuesOf(const PolicyInfo& policy)
{
    static const std::map<std::string_view, std::vector<std::string>> free = {
        {"calls", {"train,train"}}, {"backwards", {"2"}}, {"match-range", {"0", "4"}}, {"colours", {"2"}}};
    if (policy.values.empty()) return free.at(policy.id);
    return {policy.values.begin(), policy.values.end()};
}

} // namespace

/// PolicyInfo::enforcedBy is the table that says which rules enforce a policy. Whatever it names is raised, and nothing
/// else is.
class PolicyLawTest : public QObject
{
    Q_OBJECT

private slots:
    void aPlanThatBreaksAPolicyIsFound_data()
    {
        QTest::addColumn<QByteArray>("id");
        for (const PolicyInfo& policy : policyTable()) {
            const QByteArray id(policy.id.data(), static_cast<qsizetype>(policy.id.size()));
            if (!policy.enforcedBy.empty()) QTest::newRow(id.constData()) << id;
        }
    }
    void aPlanThatBreaksAPolicyIsFound()
    {
        QFETCH(QByteArray, id);
        const std::vector<Rule>& named = findPolicy(id.constData())->enforcedBy;
        std::set<Rule> all;
        for (const Case& one : Cases) {
            if (id != one.policy) continue;
            const PlannedProgram plan = planOf(one);
            const auto before = rulesOf(verify({plan, plan.map}, {}));
            std::set<Rule> raised;
            for (const auto& [rule, severity] : rulesOf(judged(plan, one.policy, one.strict)))
                if (!before.contains({rule, severity})) raised.insert(rule);
            const QByteArray what = QByteArray(one.loose) + " judged under " + one.policy + "=" + one.strict;
            QVERIFY2(!raised.empty(), what.constData());
            all.merge(raised);
        }
        QCOMPARE(textOf(all), textOf({named.begin(), named.end()}));
    }

    void whatNoRuleEnforcesAccusesNoPlan()
    {
        int judgements = 0;
        for (const Case& one : Cases) {
            const PlannedProgram plan = planOf(one);
            const auto before = rulesOf(verify({plan, plan.map}, {}));
            for (const PolicyInfo& policy : policyTable()) {
                for (const std::string& value : policy.enforcedBy.empty() ? valuesOf(policy) : Values {}) {
                    const QByteArray what =
                        QByteArray(one.loose) + " judged under " + policy.id.data() + "=" + value.c_str();
                    QVERIFY2(rulesOf(judged(plan, policy.id, value)) == before, what.constData());
                    ++judgements;
                }
            }
        }
        QVERIFY(judgements > 200);
    }

    /// A plan that keeps the strict choice is not accused of it.
    void aPlanThatKeepsThemIsLegal()
    {
        for (const Case& one : Cases) {
            Case kept = one;
            const std::string loose = std::string(one.loose) + " " + one.policy + "=" + one.strict;
            kept.loose = loose.c_str();
            if (std::string_view(one.policy) == "capacity") continue;
            const PlannedProgram plan = planOf(kept);
            const std::vector<Finding> findings = verify({plan, plan.map}, {});
            const auto error = std::ranges::find(findings, Severity::Error, &Finding::severity);
            QVERIFY2(error == findings.end(), loose.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(PolicyLawTest)
#include "tst_policy_law.moc"
