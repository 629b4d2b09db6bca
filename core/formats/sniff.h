#pragma once

#include "core/formats/known_content.h"

#include <cstddef>
#include <span>

namespace plimsoll {

enum class ContentKind { Json, Text, Binary };

/// So much of a file is looked at to tell what kind of file it is; a log says a lot before its first graph.
inline constexpr std::size_t SniffedBytes = 1 << 20;

/// What the first bytes of a file look like.
struct Content
{
    ContentKind kind = ContentKind::Text;
    KnownContent known {}; ///< Where it holds no graph.
};

[[nodiscard]] Content sniff(std::span<const std::byte> bytes);

} // namespace plimsoll
