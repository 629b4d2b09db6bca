#include "kernels/checks/trial.h"

namespace plimsoll::kernels {
namespace {

using enum DType;
using Ints = std::vector<std::int64_t>;

void addProducts(std::vector<Trial>& trials)
{
    constexpr std::int64_t Sizes[][3] = {{1, 1, 1},    {3, 17, 22}, {33, 1, 65},
                                         {64, 64, 64}, {65, 33, 3}, {130, 70, 129}};
    for (const auto& [rows, depth, columns] : Sizes) {
        trials.push_back(Trial("MatMul").input({rows, depth}).input({depth, columns}));
        trials.push_back(Trial("MatMul").input({8, rows, depth}).input({8, depth, columns}));
        trials.push_back(Trial("MatMul").input({2, 1, rows, depth}).input({3, depth, columns}));
        for (const std::int64_t turned : {0, 1, 2, 3}) {
            const bool a = turned % 2 == 1;
            const bool b = turned / 2 == 1;
            trials.push_back(Trial("Gemm")
                                 .input(a ? Shape {depth, rows} : Shape {rows, depth})
                                 .input(b ? Shape {columns, depth} : Shape {depth, columns})
                                 .input(b ? Shape {rows, columns} : Shape {columns})
                                 .set("transA", std::int64_t {a})
                                 .set("transB", std::int64_t {b})
                                 .set("alpha", 0.5)
                                 .set("beta", 2.0));
        }
    }
    for (const std::int64_t transposed : {0, 1, 2, 3}) {
        const bool a = transposed % 2 == 1;
        const bool b = transposed / 2 == 1;
        trials.push_back(Trial("FusedMatMul", "com.microsoft")
                             .input(a ? Shape {2, 1, 17, 33} : Shape {2, 1, 33, 17})
                             .input(b ? Shape {3, 70, 17} : Shape {3, 17, 70})
                             .set("transA", std::int64_t {a})
                             .set("transB", std::int64_t {b})
                             .set("alpha", 0.25));
    }
    trials.push_back(Trial("FusedMatMul", "com.microsoft")
                         .input(Float16, {17, 33})
                         .input(Float16, {22, 33})
                         .set("transB", std::int64_t {1}));
    trials.push_back(Trial("MatMul").input({17}).input({17, 3}));
    trials.push_back(Trial("MatMul").input({8, 3, 17}).input({17}));
    trials.push_back(Trial("MatMul").input({3, 0}).input({0, 5}));
    trials.push_back(Trial("MatMul").input(BFloat16, {17, 33}).input(BFloat16, {33, 22}));
    for (const DType dtype : {Float16, BFloat16})
        trials.push_back(Trial("Gemm")
                             .input(dtype, {17, 70})
                             .input(dtype, {65, 70})
                             .input(dtype, {65})
                             .set("transB", std::int64_t {1}));
    trials.push_back(Trial("Gemm").input({22, 17}).input({17, 33}));
    trials.push_back(Trial("Gemm").input({22, 17}).input({17, 33}).input({22, 1}));
    trials.push_back(Trial("Gemm").input({22, 17}).input({17, 33}).input({}));
}

void addConvolutions(std::vector<Trial>& trials)
{
    const auto conv = [](Shape x, Shape w) { return Trial("Conv").input(std::move(x)).input(std::move(w)); };
    trials.push_back(conv({2, 3, 7, 5}, {5, 3, 3, 2}).input({5}));
    trials.push_back(conv({1, 3, 9, 8}, {4, 3, 3, 3}).set("pads", Ints {0, 2, 1, 1}).set("strides", Ints {2, 3}));
    trials.push_back(conv({1, 6, 11, 9}, {4, 3, 3, 3}).set("group", std::int64_t {2}).set("dilations", Ints {2, 1}));
    trials.push_back(conv({8, 5, 6, 6}, {5, 1, 3, 3}).set("group", std::int64_t {5}).set("pads", Ints {1, 1, 1, 1}));
    trials.push_back(conv({8, 17, 22, 3}, {33, 17, 1, 1}));
    trials.push_back(conv({1, 70, 10, 10}, {66, 70, 3, 3}).set("auto_pad", std::string("SAME_UPPER")));
    trials.push_back(conv({2, 3, 33}, {5, 3, 4}).set("strides", Ints {3}));
    trials.push_back(conv({1, 2, 5, 6, 7}, {3, 2, 2, 3, 2}).set("pads", Ints {1, 0, 1, 0, 1, 0}));
    trials.push_back(conv({1, 1, 1, 1}, {1, 1, 1, 1}).input({1}));
    trials.push_back(Trial("Conv").input(Float16, {1, 3, 9, 9}).input(Float16, {4, 3, 3, 3}).input(Float16, {4}));

    const auto back = [](Shape x, Shape w) { return Trial("ConvTranspose").input(std::move(x)).input(std::move(w)); };
    trials.push_back(back({2, 3, 7, 5}, {3, 5, 3, 2}).input({5}));
    trials.push_back(back({1, 3, 4, 5}, {3, 4, 3, 3})
                         .set("pads", Ints {0, 1, 1, 1})
                         .set("strides", Ints {2, 3})
                         .set("output_padding", Ints {1, 2}));
    trials.push_back(back({1, 6, 5, 4}, {6, 2, 3, 3}).set("group", std::int64_t {2}).set("dilations", Ints {2, 1}));
    trials.push_back(back({8, 3, 11}, {3, 17, 4}).set("strides", Ints {2}));
    for (const DType dtype : {Float16, BFloat16})
        trials.push_back(
            Trial("ConvTranspose").input(dtype, {1, 3, 5, 6}).input(dtype, {3, 4, 3, 3}).input(dtype, {4}));
}

Trial resize(Shape from, Ints to, const char* mode, const char* coordinates)
{
    return Trial("Resize")
        .input(std::move(from))
        .absent()
        .absent()
        .ints(std::move(to))
        .set("mode", std::string(mode))
        .set("coordinate_transformation_mode", std::string(coordinates));
}

void addPools(std::vector<Trial>& trials)
{
    for (const char* op : {"MaxPool", "AveragePool"}) {
        const auto pool = [op](Shape x, Ints kernel) {
            return Trial(op).input(std::move(x)).set("kernel_shape", std::move(kernel));
        };
        trials.push_back(pool({2, 3, 17, 22}, {3, 3}));
        trials.push_back(pool({2, 3, 17, 22}, {2, 3}).set("strides", Ints {2, 3}).set("pads", Ints {1, 1, 0, 2}));
        trials.push_back(pool({1, 1, 6, 6}, {3, 3}).set("strides", Ints {2, 2}).set("ceil_mode", std::int64_t {1}));
        trials.push_back(pool({8, 5, 33}, {4}).set("dilations", Ints {2}));
        trials.push_back(pool({1, 2, 5, 6, 7}, {2, 2, 3}).set("auto_pad", std::string("SAME_LOWER")));
        trials.push_back(Trial(op).input(Float16, {1, 3, 7, 7}).set("kernel_shape", Ints {2, 2}));
    }
    for (const std::int64_t order : {0, 1})
        trials.push_back(Trial("MaxPool")
                             .input({2, 3, 7, 5})
                             .set("kernel_shape", Ints {3, 2})
                             .set("storage_order", order)
                             .set("pads", Ints {1, 1, 1, 0})
                             .outputs(2));
    trials.push_back( // all alike: the first of a window is chosen
        Trial("MaxPool").input({1, 2, 5, 5}).within(1, 1).set("kernel_shape", Ints {2, 2}).outputs(2));
    trials.push_back(Trial("MaxPool").input({1, 3, 9, 9}).odd().set("kernel_shape", Ints {3, 3}));
    trials.push_back(Trial("AveragePool")
                         .input({1, 2, 7, 7})
                         .set("kernel_shape", Ints {3, 3})
                         .set("strides", Ints {2, 2})
                         .set("pads", Ints {1, 1, 2, 2})
                         .set("ceil_mode", std::int64_t {1})
                         .set("count_include_pad", std::int64_t {1}));
}

} // namespace

std::vector<Trial> networkTrials()
{
    std::vector<Trial> trials;
    addProducts(trials);
    addConvolutions(trials);
    addPools(trials);
    for (const char* coordinates : {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel",
                                    "half_pixel_symmetric", "tf_half_pixel_for_nn"}) {
        for (const char* mode : {"nearest", "linear", "cubic"}) {
            trials.push_back(resize({2, 3, 7, 5}, {2, 3, 14, 9}, mode, coordinates));
            trials.push_back(resize({1, 2, 17, 22}, {1, 2, 6, 1}, mode, coordinates));
        }
    }
    for (const char* rule : {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"})
        trials.push_back(
            resize({1, 2, 8, 6}, {1, 2, 12, 3}, "nearest", "half_pixel").set("nearest_mode", std::string(rule)));
    trials.push_back(resize({1, 2, 4, 5, 6}, {1, 2, 7, 3, 9}, "linear", "half_pixel"));
    trials.push_back(resize({1, 1, 3, 5, 4}, {1, 1, 4, 3, 7}, "cubic", "half_pixel"));
    trials.push_back(resize({17}, {40}, "linear", "half_pixel"));
    for (const char* mode : {"linear", "cubic"}) {
        trials.push_back(resize({1, 2, 9, 5}, {1, 2, 4, 11}, mode, "half_pixel")
                             .set("exclude_outside", std::int64_t {1})
                             .set("cubic_coeff_a", -0.5));
    }
    trials.push_back(Trial("Resize")
                         .input(Float16, {1, 1, 5, 5})
                         .absent()
                         .absent()
                         .ints({1, 1, 9, 8})
                         .set("mode", std::string("linear")));
    trials.push_back(Trial("Resize").input(UInt8, {1, 3, 5, 5}).absent().absent().ints({1, 3, 11, 8}));
    trials.push_back(Trial("Resize").input({2, 9, 7}).absent().absent().ints({4, 21}).set("axes", Ints {2, 1}));
    return trials;
}

} // namespace plimsoll::kernels
