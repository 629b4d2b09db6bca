#pragma once

#include "core/plan/program.h"
#include "kernels/run/memory/run_memory.h"

#include <vector>

namespace plimsoll::kernels {

/// What the caller holds after a run, bound to the bytes that the run has left, with the policy kept up: a write must
/// be begun here, where it may be refused, and where a handle that shares by copy-on-write is moved away first.
class BoundHandles
{
public:
    /// \p planned must outlive this; \p program too.
    BoundHandles(const PlannedProgram& program, const Memory& planned);

    [[nodiscard]] std::size_t size() const { return m_contents.size(); }
    /// What the handle shows now, where the host can read it; absent where its device fails.
    [[nodiscard]] RuntimeValue content(std::size_t handle) const;

    struct Permit
    {
        TensorView target;              ///< Where to write.
        Device* device = nullptr;       ///< Whose memory that is; nullptr: the host's.
        std::int64_t detachedBytes = 0; ///< More than 0: it was moved to new bytes on this occasion.
    };
    /// BadUsage when the policy refuses the write, with a message that names the partner; Unsupported for what is no
    /// tensor, and when there is no memory to detach to.
    [[nodiscard]] Result<Permit> beginWrite(std::size_t handle);

    /// The handle that a refused write would have spoiled; none where there is none.
    [[nodiscard]] std::optional<std::size_t> partnerOf(std::size_t handle) const;
    /// Indexes of the others that show what is written there now, by the plan; in ascending order.
    [[nodiscard]] std::vector<std::size_t> sharers(std::size_t handle) const;
    /// Planned bytes that outputs hold, and what they have detached to; each block rounded up to its alignment.
    [[nodiscard]] std::int64_t liveBytes() const;

private:
    [[nodiscard]] std::string nameOf(std::size_t handle) const;
    [[nodiscard]] Error refusal(std::size_t handle) const;
    [[nodiscard]] std::vector<std::size_t> movingWith(std::size_t handle) const;
    [[nodiscard]] bool sharesStill(const std::vector<std::size_t>& group) const;
    [[nodiscard]] Status detach(const std::vector<std::size_t>& group, std::int64_t bytes);

    [[nodiscard]] Device* deviceOf(std::size_t handle) const
    {
        return m_planned.spaces().of(m_program.handles[handle].value);
    }

    const PlannedProgram& m_program;
    const Memory& m_planned;
    std::vector<RuntimeValue> m_contents; ///< By handle, where they lie.
    std::vector<bool> m_moved;            ///< By handle.
    std::int64_t m_detachedBytes = 0;
};

} // namespace plimsoll::kernels
