#include "core/facts/english/english.h"
#include "core/formats/read_graph.h"
#include "kernels/run/catalogue.h"
#include "kernels/run/device/open_devices.h"
#include "tests/kernels/run/device_support.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"
#include "tests/support/training_networks.h"

#include <QTest>

using namespace plimsoll;
namespace fs = std::filesystem;

namespace {

const fs::path Corpus = fs::path(PLIMSOLL_SHARED_DIR) / "corpora" / "onnx";

/// What the device offers, for the backward half too, and the libraries of the CPU.
Catalogue offersFor(const Graph& graph)
{
    const auto joint = graphToDispatch(graph, {}, {});
    if (!joint.ok()) qFatal("%s", describe(joint.error()).c_str());
    auto catalogue = kernels::describeBackends(joint.value(), {}, {}, {false, {"cuda"}});
    if (!catalogue.ok()) qFatal("%s", describe(catalogue.error()).c_str());
    return std::move(catalogue).value();
}

/// Some value or scratchpad somewhere else in some arena.
bool damage(PlanFile& plan, std::mt19937& random)
{
    if (plan.entries.empty() || plan.arenas.empty()) return false;
    PlanFile::Entry& moved = plan.entries[random() % plan.entries.size()];
    if (!moved.host.empty()) return false;
    if (random() % 4 == 0) moved.arena = ArenaId(random() % plan.arenas.size());
    const std::int64_t room = plan.arenas[moved.arena.index()].bytes - moved.bytes;
    if (room < 0) return false;
    moved.offset = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(room / 16 + 1)) * 16;
    return true;
}

} // namespace

/// Networks on the emulated device, and plans for a device that were damaged.
class tst_DeviceNetworks : public QObject
{
    Q_OBJECT

private slots:
    void networksRunLikeTheOracle_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* name : {"mnist-8", "light_squeezenet", "bert_toy_optimized", "scan_1"})
            QTest::newRow(name) << QString();
        QTest::newRow("resnet, forward and backward")
            << QString::fromStdString(test::resNet18(1, 32, 4, test::Trained::All));
        QTest::newRow("transformer, forward and backward")
            << QString::fromStdString(test::transformer(2, 1, 8, 16, test::Trained::All));
        QTest::newRow("residual block") << QString::fromUtf8(test::samples::Residual.data());
    }

    void networksRunLikeTheOracle()
    {
        QFETCH(QString, text);
        const fs::path file = Corpus / (std::string(QTest::currentDataTag()) + ".onnx");
        if (text.isEmpty() && !fs::exists(file)) QSKIP("shared/corpora is absent");
        const auto graph = text.isEmpty() ? readGraph(file, {}) : test::parseGraphText(text.toStdString());
        QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());
        const Report report = test::plannedForDevice(graph.value(), offersFor(graph.value()));
        QCOMPARE(test::errorsIn(report), QString());
        auto devices = kernels::openDevices(report.program, true);
        QVERIFY(devices.ok());
        kernels::RunRequest request;
        request.devices = std::move(devices).value();
        request.reference = true;
        const auto outcome = test::runOn(nullptr, report, std::move(request));
        QCOMPARE(test::faultOf(outcome), QString());
        QCOMPARE(outcome.value().result.measuredPeakBytes, report.memory.peakBytes);
        const auto onDevice =
            std::ranges::count(report.program.implementations.chosen(), std::string("cuda:0"), &Implementation::device);
        qInfo("%td of %zu nodes on the device, %s", onDevice, report.program.graph->nodes.size(),
              outcome.value().result.backend.c_str());
    }

    /// What the judge lets pass runs like the oracle; what a run shows to be wrong, the judge has found.
    void damagedPlansAreFound()
    {
        int spoiled = 0;
        int refused = 0;
        int harmless = 0;
        const unsigned from = test::firstSeed(90'000);
        for (unsigned seed = from; seed < from + 400; ++seed) {
            std::mt19937 random(seed);
            const Graph graph = test::randomGraph(seed);
            const Catalogue offers = test::randomOffers(graph, random);
            PlanFile plan = planOf(test::plannedForDevice(graph, offers));
            if (!damage(plan, random)) continue;
            const Report report = test::plannedForDevice(graph, offers, {}, std::move(plan));
            const QString errors = test::errorsIn(report);
            const QString fault = test::faultOf(test::runSeeded(std::make_shared<test::HostDevice>(), report, seed));
            const bool memory = fault.contains(QStringLiteral("wrong-space"));
            const QByteArray what = QByteArrayLiteral("seed ") + QByteArray::number(seed) + ": " + fault.toUtf8();
            QVERIFY2(fault.isEmpty() || !errors.isEmpty(), what.constData());
            spoiled += fault.isEmpty() ? 0 : 1;
            refused += memory ? 1 : 0;
            harmless += errors.isEmpty() ? 1 : 0;
        }
        qInfo("%d runs were wrong, %d of them refused for their memory; %d plans were still right", spoiled, refused,
              harmless);
        QVERIFY(spoiled > 60);
        QVERIFY(refused > 10);
        QVERIFY(harmless > 20);
    }
};

QTEST_APPLESS_MAIN(tst_DeviceNetworks)
#include "tst_device_networks.moc"
