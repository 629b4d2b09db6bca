#pragma once

#include "core/formats/torch/aten_call.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plimsoll::fx {

/// By the name of a tuple: its outputs, as the statements name them that take one element of it.
using Elements = std::map<std::string, std::vector<Declared>>;
[[nodiscard]] Elements findElements(const std::vector<Statement>& statements);
/// "x[1]": the tuple and the position.
[[nodiscard]] std::optional<std::pair<std::string, std::int64_t>> elementOf(const Statement& statement);

/// Every name that the expression reads, in the order of the text.
[[nodiscard]] std::vector<const Expression*> namesIn(const Expression& expression);
/// "x" of "x.view".
[[nodiscard]] std::string rootOf(const std::string& path);

/// What the names of a text mean at one of its statements.
struct Names
{
    const GraphWriter& writer; ///< Tensors.
    Elements elements;
    std::map<std::string, const Expression*> literals; ///< What is no tensor.
    std::map<std::string, std::size_t> gone;           ///< Names that were given up, and the line.

    [[nodiscard]] bool knows(const std::string& name) const;
    /// Error: a name that is not computed above \p place, or was given up there.
    [[nodiscard]] Status check(const Expression& value, const std::string& place) const;
    /// The tensor, or the tensors of a tuple.
    [[nodiscard]] std::vector<std::string> tensorsOf(const std::string& name) const;
    /// The tensors of all its names, in the order of the text.
    [[nodiscard]] std::vector<std::string> tensorsIn(const Expression& expression) const;
    /// The tensors that the call writes to: its first argument, of a list all.
    [[nodiscard]] std::vector<std::string> writtenBy(const Callee& callee, const Expression& call) const;
};

} // namespace plimsoll::fx
