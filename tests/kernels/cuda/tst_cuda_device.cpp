#include "core/facts/english/english.h"
#include "kernels/cuda/device/cuda_device.h"

#include <QTest>

using namespace plimsoll;

class CudaDeviceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void devicesAreDescribedOrTheReasonIsGivenInOneLine();
};

void CudaDeviceTest::devicesAreDescribedOrTheReasonIsGivenInOneLine()
{
    const auto devices = kernels::findCudaDevices();

    if (!devices.ok()) {
        QCOMPARE(devices.error().code, ErrorCode::Unsupported);
        QVERIFY(!devices.error().message.empty());
        QVERIFY(english(devices.error().message).find('\n') == std::string::npos);
        QSKIP(english(devices.error().message).c_str());
    }
    for (const auto& device : devices.value()) {
        QVERIFY(!device.name.empty());
        QVERIFY(device.memoryBytes > 0);
        QVERIFY(device.computeCapability >= 50);
    }
}

QTEST_APPLESS_MAIN(CudaDeviceTest)
#include "tst_cuda_device.moc"
