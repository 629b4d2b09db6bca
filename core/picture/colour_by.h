#pragma once

#include "core/base/interval.h"
#include "core/facts/report.h"
#include "core/picture/storage_colours.h"

#include <string>
#include <vector>

namespace plimsoll {

/// What the colours of a picture tell.
enum class ColourBy : std::uint8_t {
    Storage,  ///< Equal near by: the same bytes.
    Kind,     ///< Input, parameter, constant, output, what is in between.
    Type,     ///< Of the elements.
    Operator, ///< Of the node that writes it.
    Module,   ///< Of the model, from the file or from the paths of names.
    Lifetime, ///< Over how many steps its bytes matter.
    Reuse,    ///< How many values lie in its storage.
    Time,     ///< How long the node that writes it took in a run.
    None,
};

/// One line of the legend.
struct ColourKey
{
    ColourIndex colour = NoColour;
    std::string name;       ///< Of a class; empty where the colours are numbers. "other": all that have no colour left.
    Interval range;         ///< Of numbers; times are in microseconds.
    std::size_t values = 0; ///< So many have it.
};

struct ColourScheme
{
    ColourBy by = ColourBy::Storage;
    std::vector<ColourIndex> values; ///< By ValueId.
    StorageColours storages;    ///< By StorageId: of numbers their own, or else (as times) that of the first value.
    std::vector<ColourKey> key; ///< Most values first, numbers rising. Empty where nothing is to be explained.
};

/// Classes have the colours of storages, the most frequent first; numbers have those of the ramp. Times are those of
/// \p run, which is of the report; without it they colour nothing.
[[nodiscard]] ColourScheme colourBy(const Report& report, ColourBy by, const RunResult* run = nullptr);

/// The module of each value, by ValueId, as deep as the colours of storages suffice: "encoder/layer.3". Empty: the file
/// names none, and the name of the node that writes it has no path.
[[nodiscard]] std::vector<std::string> modulesOf(const Report& report);

} // namespace plimsoll
