#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QKeySequence;
class QWidget;

namespace plimsoll::app {

/// The actions of actionTable(), made once. Object names are the ids.
class ActionSet : public QObject
{
    Q_OBJECT

public:
    /// Shortcuts work in \p window.
    explicit ActionSet(QWidget* window);

    [[nodiscard]] QAction* at(const char* id) const; ///< The id must be one of the table.
    [[nodiscard]] QAction* at(const QString& id) const { return m_actions.value(id); }
    [[nodiscard]] const QList<QAction*>& all() const { return m_order; }
    [[nodiscard]] QString category(const QAction* action) const;

    static void setKeys(QAction& action, const QList<QKeySequence>& keys); ///< Its tip has the first of them.
    /// "Ctrl+Z"; of an action without keys where it stands: "Edit › Undo".
    [[nodiscard]] QString howToReach(const char* id) const;
    void on(const char* id, QObject* receiver, std::function<void()> handler) const;
    void setEnabled(std::initializer_list<const char*> ids, bool enabled) const;

private:
    QHash<QString, QAction*> m_actions;
    QList<QAction*> m_order;
};

} // namespace plimsoll::app
