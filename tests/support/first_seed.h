#pragma once

#include <QtGlobal>

namespace plimsoll::test {

/// Where a test of random cases begins: PLIMSOLL_SEED, or \p usual. It is printed, so that a failure can be had again.
[[nodiscard]] inline unsigned firstSeed(unsigned usual)
{
    bool given = false;
    const int seed = qEnvironmentVariableIntValue("PLIMSOLL_SEED", &given);
    const unsigned first = given ? static_cast<unsigned>(seed) : usual;
    qInfo("first seed %u (PLIMSOLL_SEED)", first);
    return first;
}

} // namespace plimsoll::test
