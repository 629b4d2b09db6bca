#include "core/formats/plimsoll/constraints_json.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

nlohmann::ordered_json constraintsJson(const Constraints& constraints)
{
    auto list = nlohmann::ordered_json::array();
    for (const Constraint& one : listed(constraints)) {
        list.push_back({{"kind", constraintId(one.kind)}, {"of", one.of}});
        if (!one.other.empty()) list.back()["other"] = one.other;
    }
    return list;
}

Result<Constraints> readConstraints(const JsonPlace& object)
{
    Constraints constraints;
    PLIMSOLL_TRY(object.forEach("constraints", [&](const JsonPlace& item) -> Status {
        PLIMSOLL_TRY(item.expectObject());
        PLIMSOLL_ASSIGN(id, item.requiredText("kind"));
        const auto kind = constraintKindNamed(id);
        if (!kind) return item.at("kind").error(say("constraint.no-kind", word::Name {id}));
        PLIMSOLL_ASSIGN(of, item.requiredText("of"));
        PLIMSOLL_ASSIGN(other, item.textOr("other", {}));
        if (!ask(constraints, {*kind, of, other})) return item.error(say("constraint.no-meaning", id, word::Name {of}));
        return {};
    }));
    return constraints;
}

} // namespace plimsoll
