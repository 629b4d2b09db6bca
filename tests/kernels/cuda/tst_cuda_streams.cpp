#include "core/facts/english/english.h"
#include "kernels/cuda/cuda.h"

#include <QTest>

#include <array>
#include <cstdint>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// What a device does in which order, where it has one and where the host plays it.
class TestCudaStreams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEventKeepsStreamsInOrder_data() { devices(); }
    void anEventKeepsStreamsInOrder();
    void withoutAnEventEitherStreamMayBeFirst();
    void drainingOneStreamLeavesTheOthers();
    void theClockGoesFromEventToEvent_data() { devices(); }
    void theClockGoesFromEventToEvent();
    void memoryIsHeldInPiecesOf512Bytes_data() { devices(); }
    void memoryIsHeldInPiecesOf512Bytes();
    void whatIsFreedIsNoLongerInUse();
    void oneDeviceCopiesFromAnother();

private:
    static void devices()
    {
        QTest::addColumn<bool>("emulated");
        QTest::newRow("loops on the host") << true;
        QTest::newRow("a device") << false;
    }
};

namespace {

using Bytes = std::array<std::byte, 4>;
constexpr Bytes Ones {std::byte {1}, std::byte {1}, std::byte {1}, std::byte {1}};
constexpr Bytes Twos {std::byte {2}, std::byte {2}, std::byte {2}, std::byte {2}};

Result<std::unique_ptr<Device>> openedDevice(bool emulated)
{
    return emulated ? emulateCudaDevice() : openCudaDevice(0);
}

DeviceBlock blockOf(Device& device, std::int64_t bytes = sizeof(Bytes))
{
    auto block = device.reserve(bytes);
    if (!block.ok()) qFatal("no memory");
    return std::move(block).value();
}

void fill(Device& device, const DeviceBlock& block, int pattern)
{
    QVERIFY(device.fill(block.data, block.bytes, std::byte(pattern)).ok());
}

/// Of a device that has finished.
Bytes load(Device& device, const DeviceBlock& block)
{
    Bytes bytes {};
    [[maybe_unused]] const Status status = device.copyOut(bytes, block.data);
    return bytes;
}

/// Stream 0 writes ones and then twos to \p from, stream 1 copies what is there.
void writeAndCopy(Device& device, const DeviceBlock& from, const DeviceBlock& to, bool wait)
{
    DeviceStreams& streams = *device.streams();
    QVERIFY(streams.use(0).ok());
    fill(device, from, 1);
    QVERIFY(device.finish().ok());
    fill(device, from, 2);
    QVERIFY(streams.record(5).ok());
    QVERIFY(streams.use(1).ok());
    if (wait) QVERIFY(streams.wait(5).ok());
    QVERIFY(streams.copy(to.data, from.data, from.bytes).ok());
    QVERIFY(streams.use(0).ok());
    QVERIFY(device.finish().ok());
}

} // namespace

void TestCudaStreams::anEventKeepsStreamsInOrder()
{
    QFETCH(const bool, emulated);
    const auto opened = openedDevice(emulated);
    if (!opened.ok()) QSKIP(english(opened.error().message).c_str());
    Device& device = *opened.value();
    const DeviceBlock from = blockOf(device);
    const DeviceBlock to = blockOf(device);
    for (int i = 0; i < 4; ++i) {
        writeAndCopy(device, from, to, true);
        QCOMPARE(load(device, to), Twos);
    }
}

void TestCudaStreams::withoutAnEventEitherStreamMayBeFirst()
{
    const auto opened = emulateCudaDevice();
    Device& device = *opened.value();
    const DeviceBlock from = blockOf(device);
    const DeviceBlock to = blockOf(device);
    std::array<Bytes, 2> found;
    for (Bytes& bytes : found) {
        writeAndCopy(device, from, to, false);
        bytes = load(device, to);
        QVERIFY(device.finish().ok()); // nothing to wait for: the other stream still goes first the next time
    }
    std::ranges::sort(found);
    QCOMPARE(found[0], Ones);
    QCOMPARE(found[1], Twos);
}

void TestCudaStreams::drainingOneStreamLeavesTheOthers()
{
    const auto opened = emulateCudaDevice();
    Device& device = *opened.value();
    DeviceStreams& streams = *device.streams();
    Bytes left {};
    Bytes right {};
    QVERIFY(streams.use(1).ok());
    QVERIFY(streams.copy(left.data(), Ones.data(), sizeof left).ok());
    QVERIFY(streams.use(0).ok());
    QVERIFY(streams.copy(right.data(), Twos.data(), sizeof right).ok());
    QVERIFY(streams.drain().ok());
    QCOMPARE(right, Twos);
    QCOMPARE(left, Bytes {});
    QVERIFY(device.finish().ok());
    QCOMPARE(left, Ones);
}

void TestCudaStreams::theClockGoesFromEventToEvent()
{
    QFETCH(const bool, emulated);
    const auto opened = openedDevice(emulated);
    if (!opened.ok()) QSKIP(english(opened.error().message).c_str());
    Device& device = *opened.value();
    DeviceStreams& streams = *device.streams();
    const DeviceBlock block = blockOf(device, 1 << 24);
    QVERIFY(streams.record(0).ok());
    fill(device, block, 1);
    QVERIFY(streams.record(1).ok());
    fill(device, block, 2);
    fill(device, block, 3);
    QVERIFY(streams.record(2).ok());
    QVERIFY(device.finish().ok());
    const double first = streams.msBetween(0, 1).value();
    const double all = streams.msBetween(0, 2).value();
    QVERIFY(first > 0);
    QVERIFY(all > first);
}

void TestCudaStreams::memoryIsHeldInPiecesOf512Bytes()
{
    QFETCH(const bool, emulated);
    const auto opened = openedDevice(emulated);
    if (!opened.ok()) QSKIP(english(opened.error().message).c_str());
    Device& device = *opened.value();
    const std::int64_t before = device.heldBytes();
    {
        const DeviceBlock small = blockOf(device, 1);
        const DeviceBlock large = blockOf(device, 513);
        QCOMPARE(device.heldBytes() - before, 512 + 1024);
    }
    QCOMPARE(device.heldBytes(), before);
}

/// Like cudaFree(), which waits: what was launched may still write there.
void TestCudaStreams::whatIsFreedIsNoLongerInUse()
{
    const auto opened = emulateCudaDevice();
    Device& device = *opened.value();
    Bytes bytes {};
    {
        const DeviceBlock block = blockOf(device);
        fill(device, block, 2);
        QVERIFY(device.streams()->copy(bytes.data(), block.data, block.bytes).ok());
    }
    QCOMPARE(bytes, Twos);
}

void TestCudaStreams::oneDeviceCopiesFromAnother()
{
    const auto one = emulateCudaDevice(0);
    const auto other = emulateCudaDevice(1);
    QCOMPARE(other.value()->name(), std::string("cuda:1 (emulated on the host)"));
    const DeviceBlock from = blockOf(*one.value());
    const DeviceBlock to = blockOf(*other.value());
    fill(*one.value(), from, 2); // not waited for
    const auto copied = other.value()->copyPeer(to.data, *one.value(), from.data, from.bytes);
    QVERIFY(copied.ok() && copied.value());
    QCOMPARE(load(*other.value(), to), Twos);
}

QTEST_APPLESS_MAIN(TestCudaStreams)
#include "tst_cuda_streams.moc"
