#pragma once

#include <QObject>
#include <QTimer>

#include <optional>

namespace plimsoll::app {

class Selection;
class Session;

/// Moves the step cursor by itself, and from stop to stop.
class Player : public QObject
{
    Q_OBJECT

public:
    Player(Session& session, Selection& selection, QObject* parent = nullptr);

    /// On from the step cursor, a step after the other as the run took them, until a stop or the last step; from the
    /// last one it begins anew.
    void play(bool on);
    /// The nearest step with a stop behind the cursor, or before it; nothing where there is none.
    [[nodiscard]] std::optional<std::int64_t> stopFrom(std::int64_t step, bool forwards) const;

Q_SIGNALS:
    void ended();

private:
    void tick();
    void goToFirst();

    Session& m_session;
    Selection& m_selection;
    QTimer m_timer;
};

} // namespace plimsoll::app
