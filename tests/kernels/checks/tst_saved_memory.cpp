#include "core/facts/english/english.h"
#include "kernels/checks/measurements.h"
#include "kernels/cuda/cuda.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// The first test of the example of saved tensors, with the numbers that PyTorch's allocator would give.
class SavedMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void memoryAfterTheStatementIsMemoryBefore_data();
    void memoryAfterTheStatementIsMemoryBefore();
};

void SavedMemoryTest::memoryAfterTheStatementIsMemoryBefore_data()
{
    QTest::addColumn<bool>("emulated");
    QTest::addColumn<int>("saved");
    QTest::addColumn<qint64>("peak");
    QTest::addColumn<qint64>("after");
    for (const bool emulated : {true, false}) {
        const char* const where = emulated ? "loops on the host" : "a device";
        QTest::addRow("guarded, %s", where) << emulated << int(SavedPolicy::Guarded) << qint64(8704) << qint64(3584);
        QTest::addRow("save-all, %s", where) << emulated << int(SavedPolicy::SaveAll) << qint64(9216) << qint64(6144);
    }
}

void SavedMemoryTest::memoryAfterTheStatementIsMemoryBefore()
{
    QFETCH(const bool, emulated);
    QFETCH(const int, saved);
    QFETCH(const qint64, peak);
    QFETCH(const qint64, after);
    const auto device = emulated ? emulateCudaDevice() : openCudaDevice(0);
    if (!device.ok()) QSKIP(english(device.error().message).c_str());
    const auto memory = measureSavedMemory(*device.value(), SavedPolicy(saved));
    QVERIFY2(memory.ok(), memory.ok() ? "" : describe(memory.error()).c_str());
    QCOMPARE(memory.value().beforeBytes, 3584); // five pieces of x, one of m and one of z
    QCOMPARE(memory.value().peakBytes, peak);
    QCOMPARE(memory.value().afterBytes, after);
}

QTEST_APPLESS_MAIN(SavedMemoryTest)
#include "tst_saved_memory.moc"
