#include "kernels/cuda/libraries/cudnn_api.h"

#include <cstddef>
#include <type_traits>

#include <cudnn.h>

/// What is declared of cuDNN is what its header says: this compiles, or it does not. Built where that is installed.
namespace {

using namespace plimsoll::kernels;

/// Whether a caller cannot tell two types apart.
template <typename A, typename B>
constexpr bool Alike = std::is_pointer_v<A>&& std::is_pointer_v<B>;
template <typename A, typename B>
requires(!std::is_pointer_v<A> && !std::is_pointer_v<B>) constexpr bool Alike<A, B> =
    sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
template <>
constexpr bool Alike<void, void> = true;

template <typename A, typename... As, typename B, typename... Bs>
consteval bool sameCall(A (*)(As...), B (*)(Bs...))
{
    if constexpr (sizeof...(As) == sizeof...(Bs))
        return Alike<A, B> && (Alike<As, Bs> && ...);
    else
        return false;
}

namespace api = cuda::cudnn;
using Calls = api::Functions;
#define SAME(member, function) static_assert(sameCall(decltype(Calls::member) {}, decltype(&function) {}))
SAME(getVersion, cudnnGetVersion);
SAME(getErrorString, cudnnGetErrorString);
SAME(create, cudnnCreate);
SAME(destroy, cudnnDestroy);
SAME(setStream, cudnnSetStream);
SAME(tensor.create, cudnnCreateTensorDescriptor);
SAME(tensor.destroy, cudnnDestroyTensorDescriptor);
SAME(setTensor, cudnnSetTensorNdDescriptor);
SAME(filter.create, cudnnCreateFilterDescriptor);
SAME(filter.destroy, cudnnDestroyFilterDescriptor);
SAME(setFilter, cudnnSetFilterNdDescriptor);
SAME(convolution.create, cudnnCreateConvolutionDescriptor);
SAME(convolution.destroy, cudnnDestroyConvolutionDescriptor);
SAME(setConvolution, cudnnSetConvolutionNdDescriptor);
SAME(setGroups, cudnnSetConvolutionGroupCount);
SAME(setMath, cudnnSetConvolutionMathType);
SAME(windows.workspace, cudnnGetConvolutionForwardWorkspaceSize);
SAME(planes.workspace, cudnnGetConvolutionBackwardDataWorkspaceSize);
SAME(weights.workspace, cudnnGetConvolutionBackwardFilterWorkspaceSize);
SAME(windows.ranking, cudnnGetConvolutionForwardAlgorithm_v7);
SAME(planes.ranking, cudnnGetConvolutionBackwardDataAlgorithm_v7);
SAME(weights.ranking, cudnnGetConvolutionBackwardFilterAlgorithm_v7);
SAME(windows.run, cudnnConvolutionForward);
SAME(planes.run, cudnnConvolutionBackwardData);
SAME(weights.run, cudnnConvolutionBackwardFilter);
SAME(activation.create, cudnnCreateActivationDescriptor);
SAME(activation.destroy, cudnnDestroyActivationDescriptor);
SAME(setActivation, cudnnSetActivationDescriptor);
SAME(activate.forward, cudnnActivationForward);
SAME(activate.backward, cudnnActivationBackward);
SAME(pooling.create, cudnnCreatePoolingDescriptor);
SAME(pooling.destroy, cudnnDestroyPoolingDescriptor);
SAME(setPooling, cudnnSetPoolingNdDescriptor);
SAME(pool.forward, cudnnPoolingForward);
SAME(pool.backward, cudnnPoolingBackward);
#if CUDNN_MAJOR >= 9
SAME(getLastErrorString, cudnnGetLastErrorString);
#endif
#undef SAME

static_assert(sizeof(api::Performance) == sizeof(cudnnConvolutionFwdAlgoPerf_t));
static_assert(offsetof(api::Performance, workspaceBytes) == offsetof(cudnnConvolutionFwdAlgoPerf_t, memory));
static_assert(offsetof(api::Performance, determinism) == offsetof(cudnnConvolutionFwdAlgoPerf_t, determinism));
static_assert(api::Success == CUDNN_STATUS_SUCCESS && api::Deterministic == CUDNN_DETERMINISTIC);
static_assert(api::Float == CUDNN_DATA_FLOAT && api::Half == CUDNN_DATA_HALF && api::Bfloat16 == CUDNN_DATA_BFLOAT16);
static_assert(api::Nchw == CUDNN_TENSOR_NCHW && api::CrossCorrelation == CUDNN_CROSS_CORRELATION);
static_assert(api::DefaultMath == CUDNN_DEFAULT_MATH && api::FmaMath == CUDNN_FMA_MATH);
static_assert(api::ForwardImplicitGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
static_assert(api::ForwardImplicitPrecompGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
static_assert(api::ForwardGemm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM);
static_assert(api::ForwardFft == CUDNN_CONVOLUTION_FWD_ALGO_FFT);
static_assert(api::ForwardFftTiling == CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING);
static_assert(api::ForwardWinograd == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
static_assert(api::ForwardWinogradNonfused == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED);
static_assert(api::DataImplicitGemm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_1);
static_assert(api::DataFft == CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT);
static_assert(api::DataFftTiling == CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING);
static_assert(api::DataWinograd == CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD);
static_assert(api::DataWinogradNonfused == CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED);
static_assert(api::FilterImplicitGemm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1);
static_assert(api::FilterFft == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT);
static_assert(api::FilterWinogradNonfused == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED);
static_assert(api::FilterFftTiling == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING);
static_assert(api::PropagateNan == CUDNN_PROPAGATE_NAN);
static_assert(api::Sigmoid == CUDNN_ACTIVATION_SIGMOID && api::Relu == CUDNN_ACTIVATION_RELU);
static_assert(api::Tanh == CUDNN_ACTIVATION_TANH && api::Elu == CUDNN_ACTIVATION_ELU);
static_assert(api::AverageWithPad == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING);
static_assert(api::AverageWithoutPad == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING);
static_assert(api::MaxDeterministic == CUDNN_POOLING_MAX_DETERMINISTIC);

} // namespace
