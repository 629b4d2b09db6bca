#include "core/plan/calls.h"

#include <string>

namespace plimsoll {
namespace {

/// Each has steps of its own in one plan.
constexpr std::size_t MostCalls = 64;

Error usage(Message message)
{
    return {ErrorCode::BadUsage, std::move(message), {}, {}};
}

Status add(std::vector<Call>& calls, std::string_view text)
{
    if (text == "train") {
        calls.insert(calls.end(), {Call::Forward, Call::Backward});
    } else if (text == "infer") {
        calls.push_back(Call::Infer);
    } else if (text == "forward") {
        calls.push_back(Call::Forward);
    } else if (text == "backward") {
        calls.push_back(Call::Backward);
    } else {
        return usage(say("calls.word", word::Name {std::string(text)}));
    }
    return {};
}

Status checkPairs(const std::vector<Call>& calls)
{
    int waiting = 0;
    for (const Call call : calls) {
        if (call == Call::Forward) ++waiting;
        if (call == Call::Backward && --waiting < 0) return usage(say("calls.no-forward"));
    }
    if (waiting > 0) return usage(say("calls.no-backward"));
    return {};
}

} // namespace

Result<std::vector<Call>> parseCalls(std::string_view text)
{
    std::vector<Call> calls;
    if (text == "once") return calls;
    for (;;) {
        PLIMSOLL_TRY(add(calls, text.substr(0, text.find(','))));
        if (calls.size() > MostCalls) return usage(say("calls.too-many", word::Number(MostCalls)));
        if (text.find(',') == std::string_view::npos) break;
        text.remove_prefix(text.find(',') + 1);
    }
    PLIMSOLL_TRY(checkPairs(calls));
    return calls;
}

} // namespace plimsoll
