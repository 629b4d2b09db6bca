#include "app/models/window_text.h"

#include "core/base/characters.h"
#include "core/facts/english/english.h"
#include "core/facts/words/verdict.h"

#include <QStringList>

#include <algorithm>
#include <atomic>

namespace plimsoll::app {
namespace {

std::atomic<NumberForm> s_numberForm;

/// Sizes in a sentence as their exact figures.
Argument exactly(const Argument& argument);

Message exactly(Message message)
{
    for (Argument& argument : message.arguments)
        argument = exactly(argument);
    return message;
}

Argument exactly(const Argument& argument)
{
    if (const auto* size = std::get_if<word::Size>(&argument.value))
        return plimsoll::sizeText(size->bytes, {.exactBytes = true});
    if (const auto* part = std::get_if<Message>(&argument.value)) return exactly(*part);
    Argument made = argument;
    if (auto* list = std::get_if<word::List>(&made.value))
        for (Argument& item : list->items)
            item = exactly(item);
    return made;
}

/// "saved", "exact" → "'Saved tensors: exact'"; empty where that is no choice of a policy.
QString choiceText(const QString& id, const QString& value)
{
    Policies asked;
    if (!setPolicy(asked, id.toStdString(), value.toStdString()).ok()) return {};
    return QStringLiteral("'%1: %2'").arg(translated(findPolicy(id.toStdString())->title), value);
}

/// Of an incomplete plan: the window has fields for what is lacking above its policies, for shapes of inputs and
/// bounds.
Message whereToSay(const Report& report)
{
    if (report.verdict.completeness.complete()) return {};
    const Gap& gap = report.verdict.completeness.gaps.front();
    if (!gap.value.valid()) return {};
    const Value& value = (*report.program.graph)[gap.value];
    if (gap.kind == Gap::Kind::StoredBound) return say("window.say-bound", word::Name {value.name});
    const bool field = gap.kind == Gap::Kind::InputShape && value.role == ValueRole::Input;
    return field ? say("window.give-shape", word::Name {value.name}) : Message();
}

/// Its ends, and no half of a pair of UTF-16.
QString withoutMiddle(QStringView word, qsizetype most)
{
    QStringView begin = word.left(most / 2);
    QStringView end = word.right(most / 2);
    if (begin.back().isHighSurrogate()) begin.chop(1);
    if (end.front().isLowSurrogate()) end = end.mid(1);
    return begin.toString() + u'…' + end.toString();
}

} // namespace

NumberForm numberForm()
{
    return s_numberForm;
}

void setNumberForm(NumberForm form)
{
    s_numberForm = form;
}

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString translated(std::string_view literal)
{
    return toQString(spoken(literal));
}

std::string windowWords(const Remedy& remedy)
{
    switch (remedy.kind) {
    case Remedy::Kind::Policy:
    case Remedy::Kind::Toggle: {
        const QString choice = choiceText(toQString(remedy.what), toQString(remedy.value));
        return choice.isEmpty() ? optionWords(remedy) : choice.toStdString();
    }
    case Remedy::Kind::Option: {
        if (remedy.what == "emulate-device") return translated("'emulate device' ticked").toStdString();
        if (remedy.what == "shape") return translated("a shape above the policies").toStdString();
        if (remedy.what == "dim") return translated("a dimension above the policies").toStdString();
        return remedy.what == "max-stored" ? translated("the fields above the policies").toStdString()
                                           : optionWords(remedy);
    }
    case Remedy::Kind::Command:
        if (remedy.what == "plimsoll-cli fit") return translated("'Fit into' under 'What helps most'").toStdString();
        if (remedy.what == "explain") return translated("the inspector").toStdString();
        if (remedy.what == "run --mode fingerprint") return translated("a run in mode fingerprint").toStdString();
        break;
    }
    return optionWords(remedy);
}

QString windowText(const Message& message)
{
    return toQString(english(numberForm().exactBytes ? exactly(message) : message, windowWords));
}

QString labelText(const QString& whole, int most)
{
    const auto plain = [](QChar c) { return c >= u' ' && c <= u'~'; };
    const QString text = std::ranges::all_of(whole, plain) ? whole : toQString(writtenOut(whole.toStdString(), "\n\t"));
    if (text.size() <= most) return text;
    QString shown;
    for (qsizetype begin = 0, end = 0; begin < text.size(); begin = end) {
        end = begin;
        while (end < text.size() && !text[end].isSpace())
            ++end;
        const QStringView word = QStringView(text).mid(begin, end - begin);
        if (word.size() > most)
            shown += withoutMiddle(word, most);
        else
            shown += word;
        while (end < text.size() && text[end].isSpace())
            shown += text[end++];
    }
    return shown;
}

QString cellText(const Cell& cell)
{
    if (cell.kind == Cell::Kind::Sentence) return windowText(cell.message);
    if (cell.kind == Cell::Kind::Choice)
        return toQString(windowWords(Remedy::policy(std::string(cell.policy), cell.text)));
    return toQString(briefText(cell, numberForm()));
}

QString cellTip(const Cell& cell)
{
    return labelText(toQString(tipText(cell, windowWords)), TipLetters);
}

QString sizeTip(std::int64_t bytes)
{
    const std::string rounded = plimsoll::sizeText(bytes);
    const std::string exact = plimsoll::sizeText(bytes, {.exactBytes = true});
    return toQString(rounded == exact ? exact : rounded + " (" + exact + ")");
}

QString windowVerdict(const Report& report)
{
    return windowText(verdictText(report, whereToSay(report)));
}

QString countedText(std::int64_t number, const QString& one, const QString& many)
{
    return number == 1 ? one : many.arg(countText(number));
}

QString shortSizesText(const QString& list)
{
    QStringList parts = list.split(u',');
    for (QString& part : parts) {
        const qsizetype digits = part.lastIndexOf(u'=') + 1;
        bool number = false;
        qint64 size = part.mid(digits).toLongLong(&number);
        int unit = 0;
        for (; number && size != 0 && size % 1024 == 0 && unit < 4; ++unit)
            size /= 1024;
        if (unit > 0) part = part.left(digits) + QString::number(size) + u"KMGT"[unit - 1] + QStringLiteral("iB");
    }
    return parts.join(u',');
}

} // namespace plimsoll::app
