#include "core/formats/plimsoll/suppression_json.h"

#include "core/formats/files/json_input.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/session_json.h"

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

constexpr std::string_view Schema = "plimsoll.suppressions/1";

Result<std::vector<Suppression>> readRoot(std::string_view text)
{
    PLIMSOLL_ASSIGN(json, parseJson(text));
    const JsonPlace root(json, {});
    PLIMSOLL_TRY(root.expectObject());
    PLIMSOLL_ASSIGN(schema, root.requiredText("schema"));
    if (schema != Schema) return root.at("schema").error(say("suppressions.other-schema", word::Name {schema}));
    std::vector<Suppression> all;
    PLIMSOLL_TRY(root.readList("suppressions", all, readSuppression));
    return all;
}

} // namespace

Result<Suppression> readSuppression(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    Suppression read;
    PLIMSOLL_SET(read.finding.rule, place.requiredText("rule"));
    if (!ruleFromId(read.finding.rule))
        return place.at("rule").error(say("suppressions.no-rule", word::Name {read.finding.rule}));
    PLIMSOLL_TRY(place.readList("values", read.finding.values, &JsonPlace::text));
    PLIMSOLL_TRY(place.readList("nodes", read.finding.nodes, &JsonPlace::text));
    PLIMSOLL_SET(read.reason, place.requiredText("reason"));
    if (read.reason.empty()) return place.at("reason").error(say("suppressions.no-reason"));
    return read;
}

nlohmann::ordered_json suppressionJson(const Suppression& suppression)
{
    return {{"rule", suppression.finding.rule},
            {"values", suppression.finding.values},
            {"nodes", suppression.finding.nodes},
            {"reason", suppression.reason}};
}

Result<std::vector<Suppression>> readSuppressions(const std::filesystem::path& file)
{
    if (isSessionFile(file)) {
        PLIMSOLL_ASSIGN(read, readSession(file));
        return std::move(read.session.suppressions);
    }
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(file));
    return fromFile(readRoot(mapped.text()), file);
}

} // namespace plimsoll
