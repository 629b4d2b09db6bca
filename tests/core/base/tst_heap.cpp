#include "core/base/heap.h"

#include <QTest>

#include <new>
#include <optional>
#include <thread>
#include <vector>

using namespace plimsoll;

namespace {

constexpr std::size_t KiB = 1024;

/// Whether so many bytes are to be had.
bool has(std::size_t bytes)
{
    try {
        const std::vector<char> taken(bytes);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

} // namespace

class HeapTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsBeyondItIsRefused()
    {
        const MemoryLimit limit(100 * KiB);
        QVERIFY(has(60 * KiB));
        QVERIFY(has(60 * KiB)); // the others are given back
        QVERIFY(!limit.exceeded());
        const std::vector<char> kept(60 * KiB);
        QVERIFY(!has(60 * KiB));
        QVERIFY(limit.exceeded());
        QVERIFY(has(10 * KiB));
    }

    void manySmallOnesCount()
    {
        const MemoryLimit limit(100 * KiB);
        std::vector<std::vector<char>> kept;
        kept.reserve(200);
        std::size_t made = 0;
        try {
            for (; made < 200; ++made)
                kept.emplace_back(KiB);
        } catch (const std::bad_alloc&) {
        }
        QVERIFY2(made > 80 && made < 100, qPrintable(QString::number(made)));
    }

    void itEndsWithItsScope()
    {
        std::optional<MemoryLimit> outer(std::in_place, 200 * KiB);
        {
            const MemoryLimit inner(KiB);
            QVERIFY(!has(2 * KiB));
        }
        QVERIFY(!outer->exceeded());
        QVERIFY(has(100 * KiB));
        QVERIFY(!has(300 * KiB));
        outer.reset();
        QVERIFY(has(300 * KiB));
    }

    void otherThreadsAreFree()
    {
        const MemoryLimit limit(64 * KiB);
        bool free = false;
        std::thread([&] { free = has(1024 * KiB); }).join();
        QVERIFY(free);
        QVERIFY(!limit.exceeded());
    }
};

QTEST_APPLESS_MAIN(HeapTest)
#include "tst_heap.moc"
