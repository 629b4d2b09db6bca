#include "core/base/plural.h"

#include "core/base/bytes.h"

namespace plimsoll {

std::string countText(std::size_t number)
{
    return formatCount(static_cast<std::int64_t>(number));
}

std::string plural(std::size_t number, std::string_view noun)
{
    return countText(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

} // namespace plimsoll
