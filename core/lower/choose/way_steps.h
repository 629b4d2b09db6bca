#pragma once

#include "core/lower/choose/way_forms.h"
#include "core/ops/trait_table.h"

/// What one node takes, given how the values around it lie. Private to the folder.
namespace plimsoll::dispatching {

/// A value that is alive, in one of its forms.
struct Lying
{
    ValueId value;
    std::size_t form = 0;
    ValueId root; ///< The value whose bytes they are, where it is an identity or a part of it; else itself.
    friend auto operator<=>(const Lying&, const Lying&) = default;
};
/// What the rest of the graph can see of the choices so far, sorted by value.
using State = std::vector<Lying>;

/// One candidate of a node, and the forms of what appears there first: what it writes, and what of the caller's it
/// reads.
struct Step
{
    const Candidate* candidate = nullptr;
    State after;
    double ms = 0;
    std::int64_t bytes = 0; ///< The most that is alive at any moment of the node.
};

class StepMaker
{
public:
    StepMaker(const Graph& graph, const Candidates& candidates, const Policies& policies)
        : m_graph(graph), m_candidates(candidates), m_policies(policies), m_timeline(timelineOf(graph)),
          m_forms(formsOf(graph, candidates, m_timeline, policies)), m_traits(graph)
    {
    }

    [[nodiscard]] const Timeline& timeline() const { return m_timeline; }
    /// No value has more forms than were looked at.
    [[nodiscard]] bool whole() const;
    /// About how many steps go on from each state.
    [[nodiscard]] std::size_t branching(std::size_t position) const;
    /// All steps that go on from that state.
    [[nodiscard]] std::vector<Step> stepsFrom(const State& state, std::size_t position) const;

private:
    /// One candidate of the node at a position, and all that lies around it.
    struct Scene
    {
        std::size_t position = 0;
        const Candidate& candidate;
        State all; ///< Before and after the node.
    };

    [[nodiscard]] std::vector<State> scenesOf(const State& state, std::size_t position,
                                              const Candidate& candidate) const;
    [[nodiscard]] bool fits(const Lying& lying, std::size_t position, const Candidate& candidate) const;
    [[nodiscard]] ValueId rootOf(const Scene& scene, ValueId output, int position) const;
    [[nodiscard]] std::int64_t aliveAt(const State& all, Moment moment) const;
    [[nodiscard]] std::int64_t savedInPlace(const Scene& scene) const;
    [[nodiscard]] bool mayLieOn(const Scene& scene, const Stay& made, int input) const;
    [[nodiscard]] std::int64_t mostAlive(const Scene& scene) const;
    [[nodiscard]] const Form& formOf(const Lying& lying) const { return m_forms[lying.value.index()].list[lying.form]; }

    const Graph& m_graph;
    const Candidates& m_candidates;
    const Policies& m_policies;
    Timeline m_timeline;
    std::vector<Forms> m_forms; ///< By ValueId.
    TraitTable m_traits;
};

} // namespace plimsoll::dispatching
