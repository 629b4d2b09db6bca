#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace plimsoll::kernels {
namespace {

using Complex = std::complex<double>;
constexpr double TwoPi = 2 * std::numbers::pi;

/// The discrete Fourier transform from its definition. The input is cut or padded with zeros to \p length.
std::vector<Complex> transform(const std::vector<Complex>& in, std::int64_t length, bool inverse)
{
    std::vector<Complex> turns; // e^(∓2πi k / length)
    for (std::int64_t k = 0; k < length; ++k) {
        turns.push_back(
            std::polar(1.0, (inverse ? TwoPi : -TwoPi) * static_cast<double>(k) / static_cast<double>(length)));
    }
    const auto used = std::min<std::int64_t>(length, static_cast<std::int64_t>(in.size()));
    std::vector<Complex> out;
    for (std::int64_t k = 0; k < length; ++k) {
        Complex sum = 0;
        for (std::int64_t n = 0; n < used; ++n)
            sum += in[static_cast<std::size_t>(n)] * turns[static_cast<std::size_t>(k * n % length)];
        out.push_back(inverse ? sum / static_cast<double>(length) : sum);
    }
    return out;
}

/// One-dimensional transform along an axis of a tensor whose last dimension is real or [real, imaginary].
Status dft(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    const std::int64_t parts = x.shape.back();
    const std::int64_t given = call.opset() < 20 ? intAttribute(call, "axis", 1) : intInput(call, 2, -2);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, given, x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const bool inverse = intAttribute(call, "inverse", 0) != 0;
    const bool oneSided = intAttribute(call, "onesided", 0) != 0;
    if (at + 1 == x.shape.size() || parts < 1 || parts > 2)
        return refuse(call, say("kernel.no-signal", describe(x), word::Number(axis)));
    const bool toReal = inverse && oneSided; // from half a spectrum
    const std::int64_t length = intInput(call, 1, toReal ? 2 * (x.shape[at] - 1) : x.shape[at]);
    if (length < 1 || length > 1 << 24) return refuse(call, say("kernel.transform-length", word::Number(length)));
    Shape shape = x.shape;
    shape[at] = oneSided && !inverse ? length / 2 + 1 : length;
    shape.back() = toReal ? 1 : 2;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const AxisSplit from = splitAt(x.shape, axis);
    const AxisSplit to = splitAt(shape, axis);
    const std::int64_t lines = from.inner / parts;
    PLIMSOLL_TRY(
        call.announce({loopPasses({from.outer, lines, length, toReal ? length : std::min(length, from.size)})}));
    const std::int64_t outParts = shape.back();
    const std::vector<double> in = doublesOf(x);
    std::vector<double> out(static_cast<std::size_t>(y.elements()));
    for (std::int64_t line = 0; line < from.outer * lines; ++line) {
        const std::int64_t outer = line / lines;
        std::vector<Complex> signal;
        for (std::int64_t i = 0; i < from.size; ++i) {
            const double* place = in.data() + ((outer * from.size + i) * lines + line % lines) * parts;
            signal.emplace_back(place[0], parts == 2 ? place[1] : 0.0);
        }
        if (toReal) {
            signal.resize(static_cast<std::size_t>(length / 2 + 1));
            for (std::int64_t i = length / 2 + 1; i < length; ++i)
                signal.push_back(std::conj(signal[static_cast<std::size_t>(length - i)]));
        }
        const std::vector<Complex> spectrum = transform(signal, length, inverse);
        for (std::int64_t i = 0; i < to.size; ++i) {
            double* place = out.data() + ((outer * to.size + i) * lines + line % lines) * outParts;
            place[0] = spectrum[static_cast<std::size_t>(i)].real();
            if (outParts == 2) place[1] = spectrum[static_cast<std::size_t>(i)].imag();
        }
    }
    storeNumbers(out.data(), y);
    return {};
}

/// Transforms of windows of a signal [batch, length, 1 or 2], a step apart.
Status stft(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    const std::int64_t step = intInput(call, 1, 0);
    const TensorView* window = optionalInput(call, 2);
    const std::int64_t parts = x.shape.size() == 3 ? x.shape[2] : 1;
    const std::int64_t length = window ? window->elements() : intInput(call, 3, 0);
    if (x.shape.size() < 2 || x.shape.size() > 3 || parts < 1 || parts > 2 || step < 1 || length < 1 ||
        length > x.shape[1]) {
        return refuse(call, say("kernel.frames", describe(x), word::Number(length), word::Number(step)));
    }
    const std::int64_t frames = (x.shape[1] - length) / step + 1;
    const std::int64_t bins = intAttribute(call, "onesided", 1) != 0 ? length / 2 + 1 : length;
    PLIMSOLL_TRY(call.announce({loopPasses({x.shape[0], frames, length, length})}));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, {x.shape[0], frames, bins, 2}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> factors =
        window ? doublesOf(*window) : std::vector<double>(static_cast<std::size_t>(length), 1);
    std::vector<double> out;
    for (std::int64_t frame = 0; frame < x.shape[0] * frames; ++frame) {
        const std::int64_t begin = frame / frames * x.shape[1] + frame % frames * step;
        std::vector<Complex> signal;
        for (std::int64_t i = 0; i < length; ++i) {
            const double* place = in.data() + (begin + i) * parts;
            signal.push_back(Complex(place[0], parts == 2 ? place[1] : 0.0) * factors[static_cast<std::size_t>(i)]);
        }
        const std::vector<Complex> spectrum = transform(signal, length, false);
        for (std::int64_t k = 0; k < bins; ++k) {
            out.push_back(spectrum[static_cast<std::size_t>(k)].real());
            out.push_back(spectrum[static_cast<std::size_t>(k)].imag());
        }
    }
    storeNumbers(out.data(), y);
    return {};
}

/// a0 - a1 cos(2πn/N) + a2 cos(4πn/N), N one less for a symmetric window.
Status cosineWindow(KernelCall& call, double a0, double a1, double a2)
{
    const std::int64_t size = intInput(call, 0, 0);
    const bool periodic = intAttribute(call, "periodic", 1) != 0;
    const DType dtype = dtypeFromOnnx(intAttribute(call, "output_datatype", 1));
    PLIMSOLL_ASSIGN(out, call.output(0, dtype, {size}));
    const auto period = static_cast<double>(std::max<std::int64_t>(periodic ? size : size - 1, 1));
    std::vector<double> numbers;
    for (std::int64_t n = 0; n < size; ++n) {
        const double angle = TwoPi * static_cast<double>(n) / period;
        numbers.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
    }
    storeNumbers(numbers.data(), out);
    return {};
}

double melOf(double hertz)
{
    return 2595 * std::log10(1 + hertz / 700);
}

/// Triangles over the bins of a spectrum, evenly apart on the mel scale.
Status melWeightMatrix(KernelCall& call)
{
    const std::int64_t bands = intInput(call, 0, 0);
    const std::int64_t length = intInput(call, 1, 0);
    const std::int64_t rate = intInput(call, 2, 0);
    const double low = melOf(scalarInput(call, 3, 0));
    const double high = melOf(scalarInput(call, 4, 0));
    if (bands < 1 || length < 1 || rate < 1) return refuse(call, say("kernel.bands"));
    const std::int64_t bins = length / 2 + 1;
    PLIMSOLL_ASSIGN(out, call.output(0, dtypeFromOnnx(intAttribute(call, "output_datatype", 1)), {bins, bands}));
    std::vector<std::int64_t> edges;
    for (std::int64_t i = 0; i < bands + 2; ++i) {
        const double mel = low + static_cast<double>(i) * (high - low) / static_cast<double>(bands + 2);
        const double hertz = 700 * (std::pow(10, mel / 2595) - 1);
        edges.push_back(truncated(std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate))));
    }
    std::vector<double> numbers(static_cast<std::size_t>(bins * bands), 0);
    for (std::int64_t band = 0; band < bands; ++band) {
        const std::int64_t* edge = edges.data() + band;
        for (std::int64_t bin = 0; bin < bins; ++bin) {
            double& weight = numbers[static_cast<std::size_t>(bin * bands + band)];
            if (bin == edge[1])
                weight = 1;
            else if (bin >= edge[0] && bin < edge[1])
                weight = static_cast<double>(bin - edge[0]) / static_cast<double>(edge[1] - edge[0]);
            else if (bin > edge[1] && bin < edge[2])
                weight = static_cast<double>(edge[2] - bin) / static_cast<double>(edge[2] - edge[1]);
        }
    }
    storeNumbers(numbers.data(), out);
    return {};
}

constexpr KernelEntry FourierKernels[] = {
    {"", "BlackmanWindow", [](KernelCall& call) { return cosineWindow(call, 0.42, 0.5, 0.08); }},
    {"", "DFT", dft},
    {"", "HammingWindow", [](KernelCall& call) { return cosineWindow(call, 25.0 / 46, 21.0 / 46, 0); }},
    {"", "HannWindow", [](KernelCall& call) { return cosineWindow(call, 0.5, 0.5, 0); }},
    {"", "MelWeightMatrix", melWeightMatrix},
    {"", "STFT", stft},
};

} // namespace

constinit const KernelTable fourierKernels = FourierKernels;

} // namespace plimsoll::kernels
