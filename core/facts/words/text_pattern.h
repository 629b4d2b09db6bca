#pragma once

#include "core/facts/english/english.h"

#include <memory>
#include <string_view>

namespace plimsoll {

/// A regular expression in the syntax of RE2, which takes linear time; small and large letters are alike, and $ ends a
/// line.
class TextPattern
{
public:
    explicit TextPattern(std::string_view expression);
    ~TextPattern();
    TextPattern(TextPattern&&) noexcept;
    TextPattern& operator=(TextPattern&&) noexcept;

    [[nodiscard]] const Message& complaint() const { return m_complaint; } ///< Empty: it can be used.
    [[nodiscard]] bool occursIn(std::string_view text) const;

private:
    struct Compiled;
    std::unique_ptr<Compiled> m_compiled;
    Message m_complaint;
};

} // namespace plimsoll
