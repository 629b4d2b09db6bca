#pragma once

#include <utility>

namespace plimsoll {

/// Gives back the memory of a container; what is assigned {} keeps its own.
template <typename Container>
void giveBack(Container& container)
{
    Container empty;
    std::swap(container, empty);
}

} // namespace plimsoll
