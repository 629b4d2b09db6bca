#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What the parts of the library that stands in for cuDNN share: convolutions and other layers.
namespace stand_in {

constexpr int Success = 0;
constexpr int BadParameter = 2000;
constexpr int NotSupported = 3000;

struct Tensor
{
    int type = -1;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
};

extern std::string failing; ///< The function that returns
extern int failingCode;     ///< this.
extern std::string logged;

int answer(const char* function, int code = Success);

/// Where it fails, what was asked for is some address all the same. Of each library by itself.
template <typename T>
static int make(T** made, const char* function)
{
    static T never;
    const int code = answer(function);
    *made = code == Success ? new T {} : &never;
    return code;
}

std::string text(const std::vector<std::int64_t>& numbers);
std::int64_t product(const std::vector<std::int64_t>& sizes, std::size_t from = 0);
std::vector<std::int64_t> list(int count, const int* numbers);

} // namespace stand_in
