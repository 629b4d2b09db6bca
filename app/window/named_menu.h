#pragma once

#include <QString>
#include <QVariant>

#include <functional>

class QMenu;
class QWidget;

namespace plimsoll::app {

class Settings;

/// What the user keeps by name: layouts, filters of a table.
struct NamedThings
{
    QString kind; ///< As settings know it: "filters/values".
    QString saveTitle;
    std::function<QVariant()> current; ///< Invalid: there is nothing to keep.
    std::function<void(const QVariant&)> use;
};

/// Asks for a name; one that is there already is written over.
void saveNamed(QWidget* parent, const Settings& settings, const NamedThings& things);
/// Names, and renaming and deleting them; once more where they were added before.
void addNamed(QMenu& menu, const Settings& settings, const NamedThings& things);

} // namespace plimsoll::app
