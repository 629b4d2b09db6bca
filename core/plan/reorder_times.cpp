#include "core/plan/reorder_times.h"

namespace plimsoll {
namespace {

constexpr std::string_view Prefix = "reorder of ";

} // namespace

std::string reorderOffersName(const TensorType& type)
{
    return std::string(Prefix) + describe(type);
}

bool isReorderOffersName(std::string_view name)
{
    return name.starts_with(Prefix);
}

} // namespace plimsoll
