#include "kernels/common/formula/formula_program.h"

#include "core/ops/dims.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

struct Named
{
    std::string_view name;
    Operation operation;
};
#define PLIMSOLL_NAMED(operation, name, value) {name, Operation::operation},
constexpr Named Operations[] = {PLIMSOLL_FORMULA_OPERATIONS(PLIMSOLL_NAMED)};
#undef PLIMSOLL_NAMED

} // namespace

std::optional<Operation> operationNamed(std::string_view name)
{
    for (const Named& named : Operations) {
        if (named.name == name) return named.operation;
    }
    return std::nullopt;
}

std::size_t FormulaProgram::append(const Instruction& wanted)
{
    const auto known = std::find(code.begin(), code.end(), wanted);
    if (known != code.end()) return static_cast<std::size_t>(known - code.begin());
    code.push_back(wanted);
    return code.size() - 1;
}

std::optional<std::size_t> FormulaProgram::read(const FormulaValue& value, const std::string& name)
{
    if (value.number) return append({Operation::Constant, 0, 0, 0, *value.number});
    const auto known = name.empty() ? names.end() : std::find(names.begin(), names.end(), name);
    if (known != names.end()) return append({Operation::Read, static_cast<std::size_t>(known - names.begin())});
    const auto joined = broadcast(shape, value.shape);
    if (!joined) return std::nullopt;
    shape = *joined;
    operands.push_back(value);
    names.push_back(name);
    return append({Operation::Read, operands.size() - 1});
}

} // namespace plimsoll::kernels
