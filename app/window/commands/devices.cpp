#include "app/window/commands/devices.h"

#include "app/models/window_text.h"
#include "app/window/commands/searches.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>

#include <algorithm>

namespace plimsoll::app {

QList<DeviceProfile> deviceProfiles()
{
    QFile file(QStringLiteral(":/devices/devices.json"));
    QList<DeviceProfile> devices;
    if (!file.open(QIODevice::ReadOnly)) return devices;
    for (const QJsonValue entry : QJsonDocument::fromJson(file.readAll()).array()) {
        const QJsonObject device = entry.toObject();
        devices << DeviceProfile {
            device.value(QLatin1String("name")).toString(), device.value(QLatin1String("memory")).toString(),
            device.value(QLatin1String("bytes")).toInteger(), device.value(QLatin1String("source")).toString()};
    }
    return devices;
}

ArenaId mainArena(const Report& report)
{
    const auto& arenas = report.program.map.arenas;
    const auto most = std::ranges::max_element(arenas, {}, &PlannedArena::bytes);
    return most == arenas.end() ? ArenaId() : ArenaId(static_cast<std::size_t>(most - arenas.begin()));
}

QString fitText(const Report& report, const DeviceProfile& device)
{
    const std::int64_t left = device.bytes - report.program.map.arenas[mainArena(report).index()].bytes;
    return left >= 0 ? QObject::tr("fits, %1 are left").arg(sizeText(left))
                     : QObject::tr("does not fit by %1").arg(sizeText(-left));
}

Finder::Search searchDevices(std::shared_ptr<const Report> report, std::function<void(const DeviceProfile&)> choose)
{
    return [report = std::move(report), choose = std::move(choose), devices = deviceProfiles()](const QString& typed) {
        std::vector<std::pair<int, FinderItem>> scored;
        for (const DeviceProfile& device : devices) {
            const int score = typed.isEmpty() ? 0 : fuzzyScore(typed, device.name);
            if (score < 0) continue;
            const QString what =
                QObject::tr("%1, %2: %3").arg(device.memory, sizeText(device.bytes), fitText(*report, device));
            scored.emplace_back(score, FinderItem {device.name, what, [choose, device] { choose(device); }});
        }
        std::ranges::stable_sort(scored, std::greater(), [](const auto& item) { return item.first; });
        std::vector<FinderItem> items;
        for (auto& [score, item] : scored)
            items.push_back(std::move(item));
        return items;
    };
}

} // namespace plimsoll::app
