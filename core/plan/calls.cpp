#include "core/plan/calls.h"

#include <string>

namespace plimsoll {
namespace {

/// Each has steps of its own in one plan.
constexpr std::size_t MostCalls = 64;

Error usage(const std::string& message)
{
    return {ErrorCode::BadUsage, "Policy calls: " + message, {}, {}};
}

Status add(std::vector<Call>& calls, std::string_view word)
{
    if (word == "train") {
        calls.insert(calls.end(), {Call::Forward, Call::Backward});
    } else if (word == "infer") {
        calls.push_back(Call::Infer);
    } else if (word == "forward") {
        calls.push_back(Call::Forward);
    } else if (word == "backward") {
        calls.push_back(Call::Backward);
    } else {
        return usage("'" + std::string(word) + "' is none of train, infer, forward, backward; or all of it is 'once'.");
    }
    return {};
}

Status checkPairs(const std::vector<Call>& calls)
{
    int waiting = 0;
    for (const Call call : calls) {
        if (call == Call::Forward) ++waiting;
        if (call == Call::Backward && --waiting < 0) return usage("a backward has no forward before it.");
    }
    if (waiting > 0) return usage("a forward has no backward after it; call it infer.");
    return {};
}

} // namespace

Result<std::vector<Call>> parseCalls(std::string_view text)
{
    std::vector<Call> calls;
    if (text == "once") return calls;
    for (;;) {
        PLIMSOLL_TRY(add(calls, text.substr(0, text.find(','))));
        if (calls.size() > MostCalls) return usage("there are more than " + std::to_string(MostCalls) + ".");
        if (text.find(',') == std::string_view::npos) break;
        text.remove_prefix(text.find(',') + 1);
    }
    PLIMSOLL_TRY(checkPairs(calls));
    return calls;
}

} // namespace plimsoll
