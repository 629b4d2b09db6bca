#include "kernels/run/step/compare.h"

#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace plimsoll::kernels {
namespace {

constexpr double NoDifference = std::numeric_limits<double>::quiet_NaN();

const char* kindName(RuntimeValue::Kind kind)
{
    switch (kind) {
    case RuntimeValue::Kind::Tensor:
        return "a tensor";
    case RuntimeValue::Kind::Sequence:
        return "a sequence";
    case RuntimeValue::Kind::Absent:
        break;
    }
    return "absent";
}

std::string typeText(const TensorView& tensor)
{
    return std::string(dtypeName(tensor.dtype)) + describe(tensor.shape);
}

bool sameElement(const TensorView& a, const TensorView& b, std::int64_t i)
{
    if (a.dtype == DType::String) return a.as<const std::string>()[i] == b.as<const std::string>()[i];
    const int bits = dtypeBits(a.dtype);
    if (bits < 8) return elementText(a, i) == elementText(b, i);
    const std::int64_t size = bits / 8;
    return std::memcmp(a.as<const std::byte>() + i * size, b.as<const std::byte>() + i * size,
                       static_cast<std::size_t>(size)) == 0;
}

template <typename T>
std::uint64_t apart(T x, T y)
{
    return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                 : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
}

/// Of integers, exactly.
std::uint64_t unitsApart(const TensorView& a, const TensorView& b, std::int64_t i)
{
    if (a.dtype != DType::UInt64) return apart(readInteger(a, i), readInteger(b, i));
    std::uint64_t words[2];
    std::memcpy(&words[0], a.as<const std::byte>() + i * 8, 8);
    std::memcpy(&words[1], b.as<const std::byte>() + i * 8, 8);
    return apart(words[0], words[1]);
}

/// Distance of two elements; infinite where only one is a number, 0 where both are NaN.
double distance(const TensorView& a, const TensorView& b, std::int64_t i)
{
    if (isInteger(a.dtype)) return static_cast<double>(unitsApart(a, b, i));
    const double x = readElement(a, i);
    const double y = readElement(b, i);
    if (std::isnan(x) && std::isnan(y)) return 0;
    if (x == y) return 0;
    const double d = std::abs(x - y);
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

template <typename Same>
std::optional<Difference> compareTensors(const TensorView& found, const TensorView& wanted, Same same)
{
    if (found.dtype != wanted.dtype || found.shape != wanted.shape) {
        return Difference {NoDifference, 0, say("compare.instead", typeText(found), typeText(wanted))};
    }
    Difference difference;
    std::int64_t first = -1;
    const std::int64_t count = found.elements();
    const bool isText = found.dtype == DType::String;
    for (std::int64_t i = 0; i < count; ++i) {
        if (same(found, wanted, i)) continue;
        if (first < 0) first = i;
        ++difference.count;
        difference.maxAbsDiff = isText ? NoDifference : std::max(difference.maxAbsDiff, distance(found, wanted, i));
    }
    if (first < 0) return std::nullopt;
    difference.note = say("compare.elements", word::Number {difference.count}, word::Number {count},
                          word::Number {first}, elementText(found, first), elementText(wanted, first));
    return difference;
}

/// Sub-byte tails and padding bits are not content, so only whole-byte types take the short cut.
bool sameBytes(const TensorView& a, const TensorView& b)
{
    if (a.dtype != b.dtype || a.shape != b.shape) return false;
    if (a.data == b.data) return true;
    if (a.dtype == DType::String || dtypeBits(a.dtype) < 8) return false;
    return std::memcmp(a.data, b.data, static_cast<std::size_t>(a.bytes())) == 0;
}

template <typename Same>
std::optional<Difference> compareValues(const RuntimeValue& found, const RuntimeValue& wanted, Same same)
{
    if (found.kind != wanted.kind) {
        return Difference {NoDifference, 0, say("compare.instead", kindName(found.kind), kindName(wanted.kind))};
    }
    if (found.kind == RuntimeValue::Kind::Tensor) {
        if (sameBytes(found.tensor, wanted.tensor)) return std::nullopt;
        return compareTensors(found.tensor, wanted.tensor, same);
    }
    if (found.sequence.size() != wanted.sequence.size()) {
        return Difference {
            NoDifference, 0,
            say("compare.sequence", word::Number {found.sequence.size()}, word::Number {wanted.sequence.size()})};
    }
    for (std::size_t i = 0; i < found.sequence.size(); ++i) {
        const TensorView& element = found.sequence[i].view();
        if (sameBytes(element, wanted.sequence[i].view())) continue;
        if (auto difference = compareTensors(element, wanted.sequence[i].view(), same)) {
            difference->note = say("compare.element", word::Number {i}, difference->note);
            return difference;
        }
    }
    return std::nullopt;
}

std::int64_t tensorBytes(const TensorView& tensor)
{
    if (tensor.dtype != DType::String) return tensor.bytes();
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < tensor.elements(); ++i)
        sum += static_cast<std::int64_t>(tensor.as<const std::string>()[i].size());
    return sum;
}

} // namespace

std::optional<Difference> compareExactly(const RuntimeValue& found, const RuntimeValue& wanted)
{
    return compareValues(found, wanted, sameElement);
}

std::optional<Difference> compareWithin(const RuntimeValue& found, const RuntimeValue& wanted, Tolerance tolerance)
{
    return compareValues(found, wanted, [tolerance](const TensorView& a, const TensorView& b, std::int64_t i) {
        const bool isComplex = a.dtype == DType::Complex64 || a.dtype == DType::Complex128;
        if (isInteger(a.dtype) && tolerance.units > 0)
            return static_cast<double>(unitsApart(a, b, i)) <= tolerance.units;
        if (!isFloatingPoint(a.dtype) || isComplex) return sameElement(a, b, i);
        const double apart = distance(a, b, i); // below, the bound is NaN or infinite where b is
        const double bound = tolerance.absolute + tolerance.relative * std::abs(readElement(b, i));
        return apart == 0 || (std::isfinite(apart) && apart <= bound);
    });
}

double largestMagnitude(const RuntimeValue& value)
{
    double largest = 0;
    if (value.kind != RuntimeValue::Kind::Tensor || !isFloatingPoint(value.tensor.dtype)) return largest;
    for (std::int64_t i = 0; i < value.tensor.elements(); ++i) {
        const double magnitude = std::abs(readElement(value.tensor, i));
        if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    }
    return largest;
}

Tolerance withRounding(Tolerance tolerance, const RuntimeValue& wanted)
{
    tolerance.absolute += std::numeric_limits<float>::epsilon() * largestMagnitude(wanted);
    return tolerance;
}

std::int64_t valueBytes(const RuntimeValue& value)
{
    if (value.kind == RuntimeValue::Kind::Tensor) return tensorBytes(value.tensor);
    std::int64_t sum = 0;
    for (const HostTensor& element : value.sequence)
        sum += tensorBytes(element.view());
    return sum;
}

} // namespace plimsoll::kernels
