#pragma once

#include "core/graph/graph_builder.h"
#include "kernels/tensor_view.h"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// One operator on random tensors: what a kernel of a device is compared with the reference on.
///
///     Trial("Gemm").input({17, 33}).input({22, 33}).input({22}).set("transB", std::int64_t {1})
class Trial
{
public:
    explicit Trial(std::string op, std::string domain = {});

    Trial& input(Shape shape) { return input(DType::Float32, std::move(shape)); }
    Trial& input(DType dtype, Shape shape); ///< Floating-point numbers in [-1, 1), others small.
    /// Numbers from [low, high).
    Trial& within(double low, double high);
    /// Of the last input: some NaNs, infinities, zeros of both signs and numbers near the ends.
    Trial& odd();
    /// It has no backward trial.
    Trial& forwardOnly();
    Trial& absent();
    Trial& ints(std::vector<std::int64_t> numbers); ///< A constant of the graph, int64.
    Trial& flag(bool value);                        ///< A constant bool.
    Trial& set(std::string name, Attribute value);
    Trial& outputs(std::size_t count);
    Trial& opset(std::int64_t version);

    [[nodiscard]] const std::string& op() const { return m_node.op; }
    [[nodiscard]] std::string name() const; ///< "Add float32[3,17] float32[17]"

    struct Prepared
    {
        Graph graph; ///< Inferred.
        NodeId node;
        std::vector<RuntimeValue> inputs; ///< On the host.
    };
    /// Fresh numbers for each seed.
    [[nodiscard]] Result<Prepared> prepare(std::uint64_t seed) const;
    /// The backward nodes for a loss that is the sum of the squares of the first output, where the operator has
    /// gradients; what they are handed is random beside the inputs of the trial. None for odd inputs.
    [[nodiscard]] Result<std::vector<Prepared>> prepareBackward(std::uint64_t seed) const;

private:
    struct Input
    {
        DType dtype = DType::Unknown; ///< Unknown: absent.
        Shape shape;
        double low = -1;
        double high = 1;
        bool odd = false;
        std::optional<std::vector<std::int64_t>> constant {};
    };
    [[nodiscard]] Result<RuntimeValue> content(const Input& input, std::uint64_t seed) const;
    /// Adds its inputs and its node.
    [[nodiscard]] Result<Prepared> begin(GraphBuilder& builder, std::uint64_t seed) const;

    Node m_node;
    std::vector<Input> m_inputs;
    std::size_t m_outputs = 1;
    std::int64_t m_opset = 22;
    bool m_forwardOnly = false;
};

/// Every family of kernels that a device has, over awkward sizes: 1, 3, 17, 22, 33, tails of tiles, batches of 1 and 8.
[[nodiscard]] std::vector<Trial> allTrials();

[[nodiscard]] std::vector<Trial> elementwiseTrials();
[[nodiscard]] std::vector<Trial> movementTrials();
[[nodiscard]] std::vector<Trial> networkTrials();
[[nodiscard]] std::vector<Trial> recurrentTrials();
[[nodiscard]] std::vector<Trial> rowTrials();

} // namespace plimsoll::kernels
