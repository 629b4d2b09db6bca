#include "app/session/probe_json.h"

#include <QJsonArray>

namespace plimsoll::app {
namespace {

std::string text(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toString().toStdString();
}

QJsonArray list(const QJsonObject& object, const char* key)
{
    return object.value(QLatin1String(key)).toArray();
}

HandleName handle(const QJsonObject& object)
{
    return {text(object, "kind") == "output",
            static_cast<std::size_t>(object.value(QLatin1String("index")).toInteger()), text(object, "value")};
}

ProbeWrite::Outcome outcome(const QJsonObject& write)
{
    const auto is = [&](const char* key) { return write.value(QLatin1String(key)).toBool(); };
    if (is("refused")) return ProbeWrite::Outcome::Refused;
    if (is("skipped")) return ProbeWrite::Outcome::Skipped;
    return is("detached") ? ProbeWrite::Outcome::Detached : ProbeWrite::Outcome::Written;
}

ProbeWrite::Content content(const QJsonObject& object)
{
    ProbeWrite::Content result;
    result.handle = handle(object);
    for (const QJsonValue value : list(object, "data"))
        result.elements.push_back(elementText(value));
    result.digest = text(object, "digest");
    return result;
}

ProbeWrite write(const QJsonObject& object)
{
    ProbeWrite result;
    result.handle = handle(object.value(QLatin1String("written")).toObject());
    result.outcome = outcome(object);
    result.reason = text(object, "reason");
    if (const QJsonValue partner = object.value(QLatin1String("partner")); partner.isObject())
        result.partner = handle(partner.toObject());
    result.detachedBytes = object.value(QLatin1String("detachedBytes")).toInteger();
    result.liveBytes = object.value(QLatin1String("liveBytes")).toInteger();
    for (const QJsonValue one : list(object, "changed")) {
        const QJsonObject change = one.toObject();
        result.changed.push_back({handle(change), change.value(QLatin1String("bytes")).toInteger(),
                                  change.value(QLatin1String("predicted")).toBool(true)});
    }
    for (const QJsonValue one : list(object, "unchanged"))
        result.unchanged.push_back(handle(one.toObject()));
    for (const QJsonValue one : list(object, "after"))
        result.after.push_back(content(one.toObject()));
    return result;
}

std::vector<WriteProbe::Stale> notes(const QJsonObject& object, const char* key)
{
    std::vector<WriteProbe::Stale> result;
    for (const QJsonValue one : list(object, key))
        result.push_back({handle(one.toObject()), text(one.toObject(), "note")});
    return result;
}

WriteProbe::Between between(const QJsonObject& object)
{
    WriteProbe::Between result;
    for (const QJsonValue one : list(object, "writes"))
        result.writes.push_back(write(one.toObject()));
    result.changed = notes(object, "changed");
    result.expected = object.value(QLatin1String("expected")).toBool();
    return result;
}

} // namespace

std::string elementText(const QJsonValue& value)
{
    if (value.isString()) return value.toString().toStdString();
    if (value.isBool()) return value.toBool() ? "true" : "false";
    const double real = value.toDouble();
    if (const std::int64_t whole = value.toInteger(); static_cast<double>(whole) == real) return std::to_string(whole);
    return QString::number(real, 'g', 9).toStdString();
}

std::optional<WriteProbe> probeFromRun(const QJsonObject& run)
{
    const QJsonValue second = run.value(QLatin1String("secondRun"));
    if (!second.isObject()) return std::nullopt;
    WriteProbe probe;
    probe.liveBytes = run.value(QLatin1String("liveBytes")).toInteger();
    for (const QJsonValue one : list(run, "writeProbe"))
        probe.writes.push_back(write(one.toObject()));
    probe.refreshedOutputs = second.toObject().value(QLatin1String("refreshed")).toInteger();
    probe.stale = notes(second.toObject(), "stale");
    if (const QJsonValue one = run.value(QLatin1String("betweenProbe")); one.isObject())
        probe.between = between(one.toObject());
    return probe;
}

std::optional<std::vector<WriteProbe::Stale>> replayedFromRun(const QJsonObject& run)
{
    if (!run.value(QLatin1String("replayed")).isArray()) return std::nullopt;
    return notes(run, "replayed");
}

} // namespace plimsoll::app
