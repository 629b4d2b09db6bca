#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace plimsoll::test {

/// A table of buffers with many lives of all lengths, so that offsets take some searching. The same seed gives the
/// same table. \p rich: with alignments and gaps as well.
inline std::string randomTable(std::size_t rows, std::uint32_t seed, bool rich = false)
{
    std::mt19937 random(seed);
    const auto upTo = [&](std::uint32_t most) { return static_cast<int>(random() % most); };
    std::string text = rich ? "id,lower,upper,size,alignment,gaps\n" : "id,lower,upper,size\n";
    for (std::size_t row = 0; row < rows; ++row) {
        const int lower = upTo(60);
        const int upper = lower + 1 + upTo(upTo(4) == 0 ? 60 : 12);
        text += "b" + std::to_string(row) + "," + std::to_string(lower) + "," + std::to_string(upper) + "," +
                std::to_string(1 + upTo(40));
        if (rich) {
            const int alignments[] = {1, 1, 2, 4, 3, 16};
            text += "," + std::to_string(alignments[upTo(6)]) + ",";
            const int middle = (lower + upper) / 2;
            if (upper - lower > 6 && upTo(2) == 0)
                text += std::to_string(middle - 1) + "-" + std::to_string(middle + 2);
        }
        text += "\n";
    }
    return text;
}

/// A rectangle of steps × bytes cut into pieces: every byte of every step is taken, so that a plan at the bound exists
/// and is hard to find. The same seed gives the same table.
inline std::string zeroSlackTable(std::size_t rows, std::uint32_t seed)
{
    struct Piece
    {
        int lower, upper, bytes;
    };
    std::mt19937 random(seed);
    std::vector<Piece> pieces = {{0, 400, 4000}};
    while (pieces.size() < rows) {
        Piece& piece = pieces[random() % pieces.size()];
        const bool inTime = random() % 2 == 0;
        const int extent = inTime ? piece.upper - piece.lower : piece.bytes;
        if (extent < 4) continue;
        const int cut = 1 + static_cast<int>(random() % static_cast<std::uint32_t>(extent - 1));
        Piece rest = piece;
        if (inTime) {
            rest.lower = piece.upper = piece.lower + cut;
        } else {
            rest.bytes -= cut;
            piece.bytes = cut;
        }
        pieces.push_back(rest);
    }
    std::string text = "id,lower,upper,size\n";
    for (std::size_t i = 0; i < pieces.size(); ++i)
        text += "b" + std::to_string(i) + "," + std::to_string(pieces[i].lower) + "," +
                std::to_string(pieces[i].upper) + "," + std::to_string(pieces[i].bytes) + "\n";
    return text;
}

} // namespace plimsoll::test
