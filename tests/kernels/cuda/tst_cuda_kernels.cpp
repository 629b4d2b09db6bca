#include "kernels/checks/device_trial.h"
#include "kernels/cuda/cuda.h"

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
};

namespace {

constexpr std::uint64_t Seed = 20250601;

QString failuresOf(Device& device, const Trial& trial)
{
    const auto outcomes = tryOnDevice(device, trial, Seed);
    if (!outcomes.ok()) return QString::fromStdString(describe(outcomes.error()));
    if (outcomes.value().empty()) return QStringLiteral("nothing is offered");
    QString text;
    for (const TrialOutcome& outcome : outcomes.value()) {
        if (outcome.wrong.empty()) continue;
        text += QString::fromStdString(outcome.kernel + ": " + outcome.wrong);
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

    QCOMPARE(failuresOf(*emulateCudaDevice(), trials[index]), QString());
}

void TestCudaKernels::deviceKernelsAgreeWithTheReference()
{
    const auto device = openCudaDevice(0);
    if (!device.ok()) QSKIP(device.error().message.c_str());
    for (const Trial& trial : allTrials())
        QCOMPARE(QString::fromStdString(trial.name()) + u'\n' + failuresOf(*device.value(), trial),
                 QString::fromStdString(trial.name()) + u'\n');
}

QTEST_APPLESS_MAIN(TestCudaKernels)
#include "tst_cuda_kernels.moc"
