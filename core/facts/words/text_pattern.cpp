#include "core/facts/words/text_pattern.h"

#include <re2/re2.h>

namespace plimsoll {
namespace {

constexpr std::int64_t MostBytes = std::int64_t {1} << 20; ///< Of a compiled expression.

RE2::Options options()
{
    RE2::Options all;
    all.set_case_sensitive(false);
    all.set_log_errors(false);
    all.set_max_mem(MostBytes);
    return all;
}

} // namespace

struct TextPattern::Compiled
{
    explicit Compiled(std::string_view expression)
        : re(re2::StringPiece(expression.data(), expression.size()), options())
    {
    }
    RE2 re;
};

TextPattern::TextPattern(std::string_view expression) : m_compiled(std::make_unique<Compiled>(expression))
{
    if (!m_compiled->re.ok())
        m_complaint = say("filter.no-pattern", word::Name {std::string(expression)}, m_compiled->re.error());
}

TextPattern::~TextPattern() = default;
TextPattern::TextPattern(TextPattern&&) noexcept = default;
TextPattern& TextPattern::operator=(TextPattern&&) noexcept = default;

bool TextPattern::occursIn(std::string_view text) const
{
    return m_complaint.empty() && RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), m_compiled->re);
}

} // namespace plimsoll
