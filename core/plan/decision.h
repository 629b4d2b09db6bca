#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll {

/// Why a sharing was made or refused, why a value is kept or not planned, where a buffer went.
/// Recorded where the choice is made.
struct Decision
{
    std::string kind;    ///< "alias", "identity", "in-place", "unplanned", "fold", "implementation", "placement"
    std::string subject; ///< Name of the value or node it is about.
    std::string other;   ///< Name of the partner, if any.
    bool accepted = false;
    std::string rule;       ///< Short and stable: "output-independence", "still-read", "policy-off", "size-differs".
    std::string reason;     ///< One sentence for a person.
    std::int64_t bytes = 0; ///< At stake.
    friend bool operator==(const Decision&, const Decision&) = default;
};

/// Where choices are written down. The null form costs one branch: callers ask recording() before building text.
class DecisionLog
{
public:
    DecisionLog() = default;
    explicit DecisionLog(std::vector<Decision>& sink) : m_sink(&sink) {}

    [[nodiscard]] bool recording() const { return m_sink != nullptr; }
    void add(Decision decision) const
    {
        if (m_sink) m_sink->push_back(std::move(decision));
    }

private:
    std::vector<Decision>* m_sink = nullptr;
};

} // namespace plimsoll
