#include "app/window/pages/samples.h"

#include "core/base/output_file.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

namespace plimsoll::app {

namespace {

Choices choicesOf(const QJsonObject& policies)
{
    Choices choices;
    for (auto policy = policies.begin(); policy != policies.end(); ++policy) {
        const Status known = choices.setPolicy(policy.key().toStdString(), policy.value().toString().toStdString());
        Q_ASSERT(known.ok()); // the index is part of the application
    }
    return choices;
}

} // namespace

Choices sampleChoices(const QString& name)
{
    for (const Sample& sample : samples()) {
        if (sample.file == name) return sample.choices;
    }
    return {};
}

QList<Sample> samples()
{
    QFile index(QStringLiteral(":/examples/index.json"));
    if (!index.open(QIODevice::ReadOnly)) return {};
    QList<Sample> found;
    for (const QJsonValue entry : QJsonDocument::fromJson(index.readAll()).array()) {
        const QJsonObject sample = entry.toObject();
        found << Sample {sample.value(QLatin1String("file")).toString(),
                         sample.value(QLatin1String("title")).toString(),
                         sample.value(QLatin1String("story")).toString(),
                         choicesOf(sample.value(QLatin1String("policies")).toObject())};
    }
    return found;
}

QString sampleFile(const QString& name)
{
    const QDir source(QStringLiteral(":/examples"));
    const QDir target(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/examples"));
    if (!target.mkpath(QStringLiteral("."))) return {};
    for (const QString& file : source.entryList(QDir::Files)) {
        QFile packed(source.filePath(file));
        if (!packed.open(QIODevice::ReadOnly)) return {};
        const QByteArray bytes = packed.readAll();
        QFile copy(target.filePath(file)); // one that is there already may be of an earlier version
        if (copy.open(QIODevice::ReadOnly) && copy.readAll() == bytes) continue;
        copy.close();
        if (!writeFile(copy.fileName().toStdString(), bytes.toStdString()).ok()) return {};
    }
    return target.exists(name) ? target.filePath(name) : QString();
}

} // namespace plimsoll::app
