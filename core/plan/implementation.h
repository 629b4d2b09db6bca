#pragma once

#include "core/graph/graph.h"
#include "core/plan/layout.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace plimsoll {

/// The plain loops that compute whatever no library is asked for.
inline constexpr std::string_view ReferenceBackend = "reference";

/// One way to compute a node, as a backend describes it. Plain data: it can be saved, shown and planned with where the
/// backend itself is absent.
struct Implementation
{
    std::string backend {ReferenceBackend}; ///< "reference", "onednn", "cuda", or any name that an import brings
    std::string name;                       ///< As the library gives it: "jit:avx512_core", "gemm:jit"
    std::string device;                     ///< The memory space that it reads and writes, "cuda:0"; empty is the CPU.
    std::int64_t scratchpadBytes = 0;
    std::vector<std::int64_t> requiredOutputBytes; ///< By output, at least the logical bytes; empty means logical.
    struct InPlacePair
    {
        int output = 0;
        int input = 0;
        friend bool operator==(const InPlacePair&, const InPlacePair&) = default;
    };
    /// In place of what the operator's traits allow, narrower or wider; an identity stays one. \c inPlaceKnown false:
    /// the traits hold.
    bool inPlaceKnown = false;
    std::vector<InPlacePair> inPlace;

    std::vector<std::string> inputLayouts;  ///< By input, see layout.h; what is not listed is plain.
    std::vector<std::string> outputLayouts; ///< By output.
    /// By input: what a copy of it in that layout takes; not listed or 0: what the layout's name says.
    std::vector<std::int64_t> requiredInputBytes;
    /// A weight that it wants in another layout, brought there once, ahead of the run.
    struct Prepared
    {
        int input = 0;
        std::string layout;
        std::int64_t bytes = 0; ///< Required in that layout.
        Shape readAs;           ///< The shape whose axes the layout names; empty is the weight's own.
        std::string storedAs;   ///< The layout of its plain bytes by these axes; empty is plain.
        friend bool operator==(const Prepared&, const Prepared&) = default;
    };
    std::vector<Prepared> prepared;
    /// Nodes that it computes along with its own, by name and in order: each takes what the one before it made, which
    /// is then never stored. What they read beside counts on behind the node's own inputs (core/graph/graph.h),
    /// and a pair in place may name it.
    std::vector<std::string> fuses;
    std::int64_t alignment = 1; ///< Of its outputs and its scratchpad, in bytes.
    /// By input and by output: how the tensors are kept that it takes and leaves; what is not listed is dense.
    std::vector<StorageType> inputStorageTypes;
    std::vector<StorageType> outputStorageTypes;
    double timeMs = -1;     ///< -1: not known.
    std::string provenance; ///< Where the time is from: "estimated", "measured", or what an import says.

    friend bool operator==(const Implementation&, const Implementation&) = default;
};

/// How each node of a graph is computed. A node that nothing was chosen for is left to the reference, and takes no room
/// behind the last one that something was chosen for.
class Implementations
{
public:
    Implementations() = default;
    Implementations(std::vector<Implementation> byNode) : m_chosen(std::move(byNode)) {}

    [[nodiscard]] const Implementation& operator[](NodeId node) const
    {
        static const Implementation reference;
        return node.index() < m_chosen.size() ? m_chosen[node.index()] : reference;
    }
    /// To be written: a reference that the next call invalidates.
    [[nodiscard]] Implementation& at(NodeId node)
    {
        if (node.index() >= m_chosen.size()) m_chosen.resize(node.index() + 1);
        return m_chosen[node.index()];
    }
    /// Of the first nodes; those behind are the reference's.
    [[nodiscard]] const std::vector<Implementation>& chosen() const { return m_chosen.read(); }

    friend bool operator==(const Implementations& a, const Implementations& b);

private:
    SharedVector<Implementation> m_chosen; ///< By NodeId.
};

/// The layout in which it reads an input, or leaves an output.
[[nodiscard]] std::string_view inputLayout(const Implementation& implementation, int input);
[[nodiscard]] std::string_view outputLayout(const Implementation& implementation, int output);
/// The same of how they are kept.
[[nodiscard]] StorageType inputStorageType(const Implementation& implementation, int input);
[[nodiscard]] StorageType outputStorageType(const Implementation& implementation, int output);
/// The layout in which its producer leaves a value; what no node makes is plain.
[[nodiscard]] std::string_view layoutOf(const Graph& graph, const Implementations& chosen, ValueId value);
/// "onednn jit:avx2", "reference", "onednn jit:avx2 + relu" with a node that it computes too.
[[nodiscard]] std::string describe(const Implementation& implementation);

/// "onednn:jit:avx2", or the backend alone where the offer has no name: what plans and constraints call it.
[[nodiscard]] std::string pinOf(const Implementation& offer);

/// "nChw8c + plain → nChw8c": the layouts that an offer reads and leaves.
[[nodiscard]] std::string layoutsText(const Implementation& offer);

/// "onednn jit:avx2, nChw8c + plain → nChw8c, weights as OIhw8i8o in 1,152 B, scratchpad 288 B, 0.12 ms estimated"
[[nodiscard]] std::string offerText(const Implementation& offer);

/// What backends offer for the nodes of one graph, with the provenance of the answer. Made by kernels/ (asked of the
/// libraries, in a child process of the window) or read from a file; empty is the reference backend alone.
struct Catalogue
{
    std::map<std::string, std::vector<Implementation>> offers; ///< Node name → offers, the library's preference first.
    /// Type of a tensor, as describe() has it → what was measured of reorders of such tensors, an offer for each pair
    /// of layouts. Which of them are needed is known only once implementations are chosen.
    std::map<std::string, std::vector<Implementation>> reorders {};
    std::map<std::string, Message> environment; ///< "onednn" → "2.6.3", "isa", "threads", …
    /// Backend → why it cannot run where it was asked, in one line. Its offers are taken only where it is named.
    std::map<std::string, Message> absent {};
    std::string file {};                     ///< Where it was read, for errors; empty where libraries were asked.
    std::vector<std::string> unknownKeys {}; ///< Places in the file that mean nothing here.

    friend bool operator==(const Catalogue&, const Catalogue&) = default;
};

/// A node that nothing computes as its sparse tensors are kept: it goes through dense ones, which the plan holds, too.
struct DenseFallback
{
    NodeId node;
    Message reason; ///< "nothing computes Relu for csr"
    std::vector<ValueId>
        temporaries; ///< Dense copies of what it reads and what it writes; several nodes may share one.
};

} // namespace plimsoll
