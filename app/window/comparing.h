#pragma once

#include <QWidget>

class QLabel;

namespace plimsoll::app {

class ActionSet;
class TablePane;
class Workbench;

/// The commands about what a plan is compared with. Above the table of changes it says which file that is and how much
/// is said by hand to be the same; of the plan before, with nothing said, it is not seen.
class ComparedStrip : public QWidget
{
    Q_OBJECT

public:
    /// \p changes takes it in, and lets two rows be picked.
    ComparedStrip(Workbench& bench, const ActionSet& actions, TablePane& changes);
    void refresh(); ///< Also which of the commands can act now.

private:
    void chooseFile();
    void saySame();

    Workbench& m_bench;
    const ActionSet& m_actions;
    TablePane& m_changes;
    QLabel* m_said;
};

} // namespace plimsoll::app
