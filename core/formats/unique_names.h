#pragma once

#include <string>
#include <unordered_map>

namespace plimsoll {

/// Gives each name once: "x", then "x#2", …
class UniqueNames
{
public:
    [[nodiscard]] std::string unique(const std::string& name)
    {
        std::string free = name;
        while (m_asked[free]++ > 0)
            free = name + "#" + std::to_string(m_asked[name]++);
        return free;
    }

private:
    std::unordered_map<std::string, int> m_asked; ///< How often each was asked for.
};

} // namespace plimsoll
