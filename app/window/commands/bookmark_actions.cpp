#include "app/window/commands/bookmark_actions.h"

#include "app/models/window_text.h"
#include "app/session/document/named_focus.h"
#include "app/session/workbench.h"
#include "app/window/commands/action_set.h"
#include "app/window/panes/inspector_pane.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int DialogWidth = 420;
constexpr int EntryLetters = 60;

/// What is selected, whatever the step.
NamedFocus placeOf(const Workbench& bench)
{
    const auto report = bench.session.report();
    const Focus& focus = bench.selection.focus();
    NamedFocus at = report ? namesOf(focus, *report) : NamedFocus();
    if (focus.picked()) at.step = -1;
    return at;
}

/// Null where there is none.
const Bookmark* bookmarkAt(const Workbench& bench, const NamedFocus& at)
{
    const std::vector<Bookmark>& all = bench.session.said().bookmarks;
    const auto found = std::ranges::find(all, at, &Bookmark::at);
    return at == NamedFocus() || found == all.end() ? nullptr : &*found;
}

void setBookmark(Workbench& bench, const NamedFocus& at, const std::optional<Bookmark>& bookmark)
{
    Said said = bench.session.said();
    const auto found = std::ranges::find(said.bookmarks, at, &Bookmark::at);
    const QString before = found == said.bookmarks.end() ? QString() : toQString(found->name);
    if (found == said.bookmarks.end()) {
        if (bookmark) said.bookmarks.push_back(*bookmark);
    } else if (bookmark) {
        *found = *bookmark;
    } else {
        said.bookmarks.erase(found);
    }
    bench.session.setSaid(std::move(said), bookmark ? QObject::tr("Bookmark %1").arg(toQString(bookmark->name))
                                                    : QObject::tr("No bookmark %1 any more").arg(before));
}

/// Asks for name and note of what is selected.
void askForBookmark(Workbench& bench, QWidget* window)
{
    const auto report = bench.session.report();
    const NamedFocus at = placeOf(bench);
    if (!report || at == NamedFocus()) return;
    const Focus& focus = bench.selection.focus();
    const QString what = toQString(focusTitle(*report, focus, numberForm()));
    const QString title = focus.picked() ? what : QObject::tr("step %1").arg(what);
    const Bookmark* known = bookmarkAt(bench, at);
    auto* dialog = new QDialog(window);
    dialog->setObjectName(QStringLiteral("bookmark"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Bookmark for %1").arg(labelText(title, EntryLetters)));
    dialog->resize(DialogWidth, dialog->sizeHint().height());
    auto* name = new QLineEdit(known ? toQString(known->name) : title, dialog);
    name->setObjectName(QStringLiteral("bookmarkName"));
    name->selectAll();
    auto* note = new QPlainTextEdit(known ? toQString(known->note) : QString(), dialog);
    note->setObjectName(QStringLiteral("bookmarkNote"));
    note->setTabChangesFocus(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, dialog);
    auto* form = new QFormLayout(dialog);
    form->addRow(QObject::tr("&Name"), name);
    form->addRow(QObject::tr("N&ote"), note);
    form->addRow(buttons);
    const auto follow = [buttons, name] {
        buttons->button(QDialogButtonBox::Ok)->setEnabled(!name->text().trimmed().isEmpty());
    };
    QObject::connect(name, &QLineEdit::textChanged, dialog, follow);
    QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [&bench, dialog, at, name, note] {
        setBookmark(bench, at,
                    Bookmark {at, name->text().trimmed().toStdString(), note->toPlainText().trimmed().toStdString()});
        dialog->accept();
    });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->open();
}

/// Behind the entries that the menu has.
void listBookmarks(Workbench& bench, QMenu& menu)
{
    for (QAction* old : menu.findChildren<QAction*>(QStringLiteral("entry")))
        delete old;
    const auto report = bench.session.report();
    for (const Bookmark& bookmark : report ? bench.session.said().bookmarks : std::vector<Bookmark>()) {
        QString text = labelText(toQString(bookmark.name), EntryLetters).replace(u'&', QStringLiteral("&&"));
        auto* entry = new QAction(text, &menu);
        entry->setObjectName(QStringLiteral("entry"));
        entry->setToolTip(labelText(toQString(bookmark.note), TipLetters));
        const Focus focus = focusNamed(bookmark.at, *report);
        entry->setEnabled(focus.picked() || focus.step >= 0); // other sizes or policies may do without it
        QObject::connect(entry, &QAction::triggered, &bench, [&bench, focus] { bench.selection.pick(focus); });
        menu.addAction(entry);
    }
}

} // namespace

void connectBookmarks(Workbench& bench, const ActionSet& actions, InspectorPane& inspector, QMenu& menu,
                      QWidget* window)
{
    menu.setToolTipsVisible(true);
    actions.on("pick.bookmark", window, [&bench, window] { askForBookmark(bench, window); });
    actions.on("pick.no-bookmark", window, [&bench] { setBookmark(bench, placeOf(bench), {}); });
    QObject::connect(&menu, &QMenu::aboutToShow, window, [&bench, &menu] { listBookmarks(bench, menu); });
    const auto follow = [&bench, &actions, &inspector] {
        const NamedFocus at = placeOf(bench);
        const Bookmark* here = bookmarkAt(bench, at);
        actions.at("pick.bookmark")->setEnabled(at != NamedFocus());
        actions.at("pick.no-bookmark")->setEnabled(here != nullptr);
        FactSection section {translated("Bookmark").toStdString(), {}};
        if (here) section.facts = {{"Name", cell::text(here->name)}};
        if (here && !here->note.empty()) section.facts.push_back({"Note", cell::text(here->note)});
        inspector.setNote(std::move(section));
    };
    QObject::connect(&bench.selection, &Selection::focusChanged, window, follow);
    QObject::connect(&bench.session, &Session::choicesChanged, window, follow);
    QObject::connect(&bench.session, &Session::reportChanged, window, follow);
    QObject::connect(&bench.session, &Session::closed, window, follow);
    follow();
}

} // namespace plimsoll::app
