#pragma once

#include "core/base/rare.h"

#include <compare>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace plimsoll {

/// A text that its copies share: what many have in common takes one pointer in each. Reads like a std::string.
class SharedText
{
public:
    SharedText() = default;
    SharedText(std::string text) : m_text(std::move(text)) {}
    SharedText(std::string_view text) : m_text(std::string(text)) {}
    SharedText(const char* text) : m_text(std::string(text)) {}

    operator const std::string&() const { return *m_text; }
    operator std::string_view() const { return *m_text; }
    [[nodiscard]] const std::string& operator*() const { return *m_text; }
    [[nodiscard]] const std::string* operator->() const { return &*m_text; }
    [[nodiscard]] bool empty() const { return m_text->empty(); }

    friend bool operator==(const SharedText&, const SharedText&) = default;
    friend auto operator<=>(const SharedText& a, const SharedText& b) { return *a.m_text <=> *b.m_text; }
    template <typename Text>
    requires(std::convertible_to<const Text&, std::string_view> && !std::same_as<Text, SharedText>) friend bool
    operator==(const SharedText& a, const Text& b)
    {
        return *a.m_text == std::string_view(b);
    }

    friend std::string operator+(const SharedText& a, std::string_view b) { return std::string(*a).append(b); }
    friend std::string operator+(std::string a, const SharedText& b) { return std::move(a.append(*b)); }

private:
    Rare<std::string> m_text;
};

} // namespace plimsoll
