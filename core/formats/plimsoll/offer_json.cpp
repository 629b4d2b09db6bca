#include "core/formats/plimsoll/offer_json.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace plimsoll {
namespace {

/// No machine has more; a sum of as many sizes as files have room for still fits in 63 bits.
constexpr std::int64_t MostBytes = std::int64_t {1} << 40;

Status checkSize(const JsonPlace& place, std::int64_t bytes)
{
    if (bytes < 0) return place.error("A size is not negative.");
    if (bytes > MostBytes) return place.error("It wants " + formatCount(bytes) + " bytes; an offer has at most 2^40.");
    return {};
}

Result<std::string> requiredName(const JsonPlace& place, const char* key)
{
    PLIMSOLL_ASSIGN(name, place.requiredText(key));
    if (name.empty()) return place.at(key).error("A name is expected here, and this is empty.");
    return name;
}

Result<std::int64_t> readBytes(const JsonPlace& place, const char* key)
{
    PLIMSOLL_ASSIGN(bytes, place.integerOr(key, 0));
    if (place.has(key)) PLIMSOLL_TRY(checkSize(place.at(key), bytes));
    return bytes;
}

Status readSizes(const JsonPlace& place, const char* key, std::vector<std::int64_t>& sizes)
{
    return place.forEach(key, [&](const JsonPlace& element) -> Status {
        PLIMSOLL_ASSIGN(size, element.integer());
        PLIMSOLL_TRY(checkSize(element, size));
        sizes.push_back(size);
        return {};
    });
}

Status readNames(const JsonPlace& place, const char* key, std::vector<std::string>& names)
{
    return place.forEach(key, [&](const JsonPlace& element) -> Status {
        PLIMSOLL_ASSIGN(name, element.text());
        names.push_back(std::move(name));
        return {};
    });
}

Status readStorages(const JsonPlace& place, const char* key, std::vector<StorageType>& storages)
{
    return place.forEach(key, [&](const JsonPlace& element) -> Status {
        PLIMSOLL_ASSIGN(name, element.text());
        const auto storage = storageTypeFromName(name);
        if (!storage) return element.error("The storage type '" + name + "' is not one of dense, row_sparse, csr.");
        storages.push_back(*storage);
        return {};
    });
}

/// "cuda:0": letters, a colon, a number of at most three digits. Empty, or absent: the CPU.
Result<std::string> readDevice(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(device, place.textOr("device", {}));
    const std::size_t colon = device.find(':');
    const std::size_t digits = colon == std::string::npos ? 0 : device.size() - colon - 1;
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const bool named = digits >= 1 && digits <= 3 && colon > 0 &&
                       std::all_of(device.begin(), device.begin() + static_cast<std::ptrdiff_t>(colon), isLetter) &&
                       std::all_of(device.end() - static_cast<std::ptrdiff_t>(digits), device.end(), isDigit);
    if (device.empty() || named) return device;
    return place.at("device").error("'" + device + "' names no device: they are called like \"cuda:0\", and what the " +
                                    "CPU computes names none.");
}

Result<int> readPosition(const JsonPlace& place)
{
    constexpr std::int64_t Most = 1'000'000;
    PLIMSOLL_ASSIGN(position, place.integer());
    if (position < 0 || position > Most) return place.error("This is no position of an input or output.");
    return static_cast<int>(position);
}

Status readPrepared(const JsonPlace& place, Implementation& offer, std::vector<std::string>& unknown)
{
    PLIMSOLL_TRY(place.expectObject());
    place.listUnknown({"input", "layout", "bytes", "readAs", "storedAs"}, unknown);
    if (!place.has("input")) return place.error("\"input\" is missing.");
    Implementation::Prepared weight;
    PLIMSOLL_ASSIGN(input, readPosition(place.at("input")));
    PLIMSOLL_ASSIGN(layout, requiredName(place, "layout"));
    PLIMSOLL_ASSIGN(bytes, readBytes(place, "bytes"));
    PLIMSOLL_TRY(readSizes(place, "readAs", weight.readAs));
    PLIMSOLL_ASSIGN(storedAs, place.textOr("storedAs", {}));
    weight.storedAs = std::move(storedAs);
    weight.input = input;
    weight.layout = std::move(layout);
    weight.bytes = bytes;
    offer.prepared.push_back(std::move(weight));
    return {};
}

Status readPair(const JsonPlace& place, Implementation& offer)
{
    if (!place.value().is_array() || place.value().size() != 2)
        return place.error("A pair [output, input] is expected here.");
    PLIMSOLL_ASSIGN(output, readPosition(place.at(std::size_t {0})));
    PLIMSOLL_ASSIGN(input, readPosition(place.at(std::size_t {1})));
    offer.inPlace.push_back({output, input});
    return {};
}

Status readNumbers(const JsonPlace& place, Implementation& offer)
{
    PLIMSOLL_ASSIGN(scratchpad, readBytes(place, "scratchpadBytes"));
    PLIMSOLL_ASSIGN(alignment, place.integerOr("alignment", 1));
    if (alignment < 1 || alignment > MostBytes || !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
        return place.at("alignment").error("An alignment is a power of two, at most 2^40.");
    offer.scratchpadBytes = scratchpad;
    offer.alignment = alignment;
    if (!place.has("timeMs")) return {};
    PLIMSOLL_ASSIGN(ms, place.at("timeMs").number());
    if (!std::isfinite(ms) || ms < 0)
        return place.at("timeMs").error("A time is a number of milliseconds, not below 0.");
    offer.timeMs = ms;
    return {};
}

void writeStorages(const char* key, const std::vector<StorageType>& storages, nlohmann::ordered_json& json)
{
    for (const StorageType storage : storages)
        json[key].push_back(storageTypeName(storage));
}

nlohmann::ordered_json preparedJson(const std::vector<Implementation::Prepared>& prepared)
{
    auto list = nlohmann::ordered_json::array();
    for (const Implementation::Prepared& weight : prepared) {
        list.push_back({{"input", weight.input}, {"layout", weight.layout}, {"bytes", weight.bytes}});
        if (!weight.readAs.empty()) list.back()["readAs"] = weight.readAs;
        if (!weight.storedAs.empty()) list.back()["storedAs"] = weight.storedAs;
    }
    return list;
}

} // namespace

nlohmann::ordered_json offerJson(const Implementation& offer)
{
    auto pairs = nlohmann::ordered_json::array();
    for (const Implementation::InPlacePair& pair : offer.inPlace)
        pairs.push_back({pair.output, pair.input});
    nlohmann::ordered_json json {{"backend", offer.backend},
                                 {"name", offer.name},
                                 {"inputLayouts", offer.inputLayouts},
                                 {"outputLayouts", offer.outputLayouts},
                                 {"requiredInputBytes", offer.requiredInputBytes},
                                 {"requiredOutputBytes", offer.requiredOutputBytes},
                                 {"prepared", preparedJson(offer.prepared)},
                                 {"scratchpadBytes", offer.scratchpadBytes},
                                 {"alignment", offer.alignment},
                                 {"provenance", offer.provenance}};
    if (!offer.device.empty()) json["device"] = offer.device;
    writeStorages("inputStorages", offer.inputStorageTypes, json);
    writeStorages("outputStorages", offer.outputStorageTypes, json);
    if (!offer.fuses.empty()) json["fuses"] = offer.fuses;
    json["inPlace"] = offer.inPlaceKnown ? pairs : nlohmann::ordered_json(nullptr);
    json["timeMs"] = offer.timeMs >= 0 ? nlohmann::ordered_json(offer.timeMs) : nlohmann::ordered_json(nullptr);
    return json;
}

Result<Implementation> readOffer(const JsonPlace& place, std::vector<std::string>& unknown)
{
    PLIMSOLL_TRY(place.expectObject());
    place.listUnknown({"backend", "name", "device", "provenance", "inputLayouts", "outputLayouts", "fuses",
                       "inputStorages", "outputStorages", "requiredInputBytes", "requiredOutputBytes", "prepared",
                       "inPlace", "scratchpadBytes", "alignment", "timeMs"},
                      unknown);
    Implementation offer;
    PLIMSOLL_ASSIGN(backend, requiredName(place, "backend"));
    PLIMSOLL_ASSIGN(name, place.textOr("name", {}));
    PLIMSOLL_ASSIGN(device, readDevice(place));
    PLIMSOLL_ASSIGN(provenance, place.textOr("provenance", {}));
    PLIMSOLL_TRY(readNames(place, "inputLayouts", offer.inputLayouts));
    PLIMSOLL_TRY(readNames(place, "outputLayouts", offer.outputLayouts));
    PLIMSOLL_TRY(readNames(place, "fuses", offer.fuses));
    PLIMSOLL_TRY(readStorages(place, "inputStorages", offer.inputStorageTypes));
    PLIMSOLL_TRY(readStorages(place, "outputStorages", offer.outputStorageTypes));
    PLIMSOLL_TRY(readSizes(place, "requiredInputBytes", offer.requiredInputBytes));
    PLIMSOLL_TRY(readSizes(place, "requiredOutputBytes", offer.requiredOutputBytes));
    PLIMSOLL_TRY(
        place.forEach("prepared", [&](const JsonPlace& weight) { return readPrepared(weight, offer, unknown); }));
    PLIMSOLL_TRY(place.forEach("inPlace", [&](const JsonPlace& pair) { return readPair(pair, offer); }));
    PLIMSOLL_TRY(readNumbers(place, offer));
    offer.backend = std::move(backend);
    offer.name = std::move(name);
    offer.device = std::move(device);
    offer.provenance = std::move(provenance);
    offer.inPlaceKnown = place.has("inPlace");
    return offer;
}

nlohmann::ordered_json offersJson(const Offers& all)
{
    auto out = nlohmann::ordered_json::object();
    for (const auto& [name, offers] : all) {
        auto list = nlohmann::ordered_json::array();
        for (const Implementation& offer : offers)
            list.push_back(offerJson(offer));
        out[name] = std::move(list);
    }
    return out;
}

Status readOffers(const JsonPlace& root, const char* key, Offers& offers, std::vector<std::string>& unknown)
{
    if (!root.has(key)) return {};
    const JsonPlace place = root.at(key);
    PLIMSOLL_TRY(place.expectObject());
    for (const auto& item : place.value().items()) {
        PLIMSOLL_TRY(place.forEach(item.key().c_str(), [&](const JsonPlace& element) -> Status {
            PLIMSOLL_ASSIGN(offer, readOffer(element, unknown));
            offers[item.key()].push_back(std::move(offer));
            return {};
        }));
    }
    return {};
}

} // namespace plimsoll
