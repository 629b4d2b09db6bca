#include "app/window/pages/samples.h"

#include "app/models/window_text.h"
#include "core/base/output_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

namespace plimsoll::app {

namespace {

const QString Gallery = QStringLiteral("gallery/");

Choices choicesOf(const QJsonObject& policies)
{
    Choices choices;
    for (auto policy = policies.begin(); policy != policies.end(); ++policy) {
        const Status known = choices.setPolicy(policy.key().toStdString(), policy.value().toString().toStdString());
        Q_ASSERT(known.ok()); // the index is part of the application
    }
    return choices;
}

/// A text of the index, in the language of the window.
QString spokenOf(const QJsonObject& sample, const char* key)
{
    return translated(sample.value(QLatin1String(key)).toString().toStdString());
}

/// The entries of the index of a folder.
QList<QJsonObject> listedIn(const QString& folder)
{
    QFile index(QStringLiteral(":/%1/index.json").arg(folder));
    QList<QJsonObject> entries;
    if (!index.open(QIODevice::ReadOnly)) return entries;
    for (const QJsonValue entry : QJsonDocument::fromJson(index.readAll()).array())
        entries << entry.toObject();
    return entries;
}

} // namespace

QList<Sample> samples()
{
    QList<Sample> found;
    for (const QJsonObject& sample : listedIn(QStringLiteral("examples"))) {
        found << Sample {.file = sample.value(QLatin1String("file")).toString(),
                         .title = spokenOf(sample, "title"),
                         .story = spokenOf(sample, "story"),
                         .choices = choicesOf(sample.value(QLatin1String("policies")).toObject())};
    }
    return found;
}

QList<Sample> realBugs()
{
    QList<Sample> found;
    for (const QJsonObject& bug : listedIn(QStringLiteral("gallery"))) {
        found << Sample {.file = Gallery + bug.value(QLatin1String("graph")).toString(),
                         .title = spokenOf(bug, "title"),
                         .story = spokenOf(bug, "story"),
                         .choices = choicesOf(bug.value(QLatin1String("policies")).toObject()),
                         .plan = Gallery + bug.value(QLatin1String("plan")).toString(),
                         .system = bug.value(QLatin1String("system")).toString(),
                         .thread = bug.value(QLatin1String("thread")).toString(),
                         .url = bug.value(QLatin1String("url")).toString(),
                         .rule = bug.value(QLatin1String("rule")).toString()};
    }
    return found;
}

Sample sampleNamed(const QString& name)
{
    for (const Sample& sample : samples() + realBugs()) {
        if (sample.file == name) return sample;
    }
    return {};
}

QString sampleFile(const QString& name)
{
    const QString folder = name.startsWith(Gallery) ? QStringLiteral("/gallery") : QStringLiteral("/examples");
    const QDir source(u':' + folder);
    const QDir target(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + folder);
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
    const QString file = name.section(u'/', -1);
    return target.exists(file) ? target.filePath(file) : QString();
}

QString ownFolder(const QStringList& files)
{
    const QString copies = QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + u'/';
    for (const QString& file : files) {
        const QFileInfo folder(QFileInfo(file).absolutePath());
        if (!file.isEmpty() && folder.isDir() && !file.startsWith(copies)) return folder.filePath();
    }
    return QDir::homePath();
}

} // namespace plimsoll::app
