#pragma once

#include "core/base/result.h"
#include "kernels/cuda/libraries/cudnn_api.h"

#include <memory>
#include <string>

namespace plimsoll::kernels::cuda::cudnn {

struct CloseFile
{
    void operator()(void* handle) const;
};

/// The library, loaded: its functions can be called as long as this is there.
struct File
{
    std::unique_ptr<void, CloseFile> handle;
    Functions call {};
};

/// The reason is the error's message; empty where there is no such file.
[[nodiscard]] Result<File> openFile(const std::string& path);

/// Of what cudnnGetVersion() returns: "9.19.0".
[[nodiscard]] std::string versionText(std::size_t version);

} // namespace plimsoll::kernels::cuda::cudnn
