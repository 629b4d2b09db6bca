#include "app/window/help/shortcut_sheet.h"

#include "app/models/window_text.h"
#include "app/window/commands/action_set.h"
#include "app/window/commands/action_table.h"
#include "app/window/commands/shortcuts.h"
#include "app/window/look/labels.h"
#include "app/window/look/screen_room.h"
#include "app/window/settings.h"
#include "core/base/output_file.h"
#include "core/facts/english/english.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int IdRole = Qt::UserRole;

QTreeWidgetItem* addGroup(QTreeWidget* tree, const QString& title)
{
    auto* group = new QTreeWidgetItem(tree, {title});
    group->setFont(0, boldFont(tree->font()));
    group->setFirstColumnSpanned(true);
    group->setFlags(Qt::ItemIsEnabled);
    return group;
}

QString keysOf(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        if (!key.isEmpty()) keys << key.toString(QKeySequence::NativeText);
    if (const QString key = action.property("pictureKey").toString(); !key.isEmpty())
        keys << QObject::tr("%1, in a picture").arg(key);
    return keys.join(QObject::tr(" or "));
}

QString nameOf(const QAction& action)
{
    return QString(action.text()).remove(u'&');
}

} // namespace

ShortcutSheet::ShortcutSheet(const ActionSet& actions, const Settings& settings, QWidget* parent)
    : QDialog(parent), m_actions(actions), m_settings(settings), m_tree(new QTreeWidget(this)),
      m_field(new QKeySequenceEdit(this)), m_title(new QLabel(this)),
      m_complaint(textLabel("keyComplaint", this)), m_buttons {new QPushButton(tr("&Set"), this),
                                                               new QPushButton(tr("&Add"), this),
                                                               new QPushButton(tr("&No key"), this),
                                                               new QPushButton(tr("&Default"), this),
                                                               new QPushButton(tr("&Take it over"), this),
                                                               new QPushButton(tr("&Undo"), this)}
{
    setObjectName(QStringLiteral("shortcutSheet"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Shortcuts"));
    m_tree->setAccessibleName(tr("Shortcuts"));
    m_tree->setHeaderLabels({tr("Command"), tr("Keys"), tr("What it does")});
    m_tree->setRootIsDecorated(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    fill();
    auto* ends = new QDialogButtonBox(QDialogButtonBox::Close, this);
    const auto add = [&](const char* name, const QString& text, auto act) {
        QPushButton* button = ends->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, act);
    };
    add("keys:import", tr("&Import…"), [this] { importKeys(); });
    add("keys:export", tr("&Export…"), [this] { exportKeys(); });
    add("keys:reset-all", tr("A&ll to default"), [this] { resetAll(); });
    for (QAbstractButton* button : ends->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false);
    connect(ends, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(m_tree, 1);
    rows->addWidget(makeEditor());
    rows->addWidget(ends);
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this] {
        m_field->clear();
        refresh();
    });
    connect(m_tree, &QTreeWidget::itemActivated, m_field, qOverload<>(&QWidget::setFocus));
    m_tree->setCurrentItem(m_tree->topLevelItem(0)->child(0));
    resizeOnScreen(*this, {860, 640});
}

void ShortcutSheet::fill()
{
    QHash<QString, QTreeWidgetItem*> groups;
    for (QAction* action : m_actions.all()) {
        QTreeWidgetItem*& group = groups[m_actions.category(action)];
        if (!group) group = addGroup(m_tree, m_actions.category(action));
        auto* row = new QTreeWidgetItem(group, {nameOf(*action), keysOf(*action), action->statusTip()});
        row->setData(0, IdRole, action->objectName());
    }
    QTreeWidgetItem* pictures = addGroup(m_tree, tr("In a picture that has the keyboard"));
    for (const PictureKey& key : pictureKeys())
        new QTreeWidgetItem(pictures, {translated(key.pictures), translated(key.keys), translated(key.tip)});
    m_tree->expandAll();
    m_tree->header()->resizeSection(0, 220);
    m_tree->header()->resizeSection(1, 190);
}

QWidget* ShortcutSheet::makeEditor()
{
    auto* editor = new QWidget(this);
    m_field->setObjectName(QStringLiteral("keyField"));
    m_field->setAccessibleName(tr("New keys"));
    m_field->findChild<QLineEdit*>()->setAccessibleName(m_field->accessibleName()); // the part that has the keyboard
    m_title->setBuddy(m_field);
    m_complaint->setMinimumHeight(m_buttons.set->sizeHint().height()); // nothing moves when it speaks
    const char* const names[] = {"keys:set", "keys:add", "keys:none", "keys:reset", "keys:take"};
    QPushButton* const buttons[] = {m_buttons.set, m_buttons.add, m_buttons.none, m_buttons.reset, m_buttons.takeOver};
    auto* keys = new QHBoxLayout;
    addAll(keys, {m_title, m_field});
    for (std::size_t i = 0; i < std::size(buttons); ++i) {
        buttons[i]->setObjectName(QString::fromLatin1(names[i]));
        buttons[i]->setAutoDefault(false);
        if (buttons[i] != m_buttons.takeOver) keys->addWidget(buttons[i]);
    }
    auto* said = new QHBoxLayout;
    said->addWidget(m_complaint, 1);
    said->addWidget(m_buttons.takeOver);
    said->addWidget(m_buttons.undo);
    m_buttons.undo->setObjectName(QStringLiteral("keys:undo"));
    m_buttons.undo->setAutoDefault(false);
    m_buttons.undo->setToolTip(tr("The keys as they were before all were set to their defaults"));
    auto* rows = new QVBoxLayout(editor);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(keys);
    rows->addLayout(said);
    m_field->installEventFilter(this);
    connect(m_field, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutSheet::judge);
    connect(m_buttons.set, &QPushButton::clicked, this, [this] { give(false); });
    connect(m_buttons.add, &QPushButton::clicked, this, [this] { give(true); });
    connect(m_buttons.takeOver, &QPushButton::clicked, this, &ShortcutSheet::takeOver);
    connect(m_buttons.undo, &QPushButton::clicked, this, [this] {
        applyKeys(m_actions, m_before);
        changed();
    });
    connect(m_buttons.none, &QPushButton::clicked, this, [this] {
        ActionSet::setKeys(*picked(), {});
        changed();
    });
    connect(m_buttons.reset, &QPushButton::clicked, this, [this] {
        for (const QKeySequence& key : defaultKeys(*picked()))
            if (const auto conflict = conflictOf(m_actions, *picked(), key))
                return m_complaint->setText(conflict->text);
        ActionSet::setKeys(*picked(), defaultKeys(*picked()));
        changed();
    });
    return editor;
}

/// The field waits a second for more keys before it tells. Tab would pass by the buttons that are off till then.
bool ShortcutSheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyRelease) judge();
    return QDialog::eventFilter(watched, event);
}

QAction* ShortcutSheet::picked() const
{
    const QTreeWidgetItem* row = m_tree->currentItem();
    return row ? m_actions.at(row->data(0, IdRole).toString()) : nullptr;
}

void ShortcutSheet::refresh()
{
    for (QTreeWidgetItemIterator row(m_tree); *row; ++row)
        if (const QAction* action = m_actions.at((*row)->data(0, IdRole).toString()))
            (*row)->setText(1, keysOf(*action));
    const QAction* command = picked();
    m_title->setText(command ? tr("&Keys of “%1”:").arg(nameOf(*command)) : tr("&Keys:"));
    m_field->setEnabled(command);
    m_buttons.undo->setVisible(!m_before.isEmpty());
    m_buttons.none->setEnabled(command && !command->shortcuts().isEmpty());
    m_buttons.reset->setEnabled(command && command->shortcuts() != defaultKeys(*command));
    judge();
}

void ShortcutSheet::judge()
{
    const QKeySequence key = m_field->keySequence();
    const QAction* command = picked();
    const bool typed = command && !key.isEmpty();
    const auto conflict = typed ? conflictOf(m_actions, *command, key) : std::nullopt;
    const QString use = typed ? pictureUseOf(key) : QString();
    m_complaint->setText(conflict ? conflict->text
                         : !use.isEmpty()
                             ? tr("In a picture that has the keyboard it does something else: %1.").arg(use)
                             : QString());
    m_buttons.takeOver->setVisible(conflict && conflict->command);
    for (QPushButton* button : {m_buttons.set, m_buttons.add})
        button->setEnabled(typed && !conflict);
}

void ShortcutSheet::give(bool beside)
{
    QList<QKeySequence> keys = beside ? picked()->shortcuts() : QList<QKeySequence>();
    if (!keys.contains(m_field->keySequence())) keys << m_field->keySequence();
    ActionSet::setKeys(*picked(), keys);
    changed();
}

/// From as many commands as have it, or keys that begin with it.
void ShortcutSheet::takeOver()
{
    const QKeySequence key = m_field->keySequence();
    while (const auto conflict = conflictOf(m_actions, *picked(), key)) {
        if (!conflict->command) return judge();
        QList<QKeySequence> left = conflict->command->shortcuts();
        left.removeIf([&](const QKeySequence& each) {
            return each.matches(key) != QKeySequence::NoMatch || key.matches(each) != QKeySequence::NoMatch;
        });
        ActionSet::setKeys(*conflict->command, left);
    }
    give(false);
}

/// It can be undone until something else is changed.
void ShortcutSheet::resetAll()
{
    const QVariantMap before = changedKeys(m_actions);
    if (before.isEmpty()) return;
    applyKeys(m_actions, {});
    changed();
    m_before = before;
    refresh();
}

void ShortcutSheet::changed()
{
    m_before.clear();
    m_settings.setNamed(QStringLiteral("shortcuts"), changedKeys(m_actions));
    m_field->clear();
    refresh();
}

void ShortcutSheet::exportKeys()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export the shortcuts"),
                                                      QStringLiteral("plimsoll-shortcuts.json"), tr("JSON (*.json)"));
    if (file.isEmpty()) return;
    const Status written = writeFile(file.toStdString(), writeKeys(m_actions).toStdString());
    m_complaint->setText(written.ok() ? tr("Written: %1").arg(file) : toQString(describe(written.error())));
}

void ShortcutSheet::importKeys()
{
    const QString name = QFileDialog::getOpenFileName(this, tr("Import shortcuts"), {}, tr("JSON (*.json)"));
    if (name.isEmpty()) return;
    QFile file(name);
    const Result<QVariantMap> keys =
        readKeys(m_actions, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    if (!keys.ok()) return m_complaint->setText(toQString(describe(keys.error())));
    applyKeys(m_actions, keys.value());
    changed();
}

} // namespace plimsoll::app
