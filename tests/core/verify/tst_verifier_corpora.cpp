#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/ops/sub_buffers.h"
#include "core/pipeline/pipeline.h"
#include "core/verify/choices.h"
#include "core/verify/verifier.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

constexpr std::size_t PairsOfEach = 40;

std::vector<Finding> judge(const Report& report, const MemoryMap& map)
{
    return verify({report.program, map}, {});
}

/// Planned storages of values, biggest first.
std::vector<const Storage*> movable(const Report& report)
{
    std::vector<const Storage*> found;
    for (const Storage& storage : report.program.storages) {
        if (storage.arena.valid() && storage.bytes > 0 && !storage.values.empty()) found.push_back(&storage);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Storage* a, const Storage* b) { return a->bytes > b->bytes; });
    return found;
}

MemoryMap moved(const Report& report, const Storage& storage, std::int64_t offset)
{
    MemoryMap map = report.program.map;
    for (const ValueId value : storage.values)
        map.values[value.index()].offset += offset - storage.offset;
    return map;
}

bool names(const Finding& finding, const Storage& storage)
{
    return std::any_of(finding.values.begin(), finding.values.end(), [&](ValueId value) {
        return std::find(storage.values.begin(), storage.values.end(), value) != storage.values.end();
    });
}

/// What a nested graph is handed and hands back may lie on what it comes from and goes to: live at the same step, and
/// legal all the same.
bool handsOver(const Report& report, const Storage& a, const Storage& b)
{
    const Graph& graph = *report.program.graph;
    const auto isBodyInput = [&](ValueId value) { return graph[value].role == ValueRole::BodyInput; };
    const bool state = std::any_of(a.values.begin(), a.values.end(), isBodyInput) ||
                       std::any_of(b.values.begin(), b.values.end(), isBodyInput);
    return state || graph[a.values.front()].body != graph[b.values.front()].body;
}

/// Whether a constant decides that no run enters the body, or one around it.
bool neverEntered(const Graph& graph, BodyId body)
{
    for (; graph[body].owner.valid(); body = graph[graph[body].owner].body) {
        const Node& owner = graph[graph[body].owner];
        const auto branch = std::find(owner.bodies.begin(), owner.bodies.end(), body) - owner.bodies.begin();
        if (!verifying::possibleBranches(graph, graph[body].owner).contains(branch)) return true;
    }
    return false;
}

/// Whether a node would lay one of the storages inside of the other, and so may.
bool oneInside(const Report& report, const Storage& a, const Storage& b)
{
    const Graph& graph = *report.program.graph;
    const auto holds = [](const Storage& storage, ValueId value) {
        return std::find(storage.values.begin(), storage.values.end(), value) != storage.values.end();
    };
    const auto pair = [&](ValueId whole, NodeId node) {
        const std::vector<SubBuffer> parts = subBuffers(graph, node);
        return std::any_of(parts.begin(), parts.end(), [&](const SubBuffer& part) {
            const ValueId input = graph[node].inputs[static_cast<std::size_t>(part.input)];
            return (holds(a, whole) && holds(b, input)) || (holds(b, whole) && holds(a, input));
        });
    };
    for (const Storage* storage : {&a, &b}) {
        for (const ValueId value : storage->values)
            if (graph[value].producer.valid() && pair(value, graph[value].producer)) return true;
    }
    return false;
}

bool isError(const Finding& finding)
{
    return finding.severity == Severity::Error && !finding.steps.empty() && !finding.bytes.empty() &&
           !finding.fix.empty();
}

} // namespace

class TestVerifierCorpora : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void ownPlansPass_data() { models(); }
    void ownPlansPass();
    void aStorageOnALiveNeighbourNamesBoth_data() { models(); }
    void aStorageOnALiveNeighbourNamesBoth();
    void aShrunkStorageIsNamedWithItsWriter_data() { models(); }
    void aShrunkStorageIsNamedWithItsWriter();
    void aStorageBeyondTheArenaIsNamed_data() { models(); }
    void aStorageBeyondTheArenaIsNamed();

private:
    void models();
    std::map<QString, std::shared_ptr<const Report>> m_reports;
    std::map<QString, std::shared_ptr<const Report>> m_apart; ///< Nothing lies inside of another.
};

void TestVerifierCorpora::initTestCase()
{
    const QDir folder(QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx"));
    if (!folder.exists()) QSKIP("the folder of captured graphs is not beside this repository");
    for (const QString& name : folder.entryList({QStringLiteral("*.onnx")}, QDir::Files)) {
        const auto graph = readGraph(folder.filePath(name).toStdString(), {});
        if (!graph.ok()) continue;
        PlanRequest request;
        auto report = analyse(graph.value(), request, {});
        request.policies.subbuffers = SubbuffersPolicy::Off;
        auto apart = analyse(graph.value(), request, {});
        if (!report.ok() || !apart.ok()) continue;
        m_reports[name] = std::make_shared<const Report>(std::move(report).value());
        m_apart[name] = std::make_shared<const Report>(std::move(apart).value());
    }
    QVERIFY(m_reports.size() >= 10);
}

void TestVerifierCorpora::models()
{
    QTest::addColumn<QString>("model");
    for (const auto& [name, report] : m_reports)
        QTest::newRow(qPrintable(name)) << name;
}

void TestVerifierCorpora::ownPlansPass()
{
    QFETCH(QString, model);
    const Report& report = *m_reports.at(model);
    QElapsedTimer timer;
    timer.start();

    const std::vector<Finding> findings = judge(report, report.program.map);

    qInfo("%zu steps judged in %.1f ms", report.program.schedule.steps.size(), double(timer.nsecsElapsed()) / 1e6);
    for (const Finding& finding : findings)
        QVERIFY2(finding.severity != Severity::Error, english(finding.message).c_str());
}

void TestVerifierCorpora::aStorageOnALiveNeighbourNamesBoth()
{
    QFETCH(QString, model);
    const Report& report = *m_apart.at(model);
    const std::vector<const Storage*> storages = movable(report);
    std::size_t pairs = 0;
    for (const Storage* a : storages) {
        for (const Storage* b : storages) {
            if (a == b || a->arena != b->arena || !overlaps(a->live, b->live) || pairs >= PairsOfEach) continue;
            const Graph& graph = *report.program.graph;
            if (neverEntered(graph, graph[a->values[0]].body)) continue;
            const auto findings = judge(report, moved(report, *a, b->offset));

            const bool named = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
                return isError(finding) && finding.rule != Rule::BeyondCapacity && names(finding, *a) &&
                       names(finding, *b) && !finding.nodes.empty();
            });
            if (!named && (handsOver(report, *a, *b) || oneInside(report, *a, *b))) continue;
            ++pairs;
            const std::string what =
                (*report.program.graph)[a->values[0]].name + " onto " + (*report.program.graph)[b->values[0]].name;
            QVERIFY2(named, what.c_str());
        }
    }
    if (pairs == 0) QSKIP("no two storages of this graph live at the same time");
}

void TestVerifierCorpora::aShrunkStorageIsNamedWithItsWriter()
{
    QFETCH(QString, model);
    const Report& report = *m_reports.at(model);
    const std::vector<const Storage*> storages = movable(report);
    if (storages.empty()) QSKIP("this graph has nothing to plan");
    MemoryMap map = report.program.map;
    for (const ValueId value : storages[0]->values)
        map.values[value.index()].bytes = map.values[value.index()].bytes / 2;

    const auto findings = judge(report, map);

    const auto undersized =
        std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == Rule::Undersized; });
    QVERIFY(undersized != findings.end());
    QVERIFY(isError(*undersized) && names(*undersized, *storages[0]));
    QVERIFY(!undersized->nodes.empty());
}

void TestVerifierCorpora::aStorageBeyondTheArenaIsNamed()
{
    QFETCH(QString, model);
    const Report& report = *m_reports.at(model);
    const std::vector<const Storage*> storages = movable(report);
    if (storages.empty()) QSKIP("this graph has nothing to plan");
    const std::int64_t end = report.program.map.arenas[storages[0]->arena.index()].bytes;

    const auto findings = judge(report, moved(report, *storages[0], alignUp(end, report.program.policies.alignment)));

    QVERIFY(!findings.empty());
    const bool named = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return isError(finding) && finding.rule == Rule::BeyondCapacity && names(finding, *storages[0]);
    });
    QVERIFY(named);
}

QTEST_APPLESS_MAIN(TestVerifierCorpora)
#include "tst_verifier_corpora.moc"
