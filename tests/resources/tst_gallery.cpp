#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/read_graph.h"
#include "core/formats/terms.h"
#include "core/pipeline/pipeline.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <set>

using namespace plimsoll;

namespace {

const std::filesystem::path Gallery = std::filesystem::path(PLIMSOLL_SOURCE_DIR) / "resources/gallery";

QJsonArray listed()
{
    QFile index(QString::fromStdString((Gallery / "index.json").string()));
    if (!index.open(QIODevice::ReadOnly)) qFatal("no index");
    return QJsonDocument::fromJson(index.readAll()).array();
}

std::string text(const QJsonObject& bug, const char* key)
{
    return bug.value(QLatin1String(key)).toString().toStdString();
}

std::set<std::string> textsOf(const QJsonObject& bug, const char* key)
{
    std::set<std::string> texts;
    for (const QJsonValue one : bug.value(QLatin1String(key)).toArray())
        texts.insert(one.toString().toStdString());
    return texts;
}

Graph graphOf(const QJsonObject& bug)
{
    auto graph = readGraph(Gallery / text(bug, "graph"), {});
    if (!graph.ok()) qFatal("%s", describe(graph.error()).c_str());
    return std::move(graph).value();
}

std::string contentOf(const std::filesystem::path& file)
{
    QFile read(QString::fromStdString(file.string()));
    if (!read.open(QIODevice::ReadOnly)) qFatal("no %s", file.string().c_str());
    return read.readAll().toStdString();
}

PlanFile planOf(const QJsonObject& bug)
{
    const std::filesystem::path file = Gallery / text(bug, "plan");
    auto plan = readPlanJson(contentOf(file), file);
    if (!plan.ok()) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan).value();
}

/// As the command line judges it.
Report judged(const Graph& graph, const std::optional<PlanFile>& plan, const QJsonObject& policies = {})
{
    PlanRequest request;
    for (auto policy = policies.begin(); policy != policies.end(); ++policy)
        if (!setPolicy(request.policies, policy.key().toStdString(), policy.value().toString().toStdString()).ok())
            qFatal("no such policy");
    request.policies.backend = plan ? BackendPolicy::Captured : BackendPolicy::Reference;
    if (plan) request.givenPlan = sharedPlan(*plan);
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

std::string errorsOf(const Report& report)
{
    std::string all;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error)
            all += std::string(ruleId(finding.rule)) + ": " + english(finding.message) + "\n";
    }
    return all;
}

} // namespace

class TestGallery : public QObject
{
    Q_OBJECT

private slots:
    void theListIsWhole();
    void everyBugIsNamed_data() { addBugs(); }
    void everyBugIsNamed();
    void ourOwnPlansHaveNone_data() { addBugs(); }
    void ourOwnPlansHaveNone();

private:
    static void addBugs()
    {
        QTest::addColumn<QJsonObject>("bug");
        for (const QJsonValue bug : listed())
            QTest::newRow(text(bug.toObject(), "graph").c_str()) << bug.toObject();
    }
};

/// Every file is of one bug, and every bug says all that is shown of it.
void TestGallery::theListIsWhole()
{
    std::set<std::string> files = {"index.json"};
    std::set<std::string> threads;
    for (const QJsonValue entry : listed()) {
        const QJsonObject bug = entry.toObject();
        for (const char* key : {"graph", "plan"})
            QVERIFY2(files.insert(text(bug, key)).second, text(bug, key).c_str());
        for (const char* key : {"title", "system", "thread", "url", "rule"})
            QVERIFY2(!text(bug, key).empty(), (text(bug, "graph") + " has no " + key).c_str());
        QVERIFY2(threads.insert(text(bug, "thread")).second, text(bug, "thread").c_str());
        const std::string number = text(bug, "thread").substr(text(bug, "thread").find('#') + 1);
        QVERIFY2(text(bug, "url").ends_with("/" + number), text(bug, "url").c_str());
        const std::string story = text(bug, "story");
        QVERIFY2(std::ranges::count(story, '.') >= 3 && story.ends_with('.'), story.c_str());
    }
    QVERIFY(threads.size() >= 12);
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(Gallery))
        found.insert(entry.path().filename().string());
    QVERIFY(found == files);
}

void TestGallery::everyBugIsNamed()
{
    QFETCH(QJsonObject, bug);
    const Graph graph = graphOf(bug);
    const Report report = judged(graph, planOf(bug), bug.value(QLatin1String("policies")).toObject());
    std::set<std::string> wanted = textsOf(bug, "values");
    wanted.merge(textsOf(bug, "nodes"));
    QVERIFY(!wanted.empty());
    const auto names = [&](const Finding& finding) {
        std::set<std::string> named;
        for (const ValueId value : finding.values)
            named.insert((*report.program.graph)[value].name);
        for (const NodeId node : finding.nodes)
            named.insert((*report.program.graph)[node].name);
        return finding.severity != Severity::Advice && ruleId(finding.rule) == text(bug, "rule") &&
               std::ranges::includes(named, wanted);
    };
    QVERIFY2(std::ranges::any_of(report.verdict.findings, names), errorsOf(report).c_str());
}

/// The damage is in the plan, not in the graph.
void TestGallery::ourOwnPlansHaveNone()
{
    QFETCH(QJsonObject, bug);
    const std::string errors = errorsOf(judged(graphOf(bug), std::nullopt));
    QVERIFY2(errors.empty(), errors.c_str());
}

QTEST_APPLESS_MAIN(TestGallery)
#include "tst_gallery.moc"
