#pragma once

#include "core/formats/files/flatbuffer_copies.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace plimsoll {

/// Where a flatbuffer that its verifier refuses is damaged: "subgraphs[0].operators[3]". The verifier itself does not
/// say.
class FlatbufferDamage
{
public:
    using Table = flatbuffers::Table;

    explicit FlatbufferDamage(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    /// The table of all; null where even that is none.
    [[nodiscard]] const Table* root() const
    {
        flatbuffers::Verifier verifier = flatbufferVerifier(m_bytes);
        const flatbuffers::uoffset_t offset = verifier.VerifyOffset(0);
        const auto* table = reinterpret_cast<const Table*>(m_bytes.data() + offset);
        return offset != 0 && table->VerifyTableStart(verifier) ? table : nullptr;
    }

    /// Of the places those lists have, the first.
    [[nodiscard]] static std::string first(std::initializer_list<std::string> places)
    {
        const auto* found = std::ranges::find_if(places, [](const std::string& place) { return !place.empty(); });
        return found == places.end() ? std::string() : *found;
    }

    /// The list in \p field of \p owner, or the first of its elements that is damaged; empty where all are whole.
    /// \p inner says where in that element, if that is a table at all.
    template <typename Element, typename Inner>
    [[nodiscard]] std::string in(const Table& owner, flatbuffers::voffset_t field, const char* name,
                                 Inner&& inner) const
    {
        flatbuffers::Verifier verifier = flatbufferVerifier(m_bytes);
        using List = flatbuffers::Vector<flatbuffers::Offset<Element>>;
        if (!owner.VerifyOffset(verifier, field)) return name;
        const auto* list = owner.GetPointer<const List*>(field);
        if (!verifier.VerifyVector(list)) return name;
        for (std::size_t i = 0; i < countOf(list); ++i) { // one verifier: it counts the tables of all
            const Element& element = elementOf(*list, i);
            if (element.Verify(verifier)) continue;
            const auto& table = reinterpret_cast<const Table&>(element);
            flatbuffers::Verifier again = flatbufferVerifier(m_bytes);
            const std::string within = table.VerifyTableStart(again) ? inner(table) : std::string();
            return elementPlace(name, i) + (within.empty() ? "" : "." + within);
        }
        return {};
    }
    template <typename Element>
    [[nodiscard]] std::string in(const Table& owner, flatbuffers::voffset_t field, const char* name) const
    {
        return in<Element>(owner, field, name, [](const Table&) { return std::string(); });
    }

private:
    std::span<const std::byte> m_bytes;
};

} // namespace plimsoll
