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

/// Gives the system those pages of the heap that hold nothing any more. The library keeps them for small pieces, while
/// large ones are taken anew.
void giveBackPages();

} // namespace plimsoll
