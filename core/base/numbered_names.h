#pragma once

#include <string>
#include <unordered_map>

namespace plimsoll {

/// Gives each name once: "x", then "x#2", "x#3", … What was given last is remembered for each, so that the same name
/// may be wished for any number of times.
class NumberedNames
{
public:
    explicit NumberedNames(std::string joint = "#") : m_joint(std::move(joint)) {}

    /// \p wished, or with the next number where that is not free. \p take(name) says whether a name is free, and takes
    /// it.
    template <typename Take>
    [[nodiscard]] std::string name(const std::string& wished, Take take)
    {
        if (take(wished)) return wished;
        int& last = m_last.try_emplace(wished, 1).first->second;
        std::string numbered;
        do {
            numbered = wished + m_joint + std::to_string(++last);
        } while (!take(numbered));
        return numbered;
    }

private:
    std::string m_joint;
    std::unordered_map<std::string, int> m_last; ///< Of those that were wished for more than once.
};

} // namespace plimsoll
