#include "kernels/run/device/device_canaries.h"

#include "tests/kernels/run/host_device.h"

#include <QTest>

using namespace plimsoll;
using kernels::DeviceCanaries;

class tst_DeviceCanaries : public QObject
{
    Q_OBJECT

private slots:
    void writesBesideATensorAreFound_data()
    {
        QTest::addColumn<qint64>("shift"); ///< Of the tensor of 16 bytes.
        QTest::addColumn<qint64>("at");    ///< Of the byte that is written, from the tensor's beginning.
        QTest::addColumn<QString>("hit");  ///< From its edge; "-" for none.
        QTest::newRow("nothing beside it") << qint64 {0} << qint64 {15} << "-";
        QTest::newRow("right behind") << qint64 {0} << qint64 {16} << "0";
        QTest::newRow("far behind") << qint64 {0} << qint64 {16 + DeviceCanaries::Bytes - 1}
                                    << QString::number(DeviceCanaries::Bytes - 1);
        QTest::newRow("right before") << qint64 {0} << qint64 {-1} << "-1";
        QTest::newRow("far before, shifted")
            << qint64 {8} << qint64 {-8 - DeviceCanaries::Bytes} << QString::number(-8 - DeviceCanaries::Bytes);
    }

    void writesBesideATensorAreFound()
    {
        QFETCH(qint64, shift);
        QFETCH(qint64, at);
        test::HostDevice device;
        const auto guarded = kernels::allocateGuarded(device, DType::Float32, {4}, shift);
        QVERIFY(guarded.ok());
        const DeviceCanaries& canaries = guarded.value().canaries;
        const std::byte spoiled {0};
        QVERIFY(device.copyIn(canaries.before + canaries.beforeBytes + at, {&spoiled, 1}).ok());
        const auto hit = canaries.firstHit();
        QVERIFY(hit.ok());
        QTEST(hit.value() ? QString::number(*hit.value()) : QStringLiteral("-"), "hit");
    }
};

QTEST_APPLESS_MAIN(tst_DeviceCanaries)
#include "tst_device_canaries.moc"
