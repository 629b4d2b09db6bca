#pragma once

#include <QRandomGenerator>
#include <QtGlobal>

#include <functional>
#include <random>
#include <string>

namespace plimsoll::test {

inline constexpr int DamagedCopies = 2000;

/// Cuts a file off at some 2,000 places and then flips one to four bits of as many copies. Says how many of the copies
/// are read all the same; the seed is printed.
inline int readDamaged(const std::string& whole, const std::function<bool(const std::string&)>& isRead)
{
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / DamagedCopies)
        static_cast<void>(isRead(whole.substr(0, length)));
    const auto seed = static_cast<std::uint32_t>(QRandomGenerator::global()->generate());
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    int read = 0;
    for (int round = 0; round < DamagedCopies; ++round) {
        std::string changed = whole;
        for (int flips = 1 + round % 4; flips > 0; --flips)
            changed[random() % changed.size()] ^= static_cast<char>(1U << (random() % 8));
        read += isRead(changed) ? 1 : 0;
    }
    return read;
}

} // namespace plimsoll::test
