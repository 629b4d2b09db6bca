#pragma once

#include "app/window/commands/finder.h"
#include "core/facts/report.h"

#include <QList>

#include <functional>
#include <memory>

namespace plimsoll::app {

/// A device by what is public of its memory (resources/devices/devices.json).
struct DeviceProfile
{
    QString name;
    QString memory; ///< "SRAM"
    std::int64_t bytes = 0;
    QString source; ///< Of the figure.
};
[[nodiscard]] QList<DeviceProfile> deviceProfiles();

/// The arena that takes most: what a device's memory is meant for. Invalid: nothing is planned.
[[nodiscard]] ArenaId mainArena(const Report& report);

/// "fits, 12.0 KiB are left", "does not fit by 3.20 MiB": that arena of the plan as it is.
[[nodiscard]] QString fitText(const Report& report, const DeviceProfile& device);

/// Each device with whether the plan fits; \p choose gets the one that is chosen.
[[nodiscard]] Finder::Search searchDevices(std::shared_ptr<const Report> report,
                                           std::function<void(const DeviceProfile&)> choose);

} // namespace plimsoll::app
