#include "app/window/commands/player.h"

#include "app/session/selection.h"
#include "app/session/session.h"
#include "core/facts/about/stop_steps.h"

namespace plimsoll::app {
namespace {

constexpr int MsPerStep = 250;

} // namespace

Player::Player(Session& session, Selection& selection, QObject* parent)
    : QObject(parent), m_session(session), m_selection(selection)
{
    m_timer.setInterval(MsPerStep);
    connect(&m_timer, &QTimer::timeout, this, &Player::tick);
    connect(&session, &Session::reportChanged, this, [this] { play(false); });
    connect(&session, &Session::closed, this, [this] { play(false); });
}

void Player::play(bool on)
{
    const bool played = m_timer.isActive();
    const auto report = m_session.report();
    if (!on || !report || report->program.schedule.length() == 0) {
        m_timer.stop();
        if (played || on) Q_EMIT ended();
        return;
    }
    if (!m_selection.stepBeside(1)) goToFirst();
    m_timer.start();
}

void Player::tick()
{
    m_selection.moveStep(1);
    const std::int64_t now = m_selection.step();
    if (!m_selection.stepBeside(1) || stopFrom(now - 1, true) == now) play(false);
}

void Player::goToFirst()
{
    m_selection.setStep(-1);
    m_selection.moveStep(1);
}

std::optional<std::int64_t> Player::stopFrom(std::int64_t step, bool forwards) const
{
    std::optional<std::int64_t> nearest;
    const auto report = m_session.report();
    for (const Focus& stop : report ? m_selection.stops() : std::vector<Focus>()) {
        for (const std::int64_t at : stopSteps(*report, stop)) {
            if (forwards ? at <= step : at >= step) continue;
            if (!nearest || (forwards ? at < *nearest : at > *nearest)) nearest = at;
        }
    }
    return nearest;
}

} // namespace plimsoll::app
