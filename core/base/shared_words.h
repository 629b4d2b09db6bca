#pragma once

#include "core/base/shared_text.h"

#include <unordered_map>

namespace plimsoll {

/// Holds each text once, however often it is asked for.
class SharedWords
{
public:
    [[nodiscard]] SharedText operator[](std::string_view text)
    {
        const auto known = m_known.find(text);
        if (known != m_known.end()) return known->second;
        const SharedText held(text);
        m_known.emplace(std::string_view(held), held);
        return held;
    }

private:
    std::unordered_map<std::string_view, SharedText> m_known; ///< By what they hold.
};

} // namespace plimsoll
