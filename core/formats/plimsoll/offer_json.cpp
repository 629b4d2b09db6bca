#include "core/formats/plimsoll/offer_json.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

/// No machine has more; a sum of as many sizes as files have room for still fits in 63 bits.
constexpr std::int64_t MostBytes = std::int64_t {1} << 40;

/// A size in bytes.
Result<std::int64_t> readSize(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(bytes, place.integer());
    if (bytes < 0) return place.error(say("offer.negative-size"));
    if (bytes > MostBytes) return place.error(say("offer.too-large", bytes));
    return bytes;
}

Result<std::string> requiredName(const JsonPlace& place, const char* key)
{
    PLIMSOLL_ASSIGN(name, place.requiredText(key));
    if (name.empty()) return place.at(key).error(say("offer.empty-name"));
    return name;
}

Result<std::int64_t> readSizeOr0(const JsonPlace& place, const char* key)
{
    if (!place.has(key)) return std::int64_t {0};
    return readSize(place.at(key));
}

Result<StorageType> readStorage(const JsonPlace& place)
{
    PLIMSOLL_ASSIGN(name, place.text());
    const auto storage = storageTypeFromName(name);
    if (!storage) return place.error(say("graph-json.storage-type", word::Name {name}));
    return *storage;
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
    return place.at("device").error(say("offer.device", word::Name {device}));
}

Result<int> readPosition(const JsonPlace& place)
{
    constexpr std::int64_t Most = 1'000'000;
    PLIMSOLL_ASSIGN(position, place.integer());
    if (position < 0 || position > Most) return place.error(say("offer.position"));
    return static_cast<int>(position);
}

Result<Implementation::Prepared> readPrepared(const JsonPlace& place, std::vector<std::string>& unknown)
{
    PLIMSOLL_TRY(place.expectObject());
    place.listUnknown({"input", "layout", "bytes", "readAs", "storedAs"}, unknown);
    PLIMSOLL_ASSIGN(input, place.required("input"));
    Implementation::Prepared weight;
    PLIMSOLL_SET(weight.input, readPosition(input));
    PLIMSOLL_SET(weight.layout, requiredName(place, "layout"));
    PLIMSOLL_SET(weight.bytes, readSizeOr0(place, "bytes"));
    PLIMSOLL_TRY(place.readList("readAs", weight.readAs, readSize));
    PLIMSOLL_SET(weight.storedAs, place.textOr("storedAs", {}));
    return weight;
}

Result<Implementation::InPlacePair> readPair(const JsonPlace& place)
{
    if (!place.isList() || place.size() != 2) return place.error(say("offer.pair"));
    Implementation::InPlacePair pair;
    PLIMSOLL_SET(pair.output, readPosition(place.at(std::size_t {0})));
    PLIMSOLL_SET(pair.input, readPosition(place.at(std::size_t {1})));
    return pair;
}

nlohmann::ordered_json listJson(const std::vector<Implementation>& offers)
{
    auto list = nlohmann::ordered_json::array();
    for (const Implementation& offer : offers)
        list.push_back(offerJson(offer));
    return list;
}

/// Alike for equal lists, and seldom for others.
std::string roughly(const std::vector<Implementation>& offers)
{
    std::string key;
    for (const Implementation& offer : offers) {
        key += offer.name + layoutsText(offer) + std::to_string(offer.scratchpadBytes);
        for (const std::int64_t bytes : offer.requiredOutputBytes)
            key += '/' + std::to_string(bytes);
    }
    return key;
}

void writeStorages(const char* key, const std::vector<StorageType>& storages, nlohmann::ordered_json& json)
{
    for (const StorageType storage : storages)
        json[key].push_back(storageTypeName(storage));
}

} // namespace

nlohmann::ordered_json offerJson(const Implementation& offer)
{
    auto pairs = nlohmann::ordered_json::array();
    for (const Implementation::InPlacePair& pair : offer.inPlace)
        pairs.push_back({pair.output, pair.input});
    auto prepared = nlohmann::ordered_json::array();
    for (const Implementation::Prepared& weight : offer.prepared) {
        prepared.push_back({{"input", weight.input}, {"layout", weight.layout}, {"bytes", weight.bytes}});
        if (!weight.readAs.empty()) prepared.back()["readAs"] = weight.readAs;
        if (!weight.storedAs.empty()) prepared.back()["storedAs"] = weight.storedAs;
    }
    nlohmann::ordered_json json {{"backend", offer.backend},
                                 {"name", offer.name},
                                 {"inputLayouts", offer.inputLayouts},
                                 {"outputLayouts", offer.outputLayouts},
                                 {"requiredInputBytes", offer.requiredInputBytes},
                                 {"requiredOutputBytes", offer.requiredOutputBytes},
                                 {"prepared", std::move(prepared)},
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
    PLIMSOLL_SET(offer.backend, requiredName(place, "backend"));
    PLIMSOLL_SET(offer.name, place.textOr("name", {}));
    PLIMSOLL_SET(offer.device, readDevice(place));
    PLIMSOLL_SET(offer.provenance, place.textOr("provenance", {}));
    PLIMSOLL_TRY(place.readList("inputLayouts", offer.inputLayouts, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("outputLayouts", offer.outputLayouts, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("fuses", offer.fuses, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("inputStorages", offer.inputStorageTypes, readStorage));
    PLIMSOLL_TRY(place.readList("outputStorages", offer.outputStorageTypes, readStorage));
    PLIMSOLL_TRY(place.readList("requiredInputBytes", offer.requiredInputBytes, readSize));
    PLIMSOLL_TRY(place.readList("requiredOutputBytes", offer.requiredOutputBytes, readSize));
    PLIMSOLL_TRY(place.readList("prepared", offer.prepared,
                                [&](const JsonPlace& weight) { return readPrepared(weight, unknown); }));
    PLIMSOLL_TRY(place.readList("inPlace", offer.inPlace, readPair));
    offer.inPlaceKnown = place.has("inPlace");
    PLIMSOLL_SET(offer.scratchpadBytes, readSizeOr0(place, "scratchpadBytes"));
    PLIMSOLL_SET(offer.alignment, place.integerOr("alignment", 1));
    if (offer.alignment < 1 || offer.alignment > MostBytes ||
        !std::has_single_bit(static_cast<std::uint64_t>(offer.alignment)))
        return place.at("alignment").error(say("offer.alignment"));
    if (!place.has("timeMs")) return offer;
    PLIMSOLL_SET(offer.timeMs, place.at("timeMs").number());
    if (!std::isfinite(offer.timeMs) || offer.timeMs < 0) return place.at("timeMs").error(say("offer.negative-time"));
    return offer;
}

nlohmann::ordered_json offersJson(const OfferTable& all)
{
    auto out = nlohmann::ordered_json::object();
    for (const auto& [name, offers] : all)
        out[name] = listJson(offers);
    return out;
}

nlohmann::ordered_json briefOffersJson(const OfferTable& all)
{
    nlohmann::ordered_json::object_t out;
    std::unordered_multimap<std::string, const OfferTable::value_type*> written;
    for (const OfferTable::value_type& entry : all) {
        const auto [first, last] = written.equal_range(roughly(entry.second));
        const auto same =
            std::find_if(first, last, [&](const auto& other) { return other.second->second == entry.second; });
        if (same == last) written.emplace(roughly(entry.second), &entry);
        out.emplace_back(entry.first,
                         same == last ? listJson(entry.second) : nlohmann::ordered_json(same->second->first));
    }
    return out;
}

Status readOffers(const JsonPlace& root, const char* key, OfferTable& offers, std::vector<std::string>& unknown)
{
    const auto read = [&](const JsonPlace& place) { return readOffer(place, unknown); };
    return root.forEachField(key, [&](const std::string& name, const JsonPlace& place) -> Status {
        std::vector<Implementation> list;
        if (place.isText()) {
            const auto same = offers.find(std::string(place.word()));
            if (same == offers.end()) return place.error(say("offer.no-such-list"));
            list = same->second;
        } else if (!place.isNull()) {
            PLIMSOLL_TRY(place.forEachElement([&](const JsonPlace& offer) -> Status {
                PLIMSOLL_SET(list.emplace_back(), read(offer));
                return {};
            }));
        }
        if (!list.empty()) offers[name] = std::move(list);
        return {};
    });
}

} // namespace plimsoll
