#pragma once

#include <string>
#include <unordered_map>

namespace plimsoll {

/// Gives each name once: "x", then "x#2", "x#3", …
class UniqueNames
{
public:
    [[nodiscard]] std::string unique(const std::string& name)
    {
        int& times = m_asked[name];
        if (++times == 1) return name;
        for (;; ++times) {
            std::string free = name + "#" + std::to_string(times);
            if (m_asked.try_emplace(free, 1).second) return free;
        }
    }

private:
    std::unordered_map<std::string, int> m_asked; ///< How often each was asked for.
};

} // namespace plimsoll
