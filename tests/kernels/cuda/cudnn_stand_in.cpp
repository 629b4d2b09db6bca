#include "tests/kernels/cuda/cudnn_stand_in.h"
#include "tests/kernels/cuda/cudnn_stand_in_parts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// Stands in for cuDNN: the same functions, which remember descriptors and compute in memory of the host by plain
/// loops. Its algorithms differ in what they can do and in their workspaces only, all of which they write over. It
/// shares no line with the code that calls it: numbers and orders of arguments are those of NVIDIA's API reference.
///
///     STAND_IN_VERSION         what cudnnGetVersion() returns
///     STAND_IN_WITHOUT_GROUPS  it lacks a function
#ifndef STAND_IN_VERSION
#define STAND_IN_VERSION 91900
#endif

namespace stand_in {

std::string failing;
int failingCode = 0;
std::string logged;

int answer(const char* function, int code)
{
    return failing == function ? failingCode : code;
}

std::string text(const std::vector<std::int64_t>& numbers)
{
    std::string list;
    for (const std::int64_t number : numbers)
        list += (list.empty() ? "" : ",") + std::to_string(number);
    return "[" + list + "]";
}

std::int64_t product(const std::vector<std::int64_t>& sizes, std::size_t from)
{
    std::int64_t all = 1;
    for (std::size_t i = from; i < sizes.size(); ++i)
        all *= sizes[i];
    return all;
}

std::vector<std::int64_t> list(int count, const int* numbers)
{
    return {numbers, numbers + count};
}

} // namespace stand_in

namespace {

using namespace stand_in;

struct Sliding
{
    std::vector<std::int64_t> pads;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> dilations;
    std::int64_t groups = 1;
    int math = 0;
    int mode = -1;
    int computeType = -1;
};
enum Pass { Forward, Data, Filter };

std::int64_t outputSize(const Tensor& x, const Tensor& w, const Sliding& s, std::size_t axis)
{
    const std::int64_t reach = (w.sizes[axis + 2] - 1) * s.dilations[axis] + 1;
    return (x.sizes[axis + 2] + 2 * s.pads[axis] - reach) / s.strides[axis] + 1;
}

bool fits(const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y)
{
    const std::size_t rank = x.sizes.size();
    bool good = (rank == 4 || rank == 5) && w.sizes.size() == rank && y.sizes.size() == rank &&
                s.pads.size() == rank - 2 && s.mode == 1 && s.computeType == 0 && x.type == w.type && x.type == y.type;
    if (!good) return false;
    good = x.sizes[0] == y.sizes[0] && x.sizes[1] == w.sizes[1] * s.groups && y.sizes[1] == w.sizes[0] &&
           w.sizes[0] % s.groups == 0;
    for (std::size_t i = 0; good && i < rank - 2; ++i)
        good = y.sizes[i + 2] == outputSize(x, w, s, i);
    return good;
}

bool isPlain(const Sliding& s)
{
    return product(s.strides) == 1 && product(s.dilations) == 1;
}

/// What an algorithm is for, by pass and number: g any, w windows of three that move by one, f what moves by one.
char kindOf(Pass pass, int algorithm)
{
    static constexpr const char* Kinds[] = {"ggg-ffww", "-gffww", "-gf--wf"};
    const std::string kinds = Kinds[pass];
    return algorithm < 0 || algorithm >= static_cast<int>(kinds.size()) ? '-'
                                                                        : kinds[static_cast<std::size_t>(algorithm)];
}

int support(Pass pass, const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y, int algorithm)
{
    if (!fits(x, w, s, y)) return BadParameter;
    const char kind = kindOf(pass, algorithm);
    const bool three = w.sizes.size() == 4 && w.sizes[2] == 3 && w.sizes[3] == 3;
    const bool can = kind == 'g' || (kind == 'f' && isPlain(s)) || (kind == 'w' && isPlain(s) && three);
    return can && x.type == 0 ? Success : NotSupported;
}

/// The number of the algorithm times the bytes of the weights, and of a forward "gemm" what its columns take.
std::size_t workspace(Pass pass, const Tensor& w, const Tensor& y, int algorithm)
{
    if (pass == Forward && algorithm == 2)
        return static_cast<std::size_t>(4 * product(w.sizes, 1) * product(y.sizes, 2));
    return static_cast<std::size_t>(4 * product(w.sizes) * algorithm);
}

/// Every pair of a place in a plane and an element of a window that meet.
template <typename Visit>
void meet(const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y, const Visit& visit)
{
    const std::size_t axes = x.sizes.size() - 2;
    for (std::int64_t window = 0; window < product(y.sizes, 2); ++window) {
        for (std::int64_t element = 0; element < product(w.sizes, 2); ++element) {
            std::int64_t xAt = 0;
            std::int64_t yAt = 0;
            std::int64_t restWindow = window;
            std::int64_t restElement = element;
            bool inside = true;
            for (std::size_t i = axes; i-- > 0;) {
                const std::int64_t o = restWindow % y.sizes[i + 2];
                const std::int64_t k = restElement % w.sizes[i + 2];
                const std::int64_t place = o * s.strides[i] - s.pads[i] + k * s.dilations[i];
                inside = inside && place >= 0 && place < x.sizes[i + 2];
                xAt += place * x.strides[i + 2];
                yAt += o * y.strides[i + 2];
                restWindow /= y.sizes[i + 2];
                restElement /= w.sizes[i + 2];
            }
            if (inside) visit(xAt, element, yAt);
        }
    }
}

/// Weights are dense.
template <typename Visit>
void meetAll(const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y, const Visit& visit)
{
    const std::int64_t filters = w.sizes[0] / s.groups;
    const std::int64_t elements = product(w.sizes, 2);
    meet(x, w, s, y, [&](std::int64_t xAt, std::int64_t element, std::int64_t yAt) {
        for (std::int64_t n = 0; n < x.sizes[0]; ++n) {
            for (std::int64_t f = 0; f < w.sizes[0]; ++f) {
                for (std::int64_t c = 0; c < w.sizes[1]; ++c) {
                    const std::int64_t channel = f / filters * w.sizes[1] + c;
                    visit(n * x.strides[0] + channel * x.strides[1] + xAt, (f * w.sizes[1] + c) * elements + element,
                          n * y.strides[0] + f * y.strides[1] + yAt);
                }
            }
        }
    });
}

struct Operands
{
    const float* x;
    const float* w;
    const float* y;
    float* made;
    std::int64_t count;
};

void compute(Pass pass, const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y, const Operands& o,
             float alpha, float beta)
{
    std::vector<double> sums(static_cast<std::size_t>(o.count), 0);
    meetAll(x, w, s, y, [&](std::int64_t xAt, std::int64_t wAt, std::int64_t yAt) {
        if (pass == Forward) sums[static_cast<std::size_t>(yAt)] += static_cast<double>(o.x[xAt]) * o.w[wAt];
        if (pass == Data) sums[static_cast<std::size_t>(xAt)] += static_cast<double>(o.y[yAt]) * o.w[wAt];
        if (pass == Filter) sums[static_cast<std::size_t>(wAt)] += static_cast<double>(o.x[xAt]) * o.y[yAt];
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
        o.made[i] = static_cast<float>(alpha * sums[i] + (beta != 0 ? static_cast<double>(beta * o.made[i]) : 0));
}

int run(Pass pass, const char* function, const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y,
        int algorithm, void* room, std::size_t roomBytes, const void* alpha, const void* beta, const Operands& operands)
{
    float scale = 0;
    float keep = 0;
    std::memcpy(&scale, alpha, sizeof scale);
    std::memcpy(&keep, beta, sizeof keep);
    logged = std::string(function) + " " + std::to_string(algorithm) + ": x " + text(x.sizes) + " by " +
             text(x.strides) + ", w " + text(w.sizes) + ", y " + text(y.sizes) + " by " + text(y.strides) + ", pads " +
             text(s.pads) + ", strides " + text(s.strides) + ", dilations " + text(s.dilations) + ", groups " +
             std::to_string(s.groups) + ", math " + std::to_string(s.math) + ", workspace " +
             std::to_string(roomBytes) + (keep != 0 ? ", adds" : "");
    const int code = answer(function, support(pass, x, w, s, y, algorithm));
    if (code != Success) return code;
    const std::size_t needed = workspace(pass, w, y, algorithm);
    if (roomBytes < needed || (needed > 0 && !room)) return BadParameter;
    if (needed > 0) std::memset(room, 0xEE, needed);
    compute(pass, x, w, s, y, operands, scale, keep);
    return Success;
}

struct Performance
{
    int algorithm;
    int status;
    float ms;
    std::size_t bytes;
    int determinism;
    int math;
    int reserved[3];
};

/// Backwards by number; those without a fixed order are there, too, as they are in the library.
int rank(Pass pass, const char* function, const Tensor& x, const Tensor& w, const Sliding& s, const Tensor& y, int room,
         int* count, Performance* list)
{
    *count = 0;
    for (int algorithm = 7; algorithm >= 0 && *count < room; --algorithm) {
        const bool loose = pass != Forward && (algorithm == 0 || (pass == Filter && algorithm == 3));
        const int status = loose ? Success : support(pass, x, w, s, y, algorithm);
        list[(*count)++] = {algorithm, status, -1, workspace(pass, w, y, algorithm), loose ? 0 : 1, s.math, {}};
    }
    return answer(function);
}

} // namespace

extern "C" {

void standInFail(const char* function, int code)
{
    failing = function;
    failingCode = code;
}

const char* standInLog()
{
    static std::string told;
    told.swap(logged);
    logged.clear();
    return told.c_str();
}

std::size_t cudnnGetVersion()
{
    return STAND_IN_VERSION;
}
const char* cudnnGetErrorString(int code)
{
    return code == NotSupported   ? "CUDNN_STATUS_NOT_SUPPORTED"
           : code == BadParameter ? "CUDNN_STATUS_BAD_PARAM"
                                  : "CUDNN_STATUS_EXECUTION_FAILED";
}
#if STAND_IN_VERSION >= 90000
void cudnnGetLastErrorString(char* message, std::size_t room)
{
    std::strncpy(message, failing.empty() ? "" : "as the test wants it", room);
}
#endif
int cudnnCreate(int** handle)
{
    return make(handle, "cudnnCreate");
}
int cudnnDestroy(int* handle)
{
    delete handle;
    return Success;
}
int cudnnSetStream(int* handle, void* /*stream*/)
{
    return handle ? answer("cudnnSetStream") : BadParameter;
}

int cudnnCreateTensorDescriptor(Tensor** made)
{
    return make(made, "cudnnCreateTensorDescriptor");
}
int cudnnDestroyTensorDescriptor(Tensor* tensor)
{
    delete tensor;
    return Success;
}
int cudnnSetTensorNdDescriptor(Tensor* tensor, int type, int rank, const int* sizes, const int* strides)
{
    *tensor = {type, list(rank, sizes), list(rank, strides)};
    return rank < 4 ? BadParameter : answer("cudnnSetTensorNdDescriptor");
}
int cudnnCreateFilterDescriptor(Tensor** made)
{
    return make(made, "cudnnCreateFilterDescriptor");
}
int cudnnDestroyFilterDescriptor(Tensor* filter)
{
    delete filter;
    return Success;
}
int cudnnSetFilterNdDescriptor(Tensor* filter, int type, int format, int rank, const int* sizes)
{
    *filter = {type, list(rank, sizes), {}};
    return format != 0 ? BadParameter : answer("cudnnSetFilterNdDescriptor");
}
int cudnnCreateConvolutionDescriptor(Sliding** made)
{
    return make(made, "cudnnCreateConvolutionDescriptor");
}
int cudnnDestroyConvolutionDescriptor(Sliding* sliding)
{
    delete sliding;
    return Success;
}
int cudnnSetConvolutionNdDescriptor(Sliding* sliding, int axes, const int* pads, const int* strides,
                                    const int* dilations, int mode, int computeType)
{
    *sliding = {list(axes, pads), list(axes, strides), list(axes, dilations), 1, 0, mode, computeType};
    return answer("cudnnSetConvolutionNdDescriptor");
}
#ifndef STAND_IN_WITHOUT_GROUPS
int cudnnSetConvolutionGroupCount(Sliding* sliding, int groups)
{
    sliding->groups = groups;
    return answer("cudnnSetConvolutionGroupCount");
}
#endif
int cudnnSetConvolutionMathType(Sliding* sliding, int math)
{
    sliding->math = math;
    return answer("cudnnSetConvolutionMathType");
}

int cudnnGetConvolutionForwardWorkspaceSize(int*, Tensor* x, Tensor* w, Sliding* s, Tensor* y, int algorithm,
                                            std::size_t* bytes)
{
    *bytes = workspace(Forward, *w, *y, algorithm);
    return answer("cudnnGetConvolutionForwardWorkspaceSize", support(Forward, *x, *w, *s, *y, algorithm));
}
int cudnnGetConvolutionBackwardDataWorkspaceSize(int*, Tensor* w, Tensor* dy, Sliding* s, Tensor* dx, int algorithm,
                                                 std::size_t* bytes)
{
    *bytes = workspace(Data, *w, *dy, algorithm);
    return answer("cudnnGetConvolutionBackwardDataWorkspaceSize", support(Data, *dx, *w, *s, *dy, algorithm));
}
int cudnnGetConvolutionBackwardFilterWorkspaceSize(int*, Tensor* x, Tensor* dy, Sliding* s, Tensor* dw, int algorithm,
                                                   std::size_t* bytes)
{
    *bytes = workspace(Filter, *dw, *dy, algorithm);
    return answer("cudnnGetConvolutionBackwardFilterWorkspaceSize", support(Filter, *x, *dw, *s, *dy, algorithm));
}

int cudnnGetConvolutionForwardAlgorithm_v7(int*, Tensor* x, Tensor* w, Sliding* s, Tensor* y, int room, int* count,
                                           Performance* list)
{
    return rank(Forward, "cudnnGetConvolutionForwardAlgorithm_v7", *x, *w, *s, *y, room, count, list);
}
int cudnnGetConvolutionBackwardDataAlgorithm_v7(int*, Tensor* w, Tensor* dy, Sliding* s, Tensor* dx, int room,
                                                int* count, Performance* list)
{
    return rank(Data, "cudnnGetConvolutionBackwardDataAlgorithm_v7", *dx, *w, *s, *dy, room, count, list);
}
int cudnnGetConvolutionBackwardFilterAlgorithm_v7(int*, Tensor* x, Tensor* dy, Sliding* s, Tensor* dw, int room,
                                                  int* count, Performance* list)
{
    return rank(Filter, "cudnnGetConvolutionBackwardFilterAlgorithm_v7", *x, *dw, *s, *dy, room, count, list);
}

int cudnnConvolutionForward(int*, const void* alpha, Tensor* xAs, const float* x, Tensor* wAs, const float* w,
                            Sliding* s, int algorithm, void* room, std::size_t roomBytes, const void* beta, Tensor* yAs,
                            float* y)
{
    return run(Forward, "cudnnConvolutionForward", *xAs, *wAs, *s, *yAs, algorithm, room, roomBytes, alpha, beta,
               {x, w, nullptr, y, product(yAs->sizes)});
}
int cudnnConvolutionBackwardData(int*, const void* alpha, Tensor* wAs, const float* w, Tensor* dyAs, const float* dy,
                                 Sliding* s, int algorithm, void* room, std::size_t roomBytes, const void* beta,
                                 Tensor* dxAs, float* dx)
{
    return run(Data, "cudnnConvolutionBackwardData", *dxAs, *wAs, *s, *dyAs, algorithm, room, roomBytes, alpha, beta,
               {nullptr, w, dy, dx, product(dxAs->sizes)});
}
int cudnnConvolutionBackwardFilter(int*, const void* alpha, Tensor* xAs, const float* x, Tensor* dyAs, const float* dy,
                                   Sliding* s, int algorithm, void* room, std::size_t roomBytes, const void* beta,
                                   Tensor* dwAs, float* dw)
{
    return run(Filter, "cudnnConvolutionBackwardFilter", *xAs, *dwAs, *s, *dyAs, algorithm, room, roomBytes, alpha,
               beta, {x, nullptr, dy, dw, product(dwAs->sizes)});
}
}
