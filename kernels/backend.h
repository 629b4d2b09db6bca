#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "kernels/device.h"
#include "kernels/kernel.h"

#include <memory>
#include <span>
#include <string_view>

namespace plimsoll::kernels {

/// Computes nodes on the CPU during one run, and keeps what it makes for them.
class BackendSession
{
public:
    virtual ~BackendSession() = default;
    /// Computes the node as \p chosen says. Unsupported where the backend has nothing for it here.
    [[nodiscard]] virtual Status run(KernelCall& call, const Implementation& chosen) = 0;
};

/// What computes nodes. A backend is a folder of its own and one line of the table.
struct Backend
{
    std::string_view name;  ///< As offers say it: "onednn".
    std::string_view title; ///< As texts say it: "oneDNN".
    /// Whether it can run in this process: Unsupported with the reason in one line. Null: always.
    Status (*available)() = nullptr;
    /// What it offers for the nodes of an inferred graph. Null: itself, for whatever it has a kernel for.
    Catalogue (*describe)(const Graph& graph, bool measure, const Context& context) = nullptr;
    bool describesAnywhere = false; ///< Its offers are plain data: it need not be able to run.
    bool measures = false;          ///< Executes its offers for their times where it is asked to.
    /// Null for one whose offers name devices.
    std::unique_ptr<BackendSession> (*begin)() = nullptr;
    /// Its device of that number, or host memory that stands in for one. Null for one that runs on the CPU.
    Result<std::unique_ptr<Device>> (*open)(int index) = nullptr;
    Result<std::unique_ptr<Device>> (*emulate)(int index) = nullptr;
};

/// Of this program, the reference last.
[[nodiscard]] std::span<const Backend> backends();
/// nullptr for a name that an import brought.
[[nodiscard]] const Backend* findBackend(std::string_view name);

} // namespace plimsoll::kernels
