#include "kernels/checks/trial.h"

namespace plimsoll::kernels {
namespace {

using enum DType;

void addReductions(std::vector<Trial>& trials)
{
    for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
                           "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"}) {
        const auto positive = [op](Shape shape) { return Trial(op).input(std::move(shape)).within(0.5, 1.5); };
        trials.push_back(positive({3, 17, 22}).ints({1}));
        trials.push_back(positive({3, 17, 22}).ints({-1}));
        trials.push_back(positive({8, 1, 33}).ints({0, 2}).set("keepdims", std::int64_t {0}));
        trials.push_back(positive({1}));
        trials.push_back(positive({17, 3}));
        trials.push_back(positive({2, 3, 5, 7}).ints({0, 3}));
    }
    for (const char* op :
         {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceSumSquare"}) {
        for (const DType dtype : {Float16, BFloat16})
            trials.push_back(Trial(op).input(dtype, {3, 33}).within(0.5, 1.5).ints({1}));
        for (const DType dtype : {Int64, Int32}) {
            trials.push_back(Trial(op).input(dtype, {3, 17, 22}).within(-9, 9).ints({1}));
            trials.push_back(Trial(op).input(dtype, {70001}).within(-2, 3)); // products and sums wrap around
        }
    }
    trials.push_back(Trial("ReduceSum").input({70001})); // more than one pass
    trials.push_back(Trial("ReduceMax").input({3, 40007}).ints({1}));
    trials.push_back(Trial("ReduceMean").input({9001, 5}).ints({0}));
    trials.push_back(Trial("ReduceSum").input({300, 257}).ints({0}));
    trials.push_back(Trial("ReduceMax").input({300}).odd());
    trials.push_back(Trial("ReduceSum").input({5, 3}).set("noop_with_empty_axes", std::int64_t {1}));
    trials.push_back(Trial("ReduceMean").input({5, 3, 2}).set("axes", std::vector<std::int64_t> {1}).opset(11));
    for (const char* op : {"ArgMax", "ArgMin"}) {
        for (const std::int64_t last : {0, 1}) {
            trials.push_back(Trial(op).input({3, 17, 22}).set("axis", std::int64_t {1}).set("select_last_index", last));
            trials.push_back(Trial(op).input({7, 40000}).set("axis", std::int64_t {-1}).set("select_last_index", last));
        }
        trials.push_back(Trial(op).input({33}).within(0, 0).set("keepdims", std::int64_t {0}));
        for (const DType dtype : {Float16, Int64, Int32})
            trials.push_back(Trial(op).input(dtype, {17, 33}).within(-9, 9).set("axis", std::int64_t {1}));
    }
    for (const char* op : {"GlobalAveragePool", "GlobalMaxPool"})
        trials.push_back(Trial(op).input({8, 3, 17, 5}));
}

void addLosses(std::vector<Trial>& trials)
{
    for (const char* op : {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}) {
        for (const char* reduction : {"mean", "sum", "none"}) {
            const auto loss = [&](Shape scores, Shape labels, DType dtype) {
                return Trial(op)
                    .input(std::move(scores))
                    .within(-4, 0)
                    .input(dtype, std::move(labels))
                    .within(0, 5)
                    .set("reduction", std::string(reduction));
            };
            trials.push_back(loss({17, 5}, {17}, Int64));
            trials.push_back(loss({3, 5, 33}, {3, 33}, Int32));
            trials.push_back(loss({3, 5, 7, 11}, {3, 7, 11}, Int64).input({5}).within(0.5, 2));
            trials.push_back(loss({600, 5}, {600}, Int64).set("ignore_index", std::int64_t {2}));
        }
    }
    for (const Shape& shape : {Shape {8, 1003}, Shape {3, 22, 17}}) {
        const Shape labels = shape.size() == 2 ? Shape {8} : Shape {3, 17};
        trials.push_back(Trial("SoftmaxCrossEntropyLoss").input(shape).input(Int64, labels).within(0, 22).outputs(2));
    }
}

void addNormalizations(std::vector<Trial>& trials)
{
    for (const std::int64_t count : {1, 17, 33, 768}) {
        trials.push_back(Trial("LayerNormalization").input({8, 3, count}).input({count}).input({count}).outputs(3));
        trials.push_back(Trial("LayerNormalization").input({1, count}).input({count}));
        trials.push_back(Trial("RMSNormalization").input({22, count}).input({count}).opset(23));
        if (count == 1) trials.back().forwardOnly(); // its gradient is what two equal numbers leave of one another
    }
    trials.push_back(
        Trial("LayerNormalization").input({3, 5, 7}).input({5, 7}).input({5, 7}).set("axis", std::int64_t {1}));
    trials.push_back(Trial("LayerNormalization").input(Float16, {3, 22}).input(Float16, {22}));
    trials.push_back(Trial("LayerNormalization").input({2, 5003}).input({5003}).outputs(3));
    trials.push_back(Trial("LayerNormalization").input({4300, 70}).input({70}).input({70}));
    trials.push_back(Trial("InstanceNormalization").input({2, 3, 17, 5}).input({3}).input({3}));
    trials.push_back(Trial("InstanceNormalization").input({2, 3, 16, 5}).input({3}).input({3}));
    for (const std::int64_t opset : {18, 21}) {
        const std::int64_t factors = opset < 21 ? 3 : 6;
        trials.push_back(Trial("GroupNormalization")
                             .input({2, 6, 11})
                             .input({factors})
                             .input({factors})
                             .set("num_groups", std::int64_t {3})
                             .opset(opset));
    }
    for (const Shape& shape : {Shape {8, 3, 17, 5}, Shape {1, 22}, Shape {2, 33, 7}}) {
        const Shape channels {shape[1]};
        trials.push_back(Trial("BatchNormalization")
                             .input(shape)
                             .input(channels)
                             .input(channels)
                             .input(channels)
                             .input(channels)
                             .within(0.1, 2));
    }
    for (const std::size_t outputs : {std::size_t {1}, std::size_t {3}, std::size_t {5}})
        trials.push_back(Trial("BatchNormalization")
                             .input({8, 3, 17, 5})
                             .input({3})
                             .input({3})
                             .input({3})
                             .input({3})
                             .within(0.1, 2)
                             .set("training_mode", std::int64_t {1})
                             .outputs(outputs));
    for (const std::int64_t size : {1, 3, 4, 9})
        trials.push_back(Trial("LRN").input({2, 7, 3, 5}).set("size", size).set("alpha", 0.5));
}

} // namespace

std::vector<Trial> rowTrials()
{
    std::vector<Trial> trials;
    addReductions(trials);
    for (const char* op : {"Softmax", "LogSoftmax"}) {
        for (const Shape& shape : {Shape {8, 33}, Shape {3, 17, 22}, Shape {1, 1}, Shape {2, 1003}, Shape {3, 1024}}) {
            trials.push_back(Trial(op).input(shape).within(-9, 9));
            trials.push_back(Trial(op).input(shape).set("axis", std::int64_t {0}));
        }
        trials.push_back(Trial(op).input({3, 17, 22}).set("axis", std::int64_t {1}));
        trials.push_back(Trial(op).input({3, 17, 22}).set("axis", std::int64_t {1}).opset(11));
        trials.push_back(Trial(op).input(BFloat16, {3, 17}));
        trials.push_back(Trial(op).input(Float16, {9, 260}));
        trials.push_back(Trial(op).input({}));
        trials.push_back(Trial(op).input({2, 5003}));  // more than the lanes of a row hold
        trials.push_back(Trial(op).input({4300, 70})); // several rows to a block
    }
    addLosses(trials);
    for (const std::int64_t axis : {0, 1, -1}) {
        for (const std::int64_t way : {0, 1, 2, 3})
            trials.push_back(
                Trial("CumSum").input({3, 17, 5}).ints({axis}).set("exclusive", way % 2).set("reverse", way / 2));
    }
    for (const DType dtype : {Float32, Int64, Int32}) {
        trials.push_back(Trial("CumSum").input(dtype, {2, 1003}).within(0, 3).ints({1}));
        trials.push_back(Trial("CumSum").input(dtype, {300, 40}).within(0, 3).ints({0}));
    }
    addNormalizations(trials);
    return trials;
}

} // namespace plimsoll::kernels
