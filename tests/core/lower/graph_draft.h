#pragma once

#include "core/graph/graph_builder.h"
#include "core/lower/types/infer_types.h"

#include <QString>

#include <cstring>

namespace plimsoll::test {

[[nodiscard]] TensorType floats(const Shape& shape);
[[nodiscard]] TensorType symbolic(DimList dims); ///< Of float32.

template <typename T>
[[nodiscard]] TensorData bytesOf(const std::vector<T>& numbers)
{
    auto bytes = std::make_shared<std::vector<std::byte>>(numbers.size() * sizeof(T));
    if (!numbers.empty()) std::memcpy(bytes->data(), numbers.data(), bytes->size());
    TensorData data;
    data.bytes = std::move(bytes);
    return data;
}

/// A graph under construction, by names.
struct Draft
{
    GraphBuilder builder {"draft"};

    void input(const char* name, TensorType type) { builder.addInput(name, std::move(type)); }
    void constant(const char* name, const std::vector<std::int64_t>& numbers, bool scalar = false);
    void flag(const char* name, bool holds);
    /// "Add a b -> c"; "_" is an absent input.
    NodeId node(const std::string& text, Attributes attributes = {});
    void declare(const char* name, TensorType type) { builder.graph()[builder.find(name)].type = std::move(type); }
    void result(const char* name) { builder.addOutput(builder.find(name)); }

    [[nodiscard]] Result<InferredGraph> infer(const InferenceRequest& request = {})
    {
        return inferTypes(builder.graph(), request, {});
    }
};

/// The type of a value, or the error.
[[nodiscard]] QString typeOf(const Result<InferredGraph>& inferred, const char* name);
[[nodiscard]] QString reasonFor(const Result<InferredGraph>& inferred, const char* name);
[[nodiscard]] QString errorOf(const Result<InferredGraph>& inferred); ///< "none" where there is none.

} // namespace plimsoll::test
