#include "core/analysis/stream_conflicts.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// Pairs that are looked at, and intervals that are added: beyond, the search would be slowed down for little.
constexpr std::size_t MostPairs = 4'000'000;
constexpr std::size_t MostMoments = 200'000;

class Separation
{
public:
    Separation(const StreamOrder& order, const std::vector<StreamClient>& clients, std::int64_t steps)
        : m_order(order), m_clients(clients), m_moment(steps)
    {
    }

    /// Nothing where it would take too many.
    std::optional<std::vector<LiveRanges>> run()
    {
        for (std::size_t client = 0; client < m_clients.size(); ++client) {
            m_live.push_back(m_clients[client].live);
            for (const NodeId node : m_clients[client].accesses) {
                m_clientsOf.resize(std::max(m_clientsOf.size(), node.index() + 1));
                m_clientsOf[node.index()].push_back(client);
            }
        }
        for (std::size_t client = 0; client < m_clients.size(); ++client) {
            std::vector<std::size_t> others = opponentsOf(client);
            if (m_pairs > MostPairs) return std::nullopt;
            part(client, std::move(others));
            if (m_added > MostMoments) return std::nullopt;
        }
        return std::move(m_live);
    }

private:
    /// Later clients of the same arena that the steps do not keep apart from this one, though they should be.
    std::vector<std::size_t> opponentsOf(std::size_t client)
    {
        std::vector<std::size_t> found;
        for (const NodeId access : m_clients[client].accesses) {
            for (std::int32_t stream = 0; stream < m_order.streams(); ++stream) {
                const Interval beside = m_order.unorderedOn(stream, access);
                for (std::int64_t at = beside.begin; at < beside.end; ++at)
                    addClientsOf(m_order.chain(stream)[static_cast<std::size_t>(at)], client, found);
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        std::erase_if(found,
                      [&](std::size_t other) { return overlaps(m_clients[client].live, m_clients[other].live); });
        return found;
    }

    void addClientsOf(NodeId node, std::size_t than, std::vector<std::size_t>& found)
    {
        if (node.index() >= m_clientsOf.size()) return;
        for (const std::size_t other : m_clientsOf[node.index()]) {
            ++m_pairs;
            if (other > than && m_clients[other].arena == m_clients[than].arena) found.push_back(other);
        }
    }

    /// Opponents that live at one step together can share a moment: they lie apart from each other in any case.
    void part(std::size_t client, std::vector<std::size_t> others)
    {
        std::sort(others.begin(), others.end(), [this](std::size_t a, std::size_t b) {
            return m_clients[a].live.hull().end < m_clients[b].live.hull().end;
        });
        while (!others.empty()) {
            const std::int64_t step = m_clients[others.front()].live.hull().end - 1;
            const auto meets = [&](std::size_t other) { return m_clients[other].live.contains(step); };
            const Interval moment {m_moment, m_moment + 1};
            m_live[client].add(moment);
            for (const std::size_t other : others) {
                if (meets(other)) m_live[other].add(moment);
            }
            m_added += 1 + static_cast<std::size_t>(std::count_if(others.begin(), others.end(), meets));
            std::erase_if(others, meets);
            ++m_moment;
        }
    }

    const StreamOrder& m_order;
    const std::vector<StreamClient>& m_clients;
    std::int64_t m_moment;
    std::vector<std::vector<std::size_t>> m_clientsOf; ///< By NodeId.
    std::vector<LiveRanges> m_live;
    std::size_t m_pairs = 0;
    std::size_t m_added = 0;
};

} // namespace

std::optional<std::vector<LiveRanges>> keepApart(const StreamOrder& order, const std::vector<StreamClient>& clients,
                                                 std::int64_t steps)
{
    return Separation(order, clients, steps).run();
}

std::vector<LiveRanges> keepLonger(const StreamOrder& order, const std::vector<StreamClient>& clients)
{
    std::vector<LiveRanges> live;
    for (const StreamClient& client : clients) {
        live.push_back(client.live);
        const std::int64_t end = client.live.hull().end;
        const std::int64_t until = order.latestWait(client.accesses).until;
        if (!client.live.empty() && until > end) live.back().add({client.live.hull().begin, until});
    }
    return live;
}

} // namespace plimsoll
