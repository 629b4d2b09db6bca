#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace plimsoll::app {

struct ViewInfo;

/// The panes around the pictures: where they go, named arrangements, and getting them back.
class Docks
{
public:
    explicit Docks(QMainWindow& window);

    void add(const ViewInfo& view, QWidget* content);
    [[nodiscard]] QDockWidget* at(const QString& id) const { return m_docks.value(id); }
    [[nodiscard]] const QStringList& ids() const { return m_order; }

    enum class Preset { Plan, Picture, Tables };
    void apply(Preset preset);
    void raise(const QString& id); ///< Shows it, and in front of its tabs.

    /// Hides all of them while there is nothing to show, and puts them back as they were.
    void setAway(bool away);
    /// Another page is shown: those that float do so no more until this one is shown again.
    void setAsleep(bool asleep);
    [[nodiscard]] QByteArray save() const;
    [[nodiscard]] bool restore(const QByteArray& state); ///< False, and nothing done, where it is of another version.

private:
    bool hideFloating();
    void showTitles();
    void place(const QStringList& ids, Qt::DockWidgetArea area);

    QMainWindow& m_window;
    QHash<QString, QDockWidget*> m_docks;
    QStringList m_order;
    QByteArray m_kept; ///< While they are away, or asleep.
    bool m_away = false;
    bool m_asleep = false;
    bool m_stale = false; ///< What is kept is to be put back when they wake.
    QString m_wanted;     ///< To be raised then.
};

} // namespace plimsoll::app
