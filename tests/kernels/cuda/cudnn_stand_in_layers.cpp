#include "tests/kernels/cuda/cudnn_stand_in_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

/// Activations and pooling of the library that stands in for cuDNN, with its rules for what may lie over what: those of
/// NVIDIA's API reference.
namespace {

using namespace stand_in;

struct Activation
{
    int mode = -1;
    int nan = -1;
    double coefficient = 0;
};
struct Pooling
{
    int mode = -1;
    int nan = -1;
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> pads;
    std::vector<std::int64_t> strides;
};

bool overlap(const float* a, const float* b, std::int64_t count)
{
    return a < b + count && b < a + count;
}

bool isKnown(const Activation& a)
{
    return a.nan == 1 && (a.mode == 0 || a.mode == 1 || a.mode == 2 || a.mode == 4);
}

double activated(const Activation& a, double x)
{
    return a.mode == 0   ? 1 / (1 + std::exp(-x))
           : a.mode == 1 ? (x < 0 ? 0 : x)
           : a.mode == 2 ? std::tanh(x)
                         : (x < 0 ? a.coefficient * std::expm1(x) : x);
}

/// Of a Relu by x, of the others by y, as the library does.
double slope(const Activation& a, double x, double y)
{
    return a.mode == 0   ? y * (1 - y)
           : a.mode == 1 ? (x > 0 ? 1 : 0)
           : a.mode == 2 ? 1 - y * y
                         : (y >= 0 ? 1 : y + a.coefficient);
}

bool isRow(const Tensor& tensor)
{
    return tensor.type == 0 && tensor.sizes.size() == 4 && product(tensor.sizes) == tensor.sizes[3] &&
           tensor.strides[3] == 1;
}

void note(const char* function, const Activation& a, const Tensor& x)
{
    logged = std::string(function) + " " + std::to_string(a.mode) + ": x " + text(x.sizes) + " by " + text(x.strides) +
             ", coefficient " + std::to_string(a.coefficient);
}

void note(const char* function, const Pooling& p, const Tensor& x, const Tensor& y)
{
    logged = std::string(function) + " " + std::to_string(p.mode) + ": x " + text(x.sizes) + " by " + text(x.strides) +
             ", y " + text(y.sizes) + " by " + text(y.strides) + ", kernel " + text(p.kernel) + ", pads " +
             text(p.pads) + ", strides " + text(p.strides);
}

bool fits(const Pooling& p, const Tensor& x, const Tensor& y)
{
    const std::size_t rank = x.sizes.size();
    bool good = (rank == 4 || rank == 5) && p.kernel.size() == rank - 2 && y.sizes.size() == rank && x.type == 0 &&
                y.type == 0 && p.nan == 1 && p.mode >= 1 && p.mode <= 3;
    good = good && x.sizes[0] == y.sizes[0] && x.sizes[1] == y.sizes[1];
    for (std::size_t i = 0; good && i < rank - 2; ++i)
        good = p.pads[i] < p.kernel[i] &&
               y.sizes[i + 2] == (x.sizes[i + 2] + 2 * p.pads[i] - p.kernel[i]) / p.strides[i] + 1;
    return good;
}

/// The elements of a window that lie in its plane.
std::vector<std::int64_t> insideOf(const Pooling& p, const Tensor& x, const Tensor& y, std::int64_t window)
{
    std::vector<std::int64_t> places {0};
    std::int64_t windows = product(y.sizes, 2);
    for (std::size_t i = 0; i < p.kernel.size(); ++i) {
        windows /= y.sizes[i + 2];
        const std::int64_t first = window / windows % y.sizes[i + 2] * p.strides[i] - p.pads[i];
        std::vector<std::int64_t> more;
        for (const std::int64_t place : places) {
            for (std::int64_t at = std::max<std::int64_t>(first, 0); at < std::min(first + p.kernel[i], x.sizes[i + 2]);
                 ++at)
                more.push_back(place + at * x.strides[i + 2]);
        }
        places = more;
    }
    return places;
}

/// Visits (plane of x, window of y, elements inside) for each window of each plane.
template <typename Visit>
void eachWindow(const Pooling& p, const Tensor& x, const Tensor& y, const Visit& visit)
{
    for (std::int64_t plane = 0; plane < x.sizes[0] * x.sizes[1]; ++plane) {
        for (std::int64_t window = 0; window < product(y.sizes, 2); ++window)
            visit(plane * product(x.sizes, 2), plane * product(y.sizes, 2) + window, insideOf(p, x, y, window));
    }
}

double divisorOf(const Pooling& p, const std::vector<std::int64_t>& inside)
{
    return static_cast<double>(p.mode == 1 ? product(p.kernel) : static_cast<std::int64_t>(inside.size()));
}

void pool(const Pooling& p, const Tensor& xAs, const float* x, const Tensor& yAs, float* y)
{
    eachWindow(p, xAs, yAs, [&](std::int64_t plane, std::int64_t at, const std::vector<std::int64_t>& inside) {
        double sum = 0;
        float most = x[plane + inside[0]];
        for (const std::int64_t k : inside) {
            sum += static_cast<double>(x[plane + k]);
            if (x[plane + k] > most || x[plane + k] != x[plane + k]) most = x[plane + k];
        }
        y[at] = p.mode == 3 ? most : static_cast<float>(sum / divisorOf(p, inside));
    });
}

/// The greatest one is found by y: the first element that is equal to it.
void poolBack(const Pooling& p, const Tensor& xAs, const float* x, const Tensor& yAs, const float* y, const float* dy,
              float* dx)
{
    std::fill(dx, dx + product(xAs.sizes), 0.0F);
    eachWindow(p, xAs, yAs, [&](std::int64_t plane, std::int64_t at, const std::vector<std::int64_t>& inside) {
        for (const std::int64_t k : inside) {
            const bool isMost = p.mode == 3 && x[plane + k] == y[at];
            if (p.mode != 3) dx[plane + k] += dy[at] / static_cast<float>(divisorOf(p, inside));
            if (isMost) dx[plane + k] += dy[at];
            if (isMost) break;
        }
    });
}

bool isPlainScale(const void* alpha, const void* beta)
{
    float scale = 0;
    float keep = 1;
    std::memcpy(&scale, alpha, sizeof scale);
    std::memcpy(&keep, beta, sizeof keep);
    return scale == 1 && keep == 0;
}

} // namespace

extern "C" {

int cudnnCreateActivationDescriptor(Activation** made)
{
    return make(made, "cudnnCreateActivationDescriptor");
}
int cudnnDestroyActivationDescriptor(Activation* activation)
{
    delete activation;
    return Success;
}
int cudnnSetActivationDescriptor(Activation* activation, int mode, int nan, double coefficient)
{
    *activation = {mode, nan, coefficient};
    return answer("cudnnSetActivationDescriptor");
}
/// y may be x.
int cudnnActivationForward(int*, const Activation* a, const void* alpha, Tensor* xAs, const float* x, const void* beta,
                           Tensor* yAs, float* y)
{
    note("cudnnActivationForward", *a, *xAs);
    const std::int64_t count = product(xAs->sizes);
    const bool good = isKnown(*a) && isRow(*xAs) && isRow(*yAs) && product(yAs->sizes) == count &&
                      isPlainScale(alpha, beta) && (x == y || !overlap(x, y, count));
    const int code = answer("cudnnActivationForward", good ? Success : BadParameter);
    for (std::int64_t i = 0; code == Success && i < count; ++i)
        y[i] = static_cast<float>(activated(*a, static_cast<double>(x[i])));
    return code;
}
/// dx may be dy.
int cudnnActivationBackward(int*, const Activation* a, const void* alpha, Tensor* yAs, const float* y, Tensor* dyAs,
                            const float* dy, Tensor* xAs, const float* x, const void* beta, Tensor* dxAs, float* dx)
{
    note("cudnnActivationBackward", *a, *xAs);
    const std::int64_t count = product(xAs->sizes);
    bool good = isKnown(*a) && isPlainScale(alpha, beta) && (dx == dy || !overlap(dx, dy, count));
    for (const Tensor* tensor : {yAs, dyAs, xAs, dxAs})
        good = good && isRow(*tensor) && product(tensor->sizes) == count;
    good = good && !overlap(dx, x, count) && !overlap(dx, y, count);
    const int code = answer("cudnnActivationBackward", good ? Success : BadParameter);
    for (std::int64_t i = 0; code == Success && i < count; ++i)
        dx[i] = static_cast<float>(slope(*a, static_cast<double>(x[i]), static_cast<double>(y[i])) *
                                   static_cast<double>(dy[i]));
    return code;
}

int cudnnCreatePoolingDescriptor(Pooling** made)
{
    return make(made, "cudnnCreatePoolingDescriptor");
}
int cudnnDestroyPoolingDescriptor(Pooling* pooling)
{
    delete pooling;
    return Success;
}
int cudnnSetPoolingNdDescriptor(Pooling* pooling, int mode, int nan, int axes, const int* kernel, const int* pads,
                                const int* strides)
{
    *pooling = {mode, nan, list(axes, kernel), list(axes, pads), list(axes, strides)};
    return answer("cudnnSetPoolingNdDescriptor");
}
int cudnnPoolingForward(int*, const Pooling* p, const void* alpha, Tensor* xAs, const float* x, const void* beta,
                        Tensor* yAs, float* y)
{
    note("cudnnPoolingForward", *p, *xAs, *yAs);
    const std::int64_t count = product(xAs->sizes);
    const bool good = fits(*p, *xAs, *yAs) && isPlainScale(alpha, beta) && !overlap(y, x, count);
    const int code = answer("cudnnPoolingForward", good ? Success : BadParameter);
    if (code == Success) pool(*p, *xAs, x, *yAs, y);
    return code;
}
int cudnnPoolingBackward(int*, const Pooling* p, const void* alpha, Tensor* yAs, const float* y, Tensor* dyAs,
                         const float* dy, Tensor* xAs, const float* x, const void* beta, Tensor* dxAs, float* dx)
{
    note("cudnnPoolingBackward", *p, *xAs, *yAs);
    const std::int64_t count = product(xAs->sizes);
    const bool apart = !overlap(dx, x, count) && !overlap(dx, dy, count) && !overlap(dx, y, count);
    const bool good = fits(*p, *xAs, *yAs) && dyAs->sizes == yAs->sizes && dxAs->sizes == xAs->sizes &&
                      isPlainScale(alpha, beta) && apart;
    const int code = answer("cudnnPoolingBackward", good ? Success : BadParameter);
    if (code == Success) poolBack(*p, *xAs, x, *yAs, y, dy, dx);
    return code;
}
}
