#include "app/session/selection.h"

#include <algorithm>
#include <utility>

namespace plimsoll::app {
namespace {

constexpr std::size_t LongestHistory = 200;

} // namespace

void Selection::pick(Focus focus)
{
    if (focus.step < 0 && focus.node.valid() && m_stepOf) focus.step = m_stepOf(focus.node);
    if (focus.step < 0) focus.step = m_focus.step;
    if (focus.picked() && !focus.samePick(m_focus)) {
        m_history.resize(static_cast<std::size_t>(m_position + 1));
        m_history.push_back(focus);
        if (m_history.size() > LongestHistory) m_history.erase(m_history.begin());
        m_position = static_cast<std::ptrdiff_t>(m_history.size()) - 1;
        Q_EMIT historyChanged();
    }
    show(focus);
}

void Selection::setStep(std::int64_t step)
{
    Focus focus = m_focus;
    focus.step = step;
    show(focus);
}

std::optional<std::int64_t> Selection::stepBeside(int by) const
{
    return m_beside ? m_beside(m_focus.step, by) : std::nullopt;
}

void Selection::moveStep(int by)
{
    if (const auto step = stepBeside(by)) setStep(*step);
}

void Selection::back()
{
    if (!canGoBack()) return;
    --m_position;
    Q_EMIT historyChanged();
    show(m_history[m_position]);
}

void Selection::forward()
{
    if (!canGoForward()) return;
    ++m_position;
    Q_EMIT historyChanged();
    show(m_history[m_position]);
}

bool Selection::toggleStop(const Focus& focus)
{
    const auto same = [&](const Focus& stop) {
        return stop.samePick(focus) && (focus.picked() || stop.step == focus.step);
    };
    const bool added = std::erase_if(m_stops, same) == 0;
    if (added) m_stops.push_back(focus);
    Q_EMIT stopsChanged();
    return added;
}

void Selection::clearStops()
{
    m_stops.clear();
    Q_EMIT stopsChanged();
}

void Selection::clear()
{
    show(m_focus.picked() ? Focus::atStep(m_focus.step) : Focus());
}

void Selection::reset()
{
    m_history.clear();
    m_position = -1;
    clearStops();
    Q_EMIT historyChanged();
    show({});
}

void Selection::rewrite(const std::function<Focus(const Focus&)>& translate)
{
    std::vector<Focus> stops;
    for (const Focus& stop : m_stops)
        if (const Focus focus = translate(stop); focus.picked() || !stop.picked()) stops.push_back(focus);
    m_stops = std::move(stops);
    Q_EMIT stopsChanged();
    std::vector<Focus> kept;
    std::ptrdiff_t position = -1;
    for (std::size_t i = 0; i < m_history.size(); ++i) {
        if (const Focus focus = translate(m_history[i]); focus.picked()) kept.push_back(focus);
        if (static_cast<std::ptrdiff_t>(i) == m_position) position = static_cast<std::ptrdiff_t>(kept.size()) - 1;
    }
    m_history = std::move(kept);
    m_position = m_history.empty() ? -1 : std::max<std::ptrdiff_t>(position, 0);
    const Focus before = std::exchange(m_focus, translate(m_focus)); // ids of the report before are never seen
    Q_EMIT historyChanged();
    if (before != m_focus) Q_EMIT focusChanged(m_focus);
}

void Selection::show(const Focus& focus)
{
    if (focus == m_focus) return;
    m_focus = focus;
    Q_EMIT focusChanged(m_focus);
}

} // namespace plimsoll::app
