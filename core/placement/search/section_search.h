#pragma once

#include "core/placement/fit/merging.h"
#include "core/placement/fit/random_keys.h"
#include "core/placement/fit/squeaky_fit.h"
#include "core/placement/fit/zones.h"
#include "core/placement/search/peak_repair.h"

#include <array>
#include <limits>
#include <memory>
#include <string_view>

namespace plimsoll {

/// The parts of the portfolio that a search may use.
struct Members
{
    bool merging = true;
    bool orders = true;
    bool randomKeys = true;
    bool windows = true;
    bool exact = true;
};

/// The search for one section, in moves that can be interleaved with those for others. Starts from a legal packing;
/// it only ever gets lower.
class SectionSearch
{
public:
    SectionSearch(Section section, Packing start, const Members& members, std::uint64_t seed);
    ~SectionSearch();

    /// Does the next thing. Ends early, without loss, when the budget is over.
    void step(Budget& budget);

    [[nodiscard]] const Section& section() const { return m_section; }
    [[nodiscard]] const Packing& best() const { return m_best; }
    [[nodiscard]] std::int64_t bound() const { return m_bound; } ///< Proved, in units.
    [[nodiscard]] bool proved() const { return m_best.peak <= m_bound; }
    [[nodiscard]] bool exhausted() const { return m_exhausted; } ///< Nothing left to try.
    [[nodiscard]] std::string_view member() const { return m_member; }

private:
    struct Tools;
    struct Inner;
    /// What takes turns once all orders have been tried.
    enum class Part : std::uint8_t { Exact, Merging, LooseBlocks, RandomKeys, Squeaky, Windows };
    struct Effort
    {
        std::int64_t leastShare = 1;
        std::int64_t share = 1;
        std::int64_t spent = 0; ///< Work over the share it had at the time; Never: it is not for this section.
        std::int64_t idle = 0;  ///< Work since it last brought something.
    };
    /// How far the parts are.
    struct Done
    {
        std::size_t stages = 0;
        std::int64_t exactNodes = 2'000; ///< Of the next call of the exact search.
        std::uint64_t mergings = 0;      ///< Rounds.
        std::uint64_t loosened = 0;      ///< Likewise.
    };
    static constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool runPart(Part part, Budget& budget);
    void takeTurn(Budget& budget);
    void account(Part part, std::int64_t work, bool better);
    void offer(std::optional<Packing> packing, std::string_view member);
    void runOrder(std::size_t index, Budget& budget);
    void startMerging(Budget& budget);
    void goOnMerging(Budget& budget);
    void runExact(Budget& budget);
    [[nodiscard]] bool runLooseBlocks(Budget& budget);
    void runRandomKeys(Budget& budget);
    void runSqueaky(Budget& budget);
    void runWindows(Budget& budget);
    void runZones(Budget& budget);
    [[nodiscard]] Tools& tools();
    [[nodiscard]] bool merges() const;

    Section m_section;
    Packing m_best;
    Members m_members;
    std::uint64_t m_seed;
    std::int64_t m_bound = 0;
    std::string_view m_member;
    Done m_done;
    bool m_exhausted = false;
    std::array<Effort, 6> m_efforts = {{
        // By Part.
        {.leastShare = 2, .share = 2}, // Exact
        {.leastShare = 2, .share = 8}, // Merging
        {.leastShare = 4, .share = 4}, // LooseBlocks
        {.leastShare = 1, .share = 1}, // RandomKeys
        {.leastShare = 1, .share = 2}, // Squeaky
        {.leastShare = 1, .share = 1}, // Windows
    }};
    std::unique_ptr<Inner> m_inner;
    std::unique_ptr<Tools> m_tools;
};

} // namespace plimsoll
