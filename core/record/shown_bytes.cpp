#include "core/record/shown_bytes.h"

#include "core/graph/elements.h"

#include <algorithm>
#include <cmath>

namespace plimsoll {
namespace {

std::int64_t linesOf(Interval bytes)
{
    constexpr std::int64_t Each = ShownBytes::LineBytes;
    return bytes.empty() ? 0 : (bytes.end + Each - 1) / Each - bytes.begin / Each;
}

} // namespace

ShownBytes::ShownBytes(std::shared_ptr<const RunRecord> record, std::shared_ptr<const PlannedProgram> program,
                       ArenaId arena, Interval bytes, std::size_t moment)
    : m_record(std::move(record)), m_program(std::move(program)), m_inArena(true), m_moment(moment),
      m_pieces(heldAt(*m_record, *m_program, arena, bytes, moment))
{
    countLines();
}

ShownBytes::ShownBytes(std::shared_ptr<const RunRecord> record, std::shared_ptr<const PlannedProgram> program,
                       ValueId value, std::size_t moment)
    : m_record(std::move(record)), m_program(std::move(program))
{
    if (const auto content = contentAt(*m_record, value, moment))
        m_pieces.push_back({{0, m_record->contents[*content].bytes}, content, {}, moment});
    countLines();
}

void ShownBytes::countLines()
{
    m_firstLine.assign(1, 0);
    for (const HeldBytes& piece : m_pieces)
        m_firstLine.push_back(m_firstLine.back() + linesOf(piece.bytes));
}

ShownBytes::Line ShownBytes::line(std::int64_t number) const
{
    const auto next = std::ranges::upper_bound(m_firstLine, number);
    const auto piece = static_cast<std::size_t>(next - m_firstLine.begin()) - 1;
    const Interval whole = m_pieces[piece].bytes;
    const std::int64_t begin = (whole.begin / LineBytes + number - m_firstLine[piece]) * LineBytes;
    return {intersection(whole, {begin, begin + LineBytes}), piece};
}

const RecordedContent* ShownBytes::contentOf(const Line& line) const
{
    const auto& content = m_pieces[line.piece].content;
    return content ? &m_record->contents[*content] : nullptr;
}

bool ShownBytes::isDead(const HeldBytes& held) const
{
    if (!m_inArena || !m_record->order.empty()) return false; // live ranges are of the schedule's order
    if (held.scratchOf.valid()) return held.moment != m_moment;
    if (!held.content) return false;
    const ValueId value = m_record->contents[*held.content].value;
    return !m_program->values[value.index()].live.contains(m_record->moments[m_moment].step);
}

std::int64_t ShownBytes::originOf(const Line& line) const
{
    return m_inArena ? m_program->map.values[contentOf(line)->value.index()].offset : 0;
}

std::string ShownBytes::hexText(const Line& line) const
{
    constexpr std::string_view Digits = "0123456789abcdef";
    const RecordedContent* content = contentOf(line);
    const std::span<const std::byte> all = content ? m_record->bytesOf(*content) : std::span<const std::byte>();
    std::string text;
    for (std::int64_t at = line.bytes.begin; at < line.bytes.end; ++at) {
        if (!text.empty()) text += ' ';
        if (all.empty()) {
            text += "··";
            continue;
        }
        const auto byte = std::to_integer<unsigned>(all[static_cast<std::size_t>(at - originOf(line))]);
        text += {Digits[byte >> 4], Digits[byte & 15U]};
    }
    return text;
}

Interval ShownBytes::elementsIn(const Line& line) const
{
    const RecordedContent* content = contentOf(line);
    const int bits = content && content->at ? dtypeBits(content->dtype) : 0;
    if (bits == 0) return {};
    const auto firstFrom = [&](std::int64_t byte) { return ((byte - originOf(line)) * 8 + bits - 1) / bits; };
    const std::int64_t count = elementCount(content->shape).value_or(0);
    return {std::min(firstFrom(line.bytes.begin), count), std::min(firstFrom(line.bytes.end), count)};
}

std::string ShownBytes::elementsText(const Line& line) const
{
    const Interval elements = elementsIn(line);
    std::string text;
    for (std::int64_t i = elements.begin; i < elements.end; ++i) {
        const RecordedContent& content = *contentOf(line);
        text += (text.empty() ? "" : ", ") + elementText(content.dtype, m_record->bytesOf(content).data(), i);
    }
    return text;
}

bool ShownBytes::hasNonFinite(const Line& line) const
{
    const Interval elements = elementsIn(line);
    for (std::int64_t i = elements.begin; i < elements.end; ++i) {
        const RecordedContent& content = *contentOf(line);
        if (!std::isfinite(elementNumber(content.dtype, m_record->bytesOf(content).data(), i))) return true;
    }
    return false;
}

} // namespace plimsoll
