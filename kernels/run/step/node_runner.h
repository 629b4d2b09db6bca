#pragma once

#include "kernels/backend.h"
#include "kernels/run/device/lockstep.h"
#include "kernels/run/step/compare.h"
#include "kernels/run/step/node_call.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace plimsoll::kernels {

enum class RunMode : std::uint8_t {
    Auto,        ///< Numeric as far as there are kernels that accept their data; hashes where there are none.
    Numeric,     ///< Every node by its kernel, or an Error.
    Fingerprint, ///< Kernels where there are any; hashes for the rest and for what a kernel refuses.
};

/// Runs one plain node in both worlds, with the kernel of its chosen implementation.
class NodeRunner
{
public:
    struct Options
    {
        RunMode mode = RunMode::Auto;
        std::uint64_t seed = 0;
        RunDevices devices {};
        bool reference = false; ///< Compare backends with the reference kernels, and sparse kernels with dense ones.
    };
    NodeRunner(const PlannedProgram& program, ExternalValues& externals, const Options& options);

    /// Names every operator of the graph that has no kernel, "Attention (com.microsoft) x 5"; empty when all have one.
    [[nodiscard]] std::string missingKernels() const;
    /// Whether hashes may take the place of kernels that are missing or refuse their data.
    void allowFingerprints(bool allowed) { m_fingerprints = allowed; }
    [[nodiscard]] bool fingerprintsAllowed() const { return m_fingerprints; }

    [[nodiscard]] Status run(Lockstep& lockstep, NodeId node);
    /// Hands a node to the stream in use of its device without waiting for it; what the host computes is computed.
    [[nodiscard]] Status launch(World& world, NodeId node);
    /// A node whose outputs are constants: once, before the first step, into memory of their own.
    [[nodiscard]] Status runAhead(World& world, NodeId node);
    /// Whether a hash may take the place of what the node failed to compute. Where it computed something of another
    /// type than was planned, only if hashes stand in for other nodes already: else the inputs are to be mended.
    [[nodiscard]] bool mayStandIn(Lockstep& lockstep, NodeId node) const;
    /// What to say where it may not.
    [[nodiscard]] Error refusal(Lockstep& lockstep, NodeId node, const Status& status) const;
    /// The same hash in both worlds for the outputs of an owner that failed halfway: of what it reads the plan may have
    /// put something else in place by then.
    [[nodiscard]] Status standIn(Lockstep& lockstep, NodeId owner, const Message& reason);
    /// The outputs of an owner without a kernel: a hash of the node, its inputs and \p results, which its bodies
    /// computed.
    [[nodiscard]] Status fingerprint(Lockstep& lockstep, NodeId node, const std::vector<ValueId>& results);

    [[nodiscard]] Status load(ValueId value) { return m_externals.load(value); }
    [[nodiscard]] Status loadInputs(NodeId node);
    void fill(RunResult& result) const;
    [[nodiscard]] const std::vector<Message>& notes() const { return m_notes; }

private:
    [[nodiscard]] NodeCall::Site site(const Lockstep* lockstep, NodeId node) const;
    [[nodiscard]] bool usesLibrary(NodeId node) const;
    [[nodiscard]] Result<BackendSession*> session(const std::string& backend);
    [[nodiscard]] std::string usedBackends() const;
    [[nodiscard]] bool isOnDevice(NodeId node) const;
    [[nodiscard]] Status compute(NodeCall& call);
    void noteTime(Lockstep& lockstep, const NodeCall& call);
    void noteFingerprint(NodeId node, const Message& reason);
    struct Subject
    {
        NodeId node;
        ValueId value;
    };
    /// A hash is no sparse tensor.
    [[nodiscard]] bool leavesSparse(NodeId node) const;
    void compareWithReference(Lockstep& lockstep, NodeId node);
    void compareWithDense(Lockstep& lockstep, NodeId node);
    void compare(Lockstep& lockstep, const Subject& subject, const RuntimeValue& found, const RuntimeValue& wanted,
                 const Tolerance& bound);
    /// What the reference computes from what is in the oracle; \p made stands for one of the inputs.
    using Made = std::pair<std::size_t, RuntimeValue>;
    [[nodiscard]] std::optional<std::vector<RuntimeValue>> referenceOutputs(Lockstep& lockstep, NodeId node,
                                                                            const std::optional<Made>& made);
    void compareFused(Lockstep& lockstep, NodeId node);
    void compareValue(Lockstep& lockstep, NodeId node, ValueId value, const RuntimeValue& wanted,
                      const Tolerance& bound);
    /// What the node has just computed in the oracle, where nothing shares, against what it is declared to repeat.
    void checkIdentities(Lockstep& lockstep, NodeId node);

    const PlannedProgram& m_program;
    const Graph& m_graph;
    ExternalValues& m_externals;
    Options m_options;
    std::map<std::string, std::unique_ptr<BackendSession>> m_sessions; ///< Of what has been needed so far.
    std::set<std::string> m_usedDevices;                               ///< "cuda (emulated)"
    bool m_fingerprints = false;
    std::map<std::pair<std::string, std::string>, RunResult::Copies> m_copies; ///< By where from and where to.
    std::set<NodeId> m_fingerprinted;
    std::vector<Message> m_notes;
    std::int64_t m_referenceValues = 0;
    std::vector<RunResult::Mismatch> m_referenceMismatches;
    std::set<ValueId> m_falseIdentities;
    std::vector<RunResult::Mismatch> m_identityMismatches; ///< One for each of them.
};

} // namespace plimsoll::kernels
