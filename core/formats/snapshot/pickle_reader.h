#pragma once

#include "core/formats/bad_input.h"
#include "core/formats/snapshot/plain_data.h"

#include <string_view>

namespace plimsoll {

struct PickledData
{
    PlainData data;
    PlainData::Item root;
};

/// Whether bytes begin as a Python pickle of protocol 2 to 5 does.
[[nodiscard]] bool looksLikePickle(std::string_view bytes);

/// Reads a pickle of protocol 2 to 5 that holds plain data: None, bools, integers, floats, texts, bytes, lists, tuples
/// and dictionaries. Nothing is executed: what would make an object or call a function is refused with its name. What
/// stands in a pickle once and is referred to often is held once, a list that holds itself included; memory grows with
/// \p bytes, which the texts are views of, and no length is believed before it was compared with what is left.
/// Errors say the byte.
[[nodiscard]] Result<PickledData> readPickle(std::string_view bytes);

} // namespace plimsoll
