#include "app/models/window_text.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/placement_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("plimsoll", text);
}

/// "saved", "exact" → "'Saved tensors: exact'"; empty where that is no choice of a policy.
QString choiceText(const QString& id, const QString& value)
{
    Policies asked;
    if (!setPolicy(asked, id.toStdString(), value.toStdString()).ok()) return {};
    return QStringLiteral("'%1: %2'").arg(toQString(findPolicy(id.toStdString())->title), value);
}

/// What else a sentence says to those who type commands.
QString withoutOptions(QString text)
{
    static const QRegularExpression bound(QStringLiteral("with --max-stored .+?=…"));
    text.replace(bound, tr("above the policies"));
    text.replace(QLatin1String("explain says why"), tr("the inspector says why"));
    return text.replace(QLatin1String("plimsoll-cli run --mode fingerprint"), tr("a run in mode fingerprint"));
}

} // namespace

QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString saidText(std::string_view sentence)
{
    static const QRegularExpression pattern(
        QStringLiteral(R"((?:-p )?\b([a-z][a-z-]*)=([a-z0-9](?:[a-z0-9,-]*[a-z0-9])?))"));
    const QString text = withoutOptions(toQString(sentence));
    QString said;
    qsizetype from = 0;
    for (auto matches = pattern.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const QString choice = choiceText(match.captured(1), match.captured(2));
        if (choice.isEmpty()) continue;
        said += text.mid(from, match.capturedStart() - from) + choice;
        from = match.capturedEnd();
    }
    return said + text.mid(from);
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
        const bool field = remedy.what == "shape" || remedy.what == "dim" || remedy.what == "max-stored";
        return field ? tr("the fields above the policies").toStdString() : optionWords(remedy);
    }
    case Remedy::Kind::Command:
        if (remedy.what == "explain") return tr("the inspector").toStdString();
        if (remedy.what == "run --mode fingerprint") return tr("a run in mode fingerprint").toStdString();
        break;
    }
    return optionWords(remedy);
}

QString windowText(const Message& message)
{
    return toQString(english(message, windowWords));
}

QString sizeText(std::int64_t bytes)
{
    return bytes < 0 ? tr("unknown") : toQString(formatBytes(bytes));
}

QString exactBytesText(std::int64_t bytes)
{
    return bytes < 0 ? tr("not known before the run") : tr("%1 bytes").arg(countText(bytes));
}

QString countText(std::int64_t number)
{
    return toQString(formatCount(number));
}

QString countedText(std::int64_t number, const QString& one, const QString& many)
{
    return number == 1 ? one : many.arg(countText(number));
}

QString sizeTextBeside(std::int64_t bytes, std::int64_t other)
{
    const bool alike = bytes != other && sizeText(bytes) == sizeText(other);
    return alike ? exactBytesText(bytes) : sizeText(bytes);
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

QString durationText(double seconds)
{
    if (seconds <= 0) return tr("0 s");
    if (seconds < 0.0009995) return tr("%1 µs").arg(seconds * 1e6, 0, 'g', 3);
    if (seconds < 0.9995) return tr("%1 ms").arg(seconds * 1e3, 0, 'g', 3);
    if (seconds < 999.5) return tr("%1 s").arg(seconds, 0, 'g', 3);
    return tr("%1 s").arg(countText(static_cast<std::int64_t>(std::llround(seconds))));
}

QString addressText(std::int64_t offset)
{
    return QStringLiteral("0x") + QString::number(offset, 16);
}

QString stepsText(Interval steps)
{
    if (steps.empty()) return tr("none");
    return toQString(rangeText(steps));
}

QString stepsText(const LiveRanges& live)
{
    return live.empty() ? tr("none") : toQString(rangesText(live));
}

QString storageText(StorageId storage)
{
    return storage.valid() ? u's' + QString::number(storage.number()) : QString();
}

QString roleText(ValueRole role)
{
    switch (role) {
    case ValueRole::Input:
        return tr("input");
    case ValueRole::Parameter:
        return tr("parameter");
    case ValueRole::Constant:
        return tr("constant");
    case ValueRole::Intermediate:
        return tr("intermediate");
    case ValueRole::BodyInput:
        return tr("body input");
    }
    return {};
}

QString aliasText(AliasKind kind)
{
    switch (kind) {
    case AliasKind::Fresh:
        return {};
    case AliasKind::MayBeInPlace:
        return tr("in place");
    case AliasKind::Identity:
        return tr("identity");
    case AliasKind::View:
        return tr("view");
    case AliasKind::Mutates:
        return tr("mutation");
    }
    return {};
}

QString percentText(double fraction)
{
    return toQString(plimsoll::percentText(fraction));
}

QString whereText(const Report& report, ValueId value)
{
    const StorageId storage = report.program.values[value.index()].storage;
    const NodeId computer = (*report.program.graph)[value].fusedInto;
    if (computer.valid()) return tr("never stored, inside %1").arg(toQString((*report.program.graph)[computer].name));
    if (!storage.valid()) return tr("at run time");
    if (isMadeAhead(report, report.program.storages[storage.index()])) return tr("made ahead of the run");
    const ArenaId arena = report.program.storages[storage.index()].arena;
    if (!arena.valid()) return tr("caller's bytes");
    return toQString(report.program.map.arenas[arena.index()].space);
}

} // namespace plimsoll::app
