#include "app/window/help/format_texts.h"

#include "app/models/window_text.h"
#include "app/window/pages/samples.h"
#include "core/facts/english/english.h"
#include "core/formats/formats.h"
#include "core/plan/policies.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>

namespace plimsoll::app {
namespace {

/// Its code is in backquotes.
QString html(std::string_view text)
{
    static const QRegularExpression code(QStringLiteral("`([^`]*)`"));
    return toQString(text).toHtmlEscaped().replace(code, QStringLiteral("<code>\\1</code>"));
}

/// The section of the manual.
QString anchor(const Format& format)
{
    return html(format.id).replace(u' ', u'-').replace(u'/', u'-');
}

} // namespace

QString graphFilters()
{
    QStringList globs;
    for (const Format* format : Formats) {
        for (const std::string& extension : extensionsOf(*format))
            globs << QStringLiteral("*.") + toQString(extension);
    }
    globs.removeDuplicates();
    return QObject::tr("Graphs and tables of buffers (%1);;All files (*)").arg(globs.join(u' '));
}

QString formatParagraphs()
{
    QString text;
    for (const Format* format : Formats) {
        text += QStringLiteral("<p><b>%1</b> — %2").arg(html(spoken(format->title)), html(spoken(format->howToGet)));
        if (!format->plan.empty()) text += QObject::tr(" The memory plan in it is %1.").arg(html(spoken(format->plan)));
        text += QStringLiteral("</p>");
    }
    return text;
}

QString formatRows()
{
    QString text;
    for (const Format* format : Formats) {
        const auto cell = [](std::string_view said) { return said.empty() ? QStringLiteral("–") : html(said); };
        text += QStringLiteral("<tr><td><a href=\"graphs.html#%1\">%2</a></td><td>%3</td><td>%4</td><td>%5</td></tr>\n")
                    .arg(anchor(*format), html(format->title), html(format->howToGet), cell(format->plan),
                         cell(format->runs));
    }
    return text;
}

QString lawRows()
{
    QString text;
    for (const PolicyInfo& policy : policyTable()) {
        QStringList rules;
        for (const Rule rule : policy.enforcedBy)
            rules << QStringLiteral("<a href=\"rules.html#%1\">%1</a>").arg(html(ruleId(rule)));
        text += QStringLiteral("<tr><td><a href=\"#%1\">%1</a></td><td>%2</td></tr>\n")
                    .arg(html(policy.id), rules.isEmpty() ? QStringLiteral("chooses, restricts nothing")
                                                          : rules.join(QStringLiteral(", ")));
    }
    return text;
}

QString policySections(const QString& page)
{
    QString text;
    for (const PolicyInfo& policy : policyTable()) {
        const QString id = html(policy.id);
        if (page.contains(QStringLiteral("id=\"%1\"").arg(id))) continue;
        text += QStringLiteral("<h2 id=\"%1\">%1</h2>\n<p>%2</p>\n<table cellpadding=\"4\">\n")
                    .arg(id, html(policy.meaning));
        for (std::size_t i = 0; i < policy.values.size(); ++i)
            text += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>\n")
                        .arg(html(policy.values[i]), html(policy.valueMeanings[i]));
        text += QStringLiteral("</table>\n");
    }
    return text;
}

QString bugSections()
{
    QString text;
    for (const Sample& bug : realBugs()) {
        text += QStringLiteral("<h2>%1</h2>\n<p>%2, %3 (%6). Rule: <a href=\"rules.html#%4\">%4</a>.</p>\n<p>%5</p>\n")
                    .arg(bug.title.toHtmlEscaped(), bug.system.toHtmlEscaped(), bug.thread.toHtmlEscaped(),
                         bug.rule.toHtmlEscaped(), bug.story.toHtmlEscaped(), bug.url.toHtmlEscaped());
    }
    return text;
}

} // namespace plimsoll::app
