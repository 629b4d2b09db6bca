#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace plimsoll::dispatching {

/// Where the caller's tensors are, once devices compute: where the capture says (Value::space), so that
/// nothing is copied for a caller with tensors on that device:
///
///     x "cuda:0" ──► conv on cuda:0 ──► y "cuda:0"
///
/// Of inputs, parameters and what is handed out. On the CPU stays what has no size, what is read ahead of the run, and
/// what is written in place where not all nodes that touch its bytes run on that device. Private to the folder.
class CallersMemory
{
public:
    /// Of a value whose bytes are written in place: the device of all nodes that touch them, or empty; else nothing.
    using WrittenOn = std::function<std::optional<std::string>(ValueId)>;

    CallersMemory() = default;
    CallersMemory(const Graph& graph, const std::set<std::string>& devices, const WrittenOn& writtenOn);

    /// Empty is the CPU, and so it is for whatever is not the caller's.
    [[nodiscard]] const std::string& of(ValueId value) const;

private:
    std::vector<std::string> m_spaces; ///< By ValueId.
};

/// Whether a device could hold it for the caller: a dense tensor of known size.
[[nodiscard]] bool hasBytesOnDevice(const TensorType& type);

} // namespace plimsoll::dispatching
