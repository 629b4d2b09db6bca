#pragma once

#include "fake_call.h"

#include <initializer_list>
#include <string>
#include <vector>

/// One operator on small tensors: how tests say what they mean.
///
///     const Outcome sum = OpCase("Add").input(floats({2}, {1, 2})).input(floats({2}, {3, 4})).run();
///     QCOMPARE(sum.text(), "float32[2] 4 6");
namespace plimsoll::kernels::test {

[[nodiscard]] RuntimeValue numbers(DType dtype, const Shape& shape, const std::vector<double>& values);
[[nodiscard]] inline RuntimeValue floats(const Shape& shape, const std::vector<double>& values)
{
    return numbers(DType::Float32, shape, values);
}
[[nodiscard]] inline RuntimeValue ints(const Shape& shape, const std::vector<double>& values)
{
    return numbers(DType::Int64, shape, values);
}
[[nodiscard]] RuntimeValue texts(const Shape& shape, const std::vector<std::string>& values);

/// "float32[2,2] 1 2 3 4": type, shape and numbers to six digits. "sequence(a; b)", "absent".
[[nodiscard]] std::string textOf(const RuntimeValue& value);

struct Outcome
{
    Status status;
    std::vector<RuntimeValue> outputs;

    /// The first output, or "error: …".
    [[nodiscard]] std::string text(std::size_t output = 0) const;
};

class OpCase
{
public:
    explicit OpCase(std::string op, std::int64_t opset = 22, std::string domain = {});
    OpCase& input(RuntimeValue value);
    OpCase& absent() { return input({}); }
    OpCase& set(std::string name, Attribute value);
    OpCase& outputs(std::size_t count);
    OpCase& inPlace(std::size_t inputIndex); ///< The first output lies over this input's bytes.
    OpCase& seed(std::uint64_t seed);
    [[nodiscard]] Outcome run() const;

private:
    Node m_node;
    std::int64_t m_opset;
    std::vector<RuntimeValue> m_inputs;
    std::size_t m_outputs = 1;
    std::optional<std::size_t> m_inPlace;
    std::uint64_t m_seed = 1;
};

/// A row of a table-driven test: what the first output must be, as textOf writes it; "error" for any error.
struct Row
{
    const char* name;
    OpCase op;
    const char* outcome;
};

/// For a _data slot: runs every row.
void addRows(std::initializer_list<std::vector<Row>> tables);
/// For its slot: compares what came out.
void compareRow();

} // namespace plimsoll::kernels::test
