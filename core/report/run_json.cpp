#include "core/report/run_json.h"

#include "core/facts/english/english.h"
#include "core/report/elements_json.h"
#include "core/report/message_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

// The fields of each part are declared once, in fieldsOf(): for writing and for reading, in the order of the file.

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json toJson(const T& value);
template <typename T>
void fromJson(const Json& json, T& value);

/// Whether there is more to a message than its text.
bool isSentence(const Message& message)
{
    const bool bare = message.id == TextId && std::holds_alternative<std::string>(message.arguments.front().value);
    return !message.empty() && !bare;
}
bool isSentence(const std::vector<Message>& messages)
{
    return std::ranges::any_of(messages, [](const Message& one) { return isSentence(one); });
}

/// What cannot be read stays the text that it is.
void readData(const Json& json, Message& message)
{
    if (auto read = readMessage(json)) message = *std::move(read);
}
void readData(const Json& json, std::vector<Message>& messages)
{
    for (std::size_t i = 0; i < std::min(json.size(), messages.size()); ++i)
        readData(json[i], messages[i]);
}

template <typename T>
constexpr bool IsSaid = std::is_same_v<T, Message> || std::is_same_v<T, std::vector<Message>>;

/// A member under a name. Beside the text of messages stand they themselves: "note", "noteData".
template <typename Object, typename Member>
struct Field
{
    const char* name;
    Member Object::*member;

    void write(Json& json, const Object& object) const
    {
        json[name] = toJson(object.*member);
        if constexpr (IsSaid<Member>) {
            if (isSentence(object.*member)) json[data()] = messageJson(object.*member);
        }
    }
    void read(const Json& json, Object& object) const
    {
        if (const auto found = json.find(name); found != json.end()) fromJson(*found, object.*member);
        if constexpr (IsSaid<Member>) {
            if (const auto found = json.find(data()); found != json.end()) readData(*found, object.*member);
        }
    }
    [[nodiscard]] std::string data() const { return std::string(name) + "Data"; }
};
template <typename Object, typename Member>
Field(const char*, Member Object::*) -> Field<Object, Member>;

/// The fields of a member, among those of the object.
template <typename Object, typename Member>
struct Inline
{
    Member Object::*member;

    void write(Json& json, const Object& object) const { json.update(toJson(object.*member)); }
    void read(const Json& json, Object& object) const { fromJson(json, object.*member); }
};
template <typename Object, typename Member>
Inline(Member Object::*) -> Inline<Object, Member>;

/// Fields of the object that are an object of their own in the file.
template <typename Object, typename... Fields>
struct Group
{
    const char* name;
    std::tuple<Fields...> fields;

    void write(Json& json, const Object& object) const
    {
        std::apply([&](const auto&... field) { (field.write(json[name], object), ...); }, fields);
    }
    void read(const Json& json, Object& object) const
    {
        if (const auto found = json.find(name); found != json.end() && found->is_object())
            std::apply([&](const auto&... field) { (field.read(*found, object), ...); }, fields);
    }
};
template <typename Object, typename... Fields>
Group<Object, Fields...> group(const char* name, Fields... fields)
{
    return {name, {fields...}};
}

/// What is written and read by hand.
template <typename Object>
struct Special
{
    void (*write)(Json& json, const Object& object);
    void (*read)(const Json& json, Object& object);
};

/// What follows from other fields: written, never read.
template <typename Object>
Special<Object> derived(void (*write)(Json& json, const Object& object))
{
    return {write, [](const Json&, Object&) {}};
}

auto fieldsOf(const HandleName*)
{
    return std::tuple {
        Special<HandleName> {
            [](Json& json, const HandleName& handle) { json["kind"] = handle.output ? "output" : "input"; },
            [](const Json& json, HandleName& handle) { handle.output = json.value("kind", "") == "output"; }},
        Field {"index", &HandleName::index}, Field {"value", &HandleName::value}};
}

auto fieldsOf(const ProbeWrite::Change*)
{
    return std::tuple {Inline {&ProbeWrite::Change::handle}, Field {"bytes", &ProbeWrite::Change::bytes},
                       Field {"predicted", &ProbeWrite::Change::predicted}};
}

auto fieldsOf(const ProbeWrite::Content*)
{
    using Content = ProbeWrite::Content;
    const auto write = [](Json& json, const Content& content) {
        if (content.elements.empty())
            json["digest"] = content.digest;
        else
            json["data"] = elementsJson(content.dtype, content.elements);
    };
    const auto read = [](const Json& json, Content& content) {
        content.elements = elementsFrom(json);
        content.digest = json.value("digest", "");
    };
    return std::tuple {Inline {&Content::handle}, Special<Content> {write, read}};
}

auto fieldsOf(const ProbeWrite*)
{
    using Outcome = ProbeWrite::Outcome;
    const auto write = [](Json& json, const ProbeWrite& probe) {
        json["refused"] = probe.outcome == Outcome::Refused;
        json["skipped"] = probe.outcome == Outcome::Skipped;
        json["detached"] = probe.outcome == Outcome::Detached;
    };
    const auto read = [](const Json& json, ProbeWrite& probe) {
        probe.outcome = json.value("refused", false)    ? Outcome::Refused
                        : json.value("skipped", false)  ? Outcome::Skipped
                        : json.value("detached", false) ? Outcome::Detached
                                                        : Outcome::Written;
    };
    return std::tuple {Field {"written", &ProbeWrite::handle},
                       Special<ProbeWrite> {write, read},
                       Field {"reason", &ProbeWrite::reason},
                       Field {"partner", &ProbeWrite::partner},
                       Field {"detachedBytes", &ProbeWrite::detachedBytes},
                       Field {"liveBytes", &ProbeWrite::liveBytes},
                       Field {"changed", &ProbeWrite::changed},
                       Field {"unchanged", &ProbeWrite::unchanged},
                       Field {"after", &ProbeWrite::after}};
}

auto fieldsOf(const WriteProbe::Stale*)
{
    return std::tuple {Inline {&WriteProbe::Stale::handle}, Field {"note", &WriteProbe::Stale::note}};
}

auto fieldsOf(const WriteProbe::Between*)
{
    return std::tuple {Field {"writes", &WriteProbe::Between::writes}, Field {"changed", &WriteProbe::Between::changed},
                       Field {"expected", &WriteProbe::Between::expected}};
}

auto fieldsOf(const WriteProbe*)
{
    return std::tuple {Field {"writeProbe", &WriteProbe::writes}, Field {"liveBytes", &WriteProbe::liveBytes},
                       group<WriteProbe>("secondRun", Field {"refreshed", &WriteProbe::refreshedOutputs},
                                         Field {"stale", &WriteProbe::stale}),
                       Field {"betweenProbe", &WriteProbe::between}};
}

auto fieldsOf(const RunResult::Output*)
{
    using Output = RunResult::Output;
    const auto writeData = [](Json& json, const Output& output) {
        json["data"] = elementsJson(output.dtype, output.elements);
    };
    const auto readData = [](const Json& json, Output& output) { output.elements = elementsFrom(json); };
    const auto writeKept = [](Json& json, const Output& output) {
        if (output.storage == StorageType::Dense) return;
        json["storageType"] = storageTypeName(output.storage);
        json["stored"] = output.kept;
    };
    const auto readKept = [](const Json& json, Output& output) {
        output.storage = storageTypeFromName(json.value("storageType", "")).value_or(StorageType::Dense);
        if (output.storage != StorageType::Dense) output.kept = json.value("stored", std::int64_t {0});
    };
    return std::tuple {Field {"name", &Output::name},     Field {"dtype", &Output::dtype},
                       Field {"shape", &Output::shape},   Special<Output> {writeData, readData},
                       Field {"digest", &Output::digest}, Special<Output> {writeKept, readKept}};
}

auto fieldsOf(const RunResult::Mismatch*)
{
    using Mismatch = RunResult::Mismatch;
    return std::tuple {Field {"value", &Mismatch::value},
                       Field {"node", &Mismatch::node},
                       Field {"step", &Mismatch::step},
                       Field {"maxAbsDiff", &Mismatch::maxAbsDiff},
                       Field {"note", &Mismatch::note},
                       Field {"rule", &Mismatch::rule},
                       Field {"overwrittenBy", &Mismatch::overwrittenBy},
                       Field {"overwrittenStep", &Mismatch::overwrittenStep},
                       Field {"follows", &Mismatch::follows}};
}

auto fieldsOf(const RunResult::Watched*)
{
    using Watched = RunResult::Watched;
    return std::tuple {Field {"poisonedBytes", &Watched::poisonedBytes}, Field {"zones", &Watched::zones},
                       Field {"touchedZones", &Watched::touchedZones}};
}

auto fieldsOf(const RunResult::Copies*)
{
    using Copies = RunResult::Copies;
    return std::tuple {Field {"from", &Copies::from}, Field {"to", &Copies::to}, Field {"count", &Copies::count},
                       Field {"bytes", &Copies::bytes}, Field {"ms", &Copies::ms}};
}

auto fieldsOf(const RunResult::Launched*)
{
    using Launched = RunResult::Launched;
    return std::tuple {Field {"stretches", &Launched::stretches},
                       Field {"times", &Launched::times},
                       Field {"eagerMs", &Launched::eagerMs},
                       Field {"replays", &Launched::replays},
                       Field {"captureMs", &Launched::captureMs},
                       Field {"replayMs", &Launched::replayMs},
                       Field {"why", &Launched::why}};
}

auto fieldsOf(const RunResult::Forced*)
{
    using Forced = RunResult::Forced;
    return std::tuple {Field {"runs", &Forced::runs}, Field {"nodes", &Forced::nodes}, Field {"open", &Forced::open},
                       Field {"why", &Forced::why}};
}

auto fieldsOf(const RunResult::Held*)
{
    using Held = RunResult::Held;
    return std::tuple {Field {"space", &Held::space},
                       Field {"plannedBytes", &Held::plannedBytes},
                       Field {"arenaBytes", &Held::arenaBytes},
                       Field {"ownBytes", &Held::ownBytes},
                       derived<Held>([](Json& json, const Held& held) {
                           json.update({{"otherBytes", held.otherBytes()}, {"peakBytes", held.peakBytes()}});
                       }),
                       Field {"oracleBytes", &Held::oracleBytes},
                       Field {"driverBytes", &Held::driverBytes},
                       Field {"steps", &Held::steps}};
}

auto fieldsOf(const RunResult::Cut::Loop*)
{
    return std::tuple {Field {"node", &RunResult::Cut::Loop::node},
                       Field {"iterations", &RunResult::Cut::Loop::iterations}};
}

auto fieldsOf(const RunResult::Cut*)
{
    return std::tuple {Field {"limit", &RunResult::Cut::limit}, Field {"loops", &RunResult::Cut::loops}};
}

auto fieldsOf(const RunResult::Witness*)
{
    return std::tuple {Field {"judgeIsBlind", &RunResult::Witness::judgeIsBlind},
                       Field {"runIsBlind", &RunResult::Witness::runIsBlind}};
}

auto fieldsOf(const RunResult*)
{
    const auto writeCut = [](Json& json, const RunResult& run) {
        json["cut"] = run.cut.loops.empty() ? Json(nullptr) : toJson(run.cut);
    };
    const auto readCut = [](const Json& json, RunResult& run) { fromJson(json.value("cut", Json()), run.cut); };
    const auto writeProbe = [](Json& json, const RunResult& run) {
        if (run.probe)
            json.update(toJson(*run.probe));
        else
            json.update(Json {{"writeProbe", Json::array()},
                              {"liveBytes", nullptr},
                              {"secondRun", nullptr},
                              {"betweenProbe", nullptr}});
    };
    const auto readProbe = [](const Json& json, RunResult& run) {
        if (json.value("secondRun", Json()).is_object()) fromJson(json, run.probe.emplace());
    };
    return std::tuple {Field {"promise", &RunResult::promise},
                       Field {"mode", &RunResult::mode},
                       Field {"backend", &RunResult::backend},
                       Field {"fingerprintedNodes", &RunResult::fingerprintedNodes},
                       Field {"nodes", &RunResult::nodes},
                       Field {"ranNodes", &RunResult::ranNodes},
                       Field {"notRun", &RunResult::notRun},
                       Field {"witness", &RunResult::witness},
                       Special<RunResult> {writeCut, readCut},
                       Field {"forced", &RunResult::forced},
                       Field {"measuredPeakBytes", &RunResult::measuredPeakBytes},
                       Field {"measuredBySpace", &RunResult::measuredBySpace},
                       Field {"watched", &RunResult::watched},
                       Field {"unplannedPeakBytes", &RunResult::unplannedPeakBytes},
                       derived<RunResult>([](Json& json, const RunResult& run) {
                           json["detachBytes"] = run.probe ? run.probe->detachedBytes() : 0;
                       }),
                       Field {"stepMs", &RunResult::stepMs},
                       Field {"bytesInUse", &RunResult::bytesInUse},
                       Field {"held", &RunResult::held},
                       Field {"copies", &RunResult::copies},
                       Field {"launched", &RunResult::launched},
                       group<RunResult>("compared", Field {"values", &RunResult::comparedValues},
                                        Field {"bytes", &RunResult::comparedBytes}),
                       Field {"referenceValues", &RunResult::referenceValues},
                       Field {"mismatches", &RunResult::mismatches},
                       Field {"notes", &RunResult::notes},
                       Field {"orders", &RunResult::orders},
                       Field {"replayed", &RunResult::replayed},
                       Field {"outputs", &RunResult::outputs},
                       Field {"gradients", &RunResult::gradients},
                       Special<RunResult> {writeProbe, readProbe}};
}

template <typename T>
concept Described = requires(const T* object)
{
    fieldsOf(object);
};
template <typename T>
constexpr bool IsVector = false;
template <typename T>
constexpr bool IsVector<std::vector<T>> = true;
template <typename T>
constexpr bool IsOptional = false;
template <typename T>
constexpr bool IsOptional<std::optional<T>> = true;
template <typename T>
constexpr bool IsMap = false;
template <typename T>
constexpr bool IsMap<std::map<std::string, T>> = true;

template <typename T>
Json toJson(const T& value)
{
    if constexpr (Described<T>) {
        Json json = Json::object();
        std::apply([&](const auto&... field) { (field.write(json, value), ...); }, fieldsOf(&value));
        return json;
    } else if constexpr (IsVector<T>) {
        Json json = Json::array();
        for (const auto& one : value)
            json.push_back(toJson(one));
        return json;
    } else if constexpr (IsMap<T>) {
        Json json = Json::object();
        for (const auto& [key, one] : value)
            json[key] = toJson(one);
        return json;
    } else if constexpr (IsOptional<T>) {
        return value ? toJson(*value) : Json(nullptr);
    } else if constexpr (std::is_same_v<T, DType>) {
        return dtypeName(value);
    } else if constexpr (std::is_same_v<T, Rule>) {
        return ruleId(value);
    } else if constexpr (std::is_same_v<T, Message>) {
        return english(value);
    } else if constexpr (std::is_same_v<T, double>) {
        return std::isfinite(value) ? Json(value) : Json(nullptr); // JSON has no NaN
    } else {
        return value;
    }
}

/// What is of another kind than it is read as leaves \p value as it is.
template <typename T>
void fromJson(const Json& json, T& value)
{
    if constexpr (Described<T>) {
        if (json.is_object())
            std::apply([&](const auto&... field) { (field.read(json, value), ...); }, fieldsOf(&value));
    } else if constexpr (IsVector<T>) {
        if (!json.is_array()) return;
        for (const Json& one : json)
            fromJson(one, value.emplace_back());
    } else if constexpr (IsMap<T>) {
        if (!json.is_object()) return;
        for (const auto& [key, one] : json.items())
            fromJson(one, value[key]);
    } else if constexpr (IsOptional<T>) {
        if (std::is_arithmetic_v<typename T::value_type> ? !json.is_number() : !json.is_structured()) return;
        typename T::value_type one {};
        fromJson(json, one);
        value = std::move(one);
    } else if constexpr (std::is_same_v<T, DType>) {
        if (json.is_string()) value = dtypeFromName(json.get<std::string>()).value_or(value);
    } else if constexpr (std::is_same_v<T, Rule>) {
        if (json.is_string()) value = ruleFromId(json.get<std::string>()).value_or(value);
    } else if constexpr (std::is_same_v<T, double>) {
        value = json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
    } else if constexpr (std::is_same_v<T, bool>) {
        if (json.is_boolean()) value = json.get<bool>();
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Message>) {
        if (json.is_string()) value = T(json.get<std::string>());
    } else {
        if (json.is_number()) value = json.get<T>();
    }
}

} // namespace

nlohmann::ordered_json runJson(const RunResult& run)
{
    return toJson(run);
}

Result<RunResult> readRunJson(std::string_view report)
{
    const auto onlyTheRun = [](int depth, Json::parse_event_t event, const Json& parsed) {
        return depth != 1 || event != Json::parse_event_t::key || parsed == "run";
    };
    try {
        const Json json = Json::parse(report, onlyTheRun);
        const auto run = json.find("run");
        RunResult result;
        if (run == json.end() || !run->is_object()) return Error {ErrorCode::BadInput, say("cli.no-run"), {}, {}};
        fromJson(*run, result);
        return result;
    } catch (const Json::exception& wrong) {
        return Error {ErrorCode::BadInput, say("cli.no-json", wrong.what()), {}, {}};
    }
}

} // namespace plimsoll
