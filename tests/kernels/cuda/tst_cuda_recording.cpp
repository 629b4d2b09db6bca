#include "core/facts/english/english.h"
#include "kernels/checks/placed_call.h"
#include "kernels/cuda/cuda.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// Kernels that were noted and are launched as a whole.
class TestCudaRecording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReplayReadsWhatIsThereThen_data();
    void aReplayReadsWhatIsThereThen();
};

namespace {

using Numbers = std::array<float, 3>;

void store(Device& device, const DeviceBlock& block, const Numbers& numbers)
{
    QVERIFY(device.copyIn(block.data, std::as_bytes(std::span(numbers))).ok());
}

Numbers load(Device& device, const DeviceBlock& block)
{
    Numbers numbers {};
    [[maybe_unused]] const Status status = device.copyOut(std::as_writable_bytes(std::span(numbers)), block.data);
    return numbers;
}

RuntimeValue valueAt(const DeviceBlock& block)
{
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = {DType::Float32, {3}, block.data};
    return value;
}

/// y = Relu(x), z = Neg(y)
Status runBoth(Device& device, const DeviceBlock& x, const DeviceBlock& y, const DeviceBlock& z)
{
    const auto run = [&device](const char* op, const DeviceBlock& from, const DeviceBlock& to) -> Status {
        PLIMSOLL_ASSIGN(trial, Trial(op).input({3}).prepare(1));
        PlacedCall call(trial, {valueAt(from)}, {valueAt(to).tensor}, {});
        Implementation chosen;
        chosen.name = "elementwise";
        return device.run(call, chosen);
    };
    PLIMSOLL_TRY(run("Relu", x, y));
    return run("Neg", y, z);
}

} // namespace

void TestCudaRecording::aReplayReadsWhatIsThereThen_data()
{
    QTest::addColumn<bool>("emulated");
    QTest::newRow("loops on the host") << true;
    QTest::newRow("a device") << false;
}

void TestCudaRecording::aReplayReadsWhatIsThereThen()
{
    QFETCH(const bool, emulated);
    auto opened = emulated ? emulateCudaDevice() : openCudaDevice(0);
    if (!opened.ok()) QSKIP(english(opened.error().message).c_str());
    Device& device = *opened.value();
    std::array<DeviceBlock, 3> blocks;
    for (DeviceBlock& block : blocks) {
        auto reserved = device.reserve(sizeof(Numbers));
        QVERIFY(reserved.ok());
        block = reserved.value();
        store(device, block, {7, 7, 7});
    }
    DeviceStreams& streams = *device.streams();

    QVERIFY(streams.beginRecording().ok());
    QVERIFY(runBoth(device, blocks[0], blocks[1], blocks[2]).ok());
    const auto recording = streams.endRecording();

    QVERIFY(recording.ok());
    QCOMPARE(load(device, blocks[2]), (Numbers {7, 7, 7})); // nothing has been launched yet
    for (const Numbers& x : {Numbers {1, -2, 3}, Numbers {-4, 5, 0.5F}}) {
        store(device, blocks[0], x);
        QVERIFY(recording.value()->replay().ok());
        QVERIFY(device.finish().ok());
        Numbers expected = x;
        std::transform(x.begin(), x.end(), expected.begin(), [](float number) { return -std::max(number, 0.0F); });
        QCOMPARE(load(device, blocks[2]), expected);
    }
}

QTEST_APPLESS_MAIN(TestCudaRecording)
#include "tst_cuda_recording.moc"
