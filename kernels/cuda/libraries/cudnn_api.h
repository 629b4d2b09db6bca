#pragma once

#include <cstddef>

/// What is called of cuDNN, declared here because its headers are seldom where a program is built. Names, numbers and
/// the order of arguments: NVIDIA cuDNN API reference, libraries cudnn_ops, cudnn_cnn and cudnn_graph, versions 8 and 9
/// (docs.nvidia.com/deeplearning/cudnn); tests compare them with cudnn.h where that is installed.
namespace plimsoll::kernels::cuda::cudnn {

using Handle = struct cudnnContext*;
using TensorDescriptor = struct cudnnTensorStruct*;
using FilterDescriptor = struct cudnnFilterStruct*;
using ConvolutionDescriptor = struct cudnnConvolutionStruct*;
using ActivationDescriptor = struct cudnnActivationStruct*;
using PoolingDescriptor = struct cudnnPoolingStruct*;

/// The numbers of the enumerations: cudnnStatus_t and so on.
using Code = int;
inline constexpr Code Success = 0;
inline constexpr Code Float = 0;
inline constexpr Code Half = 2;
inline constexpr Code Bfloat16 = 9;
inline constexpr Code Nchw = 0;
inline constexpr Code CrossCorrelation = 1;
inline constexpr Code DefaultMath = 0;
inline constexpr Code FmaMath = 3; ///< No tensor cores, so that float32 is not rounded to TF32.
inline constexpr Code Deterministic = 1;
inline constexpr Code PropagateNan = 1;

/// cudnnActivationMode_t, …
inline constexpr Code Sigmoid = 0;
inline constexpr Code Relu = 1;
inline constexpr Code Tanh = 2;
inline constexpr Code Elu = 4;
/// … and cudnnPoolingMode_t. The gradients of mode 0, the plain maximum, add up in no fixed order.
inline constexpr Code AverageWithPad = 1;
inline constexpr Code AverageWithoutPad = 2;
inline constexpr Code MaxDeterministic = 3;

/// cudnnConvolutionFwdAlgo_t; what was never implemented is left out.
inline constexpr Code ForwardImplicitGemm = 0;
inline constexpr Code ForwardImplicitPrecompGemm = 1;
inline constexpr Code ForwardGemm = 2;
inline constexpr Code ForwardFft = 4;
inline constexpr Code ForwardFftTiling = 5;
inline constexpr Code ForwardWinograd = 6;
inline constexpr Code ForwardWinogradNonfused = 7;
/// cudnnConvolutionBwdDataAlgo_t; 0 adds up in no fixed order.
inline constexpr Code DataImplicitGemm = 1;
inline constexpr Code DataFft = 2;
inline constexpr Code DataFftTiling = 3;
inline constexpr Code DataWinograd = 4;
inline constexpr Code DataWinogradNonfused = 5;
/// cudnnConvolutionBwdFilterAlgo_t; 0 and 3 add up in no fixed order.
inline constexpr Code FilterImplicitGemm = 1;
inline constexpr Code FilterFft = 2;
inline constexpr Code FilterWinogradNonfused = 5;
inline constexpr Code FilterFftTiling = 6;

/// cudnnConvolutionFwdAlgoPerf_t and its two siblings, which are alike.
struct Performance
{
    Code algorithm;
    Code status;
    float ms; ///< -1: not measured.
    std::size_t workspaceBytes;
    Code determinism;
    Code math;
    int reserved[3];
};
inline constexpr int MostPerformances = 16; ///< There are 8 algorithms at most, some in two ways.

/// How descriptors of one kind come and go.
template <typename Descriptor>
struct Lifetime
{
    const char* kind = ""; ///< "Tensor": cudnnCreateTensorDescriptor, …
    Code (*create)(Descriptor*) = nullptr;
    Code (*destroy)(Descriptor) = nullptr;
};

/// What makes one tensor of a convolution of the two others.
template <typename First, typename Second, typename Made>
struct ConvolutionFunctions
{
    const char* side = ""; ///< "Forward": cudnnConvolutionForward, …
    Code (*workspace)(Handle, First, Second, ConvolutionDescriptor, Made, Code algorithm, std::size_t* bytes) = nullptr;
    Code (*ranking)(Handle, First, Second, ConvolutionDescriptor, Made, int room, int* count, Performance*) = nullptr;
    Code (*run)(Handle, const void* alpha, First, const void* first, Second, const void* second, ConvolutionDescriptor,
                Code algorithm, void* workspace, std::size_t workspaceBytes, const void* beta, Made,
                void* made) = nullptr;
};

/// What makes y of x, and dx of the three others.
template <typename Layer>
struct LayerFunctions
{
    const char* name = ""; ///< "Pooling": cudnnPoolingForward, …
    Code (*forward)(Handle, Layer, const void* alpha, TensorDescriptor xDescriptor, const void* x, const void* beta,
                    TensorDescriptor yDescriptor, void* y) = nullptr;
    Code (*backward)(Handle, Layer, const void* alpha, TensorDescriptor yDescriptor, const void* y,
                     TensorDescriptor dyDescriptor, const void* dy, TensorDescriptor xDescriptor, const void* x,
                     const void* beta, TensorDescriptor dxDescriptor, void* dx) = nullptr;
};

/// The functions; tests say their names in the library.
struct Functions
{
    std::size_t (*getVersion)();
    const char* (*getErrorString)(Code);
    /// Since version 9; else null.
    void (*getLastErrorString)(char* text, std::size_t size);
    Code (*create)(Handle*);
    Code (*destroy)(Handle);
    Code (*setStream)(Handle, void* stream);

    Lifetime<TensorDescriptor> tensor {.kind = "Tensor"};
    Lifetime<FilterDescriptor> filter {.kind = "Filter"};
    Lifetime<ConvolutionDescriptor> convolution {.kind = "Convolution"};
    Lifetime<ActivationDescriptor> activation {.kind = "Activation"};
    Lifetime<PoolingDescriptor> pooling {.kind = "Pooling"};
    Code (*setTensor)(TensorDescriptor, Code type, int rank, const int* sizes, const int* strides);
    Code (*setFilter)(FilterDescriptor, Code type, Code format, int rank, const int* sizes);
    Code (*setConvolution)(ConvolutionDescriptor, int axes, const int* pads, const int* strides, const int* dilations,
                           Code mode, Code computeType);
    Code (*setGroups)(ConvolutionDescriptor, int groups);
    Code (*setMath)(ConvolutionDescriptor, Code math);
    Code (*setActivation)(ActivationDescriptor, Code mode, Code nan, double coefficient);
    Code (*setPooling)(PoolingDescriptor, Code mode, Code nan, int axes, const int* kernel, const int* pads,
                       const int* strides);

    ConvolutionFunctions<TensorDescriptor, FilterDescriptor, TensorDescriptor> windows {.side = "Forward"};
    ConvolutionFunctions<FilterDescriptor, TensorDescriptor, TensorDescriptor> planes {.side = "BackwardData"};
    ConvolutionFunctions<TensorDescriptor, TensorDescriptor, FilterDescriptor> weights {.side = "BackwardFilter"};
    LayerFunctions<ActivationDescriptor> activate {.name = "Activation"};
    LayerFunctions<PoolingDescriptor> pool {.name = "Pooling"};
};

} // namespace plimsoll::kernels::cuda::cudnn
