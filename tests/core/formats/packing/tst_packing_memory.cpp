#include "core/base/give_back.h"
#include "core/formats/read_graph.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <string>

using namespace plimsoll;

namespace {

/// Bytes, of a line of /proc/self/status: "VmHWM:   12345 kB". 0 where there is none.
qint64 statusBytes(const QByteArray& key)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith(key + ':'))
            return line.mid(key.size() + 1).simplified().split(' ').front().toLongLong() * 1024;
    return 0;
}

/// What is the most from now on; false where the system cannot begin anew.
bool forgetMost()
{
    QFile file(QStringLiteral("/proc/self/clear_refs"));
    return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write("5") == 1;
}

} // namespace

/// What SECURITY.md promises of tables.
class PackingMemoryTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTableTakesTenTimesItsSize_data()
    {
        QTest::addColumn<int>("births"); // at one time
        QTest::newRow("one buffer a step") << 1;
        QTest::newRow("four buffers a step") << 4;
    }

    void aTableTakesTenTimesItsSize()
    {
        constexpr int Rows = 800'000;
        QFETCH(int, births);
        QTemporaryDir folder;
        QFile table(folder.filePath(QStringLiteral("table.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        std::string text = "id,lower,upper,size\n";
        for (int i = 0; i < Rows; ++i) {
            const int begin = i / births;
            text +=
                std::to_string(i) + ',' + std::to_string(begin) + ',' + std::to_string(begin + 1 + i % 50) + ",1024\n";
        }
        QCOMPARE(table.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
        table.close();
        const auto size = static_cast<qint64>(text.size());
        giveBack(text);
        if (!forgetMost() || statusBytes("VmHWM") == 0)
            QSKIP("This system does not say how much memory was used at most.");
        const qint64 before = statusBytes("VmRSS");

        const auto read = readFile(std::filesystem::path(table.fileName().toStdString()), {});

        const qint64 most = statusBytes("VmHWM") - before;
        QVERIFY(read.ok());
        QCOMPARE(read.value().graph.values.size(), std::size_t {Rows});
        QVERIFY2(most <= 10 * size + (qint64 {64} << 20), qPrintable(QString::number(most / size)));
    }
};

QTEST_GUILESS_MAIN(PackingMemoryTest)
#include "tst_packing_memory.moc"
