#include "core/verify/byte_map.h"

#include <QtTest>

#include <random>
#include <vector>

using plimsoll::Interval;
using plimsoll::verifying::ByteMap;
using plimsoll::verifying::GenerationId;

namespace {

using Bytes = std::vector<GenerationId>; ///< The content of each byte.

/// What the pieces say, byte by byte; empty where they do not cover the range exactly, in order.
Bytes spelled(const std::vector<ByteMap::Piece>& pieces, Interval range)
{
    Bytes bytes;
    for (const ByteMap::Piece& piece : pieces) {
        if (piece.bytes.begin != range.begin + std::ssize(bytes) || piece.bytes.empty()) return {};
        bytes.insert(bytes.end(), static_cast<std::size_t>(piece.bytes.length()), piece.generation);
    }
    return std::ssize(bytes) == range.length() ? bytes : Bytes();
}

} // namespace

class TestByteMap : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsWrittenAtFirst();
    void whatIsWrittenSaysWhatWasThere();
    void itIsAnArrayOfBytes();
};

void TestByteMap::nothingIsWrittenAtFirst()
{
    ByteMap map;
    QVERIFY(map.pieces({3, 3}).empty());
    QVERIFY(map.write({3, 3}, 1).empty());
    QCOMPARE(spelled(map.pieces({2, 5}), {2, 5}), (Bytes {0, 0, 0}));
}

void TestByteMap::whatIsWrittenSaysWhatWasThere()
{
    ByteMap map;
    map.write({2, 8}, 1);
    QCOMPARE(spelled(map.write({4, 6}, 2), {4, 6}), (Bytes {1, 1})); // inside of one
    QCOMPARE(spelled(map.write({0, 5}, 3), {0, 5}), (Bytes {0, 0, 1, 1, 2}));
    QCOMPARE(spelled(map.pieces({0, 9}), {0, 9}), (Bytes {3, 3, 3, 3, 3, 2, 1, 1, 0}));
    const std::vector<ByteMap::Piece> before = map.write(std::vector<Interval> {{0, 1}, {7, 9}}, 4);
    QCOMPARE(before.size(), std::size_t {3});
    QCOMPARE(before[1].bytes, (Interval {7, 8}));
    QCOMPARE(spelled(map.pieces({0, 9}), {0, 9}), (Bytes {4, 3, 3, 3, 3, 2, 1, 4, 4}));
}

void TestByteMap::itIsAnArrayOfBytes()
{
    const std::uint32_t seed = std::random_device {}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    constexpr std::int64_t Size = 40;
    for (int round = 0; round < 300; ++round) {
        ByteMap map;
        Bytes truth(Size, 0);
        for (GenerationId generation = 1; generation <= 60; ++generation) {
            const auto begin = static_cast<std::int64_t>(random() % Size);
            const Interval range {begin, begin + static_cast<std::int64_t>(random() % (Size - begin + 1))};
            const auto first = truth.begin() + range.begin;
            const Bytes before(first, first + range.length());
            QCOMPARE(spelled(map.write(range, generation), range), before);
            std::fill(first, first + range.length(), generation);
            QCOMPARE(spelled(map.pieces({0, Size}), {0, Size}), truth);
        }
    }
}

QTEST_GUILESS_MAIN(TestByteMap)
#include "tst_byte_map.moc"
