#pragma once

#include <QDialog>

class QAction;
class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace plimsoll::app {

class ActionSet;
class Settings;

/// Every command and its keys, which can be changed here; a key that another command has is told, and can be taken
/// over.
class ShortcutSheet : public QDialog
{
    Q_OBJECT

public:
    ShortcutSheet(const ActionSet& actions, const Settings& settings, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void refresh(); ///< The keys of all rows, and what can be done with the row that is picked.
    void judge();   ///< What was typed.
    void give(bool beside);
    void takeOver();
    void resetAll();
    void changed();
    void exportKeys();
    void importKeys();
    [[nodiscard]] QAction* picked() const;
    QWidget* makeEditor();

    const ActionSet& m_actions;
    const Settings& m_settings;
    QTreeWidget* m_tree;
    QKeySequenceEdit* m_field;
    QLabel* m_title;
    QLabel* m_complaint;
    struct
    {
        QPushButton *set, *add, *none, *reset, *takeOver, *undo;
    } m_buttons;
    QVariantMap m_before; ///< Keys that were changed when all were reset.
};

} // namespace plimsoll::app
