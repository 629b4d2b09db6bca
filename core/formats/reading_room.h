#pragma once

#include "core/base/message.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace plimsoll {

/// How much memory may be made of a file: ten times its bytes, and 64 MiB. A file may ask for far more, where it runs
/// one graph from many places or gives a few letters to each of its nodes. Readers take what they are about to make.
class ReadingRoom
{
public:
    /// Bytes that one takes from its file until it stands in a graph, its texts apart. Measured.
    static constexpr std::size_t Node = 420;
    static constexpr std::size_t Value = 260;
    static constexpr std::size_t Attribute = 230;
    static constexpr std::size_t Name = 56; ///< Of a value, where a node reads or computes it.

    explicit ReadingRoom(std::size_t fileBytes) : m_most(mostOf(fileBytes)) {}

    void take(std::size_t bytes) { m_taken += bytes; }
    [[nodiscard]] bool isFull() const { return m_taken > m_most; }
    [[nodiscard]] std::size_t left() const { return isFull() ? 0 : m_most - m_taken; }

    [[nodiscard]] static Message refusal() { return say("reading.no-room"); }

private:
    static std::size_t mostOf(std::size_t fileBytes)
    {
        constexpr std::size_t Times = 10;
        constexpr std::size_t InAnyCase = std::size_t {64} << 20;
        return std::min(fileBytes, std::numeric_limits<std::size_t>::max() / (2 * Times)) * Times + InAnyCase;
    }

    std::size_t m_most;
    std::size_t m_taken = 0;
};

} // namespace plimsoll
