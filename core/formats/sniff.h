#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace plimsoll {

enum class ContentKind { Json, Protobuf, Other };

/// So much of a file is looked at to tell what kind of file it is; a log says a lot before its first graph.
inline constexpr std::size_t SniffedBytes = 1 << 20;

/// What the first bytes of a file look like.
struct Content
{
    ContentKind kind = ContentKind::Other;
    std::string_view description; ///< Of Other: a sentence, "This is a PNG picture."
};

[[nodiscard]] Content sniff(std::span<const std::byte> bytes);

} // namespace plimsoll
