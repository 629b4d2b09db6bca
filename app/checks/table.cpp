#include "app/checks/checks_json.h"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace plimsoll::checks {
namespace {

using Json = nlohmann::ordered_json;

constexpr double Mebi = 1024 * 1024;

template <typename... Arguments>
std::string formatted(const char* format, Arguments... arguments)
{
    char line[256];
    std::snprintf(line, sizeof line, format, arguments...);
    return line;
}

std::string failures(const Json& json)
{
    std::string text;
    for (const Json& check : json.value("checks", Json::array())) {
        if (check.value("passed", true)) continue;
        text += "failed: " + check.value("kernel", "") + ", " + check.value("case", "") +
                (check.value("backward", false) ? ", backward" : "") + ": " + check.value("wrong", "") + "\n";
    }
    return text;
}

/// "cudnn: absent: cuDNN is not found (libcudnn.so.9, libcudnn.so.8)."
std::string libraries(const Json& json)
{
    const Json all = json.value("libraries", Json::object());
    std::string text;
    for (const auto& [name, found] : all.items())
        text += name + ": " + found.get<std::string>() + "\n";
    return text;
}

std::string timings(const Json& json)
{
    if (!json.contains("timings")) return {};
    std::string text = formatted("copies within the device: %.0f GB/s\n", json.value("copyBytesPerSecond", 0.0) / 1e9) +
                       "        ms      floor        gap  of copies   kernel, tensors\n";
    for (const Json& row : json["timings"]) {
        text += formatted("%10.4f %10.4f %10.4f %8.0f %%", row.value("ms", 0.0), row.value("floorMs", 0.0),
                          row.value("gapMs", 0.0), 100 * row.value("ofCopyBandwidth", 0.0));
        text += "   " + row.value("kernel", "") + ", " + row.value("case", "");
        if (row.contains("operationsPerSecond"))
            text += formatted(", %.1f TFLOP/s", row.value("operationsPerSecond", 0.0) / 1e12);
        if (row.contains("ofLibrary"))
            text += formatted(", %.0f %% of cuBLAS by itself (%.4f ms)", 100 * row.value("ofLibrary", 0.0),
                              row.value("libraryMs", 0.0));
        text += "\n";
    }
    return text;
}

std::string allocations(const Json& json)
{
    std::string text;
    for (const Json& way : json.value("allocations", Json::array()))
        text += formatted("%10.4f ms %10.1f MiB asked for, %.1f MiB less on the device   ", way.value("ms", 0.0),
                          way.value("askedBytes", 0.0) / Mebi, way.value("peakBytes", 0.0) / Mebi) +
                way.value("way", "") + "\n";
    return text.empty() ? text : "a network's memory:\n" + text;
}

} // namespace

std::string tableOf(const Json& json)
{
    std::string text = libraries(json) + failures(json) + timings(json) + allocations(json);
    for (const char* why : {"notTimed", "libraryNotTimed"}) {
        if (json.contains(why)) text += "not timed: " + json.value(why, "") + "\n";
    }
    return text;
}

} // namespace plimsoll::checks
