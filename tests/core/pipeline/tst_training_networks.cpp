#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"
#include "tests/support/training_networks.h"

#include <QTest>

#include <ctime>

using namespace plimsoll;

namespace {

PlanRequest with(std::string_view saved)
{
    PlanRequest request;
    test::choose(request.policies, {{"saved", saved}});
    request.policies.backend = BackendPolicy::Reference;
    return request;
}

Report planned(const std::string& text, std::string_view saved)
{
    Result<Report> report = analyse(test::graphFromText(text), with(saved), {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

} // namespace

/// Networks of the size that people train.
class TrainingNetworks : public QObject
{
    Q_OBJECT

private slots:
    void areCapturedWhole();
    void arePlannedAndJudgedInUnderASecond_data();
    void arePlannedAndJudgedInUnderASecond();
    void keepLessTheLessIsTrained_data();
    void keepLessTheLessIsTrained();
};

void TrainingNetworks::areCapturedWhole()
{
    const Report network = planned(test::resNet18(2, 64, 8, test::Trained::All), "guarded");
    const auto convolutions = [&](const Node& node) { return node.op == "Conv" && node.domain.empty(); };
    QCOMPARE(std::count_if(network.program.graph->nodes.begin(), network.program.graph->nodes.end(), convolutions),
             std::ptrdiff_t(20));
    QCOMPARE(network.program.graph->boundary.gradients,
             std::size_t(62)); // 20 weights, 20 times scale and bias, the head's two
}

void TrainingNetworks::arePlannedAndJudgedInUnderASecond_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("ResNet-18") << test::resNet18(8, 224, 64, test::Trained::All);
    QTest::newRow("transformer of six layers") << test::transformer(6, 8, 128, 512, test::Trained::All);
}

void TrainingNetworks::arePlannedAndJudgedInUnderASecond()
{
    QFETCH(std::string, text);
    const Graph graph = test::graphFromText(text);
    const std::clock_t begin = std::clock();

    const Result<Report> report = analyse(graph, with("guarded"), {});

    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
    QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
    QVERIFY2(seconds < 1, qPrintable(QStringLiteral("%1 s").arg(seconds)));
    qInfo("%s: %zu steps, boundary %lld, peak %lld, %.2f s", report.value().program.graph->name.c_str(),
          report.value().program.schedule.steps.size(), static_cast<long long>(report.value().training.boundaryBytes),
          static_cast<long long>(report.value().memory.peakBytes), seconds);
}

void TrainingNetworks::keepLessTheLessIsTrained_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<bool>("guardsHelp"); // joint formulas have none
    for (const auto& [name, trained] :
         {std::pair("all", test::Trained::All), std::pair("normalization", test::Trained::Normalization),
          std::pair("head", test::Trained::Head)}) {
        QTest::addRow("ResNet-18, %s", name)
            << test::resNet18(2, 64, 8, trained) << (trained == test::Trained::Normalization);
        QTest::addRow("transformer, %s", name)
            << test::transformer(2, 2, 16, 32, trained) << (trained == test::Trained::Normalization);
    }
}

void TrainingNetworks::keepLessTheLessIsTrained()
{
    QFETCH(std::string, text);
    QFETCH(bool, guardsHelp);

    const Report exact = planned(text, "exact");
    const Report guarded = planned(text, "guarded");
    const Report all = planned(text, "save-all");

    QVERIFY(exact.training.boundaryBytes <= guarded.training.boundaryBytes);
    QVERIFY(guarded.training.boundaryBytes <= all.training.boundaryBytes);
    QCOMPARE(guarded.training.boundaryBytes < all.training.boundaryBytes, guardsHelp);
    QCOMPARE(guarded.memory.liveBytes.size(), all.memory.liveBytes.size());
    for (std::size_t step = 0; step < all.memory.liveBytes.size(); ++step)
        QVERIFY(guarded.memory.liveBytes[step] <= all.memory.liveBytes[step]);
    qInfo("exact %lld, guarded %lld, save-all %lld", static_cast<long long>(exact.training.boundaryBytes),
          static_cast<long long>(guarded.training.boundaryBytes), static_cast<long long>(all.training.boundaryBytes));
}

QTEST_APPLESS_MAIN(TrainingNetworks)
#include "tst_training_networks.moc"
