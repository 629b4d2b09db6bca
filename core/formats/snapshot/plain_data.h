#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// What pickles and JSON texts hold: numbers, texts, lists and dictionaries, of which one may stand in many places.
/// Made for files of a gigabyte: 8 bytes a value, texts are looked at where they lie, nothing is ever copied.
///
///     {"a": [1, 2]}      m_cells:  [count 2, next, 1, 2]  [count 2, next, "a", list 0]
class PlainData
{
public:
    enum class Kind : std::uint8_t { None, Bool, Integer, Wide, Real, Text, Bytes, List, Tuple, Dict };

    /// A value, small enough to be handed around; which data it is of, its holder knows.
    class Item
    {
    public:
        Item() = default;
        [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_bits & KindMask); }
        [[nodiscard]] bool isList() const { return kind() == Kind::List || kind() == Kind::Tuple; }
        /// The same only for the same value of the same data.
        [[nodiscard]] std::uint64_t bits() const { return m_bits; }
        friend bool operator==(Item, Item) = default;

    private:
        friend class PlainData;
        static constexpr std::uint64_t KindMask = 15;
        static constexpr int KindBits = 4;

        Item(Kind kind, std::uint64_t payload) : m_bits(payload << KindBits | static_cast<std::uint64_t>(kind)) {}
        [[nodiscard]] std::uint64_t payload() const { return m_bits >> KindBits; }

        std::uint64_t m_bits = 0; ///< The kind in the lowest bits; a small value itself above, or where it stands.
    };

    /// The values of a list in order, or keys and values of a dictionary by turns.
    class Walk
    {
    public:
        /// False at the end; a list that grows meanwhile is none of ours.
        bool next(Item& item);

    private:
        friend class PlainData;
        Walk(const PlainData& data, std::uint64_t chunk);
        void enter(std::uint64_t chunk);

        const PlainData* m_data;
        std::uint64_t m_at = 0;
        std::uint64_t m_left = 0;
        std::uint64_t m_next = 0;
    };

    [[nodiscard]] Item none() const { return {}; }
    [[nodiscard]] Item boolean(bool value) const { return {Kind::Bool, value ? 1U : 0U}; }
    [[nodiscard]] Item integer(std::int64_t value);
    [[nodiscard]] Item wide() const { return {Kind::Wide, 0}; } ///< An integer of more than 64 bits, whatever it is.
    [[nodiscard]] Item real(double value);
    [[nodiscard]] Item text(std::string_view text, Kind kind = Kind::Text); ///< Must outlive this; see keep().
    [[nodiscard]] Item container(Kind kind);                                ///< Empty: a List, a Tuple or a Dict.
    void append(Item container, std::span<const Item> items);
    [[nodiscard]] std::string_view keep(std::string text); ///< For texts that lie nowhere as they are.

    /// What it holds takes so much memory, in bytes.
    [[nodiscard]] std::size_t bytes() const;

    [[nodiscard]] std::optional<bool> asBool(Item item) const;
    [[nodiscard]] std::optional<std::int64_t> asInteger(Item item) const;
    [[nodiscard]] std::optional<double> asReal(Item item) const;
    [[nodiscard]] std::optional<std::string_view> asText(Item item) const;    ///< Of Bytes, too.
    [[nodiscard]] std::size_t size(Item container) const;                     ///< Values; 2 for each entry of a Dict.
    [[nodiscard]] bool hasMoreThan(Item container, std::size_t values) const; ///< Looks no further than it must.
    [[nodiscard]] Walk walk(Item container) const;                            ///< Of anything else: nothing.
    /// The value of a key in a dictionary, the last where there are several; empty where there is none.
    [[nodiscard]] std::optional<Item> find(Item dict, std::string_view key) const;

private:
    struct Chain
    {
        std::uint64_t first = 0; ///< Chunks of m_cells: how many values, the next chunk or 0, the values.
        std::uint64_t last = 0;
    };

    std::uint64_t addChunk();

    std::deque<std::uint64_t> m_numbers; ///< What does not fit into an Item.
    std::deque<std::string_view> m_texts;
    std::deque<Chain> m_chains; ///< By container.
    std::deque<std::uint64_t> m_cells = std::deque<std::uint64_t>(1);
    std::deque<std::string> m_kept;
    std::size_t m_keptBytes = 0;
};

} // namespace plimsoll
