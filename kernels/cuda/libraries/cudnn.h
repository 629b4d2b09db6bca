#pragma once

#include "core/base/result.h"
#include "core/graph/tensor_type.h"
#include "kernels/common/convolution_plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace plimsoll::kernels::cuda {

/// What a library is asked for: row-major tensors with two spatial dimensions or three, and pads that are the same on
/// both ends of an axis.
struct LibraryConvolution
{
    ConvolutionSide made = ConvolutionSide::Windows;
    int algorithm = 0; ///< The library's number for it, which counts for each side by itself.
    DType dtype = DType::Float32;
    Shape planes;  ///< [batch, channels, …]
    Shape weights; ///< [filters, channels / groups, …]
    Shape windows; ///< [batch, filters, …]
    Shape pads;
    Shape strides;
    Shape dilations;
    std::int64_t groups = 1;

    friend bool operator==(const LibraryConvolution&, const LibraryConvolution&) = default;
};

/// Where its tensors lie. What is made is written; \c beta times what lies there is added.
struct ConvolutionTensors
{
    void* planes = nullptr;
    void* weights = nullptr;
    void* windows = nullptr;
    void* workspace = nullptr;
    std::int64_t workspaceBytes = 0;
    float beta = 0;
};

/// A layer without weights: a function of each element, or the greatest or the average of each window.
struct LibraryLayer
{
    int mode = 0;           ///< The library's number, which counts for functions and for windows by itself.
    double coefficient = 0; ///< Alpha of an ELU.
    DType dtype = DType::Float32;
    Shape x; ///< Four dimensions or five.
    Shape y;
    Shape kernel; ///< Empty for a function of each element; as pads and strides.
    Shape pads;
    Shape strides;

    [[nodiscard]] bool isPooling() const { return !kernel.empty(); }
};

/// Where its tensors lie. Forwards y is made of x; where there is dx, it is made of the others. By the library's rules
/// a function of each element may have y over x and dx over dy; windows may have nothing over another.
struct LayerTensors
{
    const void* x = nullptr;
    void* y = nullptr;
    const void* dy = nullptr;
    void* dx = nullptr;
};

/// cuDNN, looked for at run time: neither the program nor its package depends on it.
class LayerLibrary
{
public:
    virtual ~LayerLibrary() = default;
    [[nodiscard]] virtual std::string version() const = 0; ///< "9.19.0"
    /// Makes it ready on the device that is current. It takes memory there, so this is called right before the first
    /// question.
    [[nodiscard]] virtual Status begin() = 0;
    /// What the algorithm needs beside the tensors. Unsupported where it cannot do this.
    [[nodiscard]] virtual Result<std::int64_t> workspaceBytes(const LibraryConvolution& convolution) = 0;
    /// How many algorithms it takes to be faster, of those that add up in the same order each time.
    [[nodiscard]] virtual Result<int> rank(const LibraryConvolution& convolution) = 0;
    /// Computes it in the order of \p stream, a cudaStream_t.
    [[nodiscard]] virtual Status convolve(const LibraryConvolution& convolution, const ConvolutionTensors& tensors,
                                          void* stream) = 0;
    /// Whether it can describe the layer.
    [[nodiscard]] virtual Status accepts(const LibraryLayer& layer) = 0;
    [[nodiscard]] virtual Status compute(const LibraryLayer& layer, const LayerTensors& tensors, void* stream) = 0;
};

/// "libcudnn.so.9" and "libcudnn.so.8": by the loader's own rules, or beside the toolkit that this was built with.
[[nodiscard]] std::vector<std::string> cudnnFiles();
/// The first of \p files that can be used. Unsupported, with what is wrong with each, where there is none.
[[nodiscard]] Result<std::unique_ptr<LayerLibrary>> openCudnn(const std::vector<std::string>& files);

} // namespace plimsoll::kernels::cuda
