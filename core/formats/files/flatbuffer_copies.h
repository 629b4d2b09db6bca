#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/files/utf8.h"
#include "core/formats/reading_room.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

/// What the readers of flatbuffers share. Private to them: it needs the library.
namespace plimsoll {

/// Takes lists and texts out of a flatbuffer. Such a file may use one list many times over.
class FlatbufferCopies
{
public:
    explicit FlatbufferCopies(ReadingRoom& room) : m_room(room) {}

    Status spend(std::size_t bytes)
    {
        m_room.take(bytes);
        return m_room.isFull() ? Status(badInput(ReadingRoom::refusal())) : Status();
    }

    Status copy(const flatbuffers::Vector<std::int32_t>* list, auto& out)
    {
        if (!list) return {};
        PLIMSOLL_TRY(spend(list->size() * sizeof(std::int64_t)));
        out.assign(list->begin(), list->end());
        return {};
    }

    /// Leaves \p out where the text is no UTF-8.
    Status copy(const flatbuffers::String* text, std::string& out)
    {
        if (!text) return {};
        PLIMSOLL_TRY(spend(text->size()));
        if (isUtf8({text->c_str(), text->size()})) out.assign(text->c_str(), text->size());
        return {};
    }

private:
    ReadingRoom& m_room;
};

template <typename T>
[[nodiscard]] std::size_t countOf(const flatbuffers::Vector<T>* list)
{
    return list ? list->size() : 0;
}

template <typename T>
[[nodiscard]] const T& elementOf(const flatbuffers::Vector<flatbuffers::Offset<T>>& list, std::size_t index)
{
    return *list.Get(static_cast<flatbuffers::uoffset_t>(index));
}

/// "tensors[3]", for errors.
[[nodiscard]] inline std::string elementPlace(const char* list, std::size_t index)
{
    return std::string(list) + "[" + std::to_string(index) + "]";
}

/// An element that may be badly aligned: of a list the verifier looks at the place of the length alone.
template <typename T>
[[nodiscard]] T elementAt(const flatbuffers::Vector<T>& list, std::size_t index)
{
    T element {};
    std::memcpy(&element, list.Data() + index * sizeof(T), sizeof element);
    return element;
}

/// For all that a file may hold: what is behind the largest flatbuffer is only pointed to.
[[nodiscard]] inline flatbuffers::Verifier flatbufferVerifier(std::span<const std::byte> bytes)
{
    constexpr std::size_t Largest = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
    constexpr flatbuffers::uoffset_t Deepest = 16;
    constexpr flatbuffers::uoffset_t MostTables = 1 << 22;
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), std::min(bytes.size(), Largest), Deepest, MostTables};
}

} // namespace plimsoll
