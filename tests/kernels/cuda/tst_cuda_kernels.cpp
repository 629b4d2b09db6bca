#include "core/facts/english/english.h"
#include "kernels/checks/device_trial.h"
#include "kernels/checks/placed_call.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// Every kernel against the reference, on random tensors of awkward sizes: as loops on the host, and on a device where
/// there is one.
class TestCudaKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void emulatedKernelsAgreeWithTheReference_data();
    void emulatedKernelsAgreeWithTheReference();
    void deviceKernelsAgreeWithTheReference();
    void anIndexOutsideIsToldWhenTheDeviceHasFinished();
};

namespace {

constexpr std::uint64_t Seed = 20250601;

QString failuresOf(Device& device, const CudaLibraries& libraries, const Trial& trial)
{
    const auto outcomes = tryOnDevice(device, libraries, trial, Seed);
    if (!outcomes.ok()) return QString::fromStdString(describe(outcomes.error()));
    if (outcomes.value().empty()) return QStringLiteral("nothing is offered");
    QString text;
    for (const TrialOutcome& outcome : outcomes.value()) {
        if (outcome.wrong.empty()) continue;
        text += QString::fromStdString(outcome.kernel + ": " + english(outcome.wrong));
        if (outcome.inPlace) text += QStringLiteral(" (in place of input %1)").arg(outcome.inPlace->input);
        text += u'\n';
    }
    return text;
}

} // namespace

void TestCudaKernels::emulatedKernelsAgreeWithTheReference_data()
{
    QTest::addColumn<std::size_t>("index");
    const std::vector<Trial> trials = allTrials();
    for (std::size_t i = 0; i < trials.size(); ++i)
        QTest::addRow("%zu %s", i, trials[i].name().c_str()) << i;
}

void TestCudaKernels::emulatedKernelsAgreeWithTheReference()
{
    static const std::vector<Trial> trials = allTrials();
    QFETCH(const std::size_t, index);

    QCOMPARE(failuresOf(*emulateCudaDevice().value(), {.cublas = true}, trials[index]), QString());
}

void TestCudaKernels::deviceKernelsAgreeWithTheReference()
{
    const auto device = openCudaDevice(0);
    if (!device.ok()) QSKIP(english(device.error().message).c_str());
    const FoundLibraries found = findCudaLibraries();
    for (const Trial& trial : allTrials())
        QCOMPARE(QString::fromStdString(trial.name()) + u'\n' + failuresOf(*device.value(), found.usable(), trial),
                 QString::fromStdString(trial.name()) + u'\n');
}

/// It reads and writes nothing, and the next run is not blamed for it.
void TestCudaKernels::anIndexOutsideIsToldWhenTheDeviceHasFinished()
{
    const auto trial = Trial("Gather").input({5}).input(DType::Int64, {3}).within(7, 9).prepare(Seed);
    QVERIFY(trial.ok());
    const auto device = std::move(emulateCudaDevice()).value();
    std::vector<TensorView> outputs = outputViews(trial.value());
    const auto block = device->reserve(outputs[0].bytes());
    QVERIFY(block.ok());
    outputs[0].data = block.value().data;
    PlacedCall call(trial.value(), trial.value().inputs, outputs, {}); // the host stands in, so its inputs may stay
    Implementation chosen;
    chosen.name = "gather";

    QVERIFY(device->run(call, chosen).ok());
    const Status first = device->finish();

    QVERIFY(!first.ok());
    QCOMPARE(first.error().code, ErrorCode::BadInput);
    QVERIFY(device->finish().ok());
}

QTEST_APPLESS_MAIN(TestCudaKernels)
#include "tst_cuda_kernels.moc"
