#pragma once

#include "core/base/narrow.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace plimsoll {

/// Sorts a list whose elements are too large to be moved by each comparison: keys and places are sorted, and then each
/// element is moved once, without room for a copy of the list. Equal keys stay in their order.
template <typename T, typename KeyOf>
void sortByKey(std::vector<T>& list, KeyOf keyOf)
{
    struct Place
    {
        std::remove_cvref_t<std::invoke_result_t<KeyOf, const T&>> key;
        std::uint32_t element = 0; ///< Which stands there.
    };
    std::vector<Place> places;
    places.reserve(list.size());
    for (const T& element : list)
        places.push_back({std::invoke(keyOf, element), narrow<std::uint32_t>(places.size())});
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.key != b.key ? a.key < b.key : a.element < b.element; });
    for (std::uint32_t begin = 0; begin < places.size(); ++begin) { // ring by ring
        if (places[begin].element == begin) continue;
        T moved = std::move(list[begin]);
        std::uint32_t at = begin;
        for (std::uint32_t from = places[at].element; from != begin; from = places[at].element) {
            list[at] = std::move(list[from]);
            places[at].element = at;
            at = from;
        }
        list[at] = std::move(moved);
        places[at].element = at;
    }
}

} // namespace plimsoll
