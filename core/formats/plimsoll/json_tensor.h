#pragma once

#include "core/formats/files/json_input.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <span>

#include <nlohmann/json_fwd.hpp>

namespace plimsoll {

/// "dtype" and "shape" of \p place: a list of sizes, symbols and nulls (unknown). "kind": "sequence", "optional" or
/// "opaque" for what is not a tensor. "storageType": "row_sparse" or "csr", and "maxStored", how many rows or elements
/// are kept at most; it is known at run time only, and a run that has more to keep is refused.
[[nodiscard]] Result<TensorType> readTypeFields(const JsonPlace& place);
void writeTypeFields(const TensorType& type, nlohmann::ordered_json& out);

/// The data of a tensor of that type, of which one of these is there, or none:
/// "data": numbers row by row, nested lists are flattened; "dataHex": the bytes as hexadecimal digits;
/// "dataFile": a file beside the graph, raw bytes or .npy, with "dataOffset" and "dataBytes" where it holds more.
/// \p file is the graph file; data files are refused where it is empty.
[[nodiscard]] Result<TensorData> readDataFields(const JsonPlace& place, const TensorType& type,
                                                const std::filesystem::path& file);

/// "data" where numbers say the bytes exactly, "dataHex" otherwise. \p bytes is of the size that the type asks for.
void writeDataField(DType dtype, std::span<const std::byte> bytes, nlohmann::ordered_json& out);

[[nodiscard]] std::string toHex(std::string_view bytes);
[[nodiscard]] std::optional<std::string> fromHex(std::string_view digits);

/// A double as JSON: a number, or "nan", "inf", "-inf".
[[nodiscard]] nlohmann::ordered_json numberToJson(double number);

} // namespace plimsoll
