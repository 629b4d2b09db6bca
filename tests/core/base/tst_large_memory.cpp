#include <QtTest>

#include <cstdint>
#include <vector>

/// Of every program that is linked with plimsoll::base.
class LargeMemoryTest : public QObject
{
    Q_OBJECT

private slots:
    void aLargeVectorIsMadeOfLargePages()
    {
        constexpr std::size_t LargePage = std::size_t {2} << 20;
        for (const std::size_t bytes : {2 * LargePage, 2 * LargePage + 1, 5 * LargePage - 1}) {
            const std::vector<std::byte> large(bytes);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(large.data()) % LargePage, std::uintptr_t {0});
        }
    }
};

QTEST_APPLESS_MAIN(LargeMemoryTest)
#include "tst_large_memory.moc"
