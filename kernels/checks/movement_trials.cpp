#include "kernels/checks/trial.h"
#include "kernels/common/numbers.h"

#include <cstring>

namespace plimsoll::kernels {
namespace {

using enum DType;
using Ints = std::vector<std::int64_t>;

void addReshapes(std::vector<Trial>& trials)
{
    for (const DType dtype : {Float32, BFloat16, Int64, Bool}) {
        trials.push_back(Trial("Reshape").input(dtype, {3, 22}).ints({11, -1}));
        trials.push_back(Trial("Flatten").input(dtype, {3, 17, 2}));
        trials.push_back(Trial("Squeeze").input(dtype, {1, 33, 1}).ints({0}));
        trials.push_back(Trial("Unsqueeze").input(dtype, {33}).ints({0, 2}));
        trials.push_back(Trial("Identity").input(dtype, {17, 3}));
        trials.push_back(Trial("Transpose").input(dtype, {3, 17, 22}));
    }
    trials.push_back(Trial("Detach", "plimsoll").input({33}));
    for (const Ints& order : {Ints {0, 2, 1, 3}, Ints {3, 0, 1, 2}, Ints {1, 0, 3, 2}})
        trials.push_back(Trial("Transpose").input({8, 3, 17, 5}).set("perm", order));
    for (const Shape& shape :
         {Shape {32, 32}, Shape {33, 65}, Shape {64, 130}, Shape {8, 100}, Shape {100, 7}, Shape {31, 1}})
        trials.push_back(Trial("Transpose").input(shape)); // tiles, ragged ones, too narrow for tiles
    for (const DType dtype : {Float16, Int64, Bool})
        trials.push_back(Trial("Transpose").input(dtype, {3, 37, 70}).set("perm", Ints {0, 2, 1}));
    trials.push_back(Trial("Transpose").input({2, 35, 3, 40}).set("perm", Ints {0, 2, 3, 1}));
    trials.push_back(Trial("Transpose").input({2, 3, 40, 35}).set("perm", Ints {3, 1, 0, 2}));
    for (const char* mode : {"DCR", "CRD"}) {
        trials.push_back(Trial("DepthToSpace")
                             .input({2, 12, 3, 5})
                             .set("blocksize", std::int64_t {2})
                             .set("mode", std::string(mode)));
        trials.push_back(Trial("SpaceToDepth").input({2, 3, 4, 6}).set("blocksize", std::int64_t {2}));
    }
}

void addParts(std::vector<Trial>& trials)
{
    for (const std::int64_t axis : {0, 1, -1})
        trials.push_back(Trial("Concat").input({3, 17, 22}).input({3, 17, 22}).input({3, 17, 22}).set("axis", axis));
    trials.push_back(Trial("Concat").input({8, 1, 5}).input({8, 33, 5}).set("axis", std::int64_t {1}));
    trials.push_back(
        Trial("Concat").input(Int64, {1}).input(Int64, {0}).input(Int64, {3}).set("axis", std::int64_t {0}));
    trials.push_back(Trial("Split").input({3, 17, 5}).ints({1, 16}).set("axis", std::int64_t {1}).outputs(2));
    trials.push_back(
        Trial("Split").input({22, 3}).set("num_outputs", std::int64_t {3}).set("axis", std::int64_t {0}).outputs(3));
    trials.push_back(Trial("Slice").input({8, 17, 22}).ints({1, 2}).ints({7, 100}).ints({0, 2}).ints({2, 3}));
    trials.push_back(Trial("Slice").input({17, 3}).ints({-1}).ints({-100}).ints({0}).ints({-2}));
    trials.push_back(Trial("Slice").input(Bool, {33}).ints({5}).ints({5}));
    trials.push_back(Trial("Expand").input({3, 1, 5}).ints({2, 3, 17, 5}));
    trials.push_back(Trial("Expand").input(Int64, {}).ints({22}));
    trials.push_back(Trial("Tile").input({3, 1, 17}).ints({2, 3, 1}));
    for (const char* mode : {"constant", "edge", "reflect", "wrap"}) {
        trials.push_back(Trial("Pad").input({3, 7, 5}).ints({0, 2, 1, 1, 3, 0}).set("mode", std::string(mode)));
        trials.push_back(Trial("Pad").input({22}).ints({-3, 2}).set("mode", std::string(mode)));
    }
    trials.push_back(Trial("Pad").input({3, 5}).ints({1, 1, 1, 1}).input({}));
    trials.push_back(Trial("Pad").input({3, 5}).ints({2, 1}).input({}).ints({1}));
}

void addGathers(std::vector<Trial>& trials)
{
    const auto places = [](Trial trial, Shape shape, double size) {
        return trial.input(Int64, std::move(shape)).within(-size, size);
    };
    for (const std::int64_t axis : {0, 1, -1})
        trials.push_back(places(Trial("Gather").input({8, 9, 10}), {3, 5}, 8).set("axis", axis));
    trials.push_back(Trial("Gather").input(Float16, {33, 3}).input(Int32, {17}).within(0, 33));
    trials.push_back(places(Trial("Gather").input({5}), {}, 5));
    trials.push_back(places(Trial("GatherElements").input({8, 17}), {3, 5}, 8).set("axis", std::int64_t {0}));
    trials.push_back(places(Trial("GatherElements").input({3, 5, 7}), {3, 5, 11}, 7).set("axis", std::int64_t {2}));
    trials.push_back(places(Trial("GatherND").input({8, 9, 10}), {5, 2}, 8));
    trials.push_back(places(Trial("GatherND").input({4, 9, 10}), {4, 5, 1}, 9).set("batch_dims", std::int64_t {1}));
    for (const char* how : {"none", "add", "mul", "max", "min"}) {
        const bool repeats = std::string_view(how) != "none";
        trials.push_back(places(Trial("ScatterElements").input({8, 17}), {repeats ? 11 : 1, 17}, 8)
                             .input({repeats ? 11 : 1, 17})
                             .set("axis", std::int64_t {0})
                             .set("reduction", std::string(how)));
        trials.push_back(places(Trial("ScatterND").input({8, 33}), {repeats ? 11 : 1, 1}, 8)
                             .input({repeats ? 11 : 1, 33})
                             .set("reduction", std::string(how)));
    }
    trials.push_back(places(Trial("ScatterElements").input({3, 5, 7}), {2, 5, 4}, 7)
                         .input({2, 5, 4})
                         .set("axis", std::int64_t {-1})
                         .set("reduction", std::string("add")));
    trials.push_back(
        places(Trial("ScatterND").input({4, 5, 6}), {9, 3}, 4).input({9}).set("reduction", std::string("add")));
}

TensorLiteral literalOf(DType dtype, double number)
{
    const HostTensor tensor(dtype, {1});
    storeNumbers(&number, tensor.view());
    auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(tensor.view().bytes()));
    std::memcpy(bytes->data(), tensor.view().data, bytes->size());
    TensorLiteral literal {dtype, {1}, {}};
    literal.data.bytes = std::move(bytes);
    return literal;
}

} // namespace

std::vector<Trial> movementTrials()
{
    std::vector<Trial> trials;
    addReshapes(trials);
    addParts(trials);
    addGathers(trials);
    trials.push_back(Trial("ConstantOfShape").ints({3, 17}));
    for (const DType dtype : {Float32, Float16, Float64, Int64, Int32, Bool})
        trials.push_back(Trial("ConstantOfShape").ints({1030}).set("value", literalOf(dtype, 1)));
    for (const DType dtype : {Float32, Float16})
        trials.push_back(Trial("Dropout").input(dtype, {17, 33}).outputs(2).opset(7));
    for (const DType dtype : {Float32, BFloat16})
        trials.push_back(Trial("Dropout").input(dtype, {17, 33}).outputs(2));
    trials.push_back(Trial("Dropout").input({17, 33}));
    trials.push_back(Trial("Dropout").input({3000}).absent().flag(true).outputs(2));
    trials.push_back(Trial("Dropout").input({8, 3, 17}).absent().flag(true));
    return trials;
}

} // namespace plimsoll::kernels
