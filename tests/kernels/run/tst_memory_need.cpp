#include "core/facts/english/english.h"
#include "kernels/run/memory/memory_need.h"

#include "core/base/bytes.h"
#include "kernels/run/memory/host_memory.h"
#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"
#include "tests/support/temporary_folder.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// What a run takes of the memory of the host, and what there is.
class tst_MemoryNeed : public QObject
{
    Q_OBJECT

private slots:
    void theOracleNeedsWhatIsAliveAtOnce()
    {
        const Report report = test::plannedForReference(test::samples::Chain);
        const MemoryNeed need = memoryNeed(report.program, {});
        QCOMPARE(need.arenaBytes, report.memory.peakBytes);
        QVERIFY2(need.oracleBytes == 1024 || need.oracleBytes == 2048, qPrintable(QString::number(need.oracleBytes)));
        QCOMPARE(need.externalBytes, 1024);
    }

    void whatDoesNotFitIsRefusedWithTheNumbers()
    {
        QVERIFY(checkMemory({1024, 2048, 1024}, 4096, INT64_MAX).ok());
        const Status refused = checkMemory({1024, 2048, 1024}, 4095, 4096);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::Unsupported);
        const std::string wanted = "The run needs " + formatBytes(4096) + " of memory (arenas " + formatBytes(1024) +
                                   ", the oracle beside them " + formatBytes(2048) + ", inputs and data " +
                                   formatBytes(1024) + "), and " + formatBytes(4095) + " are free.";
        QCOMPARE(english(refused.error().message).substr(0, wanted.size()), wanted);
        constexpr std::int64_t Most = INT64_MAX;
        QVERIFY(!checkMemory({Most, Most, Most}, Most - 1, Most).ok());
    }

    void whatIsAllowedCountsWhereItIsLess()
    {
        QVERIFY(checkMemory({1024, 0, 0}, 4096, 1024).ok());
        const Status refused = checkMemory({1024, 0, 0}, 4096, 1023);
        QVERIFY(!refused.ok());
        QVERIFY(english(refused.error().message).find(formatBytes(1023) + " are allowed (") != std::string::npos);
    }

    void theTightestLimitCounts_data()
    {
        QTest::addColumn<QByteArray>("outer");
        QTest::addColumn<QByteArray>("inner");
        QTest::addColumn<qlonglong>("free");
        QTest::newRow("no limits") << QByteArray("max") << QByteArray("max") << 1000LL * 1024;
        QTest::newRow("of the group") << QByteArray("max") << QByteArray("6000") << 3000LL;
        QTest::newRow("of the one around it") << QByteArray("5000") << QByteArray("9000") << 2000LL;
        QTest::newRow("used up") << QByteArray("max") << QByteArray("100") << 0LL;
    }

    void theTightestLimitCounts()
    {
        QFETCH(QByteArray, outer);
        QFETCH(QByteArray, inner);
        QFETCH(qlonglong, free);
        const test::TemporaryFolder root;
        root.write("proc/meminfo", "MemTotal: 2000 kB\nMemFree: 10 kB\nMemAvailable: 1000 kB\n");
        root.write("proc/self/cgroup", "0::/outer/inner\n");
        for (const auto& [group, limit] : {std::pair("outer", outer), std::pair("outer/inner", inner)}) {
            const std::string folder = std::string("sys/fs/cgroup/") + group + "/";
            root.write(folder + "memory.max", limit.toStdString() + "\n");
            root.write(folder + "memory.current", "4000\n");
            root.write(folder + "memory.stat", "anon 3000\ninactive_file 1000\n");
        }
        QCOMPARE(freeMemory(root.path()), free);
    }

    void groupsOfTheFirstVersionCount()
    {
        const test::TemporaryFolder root;
        root.write("proc/meminfo", "MemAvailable: 1000 kB\n");
        root.write("proc/self/cgroup", "4:cpu,cpuacct:/a\n3:memory:/a\n");
        root.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "7000\n");
        root.write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "500\n");
        QCOMPARE(freeMemory(root.path()), 6500);
    }
};

QTEST_APPLESS_MAIN(tst_MemoryNeed)
#include "tst_memory_need.moc"
