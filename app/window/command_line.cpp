#include "app/window/command_line.h"

#include "app/session/session.h"
#include "app/window/language.h"
#include "app/window/view_table.h"
#include "core/graph/shape_text.h"

#include <QHash>
#include <QRegularExpression>

namespace plimsoll::app {
namespace {

template <typename... Texts>
Error usage(std::string_view id, const Texts&... texts)
{
    return Error {ErrorCode::BadUsage, say(id, texts.toStdString()...), {}, {}};
}

struct Pair
{
    QString name;
    QString value;
};

Result<Pair> splitPair(const QString& option, const QString& text)
{
    // Names may hold '=' themselves; values of shapes, sizes and policies other than capacity do not.
    const qsizetype equals = option == QStringLiteral("-p") ? text.indexOf(u'=') : text.lastIndexOf(u'=');
    if (equals <= 0) return usage("usage.pair", option, text);
    return Pair {text.left(equals), text.mid(equals + 1)};
}

Status takePolicy(CommandLine& line, const QString& text)
{
    PLIMSOLL_ASSIGN(pair, splitPair(QStringLiteral("-p"), text));
    return line.choices.setPolicy(pair.name.toStdString(), pair.value.toStdString());
}

Status takeShape(CommandLine& line, const QString& text)
{
    PLIMSOLL_ASSIGN(pair, splitPair(QStringLiteral("--shape"), text));
    auto shape = shapeFromText(pair.value.toStdString());
    if (!shape) return usage("usage.shape", pair.value);
    line.choices.shapes.shapes[pair.name.toStdString()] = std::move(*shape);
    return {};
}

/// A number of 0 or more for the name; \p id is what is said of anything else.
Status takeNumber(std::map<std::string, std::int64_t>& numbers, const char* option, std::string_view id,
                  const QString& text)
{
    PLIMSOLL_ASSIGN(pair, splitPair(QString::fromLatin1(option), text));
    bool number = false;
    const qint64 value = pair.value.toLongLong(&number);
    if (!number || value < 0) return usage(id, pair.value);
    numbers[pair.name.toStdString()] = value;
    return {};
}

Status takeSize(CommandLine& line, const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const auto match = pattern.match(text);
    if (!match.hasMatch()) return usage("usage.picture-size", text);
    line.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
    if (line.size.width() > 16384 || line.size.height() > 16384) return usage("usage.largest-picture");
    return {};
}

struct Option
{
    const char* name;
    Status (*take)(CommandLine&, const QString&);
    bool keyed = false; ///< "key=value", and may be repeated for another key.
};

template <QString CommandLine::*Text>
Status takeText(CommandLine& line, const QString& text)
{
    line.*Text = text;
    return {};
}

constexpr Option Options[] = {
    {"-p", takePolicy, true},
    {"--dim",
     [](CommandLine& line, const QString& text) {
         return takeNumber(line.choices.shapes.dims, "--dim", "usage.dim", text);
     },
     true},
    {"--shape", takeShape, true},
    {"--max-stored",
     [](CommandLine& line, const QString& text) {
         return takeNumber(line.choices.shapes.maxStored, "--max-stored", "usage.max-stored", text);
     },
     true},
    {"--view",
     [](CommandLine& line, const QString& text) {
         line.view = text;
         if (viewIds().contains(text)) return Status();
         return Status(usage("usage.view", text, viewIds().join(QStringLiteral(", "))));
     }},
    {"--size", takeSize},
    {"--theme",
     [](CommandLine& line, const QString& text) {
         line.theme = themeFromName(text);
         return line.theme ? Status() : usage("usage.theme", text);
     }},
    {"--language",
     [](CommandLine& line, const QString& text) {
         line.language = text;
         return isLanguage(text) ? Status() : usage("usage.language", text);
     }},
    {"--plan", takeText<&CommandLine::plan>},
    {"--select", takeText<&CommandLine::select>},
    {"--screenshot", takeText<&CommandLine::screenshot>},
    {"--picture", takeText<&CommandLine::picture>},
    {"--whole-picture", takeText<&CommandLine::wholePicture>},
    {"--table", takeText<&CommandLine::table>},
    {"--json", takeText<&CommandLine::json>},
};

/// The option that an argument is, and its value where it stands in the same argument ("--size=1x1", "-pid=value").
const Option* findOption(const QString& argument, std::optional<QString>& value)
{
    for (const Option& option : Options) {
        const QString name = QString::fromLatin1(option.name);
        if (argument == name) return &option;
        const bool isLong = name.startsWith(QStringLiteral("--"));
        if (isLong && argument.startsWith(name + u'=')) value = argument.mid(name.size() + 1);
        if (!isLong && argument.startsWith(name) && !argument.startsWith(QStringLiteral("--")))
            value = argument.mid(name.size());
        if (value) return &option;
    }
    return nullptr;
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList& arguments)
{
    CommandLine line;
    line.choices = initialChoices();
    line.verbose = qEnvironmentVariableIntValue("PLIMSOLL_VERBOSE") != 0;
    QHash<QString, QString> seen;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        std::optional<QString> value;
        if (argument == QStringLiteral("--help") || argument == QStringLiteral("-h")) {
            line.help = true;
        } else if (argument == QStringLiteral("--verbose")) {
            line.verbose = true;
        } else if (argument == QStringLiteral("--version")) {
            line.version = true;
        } else if (const Option* option = findOption(argument, value)) {
            if (!value && i + 1 == arguments.size()) return usage("usage.no-value", argument);
            const QString text = value ? *value : arguments[++i];
            // One answer to one question: of an option, or of its key where it is "key=value".
            const QString name = QString::fromLatin1(option->name);
            QString question = name;
            if (option->keyed)
                question += text.left(name == QStringLiteral("-p") ? text.indexOf(u'=') : text.lastIndexOf(u'='));
            const QString before = seen.value(question, text);
            if (before != text) return usage("usage.two-answers", name, before, text);
            seen.insert(question, text);
            PLIMSOLL_TRY(option->take(line, text));
        } else if (argument.startsWith(u'-') && argument.size() > 1) {
            return usage("usage.no-option", argument);
        } else if (!line.file.isEmpty()) {
            line.others << argument;
        } else {
            line.file = argument;
        }
    }
    if (!line.others.isEmpty() && (writes(line) || !line.plan.isEmpty()))
        return usage("usage.two-files", line.file, line.others.first());
    if (line.file.isEmpty() && !line.plan.isEmpty()) return usage("usage.plan-alone", line.plan);
    return line;
}

bool writes(const CommandLine& line)
{
    return !(line.screenshot + line.picture + line.wholePicture + line.table + line.json).isEmpty();
}

QString usageText()
{
    return QStringLiteral(
               "plimsoll [FILE…] [-p id=value]… [--dim NAME=SIZE]… [--shape INPUT=1x3x224x224]…\n"
               "         [--max-stored SPARSE=1000]… [--plan PLAN] [--language de|en]\n"
               "         [--select NAME] [--view ID] [--screenshot OUT.png [--size WxH] [--theme "
               "light|dark|contrast]]\n"
               "         [--picture OUT.svg] [--whole-picture OUT.svg] [--table OUT.csv] [--json OUT.json] "
               "[--verbose]\n\n"
               "Opens each FILE ('-' is standard input) in a tab, or the start page. --plan judges a plan that was "
               "made elsewhere. "
               "--screenshot renders the "
               "window off-screen, --picture what is seen of the view alone and --whole-picture all of it (PNG, SVG or "
               "PDF), --table its rows (CSV or Markdown), --json writes the report of its plan, and then it ends:\n"
               "0 when it is written, 1 when it is and the plan breaks a rule, 2 for wrong usage, 3 when FILE or the "
               "plan cannot be read, 4 when it cannot run here (the picture says why).\n"
               "--verbose prints the log (Help › Log) to standard error, as PLIMSOLL_VERBOSE=1 does.\n"
               "Views: %1\n")
        .arg(viewIds().join(QStringLiteral(", ")));
}

} // namespace plimsoll::app
