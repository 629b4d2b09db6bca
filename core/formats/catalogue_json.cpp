#include "core/formats/catalogue_json.h"

#include "core/formats/from_file.h"
#include "core/formats/mapped_file.h"
#include "core/formats/offer_json.h"

namespace plimsoll {
namespace {

Status readOffers(const JsonPlace& place, const std::string& node, Catalogue& catalogue)
{
    const std::string key = node;
    return place.forEach(key.c_str(), [&](const JsonPlace& element) -> Status {
        PLIMSOLL_ASSIGN(offer, readOffer(element));
        catalogue.offers[key].push_back(std::move(offer));
        return {};
    });
}

Status readTexts(const JsonPlace& root, const char* key, std::map<std::string, std::string>& texts)
{
    if (!root.has(key)) return {};
    PLIMSOLL_TRY(root.at(key).expectObject());
    for (const auto& [name, value] : root.at(key).value().items())
        texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
    return {};
}

Result<Catalogue> readRoot(const JsonPlace& root)
{
    PLIMSOLL_TRY(root.expectObject());
    PLIMSOLL_ASSIGN(schema, root.requiredText("schema"));
    if (schema != "plimsoll.catalogue/1")
        return root.at("schema").error("The file is '" + schema + "', not a plimsoll.catalogue/1.");
    Catalogue catalogue;
    PLIMSOLL_TRY(readTexts(root, "environment", catalogue.environment));
    PLIMSOLL_TRY(readTexts(root, "absent", catalogue.absent));
    if (!root.has("offers")) return catalogue;
    PLIMSOLL_TRY(root.at("offers").expectObject());
    for (const auto& [node, list] : root.at("offers").value().items())
        PLIMSOLL_TRY(readOffers(root.at("offers"), node, catalogue));
    return catalogue;
}

} // namespace

Result<Catalogue> readCatalogueJson(std::string_view text, const std::filesystem::path& file)
{
    const auto read = [&]() -> Result<Catalogue> {
        PLIMSOLL_ASSIGN(json, parseJson(text));
        return readRoot({json, {}});
    };
    return fromFile(read(), file);
}

Result<Catalogue> readCatalogue(const std::filesystem::path& file)
{
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    const auto bytes = mapped.bytes();
    return readCatalogueJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
}

std::string catalogueJsonText(const Catalogue& catalogue)
{
    using Json = nlohmann::ordered_json;
    Json out = {{"schema", "plimsoll.catalogue/1"}, {"environment", catalogue.environment}, {"offers", Json::object()}};
    if (!catalogue.absent.empty()) out["absent"] = catalogue.absent;
    for (const auto& [node, offers] : catalogue.offers) {
        Json list = Json::array();
        for (const Implementation& offer : offers)
            list.push_back(offerJson(offer));
        out["offers"][node] = std::move(list);
    }
    return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace plimsoll
