#pragma once

#include "core/formats/files/wire_reader.h"
#include "core/formats/onnx/onnx_model.h"

#include <filesystem>

namespace plimsoll::onnx {

/// Where the bytes being read come from, so that large tensors can point back into the file instead of being copied.
struct Source
{
    std::filesystem::path file; ///< Empty: bytes in memory; everything is copied and external data refused.
};

/// Element type of the codes of onnx.proto, 1 to 26; Unknown for any other.
[[nodiscard]] DType dtypeFromCode(std::int64_t code);

/// StringStringEntryProto: a key and its text.
[[nodiscard]] Status readStringEntry(WireBytes message, std::map<std::string, std::string>& entries);

/// TensorProto. The typed fields (float_data, int32_data, …) become row-major little-endian bytes.
[[nodiscard]] Result<Tensor> readTensor(WireBytes message, const Source& source);

} // namespace plimsoll::onnx
