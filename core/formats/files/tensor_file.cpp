#include "core/formats/files/tensor_file.h"

#include "core/formats/files/mapped_file.h"
#include "core/formats/files/npy.h"
#include "core/formats/onnx/onnx_value_file.h"
#include "core/formats/plimsoll/from_file.h"

namespace plimsoll {

Result<TensorFile> readTensorFile(const std::filesystem::path& path, TypeKind kind)
{
    PLIMSOLL_ASSIGN(file, MappedFile::open(path));
    const auto parse = [&]() -> Result<TensorFile> {
        if (!looksLikeNpy(file.bytes())) return onnx::readValueFile(file.bytes(), kind);
        PLIMSOLL_ASSIGN(literal, readNpy(file.bytes()));
        return TensorFile {.tensors = {std::move(literal)}};
    };
    return fromFile(parse(), path);
}

} // namespace plimsoll
