#include "app/window/named_menu.h"

#include "app/window/settings.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>

namespace plimsoll::app {
namespace {

constexpr const char* Mark = "named";
constexpr int DialogWidth = 360; // pixels: its title is not cut

QString asked(QWidget* parent, const QString& title, const QString& name)
{
    QInputDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("askName"));
    dialog.setWindowTitle(title);
    dialog.setLabelText(QObject::tr("Name:"));
    dialog.setTextValue(name);
    dialog.resize(DialogWidth, dialog.sizeHint().height());
    return dialog.exec() == QDialog::Accepted ? dialog.textValue().trimmed() : QString();
}

/// As a menu shows it: no letter of a name is a mnemonic.
QString shown(QString name)
{
    return name.replace(u'&', QStringLiteral("&&"));
}

void rename(QWidget* parent, const Settings& settings, const QString& kind, const QString& name)
{
    QVariantMap all = settings.named(kind);
    const QString wanted = asked(parent, QObject::tr("Rename “%1”").arg(name), name);
    if (wanted.isEmpty() || all.contains(wanted)) return; // another one is not written over
    all[wanted] = all.take(name);
    settings.setNamed(kind, all);
}

} // namespace

void saveNamed(QWidget* parent, const Settings& settings, const NamedThings& things)
{
    const QVariant current = things.current();
    const QString name = current.isValid() ? asked(parent, things.saveTitle, {}) : QString();
    if (name.isEmpty()) return;
    QVariantMap all = settings.named(things.kind);
    all[name] = current;
    settings.setNamed(things.kind, all);
}

void addNamed(QMenu& menu, const Settings& settings, const NamedThings& things)
{
    for (QAction* old : menu.actions())
        if (old->property(Mark).toBool()) {
            if (old->menu()) old->menu()->deleteLater();
            delete old;
        }
    const auto marked = [](QAction* action) { action->setProperty(Mark, true); };
    const QVariantMap all = settings.named(things.kind);
    if (all.isEmpty()) return;
    marked(menu.addSeparator());
    for (auto [name, thing] : all.asKeyValueRange())
        marked(menu.addAction(shown(name), &menu, [use = things.use, thing] { use(thing); }));
    marked(menu.addSeparator());
    QMenu* renaming = menu.addMenu(QObject::tr("Rena&me"));
    QMenu* deleting = menu.addMenu(QObject::tr("&Delete"));
    marked(renaming->menuAction());
    marked(deleting->menuAction());
    const Settings* kept = &settings;
    for (const QString& name : all.keys()) {
        renaming->addAction(shown(name), &menu, [kept, kind = things.kind, name, parent = menu.parentWidget()] {
            rename(parent, *kept, kind, name);
        });
        deleting->addAction(shown(name), &menu, [kept, kind = things.kind, name] {
            QVariantMap left = kept->named(kind);
            left.remove(name);
            kept->setNamed(kind, left);
        });
    }
}

} // namespace plimsoll::app
