#include <QFile>
#include <QtTest>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

/// What the system knows of the memory at an address: "rd wr mr mw me ac sd hg".
QByteArray flagsAt(const void* memory)
{
    QFile file(QStringLiteral("/proc/self/smaps"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    bool inside = false;
    for (const QByteArray& line : file.readAll().split('\n')) {
        const qsizetype dash = line.indexOf('-');
        bool first = false;
        bool second = false;
        const std::uintptr_t begin = line.left(dash).toULongLong(&first, 16);
        const std::uintptr_t end = line.mid(dash + 1, line.indexOf(' ') - dash - 1).toULongLong(&second, 16);
        if (dash > 0 && first && second) inside = begin <= address && address < end;
        if (inside && line.startsWith("VmFlags:")) return line;
    }
    return {};
}

} // namespace

/// Of every program that is linked with plimsoll::base.
class LargeMemoryTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!QFile::exists(QStringLiteral("/sys/kernel/mm/transparent_hugepage/enabled")))
            QSKIP("This system has no large pages.");
    }

    void aLargeVectorIsMadeOfLargePages()
    {
        for (const std::size_t bytes : {std::size_t {4} << 20, (std::size_t {9} << 20) + 1}) {
            const std::vector<std::byte> large(bytes);
            const QByteArray flags = flagsAt(large.data() + bytes / 2);
            QVERIFY2(flags.contains(" hg"), flags.constData());
        }
    }

    void memoryOfAnySizeIsGivenBack()
    {
        for (const std::size_t bytes : {0, 1, 4095, (4 << 20) - 1, 4 << 20, 33 << 20}) {
            const std::unique_ptr<std::byte[]> some(new std::byte[bytes]);
            if (bytes > 0) some[bytes - 1] = std::byte {1};
            QVERIFY(some);
        }
    }
};

QTEST_APPLESS_MAIN(LargeMemoryTest)
#include "tst_large_memory.moc"
