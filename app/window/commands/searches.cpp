#include "app/window/commands/searches.h"

#include "app/models/window_text.h"
#include "app/session/document/named_focus.h"
#include "app/session/selection.h"
#include "app/window/commands/action_set.h"
#include "core/base/narrow.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/names.h"
#include "core/facts/words/text_pattern.h"
#include "core/ops/reorder_node.h"

#include <QAction>
#include <QDockWidget>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <tuple>

namespace plimsoll::app {
namespace {

constexpr std::size_t LongestAnswer = 60;

bool startsWord(QStringView text, qsizetype at)
{
    if (at == 0) return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

struct Scored
{
    int score = 0;
    FinderItem item;
};

std::vector<FinderItem> best(std::vector<Scored> scored)
{
    std::stable_sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) { return a.score > b.score; });
    if (scored.size() > LongestAnswer) scored.resize(LongestAnswer);
    std::vector<FinderItem> items;
    for (Scored& entry : scored)
        items.push_back(std::move(entry.item));
    return items;
}

/// A name that answers, before its texts are made: most of a hundred thousand do not make it into the list.
struct Candidate
{
    int score = 0;
    bool node = false;
    std::int32_t index = 0;
};

/// Of "/relu_[0-9]+/" what stands between the slashes.
std::optional<TextPattern> patternIn(const QString& typed)
{
    const bool slashes = typed.size() > 2 && typed.startsWith(u'/') && typed.endsWith(u'/');
    return slashes ? std::optional<TextPattern>(typed.mid(1, typed.size() - 2).toStdString()) : std::nullopt;
}

template <typename Things>
void collect(const Things& things, bool nodes, const QString& typed, const std::optional<TextPattern>& pattern,
             std::vector<Candidate>& candidates)
{
    for (std::size_t i = 0; i < things.size(); ++i) {
        const int score =
            pattern ? (pattern->occursIn(things[i].name) ? 0 : -1) : fuzzyScore(typed, toQString(things[i].name));
        if (score >= 0) candidates.push_back({score, nodes, static_cast<std::int32_t>(i)});
    }
}

std::vector<Candidate> bestOf(std::vector<Candidate> candidates)
{
    const auto count = static_cast<std::ptrdiff_t>(std::min(LongestAnswer, candidates.size()));
    const auto before = [](const Candidate& a, const Candidate& b) { // alike in the order of the graph
        return std::tuple(-a.score, a.node, a.index) < std::tuple(-b.score, b.node, b.index);
    };
    std::ranges::partial_sort(candidates, candidates.begin() + count, before);
    candidates.resize(static_cast<std::size_t>(count));
    return candidates;
}

FinderItem itemOf(const Report& report, const Candidate& candidate, Selection& selection)
{
    if (candidate.node) {
        const NodeId id(candidate.index);
        Focus focus = Focus::on(id);
        if (!report.program.schedule.nodes[id.index()].empty()) focus.step = report.program.schedule.stepOf(id);
        return {toQString((*report.program.graph)[id].name),
                QObject::tr("node · %1").arg(toQString(qualifiedOp((*report.program.graph)[id]))),
                [&selection, focus] { selection.pick(focus); }};
    }
    const ValueId id(candidate.index);
    return {toQString((*report.program.graph)[id].name),
            QObject::tr("value · %1").arg(toQString(describe((*report.program.graph)[id].type))),
            [&selection, id] { selection.pick(Focus::on(id)); }};
}

/// "118", "1,180", "step 118" or "#118" is a step, "s12" a storage, "0x36000" or "36 KiB..40 KiB" bytes of an arena.
std::vector<FinderItem> numbered(const Report& report, const QString& typed, Selection& selection)
{
    std::vector<FinderItem> items;
    bool isNumber = false;
    QString number = QString(typed).remove(u','); // as the window writes it
    for (const QString& word : {QStringLiteral("#"), QStringLiteral("step "), QObject::tr("step") + u' '})
        if (number.startsWith(word, Qt::CaseInsensitive)) number = number.mid(word.size());
    const qint64 step = number.toLongLong(&isNumber);
    if (isNumber && step >= 0 && step < report.program.schedule.length())
        items.push_back({QObject::tr("Step %1").arg(countText(step)), QObject::tr("step"),
                         [&selection, step] { selection.pick(Focus::atStep(step)); }});
    const QString digits = typed.startsWith(u's', Qt::CaseInsensitive) ? typed.mid(1) : typed;
    const qint64 storage = digits.toLongLong(&isNumber);
    if (isNumber && storage >= 0 && storage < static_cast<qint64>(report.program.storages.size())) {
        const StorageId id(static_cast<std::int32_t>(storage));
        items.push_back({toQString(storageText(id)),
                         QObject::tr("storage · %1").arg(sizeText(report.program.storages[id.index()].bytes)),
                         [&selection, id] { selection.pick(Focus::on(id)); }});
    }
    const std::vector<PlanArea> areas = readAreas(report, typed.toStdString());
    if (areas.empty() && typed.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive))
        items.push_back({QObject::tr("No arena has bytes at %1").arg(typed), {}, {}});
    for (const PlanArea& area : areas) {
        const QString space = toQString(report.program.map.arenas[area.arena.index()].space);
        items.push_back({toQString(areaText(report, area, numberForm())), QObject::tr("bytes of %1").arg(space),
                         [&selection, area] { selection.pick(Focus::on(area)); }});
    }
    return items;
}

/// What a menu shows; and as it is read, without its mnemonic.
struct Command
{
    QPointer<QAction> action; ///< A list of files or of layouts may be made anew meanwhile.
    QString path;             ///< "View › Theme: Dark"
};

QString plain(QString text)
{
    static const QRegularExpression mnemonic(QStringLiteral("&(.)"));
    return text.replace(mnemonic, QStringLiteral("\\1"));
}

void addCommands(const QList<QAction*>& actions, const QStringList& menus, std::vector<Command>& commands)
{
    for (QAction* action : actions) {
        QMenu* const menu = action->menu();
        if (menu) {
            Q_EMIT menu->aboutToShow(); // some are filled then
            addCommands(menu->actions(), menus + QStringList(plain(action->text())), commands);
        } else if (!action->isSeparator() && action->isVisible() && !action->text().isEmpty()) {
            commands.push_back(
                {action, menus.join(QStringLiteral(" › ")) + QStringLiteral(": ") + plain(action->text())});
        }
    }
}

/// Letters that stand anywhere in a text give 10 each: that is in nearly every command.
constexpr int FewestPerLetter = 15;
/// What cannot act now comes behind what can and is named as well.
constexpr int LessWithoutEffect = 300;

/// A pane that is named is wanted: its entry in the menu would hide it where it is shown, and leave it behind others.
std::function<void()> chosen(QAction* action)
{
    auto* const dock = qobject_cast<QDockWidget*>(action->parent());
    if (!dock) return [action] { action->trigger(); };
    return [dock] {
        dock->show();
        dock->raise();
        dock->widget()->setFocus(Qt::ShortcutFocusReason);
    };
}

} // namespace

int fuzzyScore(QStringView pattern, QStringView text)
{
    if (pattern.isEmpty()) return 0;
    if (const qsizetype whole = text.indexOf(pattern, 0, Qt::CaseInsensitive); whole >= 0) {
        const int length = narrow<int>(std::min<qsizetype>(text.size() - pattern.size(), 300));
        return 1000 + (startsWord(text, whole) ? 200 : 0) - length;
    }
    int score = 0;
    qsizetype at = 0;
    qsizetype last = -2;
    for (const QChar wanted : pattern) {
        if (wanted.isSpace()) continue;
        const QChar lower = wanted.toLower();
        while (at < text.size() && text[at].toLower() != lower)
            ++at;
        if (at == text.size()) return -1;
        score += 10 + (at == last + 1 ? 15 : 0) + (startsWord(text, at) ? 20 : 0);
        last = at++;
    }
    return std::max(0, score - narrow<int>(std::min<qsizetype>(text.size(), 300)) / 10);
}

Finder::Search searchCommands(const QMenuBar& menus, const ActionSet& actions)
{
    std::vector<Command> commands;
    addCommands(menus.actions(), {}, commands);
    for (QAction* action : actions.all()) { // of tables and canvases
        if (std::ranges::find(commands, action, [](const Command& one) { return one.action.data(); }) == commands.end())
            commands.push_back({action, actions.category(action) + QStringLiteral(": ") + plain(action->text())});
    }
    return [commands = std::move(commands)](const QString& typed) {
        std::vector<Scored> scored;
        for (const auto& [action, path] : commands) {
            if (!action) continue;
            const bool inTip = !typed.isEmpty() && action->statusTip().contains(typed, Qt::CaseInsensitive);
            int score = std::max(fuzzyScore(typed, path), inTip ? fuzzyScore(typed, action->statusTip()) / 2 : -1);
            if (score < FewestPerLetter * typed.size()) continue;
            if (!action->isEnabled()) score = std::max(0, score - LessWithoutEffect);
            FinderItem item {path, action->shortcut().toString(QKeySequence::NativeText)};
            if (action->isEnabled()) item.choose = chosen(action);
            scored.push_back({score, std::move(item)});
        }
        return best(std::move(scored));
    };
}

Finder::Search searchOthers(std::shared_ptr<const Report> report, ValueId one, std::optional<ArenaId> arena,
                            std::function<void(ValueId)> choose)
{
    return [report = std::move(report), one, arena, choose = std::move(choose)](const QString& typed) {
        const Graph& graph = *report->program.graph;
        const auto placeOf = [&](ValueId id) -> const ValuePlacement& {
            return report->program.map.values[id.index()];
        };
        std::vector<Candidate> candidates;
        collect(graph.values, false, typed, patternIn(typed), candidates);
        std::erase_if(candidates, [&](const Candidate& other) {
            const ValueId id(other.index);
            return id == one || (arena && placeOf(id).arena != *arena);
        });
        std::vector<FinderItem> items;
        for (const Candidate& other : bestOf(std::move(candidates))) {
            const ValueId id(other.index);
            const QString size = sizeText(report->program.values[id.index()].requiredBytes);
            items.push_back(
                {toQString(graph[id].name),
                 placeOf(id).placed() ? addressText(placeOf(id).offset) + QStringLiteral(" · ") + size : size,
                 [choose, id] { choose(id); }});
        }
        return items;
    };
}

Finder::Search searchNodes(std::shared_ptr<const Report> report, NodeId one, std::function<void(NodeId)> choose)
{
    return [report = std::move(report), one, choose = std::move(choose)](const QString& typed) {
        const Graph& graph = *report->program.graph;
        std::vector<Candidate> candidates;
        collect(graph.nodes, true, typed, patternIn(typed), candidates);
        std::erase_if(candidates, [&](const Candidate& other) {
            const NodeId id(other.index);
            const bool added = isReorder(graph[id]) || isSpaceCopy(graph[id]); // it goes with its reader
            return id == one || added || graph[id].body != graph[one].body || graph.decided[id].fusedInto.valid() ||
                   report->program.schedule.nodes[id.index()].empty();
        });
        std::vector<FinderItem> items;
        for (const Candidate& other : bestOf(std::move(candidates))) {
            const NodeId id(other.index);
            items.push_back(
                {toQString(graph[id].name),
                 QObject::tr("%1, step %2").arg(toQString(graph[id].op)).arg(report->program.schedule.stepOf(id)),
                 [choose, id] { choose(id); }});
        }
        return items;
    };
}

Finder::Search searchReport(std::shared_ptr<const Report> report, std::vector<Bookmark> bookmarks, Selection& selection)
{
    return [report = std::move(report), bookmarks = std::move(bookmarks), &selection](const QString& typed) {
        std::vector<FinderItem> items = numbered(*report, typed, selection);
        const std::size_t numbers = items.size();
        for (const Bookmark& bookmark : bookmarks)
            if (toQString(bookmark.name).contains(typed.trimmed(), Qt::CaseInsensitive))
                items.push_back({toQString(bookmark.name), QObject::tr("bookmark"),
                                 [&selection, report, bookmark] { selection.pick(focusNamed(bookmark.at, *report)); }});
        const std::optional<TextPattern> pattern = patternIn(typed);
        if (pattern && !pattern->complaint().empty()) items.push_back({windowText(pattern->complaint()), {}, {}});
        std::vector<Candidate> candidates;
        collect(report->program.graph->values, false, typed, pattern, candidates);
        collect(report->program.graph->nodes, true, typed, pattern, candidates);
        for (const Candidate& one : bestOf(std::move(candidates)))
            items.push_back(itemOf(*report, one, selection));
        const auto exact = [&](const FinderItem& item) { return item.text != typed.trimmed(); };
        if (numbers > 0) std::ranges::stable_sort(items, {}, exact); // what is called so, before what has the number
        return items;
    };
}

} // namespace plimsoll::app
