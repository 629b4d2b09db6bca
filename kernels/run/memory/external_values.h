#pragma once

#include "core/graph/graph.h"
#include "core/ops/partial_tensor.h"
#include "kernels/run/device/device_spaces.h"
#include "kernels/tensor_view.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace plimsoll::kernels {

/// What a run does not plan: the bytes of graph inputs, parameters, constants and tensor attributes. Given, read from
/// their file on first use, or drawn from the seed. They are not written once they are loaded.
class ExternalValues
{
public:
    /// \p given by ValueId; a given value wins over what the graph says.
    ExternalValues(const Graph& graph, std::map<ValueId, RuntimeValue> given, std::uint64_t seed,
                   DeviceSpaces spaces = {});

    /// Makes sure that \p value has its bytes, on the device that it is for, too. Does nothing for values that nodes
    /// produce during the run.
    [[nodiscard]] Status load(ValueId value);
    /// nullptr when it is not external, or not loaded.
    [[nodiscard]] const RuntimeValue* find(ValueId value) const;
    /// The same as find(), where its readers compute: on a device, if it was brought there.
    [[nodiscard]] const RuntimeValue* findForReaders(ValueId value) const;
    [[nodiscard]] const Graph& graph() const { return m_graph; }
    [[nodiscard]] const DeviceSpaces& spaces() const { return m_spaces; }
    /// A constant that was computed ahead of the run.
    void put(ValueId value, RuntimeValue content);

    /// Bytes of a tensor attribute, kept for the whole run.
    [[nodiscard]] Result<TensorView> literal(const TensorLiteral& literal);

    [[nodiscard]] const std::vector<ValueId>& drawn() const { return m_drawn; } ///< Inputs that were not given.
    /// Of the drawn, those whose content was chosen so that shapes hold.
    [[nodiscard]] const std::vector<ValueId>& chosen() const { return m_chosen; }

private:
    [[nodiscard]] Status loadOnHost(ValueId value);
    [[nodiscard]] Status bringToDevice(ValueId value); ///< Once.
    [[nodiscard]] Result<RuntimeValue> draw(ValueId value);
    [[nodiscard]] const PartialTensor* solved(ValueId value); ///< What it must hold; nullptr where anything will do.

    const Graph& m_graph;
    std::vector<RuntimeValue> m_values; ///< By ValueId.
    std::vector<bool> m_loaded;
    std::unordered_map<const TensorLiteral*, RuntimeValue> m_literals;
    std::vector<ValueId> m_drawn;
    std::vector<ValueId> m_chosen;
    std::optional<std::map<ValueId, PartialTensor>> m_solved; ///< Once something is drawn.
    std::uint64_t m_seed;
    DeviceSpaces m_spaces;
    std::map<ValueId, RuntimeValue> m_onDevice;
};

/// The tensor that \p data holds. \p what names it in errors. The bytes are shared, not copied, where they are in
/// memory.
[[nodiscard]] Result<RuntimeValue> loadTensor(DType dtype, const Shape& shape, const TensorData& data,
                                              const std::string& what);

} // namespace plimsoll::kernels
