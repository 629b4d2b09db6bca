#pragma once

#include "core/placement/exact/exact_model.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll {

/// States that are known to lead nowhere under some capacity, shared by searches of one model. Of fixed size: newer
/// states replace older ones.
class DeadStates
{
public:
    struct Key
    {
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    explicit DeadStates(std::size_t log2Entries) : m_entries(std::size_t {1} << log2Entries) {}

    void add(Key key, std::int64_t capacity);
    [[nodiscard]] bool contains(Key key, std::int64_t capacity) const;

private:
    struct Entry
    {
        Key key;
        std::int64_t capacity = -1;
    };
    std::vector<Entry> m_entries;
};

enum class SearchState { Running, Found, Exhausted };

/// Depth-first search for offsets under a fixed capacity. It can be left and taken up again.
///
/// Items are put down one after another, each at its lowest possible offset; what is not yet put down lies above it
/// wherever they overlap. A node picks an item that nothing else fits under and branches: it lies there, or it lies on
/// top of a neighbour that comes later ("place or postpone", of which only plans pushed down to the bottom survive).
/// After each decision, bounds of offsets rise as far as the room left in the sections forces them to. What falls
/// apart into independent ranges of sections is searched range by range, and a failure in one never retries another.
class FitSearch
{
public:
    enum class Pick { Lowest, Tightest, Failing };

    /// \p rank: by item; the least goes first among equals. All arguments must outlive the search.
    FitSearch(const FitModel& model, std::int64_t capacity, std::vector<std::int32_t> rank, Pick pick,
              DeadStates& dead);

    /// Goes on for about \p nodes, or until stopped.
    SearchState run(std::int64_t nodes, const Context& context);

    [[nodiscard]] SearchState state() const { return m_state; }
    [[nodiscard]] std::int64_t nodes() const { return m_nodes; }
    [[nodiscard]] const std::vector<std::int64_t>& offsets() const { return m_now.offset; }

private:
    struct Frame
    {
        std::int32_t item = -1;
        std::int32_t failTo = -1;  ///< Frame to go on with when this one is exhausted.
        std::int32_t pending = -1; ///< Ranges to do after this one: an index into m_pending, a list.
        SectionRange range;
        std::size_t pendingCount = 0;
        std::size_t trail = 0; ///< To be undone to, for the next branch.
        DeadStates::Key key;
    };
    struct Pending
    {
        SectionRange range;
        std::int32_t owner = -1;
        std::int32_t next = -1;
    };
    struct Change
    {
        std::int32_t item = 0;
        std::int64_t lowest = 0;
        std::int64_t support = 0;
    };
    /// What a section leaves to choose from. Kept until one of its items changes.
    struct Next
    {
        bool fresh = false;
        std::int32_t lowest = -1;    ///< The item.
        std::int64_t candidates = 0; ///< Items that may be next.
        std::int64_t slack = 0;      ///< Room that may be lost.
    };
    /// What is decided, and what follows from it.
    struct Bounds
    {
        std::vector<std::int64_t> lowest;  ///< By item: no offset below is left; Never once it is placed.
        std::vector<std::int64_t> end;     ///< That plus the bytes.
        std::vector<std::int64_t> support; ///< By item: the lowest offset above all placed neighbours.
        std::vector<std::int64_t> offset;  ///< By item, where it is placed.
        std::vector<char> placed;
        std::vector<std::int64_t> rest;     ///< By section: bytes not yet placed.
        std::vector<std::int32_t> crossing; ///< By section: unplaced items whose hull reaches from it into the next.
        std::vector<Next> next;             ///< By section.
        std::vector<std::int32_t> queue;    ///< Sections to look at again.
        std::vector<std::int64_t> failures; ///< By section: how often it had no room left, plus 1.
        std::vector<char> queued;
        std::vector<std::int32_t> nextTwin; ///< By item: the equal one that must lie above it, or -1.
        std::vector<Change> trail;          ///< A placement is an entry with the item's complement.
        std::int32_t postponed = 0;         ///< Steps in a row that put nothing down.
    };
    struct Order
    {
        std::vector<std::int32_t> rank;  ///< By item.
        std::vector<std::int32_t> items; ///< By rank.
        Pick pick = Pick::Lowest;
    };
    struct Choice
    {
        std::int32_t item = -1;
        DeadStates::Key key;
    };

    void start();
    void step();
    void fail(std::int32_t frame);
    void exhausted(std::int32_t frame);
    void split(SectionRange range, std::int32_t owner, std::int32_t pending);
    [[nodiscard]] Choice choose(SectionRange range);
    [[nodiscard]] std::int32_t tightest(SectionRange range);
    [[nodiscard]] Next nextOf(std::int32_t section) const;
    [[nodiscard]] std::int32_t sinkToBottom(std::int32_t item) const;

    [[nodiscard]] bool place(std::int32_t item);
    void unplace(std::int32_t item);
    [[nodiscard]] bool postpone(std::int32_t item);
    [[nodiscard]] bool raise(std::int32_t item, std::int64_t lowest);
    [[nodiscard]] bool propagate();
    [[nodiscard]] bool tighten(std::int32_t section);
    [[nodiscard]] std::int64_t latestStart(std::int32_t section) const;
    [[nodiscard]] bool settle(SectionRange range);
    [[nodiscard]] bool stopped() const { return m_context != nullptr && m_context->stopped(); }
    void touch(std::int32_t item);
    void forget(std::int32_t item);
    void undo(std::size_t trail);

    static constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max();

    const FitModel& m_model;
    std::int64_t m_capacity;
    Order m_order;
    DeadStates& m_dead;
    SearchState m_state = SearchState::Running;
    std::int64_t m_nodes = 0;
    const Context* m_context = nullptr; ///< Of run().
    bool m_started = false;

    Bounds m_now;
    std::vector<Frame> m_frames;
    std::vector<Pending> m_pending;
};

} // namespace plimsoll
