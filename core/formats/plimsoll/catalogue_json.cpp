#include "core/formats/plimsoll/catalogue_json.h"

#include "core/formats/files/json_text.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/offer_json.h"

namespace plimsoll {
namespace {

Status readTexts(const JsonPlace& root, const char* key, std::map<std::string, Message>& texts)
{
    return root.forEachField(key, [&](const std::string& name, const JsonPlace& place) -> Status {
        texts[name] = Message(place.isText() ? std::string(place.word()) : place.json());
        return {};
    });
}

Result<Catalogue> readRoot(const JsonPlace& root)
{
    PLIMSOLL_TRY(root.expectObject());
    PLIMSOLL_ASSIGN(schema, root.requiredText("schema"));
    if (schema != "plimsoll.catalogue/1")
        return root.at("schema").error(say("catalogue.other-schema", word::Name {schema}));
    Catalogue catalogue;
    PLIMSOLL_TRY(readTexts(root, "environment", catalogue.environment));
    PLIMSOLL_TRY(readTexts(root, "absent", catalogue.absent));
    root.listUnknown({"schema", "environment", "absent", "offers", "reorders"}, catalogue.unknownKeys);
    PLIMSOLL_TRY(readOffers(root, "offers", catalogue.offers, catalogue.unknownKeys));
    PLIMSOLL_TRY(readOffers(root, "reorders", catalogue.reorders, catalogue.unknownKeys));
    if (root.has("reorders")) return catalogue;
    // Files of 0.x have reorders among the offers for nodes, as "reorder of float32[4,4]".
    constexpr std::string_view Prefix = "reorder of ";
    for (auto at = catalogue.offers.lower_bound(std::string(Prefix));
         at != catalogue.offers.end() && at->first.starts_with(Prefix); at = catalogue.offers.erase(at))
        catalogue.reorders[at->first.substr(Prefix.size())] = std::move(at->second);
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
    return readCatalogueJson(mapped.text(), file);
}

std::string catalogueJsonText(const Catalogue& catalogue, Wording words, bool brief)
{
    const auto texts = [&](const std::map<std::string, Message>& messages) {
        nlohmann::ordered_json json = nlohmann::ordered_json::object();
        for (const auto& [name, message] : messages)
            json[name] = words(message);
        return json;
    };
    nlohmann::ordered_json out = {{"schema", "plimsoll.catalogue/1"},
                                  {"environment", texts(catalogue.environment)},
                                  {"offers", brief ? briefOffersJson(catalogue.offers) : offersJson(catalogue.offers)},
                                  {"reorders", offersJson(catalogue.reorders)}};
    if (!catalogue.absent.empty()) out["absent"] = texts(catalogue.absent);
    return jsonText(out, brief ? -1 : 1);
}

} // namespace plimsoll
