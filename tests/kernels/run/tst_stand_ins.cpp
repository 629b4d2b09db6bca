#include "kernels/run/probe/stand_ins.h"

#include <QtTest>

#include <array>
#include <cstring>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

/// 24 bytes at an address divisible by 8.
struct Bytes
{
    alignas(8) std::array<std::byte, 24> bytes {};

    TensorView floatsAt(std::size_t offset, std::int64_t count) { return {DType::Float32, {count}, &bytes[offset]}; }
    float floatAt(std::size_t offset) const
    {
        float number = 0;
        std::memcpy(&number, &bytes[offset], sizeof number);
        return number;
    }
};

} // namespace

class tst_StandIns : public QObject
{
    Q_OBJECT

private slots:
    void alignedTensorsAreThemselves()
    {
        Bytes memory;
        StandIns standIns;
        QCOMPARE(standIns.reading(memory.floatsAt(4, 2)).data, static_cast<void*>(&memory.bytes[4]));
        QCOMPARE(standIns.writing(memory.floatsAt(8, 2)).data, static_cast<void*>(&memory.bytes[8]));
        const TensorView oddBytes {DType::UInt8, {3}, &memory.bytes[1]};
        QCOMPARE(standIns.writing(oddBytes).data, oddBytes.data);
    }

    void writesArriveAtTheCommit()
    {
        Bytes memory;
        StandIns standIns;
        const TensorView view = standIns.writing(memory.floatsAt(3, 2));
        QVERIFY(reinterpret_cast<std::uintptr_t>(view.data) % alignof(float) == 0);
        view.as<float>()[1] = 2.5F;
        QCOMPARE(memory.floatAt(7), 0.0F);
        standIns.commit();
        QCOMPARE(memory.floatAt(7), 2.5F);
        QCOMPARE(memory.bytes[2], std::byte {0});
        QCOMPARE(memory.bytes[11], std::byte {0});
    }

    void whatIsOnlyReadIsNotWrittenBack()
    {
        Bytes memory;
        StandIns standIns;
        const TensorView view = standIns.reading(memory.floatsAt(1, 1));
        view.as<float>()[0] = 1.0F;
        standIns.commit();
        QCOMPARE(memory.floatAt(1), 0.0F);
    }

    void inPlaceStaysInPlace()
    {
        Bytes memory;
        StandIns standIns;
        const TensorView input = standIns.reading(memory.floatsAt(5, 2));
        const TensorView output = standIns.writing(memory.floatsAt(5, 2));
        QCOMPARE(input.data, output.data);
        QVERIFY(standIns.reading(memory.floatsAt(9, 1)).data != output.data);
    }
};

QTEST_APPLESS_MAIN(tst_StandIns)
#include "tst_stand_ins.moc"
