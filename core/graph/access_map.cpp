#include "core/graph/access_map.h"

namespace plimsoll {

AccessMap sameIndex(std::size_t rank)
{
    AccessMap map {AccessMap::Kind::Axes};
    for (std::size_t axis = 0; axis < rank; ++axis)
        map.axes.push_back({static_cast<int>(axis)});
    return map;
}

bool staysInPlace(const AccessMap& map)
{
    if (map.kind != AccessMap::Kind::Axes) return map.kind != AccessMap::Kind::Anything;
    return map == sameIndex(map.axes.size());
}

} // namespace plimsoll
