#include "tests/app/window/shown_words.h"

#include "app/window/commands/action_table.h"
#include "app/window/help/manual_pages.h"
#include "app/window/pages/samples.h"
#include "app/window/view_table.h"
#include "core/facts/tables.h"
#include "core/facts/words/names.h"
#include "core/formats/formats.h"
#include "core/picture/plan_picture.h"
#include "tests/house/house_files.h"

#include <QRegularExpression>

namespace plimsoll::test {
namespace {

class Words
{
public:
    QSet<QString> all;

    void add(std::string_view word) { addText(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))); }
    void addText(const QString& word)
    {
        static const QRegularExpression letters(QStringLiteral("[a-z]"));
        if (letters.match(word).hasMatch()) all.insert(word);
    }
};

void addTables(Words& words)
{
    for (const TableUse& use : TableUses) {
        const FactTable& table = use.table();
        for (const std::string_view word : {table.title, table.empty, use.pane.label, use.pane.tip})
            words.add(word);
        for (const ColumnInfo& column : table.columns) {
            words.add(column.title);
            words.add(column.tip);
        }
    }
}

void addPolicies(Words& words)
{
    for (const PolicyInfo& policy : policyTable()) {
        words.add(policy.title);
        words.add(policy.meaning);
        for (const std::string_view meaning : policy.valueMeanings)
            words.add(meaning);
    }
}

void addEnumerations(Words& words)
{
    for (std::size_t rule = 0; rule <= static_cast<std::size_t>(Rule::OutOfMemory); ++rule)
        words.add(ruleSummary(static_cast<Rule>(rule)));
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Advice})
        words.add(severityName(severity));
    for (const ValueRole role :
         {ValueRole::Input, ValueRole::Parameter, ValueRole::Constant, ValueRole::Intermediate, ValueRole::BodyInput})
        words.add(roleName(role));
    for (const AliasKind kind :
         {AliasKind::MayBeInPlace, AliasKind::Identity, AliasKind::View, AliasKind::Mutates, AliasKind::Part}) {
        PlannedValue value;
        value.shared = true;
        value.sharedAs = kind;
        words.add(sharedAsName(value));
    }
    for (std::size_t reason = 0; reason <= static_cast<std::size_t>(SavingReason::Captured); ++reason)
        words.add(savingReasonId(static_cast<SavingReason>(reason)));
    for (std::size_t donation = 0; donation <= static_cast<std::size_t>(Donation::Retained); ++donation)
        words.add(donationId(static_cast<Donation>(donation)));
    for (const char* part : {"line", "column", "byte", "node", "value"}) // of a place in a file
        words.add(part);
    for (const Pattern pattern :
         {Pattern::InPlace, Pattern::View, Pattern::Padding, Pattern::Scratch, Pattern::Rounding})
        words.add(patternName(pattern));
}

void addWindow(Words& words)
{
    for (const app::ActionInfo& action : app::actionTable())
        for (const char* word : {action.category, action.text, action.tip})
            words.add(word);
    for (const app::PictureKey& key : app::pictureKeys())
        for (const char* word : {key.pictures, key.keys, key.tip})
            words.add(word);
    for (const app::ViewInfo& view : app::viewTable())
        words.add(view.title);
    for (const Format* format : Formats)
        for (const std::string_view word : {format->name, format->title, format->howToGet, format->plan})
            words.add(word);
    for (const app::ManualPage& page : app::manualPages())
        words.add(page.title);
    for (const QList<app::Sample>& samples : {app::samples(), app::realBugs()}) {
        for (const app::Sample& sample : samples) {
            words.addText(sample.title);
            words.addText(sample.story);
        }
    }
}

/// The literals of a piece of code; those that stand behind one another are one. Not those that are compared with.
QStringList literalsIn(const QString& code)
{
    static const QRegularExpression literal(QStringLiteral(
        R"re(([=!]= |maker, |id = |say\(|choice\(|policy\()?"((?:[^"\\]|\\.)*)"(?:\s*"((?:[^"\\]|\\.)*)")?)re"));
    QStringList found;
    for (auto all = literal.globalMatch(code); all.hasNext();) {
        const auto match = all.next();
        if (match.captured(1).isEmpty()) found << match.captured(2) + match.captured(3);
    }
    return found;
}

/// From the parenthesis that opens before \p begin to the one that closes it.
QString argumentsFrom(const QString& code, qsizetype begin)
{
    int depth = 1;
    qsizetype end = begin;
    for (; end < code.size() && depth > 0; ++end)
        depth += code[end] == u'(' ? 1 : code[end] == u')' ? -1 : 0;
    return code.mid(begin, end - begin);
}

/// Files whose literals name facts, or say where something lies. The table of values for programs has ids for titles.
bool namesFacts(const QString& file)
{
    return file.startsWith(QStringLiteral("core/facts/about/")) ||
           file == QStringLiteral("core/facts/range_changes.cpp") ||
           (file.startsWith(QStringLiteral("core/facts/tables/")) && !file.endsWith(QStringLiteral("/values.cpp")) &&
            !file.endsWith(QStringLiteral("/row_query.cpp")));
}

void addSources(Words& words)
{
    static const QRegularExpression call(QStringLiteral(R"((?<!\w)(?:spoken|translated|cell::word)\()"));
    static const QRegularExpression fact(QStringLiteral(R"re((?:push_back\(\{|total\(|add\()"([^"]+)")re"));
    static const QRegularExpression stage(QStringLiteral(R"re(context\.report\("(\w+)")re"));
    static const QRegularExpression id(QStringLiteral(R"(^[a-z]+([.-][a-z]+)+$|[\\{}]|^[^\w…])"));
    static const QRegularExpression comment(QStringLiteral(R"(//.*|#include .*|'"')"));
    for (const QString& file : sourceFiles()) {
        if (!file.startsWith(QStringLiteral("app/")) && !file.startsWith(QStringLiteral("core/"))) continue;
        const QString code = readFile(file).remove(comment);
        for (auto stages = stage.globalMatch(code); stages.hasNext();)
            words.addText(stages.next().captured(1));
        for (auto calls = call.globalMatch(code); calls.hasNext();)
            for (const QString& word : literalsIn(argumentsFrom(code, calls.next().capturedEnd())))
                words.addText(word);
        if (namesFacts(file)) {
            for (auto facts = fact.globalMatch(code); facts.hasNext();)
                words.addText(facts.next().captured(1));
            for (const QString& word : literalsIn(code))
                if (!id.match(word).hasMatch()) words.addText(word);
        }
    }
}

} // namespace

QSet<QString> shownWords()
{
    Words words;
    addTables(words);
    addPolicies(words);
    addEnumerations(words);
    addWindow(words);
    addSources(words);
    return words.all;
}

} // namespace plimsoll::test
