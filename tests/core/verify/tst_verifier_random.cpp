#include "core/facts/english/english.h"
#include "core/ops/op_traits.h"
#include "core/verify/verifier.h"

#include "tests/core/verify/machine.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

constexpr int Graphs = 100;
constexpr int MutationsOfEach = 12;

struct Trial
{
    Graph graph;
    Schedule schedule;
    Policies policies;
    MemoryMap apart; ///< Every value has bytes of its own; views lie in their bases.

    [[nodiscard]] std::vector<Finding> judge(const MemoryMap& map) const
    {
        const Program program {std::make_shared<const Graph>(graph), schedule, {}, {}, policies};
        return verify({program, map}, {});
    }
};

Trial makeTrial(std::mt19937& random)
{
    Trial trial {test::randomGraph(random), {}, {}, {}};
    trial.policies.alignment = 1;
    trial.schedule = scheduleInCapturedOrder(trial.graph);
    std::int64_t top = 0;
    for (const Value& value : trial.graph.values) {
        ValuePlacement place;
        if (value.role != ValueRole::Input) {
            place = {ArenaId(0), top, value.type.bytes().value_or(0)};
            top += place.bytes;
        }
        trial.apart.values.push_back(place);
    }
    trial.apart.arenas.push_back({"cpu", top, 1, std::nullopt});
    for (std::size_t n = 0; n < trial.graph.nodes.size(); ++n) {
        for (const AliasTrait& trait : aliasTraits(trial.graph, NodeId(n))) {
            if (trait.kind != AliasKind::View) continue;
            const Node& node = trial.graph.nodes[n];
            trial.apart.values[node.outputs[0].index()].offset =
                trial.apart.values[node.inputs[0].index()].offset + trait.offsetBytes;
        }
    }
    return trial;
}

bool hasError(const std::vector<Finding>& findings)
{
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity == Severity::Error; });
}

bool hasRule(const std::vector<Finding>& findings, Rule rule)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == rule; });
}

/// Whether any of a few runs reads other bytes than with everything apart.
bool changesARun(const Trial& trial, const MemoryMap& map)
{
    for (std::uint32_t run = 0; run < 8; ++run) {
        const test::RunChoice choice {run, static_cast<int>(run % 4)};
        if (test::runOnMachine(trial.graph, map, choice) != test::runOnMachine(trial.graph, trial.apart, choice))
            return true;
    }
    return false;
}

/// Views move with their bases, as a storage does.
void moveTo(const Trial& trial, MemoryMap& map, ValueId value, std::int64_t offset)
{
    const std::int64_t shift = offset - map.values[value.index()].offset;
    const std::int64_t begin = map.values[value.index()].offset;
    const std::int64_t end = begin + map.values[value.index()].bytes;
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        const NodeId producer = trial.graph.values[i].producer;
        const bool view = producer.valid() && trial.graph[producer].declared->traits &&
                          trial.graph[producer].declared->traits->front().kind == AliasKind::View;
        const ValuePlacement& place = map.values[i];
        const bool inside =
            view && place.offset >= begin && place.offset < end && trial.graph[producer].inputs[0] == value;
        if (ValueId(i) == value || inside) map.values[i].offset += shift;
    }
}

ValueId anyPlaced(const MemoryMap& map, std::mt19937& random)
{
    for (;;) {
        const std::size_t index = random() % map.values.size();
        if (map.values[index].placed()) return ValueId(index);
    }
}

} // namespace

class TestVerifierRandom : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        bool given = false;
        m_seed = static_cast<std::uint32_t>(qEnvironmentVariableIntValue("PLIMSOLL_TEST_SEED", &given));
        if (!given) m_seed = std::random_device()();
        qInfo("PLIMSOLL_TEST_SEED=%u", m_seed);
    }

    void everythingApartIsSilent();
    void whateverChangesARunIsFound();
    void legalPlansAmongTheDamagedOnesStaySilent();
    void shrunkAndMovedOutIsAlwaysFound();

private:
    std::uint32_t m_seed = 0;
};

void TestVerifierRandom::everythingApartIsSilent()
{
    std::mt19937 random(m_seed);
    for (int i = 0; i < Graphs; ++i) {
        const Trial trial = makeTrial(random);
        const auto findings = trial.judge(trial.apart);
        for (const Finding& finding : findings)
            QVERIFY2(finding.severity != Severity::Error, english(finding.message).c_str());
    }
}

void TestVerifierRandom::whateverChangesARunIsFound()
{
    std::mt19937 random(m_seed);
    int changed = 0;
    for (int i = 0; i < Graphs; ++i) {
        const Trial trial = makeTrial(random);
        MemoryMap map = trial.apart;
        for (int m = 0; m < MutationsOfEach; ++m) {
            if (m % 3 == 0) map = trial.apart;
            const ValueId moved = anyPlaced(map, random);
            const ValueId onto = anyPlaced(map, random);
            const std::int64_t offset = map.values[onto.index()].offset + (random() % 3 == 0 ? 16 : 0);
            moveTo(trial, map, moved, offset);

            if (!changesARun(trial, map)) continue;
            ++changed;
            const QString what = QStringLiteral("graph %1, mutation %2: %3 moved onto %4")
                                     .arg(i)
                                     .arg(m)
                                     .arg(QString::fromStdString(trial.graph[moved].name),
                                          QString::fromStdString(trial.graph[onto].name));
            QVERIFY2(hasError(trial.judge(map)), qPrintable(what));
        }
    }
    QVERIFY2(changed > Graphs, qPrintable(QString::number(changed)));
}

/// The judge is not simply against everything: many of the plans that move one value onto another are fine.
void TestVerifierRandom::legalPlansAmongTheDamagedOnesStaySilent()
{
    std::mt19937 random(m_seed);
    int harmless = 0;
    int silent = 0;
    for (int i = 0; i < Graphs; ++i) {
        const Trial trial = makeTrial(random);
        for (int m = 0; m < MutationsOfEach; ++m) {
            MemoryMap map = trial.apart;
            const ValueId onto = anyPlaced(map, random);
            moveTo(trial, map, anyPlaced(map, random), map.values[onto.index()].offset);
            if (map.values == trial.apart.values || changesARun(trial, map)) continue;
            ++harmless;
            const auto findings = trial.judge(map);
            const bool bound = hasRule(findings, Rule::OutputAliasing) || hasRule(findings, Rule::FalseIdentity) ||
                               hasRule(findings, Rule::BeyondCapacity);
            silent += !hasError(findings) || bound;
        }
    }
    qInfo("%d of %d harmless plans pass", silent, harmless);
    QVERIFY(silent * 10 > harmless * 7);
}

void TestVerifierRandom::shrunkAndMovedOutIsAlwaysFound()
{
    std::mt19937 random(m_seed);
    for (int i = 0; i < Graphs; ++i) {
        const Trial trial = makeTrial(random);
        const ValueId value = anyPlaced(trial.apart, random);
        MemoryMap shrunk = trial.apart;
        --shrunk.values[value.index()].bytes;
        MemoryMap outside = trial.apart;
        outside.values[value.index()].offset = outside.arenas[0].bytes - outside.values[value.index()].bytes + 1;

        QVERIFY(hasRule(trial.judge(shrunk), Rule::Undersized));
        QVERIFY(hasRule(trial.judge(outside), Rule::BeyondCapacity));
    }
}

QTEST_APPLESS_MAIN(TestVerifierRandom)
#include "tst_verifier_random.moc"
