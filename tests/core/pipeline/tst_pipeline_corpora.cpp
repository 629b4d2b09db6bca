#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "core/graph/never_made.h"
#include "core/pipeline/pipeline.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace plimsoll;

/// Every model of the corpora that can be read, under every policy that changes the plan.
class tst_PipelineCorpora : public QObject
{
    Q_OBJECT

private slots:
    void everyReadableModelHasALegalPlan_data()
    {
        const QDir folder(QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx"));
        if (!folder.exists()) QSKIP("the folder shared/corpora/onnx is not here");
        QTest::addColumn<QString>("file");
        for (const QString& name : folder.entryList({QStringLiteral("*.onnx")}, QDir::Files)) {
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
        }
        const QDir nodes(folder.filePath(QStringLiteral("node")));
        for (const QString& name : nodes.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QTest::newRow(qPrintable(QStringLiteral("node/") + name))
                << nodes.filePath(name + QStringLiteral("/model.onnx"));
        }
    }

    void everyReadableModelHasALegalPlan()
    {
        QFETCH(QString, file);
        const Result<Graph> graph = readGraph(file.toStdString(), {});
        if (!graph.ok()) QSKIP(describe(graph.error()).c_str());
        const std::pair<const char*, const char*> variants[] = {{"outputs", "independent"},
                                                                {"inplace", "off"},
                                                                {"inplace", "identity-only"},
                                                                {"fold", "off"},
                                                                {"fold", "all"},
                                                                {"placement", "storage-reuse"},
                                                                {"streams", "2"},
                                                                {"streams", "8"},
                                                                {"placement", "first-fit-by-step"},
                                                                {"placement", "best-fit-by-size"},
                                                                {"alignment", "1"}};
        for (const auto& [id, value] : variants) {
            PlanRequest request;
            QVERIFY(setPolicy(request.policies, id, value).ok());
            checkPlan(graph.value(), request, QLatin1String(id) + QLatin1Char('=') + QLatin1String(value));
        }
    }

    void aLowerBoundAboveTheCapacityIsThatOfTheReport()
    {
        const QString file = QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx/light_densenet121.onnx");
        if (!QFile::exists(file)) QSKIP("the folder shared/corpora/onnx is not here");
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, "capacity", "4MiB").ok());

        const Report report = analyse(readGraph(file.toStdString(), {}).value(), request, {}).value();

        const Finding& first = report.verdict.findings.at(0);
        const std::string bound =
            "with this sharing " + formatCount(report.memory.lowerBoundBytes) + " bytes are in use";
        QVERIFY2(english(first.message).find(bound) != std::string::npos, english(first.message).c_str());
        const auto peak = std::max_element(report.memory.liveBytes.begin(), report.memory.liveBytes.end());
        QVERIFY(first.steps.contains(peak - report.memory.liveBytes.begin()));
    }

private:
    static void checkPlan(const Graph& graph, PlanRequest request, const QString& variant)
    {
        const Result<Report> report = analyse(graph, request, {});
        QVERIFY2(report.ok(), report.ok() ? ""
                                          : qPrintable(variant + QStringLiteral(": ") +
                                                       QString::fromStdString(describe(report.error()))));
        const Report& plan = report.value();
        const QString first = plan.verdict.findings.empty()
                                  ? QString()
                                  : QString::fromStdString(english(plan.verdict.findings.front().message));
        QVERIFY2(countFindings(plan, Severity::Error) == 0, qPrintable(variant + QStringLiteral(": ") + first));
        QVERIFY2(plan.memory.lowerBoundBytes <= plan.memory.peakBytes &&
                     plan.memory.peakBytes <= plan.memory.noReuseBytes,
                 qPrintable(variant));
        for (std::size_t i = 0; i < plan.program.values.size(); ++i) {
            const bool listed = std::any_of(plan.memory.unplanned.begin(), plan.memory.unplanned.end(),
                                            [i](const UnplannedValue& value) { return value.value.index() == i; });
            const bool absent = listed || isNeverMade(*plan.program.graph, ValueId(i));
            QCOMPARE(plan.program.values[i].storage.valid(), !absent);
        }
        request.givenPlan = sharedPlan(planOf(plan));
        const Result<Report> judged = analyse(graph, request, {});
        QVERIFY2(judged.ok(), judged.ok() ? "" : qPrintable(QString::fromStdString(describe(judged.error()))));
        QCOMPARE(countFindings(judged.value(), Severity::Error), std::size_t(0));
        QCOMPARE(judged.value().memory.peakBytes, plan.memory.peakBytes);
    }
};

QTEST_APPLESS_MAIN(tst_PipelineCorpora)
#include "tst_pipeline_corpora.moc"
