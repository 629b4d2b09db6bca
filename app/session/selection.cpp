#include "app/session/selection.h"

namespace plimsoll::app {
namespace {

constexpr std::size_t LongestHistory = 200;

} // namespace

void Selection::pick(Focus focus)
{
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

void Selection::back()
{
    if (!canGoBack()) return;
    --m_position;
    Q_EMIT historyChanged();
    show(m_history[static_cast<std::size_t>(m_position)]);
}

void Selection::forward()
{
    if (!canGoForward()) return;
    ++m_position;
    Q_EMIT historyChanged();
    show(m_history[static_cast<std::size_t>(m_position)]);
}

void Selection::clear()
{
    show(Focus::atStep(m_focus.step));
}

void Selection::reset()
{
    m_history.clear();
    m_position = -1;
    Q_EMIT historyChanged();
    show({});
}

void Selection::show(const Focus& focus)
{
    if (focus == m_focus) return;
    m_focus = focus;
    Q_EMIT focusChanged(m_focus);
}

} // namespace plimsoll::app
