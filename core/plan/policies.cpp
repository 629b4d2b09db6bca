#include "core/plan/policies.h"

#include "core/base/bytes.h"
#include "core/plan/calls.h"
#include "core/plan/space_texts.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <type_traits>

namespace plimsoll {
namespace {

Error usage(Message message)
{
    return Error {ErrorCode::BadUsage, std::move(message), {}, {}};
}

/// All of them: "on, off".
word::List choicesOf(const std::vector<std::string_view>& choices)
{
    return allOf(choices, std::identity {}, word::List::Joint::Comma);
}

/// Where it stands among the values of the policy.
Result<std::size_t> indexIn(const PolicyInfo& row, std::string_view value)
{
    const auto found = std::find(row.values.begin(), row.values.end(), value);
    if (found == row.values.end())
        return usage(say("policy.value", row.id, word::Name {std::string(value)}, choicesOf(row.values)));
    return static_cast<std::size_t>(found - row.values.begin());
}

Status setAlignment(Policies& policies, const PolicyInfo&, std::string_view text)
{
    const auto bytes = parseBytes(text);
    if (!bytes || *bytes < 1 || *bytes > (std::int64_t {1} << 40) ||
        !std::has_single_bit(static_cast<std::uint64_t>(*bytes)))
        return usage(say("policy.alignment", word::Name {std::string(text)}));
    policies.alignment = *bytes;
    return {};
}

Status setCapacity(Policies& policies, const PolicyInfo&, std::string_view text)
{
    PLIMSOLL_SET(policies.capacity, parseCapacity(text));
    return {};
}

std::string getCapacity(const Policies& policies, const PolicyInfo&)
{
    return capacityText(policies.capacity);
}

Status setReserved(Policies& policies, const PolicyInfo&, std::string_view text)
{
    PLIMSOLL_SET(policies.reserved, parseReserved(text));
    return {};
}

std::string getReserved(const Policies& policies, const PolicyInfo&)
{
    return reservedText(policies.reserved);
}

Status setCalls(Policies& policies, const PolicyInfo&, std::string_view text)
{
    PLIMSOLL_TRY(parseCalls(text));
    policies.calls = text;
    return {};
}

/// "1", "2", … and "captured".
std::string getStreams(const Policies& policies, const PolicyInfo&)
{
    return policies.streams == CapturedStreams ? "captured" : std::to_string(policies.streams);
}

Status setStreams(Policies& policies, const PolicyInfo& row, std::string_view text)
{
    PLIMSOLL_ASSIGN(index, indexIn(row, text));
    policies.streams = text == "captured" ? CapturedStreams : static_cast<std::int64_t>(index) + 1;
    return {};
}

/// A text, a number, or one of the row's values: an enumeration in their order, or off and on.
template <auto Field>
std::string textOf(const Policies& policies, const PolicyInfo& row)
{
    using Type = std::remove_cvref_t<decltype(policies.*Field)>;
    if constexpr (std::is_same_v<Type, std::string>)
        return policies.*Field;
    else if constexpr (std::is_same_v<Type, std::int64_t>)
        return std::to_string(policies.*Field);
    else
        return std::string(row.values[static_cast<std::size_t>(policies.*Field)]);
}

template <auto Field>
Status setChoice(Policies& policies, const PolicyInfo& row, std::string_view text)
{
    using Type = std::remove_cvref_t<decltype(policies.*Field)>;
    PLIMSOLL_ASSIGN(index, indexIn(row, text));
    if constexpr (std::is_same_v<Type, std::string>)
        policies.*Field = row.values[index];
    else
        policies.*Field = static_cast<Type>(index);
    return {};
}

template <auto Field, std::int64_t Least, std::int64_t Most>
Status setNumber(Policies& policies, const PolicyInfo& row, std::string_view text)
{
    std::int64_t read = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error != std::errc() || end != text.data() + text.size() || read < Least || read > Most)
        return usage(
            say("policy.number", row.id, word::Number(Least), word::Number(Most), word::Name {std::string(text)}));
    policies.*Field = read;
    return {};
}

/// One of the row's values.
template <auto Field>
constexpr PolicyAccess choice = {textOf<Field>, setChoice<Field>};
/// A whole number from the least to the most.
template <auto Field, std::int64_t Least, std::int64_t Most>
constexpr PolicyAccess number = {textOf<Field>, setNumber<Field, Least, Most>};

/// Each costs a walk through the graph.
constexpr std::int64_t MostColours = 1024;
/// Each is a copy of the backward graph.
constexpr std::int64_t MostPasses = 16;
constexpr std::int64_t MostMatchRange = std::int64_t {1} << 40;

constexpr std::string_view StorageReuse = "placement=storage-reuse";

const PolicyInfo Rows[] = {
    // What may share, what is merged, computed ahead or kept.
    {"outputs",
     choice<&Policies::outputs>,
     Stage::Lower,
     "Outputs",
     "What two outputs, or an output and an input, may share.",
     {"independent", "read-only", "copy-on-write", "external", "shared"},
     {"every output has bytes of its own", "outputs may share; a write through one is refused",
      "outputs may share; the first write through one gives it bytes of its own",
      "the caller brings a buffer for every output; what is also an input, or stands there twice, is copied",
      "identities share them, as in MXNet 1.x: unsafe, and reported as such"},
     {PolicyNeed::Operators},
     {},
     false,
     {Rule::OutputAliasing, Rule::OutputAliasesInput, Rule::OutputInArena}},
    {"inputs",
     choice<&Policies::inputs>,
     Stage::LiveRanges,
     "Inputs",
     "May values live in the bytes of a graph input.",
     {"protect", "share-identity", "donate"},
     {"never", "identities that the caller does not see",
      "inputs that the caller cannot look at are written over after their last read"},
     {PolicyNeed::Operators},
     {},
     true,
     {Rule::InputOverwritten}},
    {"inplace",
     choice<&Policies::inplace>,
     Stage::Implement,
     "In place",
     "May a node write over an input at its last read.",
     {"on", "identity-only", "off"},
     {"wherever the operator allows it", "only where the bytes stay the same", "never, and nothing is fused away"},
     {PolicyNeed::Operators},
     {},
     false,
     {Rule::WrittenInPlace}},
    {"subbuffers",
     choice<&Policies::subbuffers>,
     Stage::Place,
     "Sub-buffers",
     "May tensors lie inside of one another where a node would join, split, slice or pad them.",
     {"on", "off"},
     {"where that makes the plan smaller", "each has bytes of its own, and is copied"},
     {PolicyNeed::Operators},
     {},
     false,
     {Rule::WrittenInPlace}},
    {"cse",
     choice<&Policies::cse>,
     Stage::Lower,
     "Merge repeats",
     "Are nodes merged that compute the same.",
     {"off", "on"},
     {"every node runs", "once, and outputs stay independent of one another"},
     {PolicyNeed::Operators}},
    {"dce",
     choice<&Policies::dce>,
     Stage::Lower,
     "Drop dead nodes",
     "Are nodes dropped that no output depends on.",
     {"off", "on"},
     {"every node runs", "known operators without effects run only where they are needed"},
     {PolicyNeed::Operators}},
    {"fold",
     choice<&Policies::fold>,
     Stage::Lower,
     "Fold constants",
     "What is computed once, ahead of the run.",
     {"shapes", "all", "off"},
     {"shape arithmetic only", "everything that depends on constants alone", "nothing"},
     {PolicyNeed::Operators}},
    {"saved",
     choice<&Policies::saved>,
     Stage::Lower,
     "Saved tensors",
     "Which tensors are kept from the forward to the backward graph.",
     {"guarded", "guarded-2019", "save-all", "exact"},
     {"what PyTorch 2.6 keeps: each tensor whose gradient may be wanted, as far as its guards can tell",
      "what PyTorch kept in 2019, when the guards were new", "whatever a formula names, wanted or not",
      "only what the gradients that are wanted read"},
     {PolicyNeed::Loss}},
    // What training does with what it keeps.
    {"gradients",
     choice<&Policies::gradients>,
     Stage::Lower,
     "Gradients",
     "What becomes of the gradients of variables that say nothing of their own.",
     {"write", "add", "null"},
     {"they are computed and handed out", "they are added to what the caller's buffers hold",
      "they are not computed, as for inference"},
     {PolicyNeed::Loss}},
    {"calls",
     {textOf<&Policies::calls>, setCalls},
     Stage::Lower,
     "Calls",
     "How the bound graph is called: 'once', or a list of train, infer, forward, backward, such as "
     "'train,infer,train'.",
     {},
     {},
     {PolicyNeed::Operators}},
    {"recompute",
     choice<&Policies::recompute>,
     Stage::Lower,
     "Recompute",
     "What does backward compute anew instead of keeping it.",
     {"off", "cheap"},
     {"nothing", "what is cheap to compute, where less is kept then"},
     {PolicyNeed::Backward}},
    {"donation",
     choice<&Policies::donation>,
     Stage::Lower,
     "Donation",
     "May backward write over what is kept for it.",
     {"off", "on"},
     {"never", "where it is no input, output or gradient, and the graph is not retained"},
     {PolicyNeed::Backward},
     {},
     false,
     {Rule::Donation}},
    {"retain-graph",
     choice<&Policies::retainGraph>,
     Stage::Lower,
     "Retain graph",
     "How long is kept what backward reads.",
     {"off", "on"},
     {"until it has been read", "until the last backward pass has ended"},
     {PolicyNeed::Backward},
     {},
     false,
     {Rule::SavedOverwritten, Rule::Donation}},
    {"backwards",
     number<&Policies::backwards, 1, MostPasses>,
     Stage::Lower,
     "Backward passes",
     "How often backward runs; gradients add up. More than once takes a graph that is retained.",
     {},
     {},
     {PolicyNeed::Backward}},
    // In which order, and how often.
    {"order",
     choice<&Policies::order>,
     Stage::Implement,
     "Order",
     "In which order the nodes run.",
     {"captured"},
     {"as they stand in the file"},
     {PolicyNeed::Operators}},
    {"streams",
     {getStreams, setStreams},
     Stage::Implement,
     "Streams",
     "On how many streams nodes run beside each other.",
     {"1", "2", "3", "4", "5", "6", "7", "8", "captured"},
     {"one node after the other", "at most two at once, by events", "at most three", "at most four", "at most five",
      "at most six", "at most seven", "at most eight", "on those that the graph file says"},
     {PolicyNeed::Operators},
     {},
     false,
     {Rule::Overlap}},
    {"replay",
     choice<&Policies::replay>,
     Stage::Judge,
     "Replay",
     "How often the plan runs in the same bytes.",
     {"once", "graph"},
     {"once; the caller keeps the outputs for good", "captured once and replayed, as CUDA graphs are: the next "
                                                     "replay uses the arena again, outputs in it included"},
     {PolicyNeed::Operators},
     {},
     false,
     {Rule::OutputDiesAtReplay}},
    // By which implementations.
    {"backend",
     choice<&Policies::backend>,
     Stage::Implement,
     "Backend",
     "Whose implementations are preferred. Where another runtime executes the graph, or a plan is given: captured.",
     {"auto", "reference", "onednn", "cuda", "captured"},
     {"the fastest on offer here, reorders and copies counted", "plain loops",
      "oneDNN, reference where it offers nothing", "a CUDA device, the CPU where it offers nothing",
      "the graph as it is: plain layouts, no scratchpads but those that the file states"},
     {PolicyNeed::Operators},
     {},
     true},
    {"choose",
     choice<&Policies::choose>,
     Stage::Implement,
     "Choose",
     "By what implementations are chosen, for the whole graph at once.",
     {"fastest", "smallest", "fastest-within"},
     {"the least time, whatever bytes it takes", "the lowest peak, and of those the least time",
      "the least time whose peak keeps the policy capacity; the lowest peak where none does"},
     {PolicyNeed::Offers}},
    {"fusion",
     choice<&Policies::fusion>,
     Stage::Implement,
     "Fusion",
     "May a backend compute a node along with those behind it, so that what is between them is never stored.",
     {"on", "off"},
     {"wherever it offers to, and nothing else reads what is between", "every node writes its output"},
     {PolicyNeed::Offers}},
    {"padding",
     choice<&Policies::padding>,
     Stage::Implement,
     "Padding",
     "May an implementation ask for more bytes than the tensor has.",
     {"on", "off"},
     {"blocked layouts where they are faster", "logical sizes only, by slower kernels if need be"},
     {PolicyNeed::Offers},
     {},
     false,
     {Rule::Padded}},
    {"sparse",
     choice<&Policies::sparse>,
     Stage::Implement,
     "Sparse tensors",
     "How nodes are computed that read or leave sparse tensors.",
     {"native", "dense"},
     {"as they are kept where a backend can, else through dense temporaries", "always through dense temporaries"},
     {PolicyNeed::Operators, PolicyNeed::SparseTensors, PolicyNeed::Offers}},
    // Where values are put.
    {"dynamic",
     choice<&Policies::dynamic>,
     Stage::LiveRanges,
     "Dynamic sizes",
     "Where tensors are put whose size only the run knows.",
     {"fallback", "bounded"},
     {"in memory that the run takes when it knows the size",
      "in the arena, at the most bytes that their operators can make; what has no bound as before"},
     {PolicyNeed::Operators, PolicyNeed::DynamicSizes}},
    {"placement",
     choice<&Policies::placement>,
     Stage::Place,
     "Placement",
     "Which algorithm chooses the offsets.",
     {"best", "no-reuse", "storage-reuse", "sweep", "first-fit-by-step", "first-fit-by-size", "first-fit-by-area",
      "first-fit-by-lifetime", "best-fit-by-step", "best-fit-by-size", "best-fit-by-area", "best-fit-by-lifetime",
      "random-keys", "window-repair", "exact"},
     {"search, keep the lowest", "a place of its own for every storage", "sized blocks that are handed on, as in MXNet",
      "one walk through the steps, fastest", "in order of the schedule, lowest hole", "largest first, lowest hole",
      "bytes times steps, largest first, lowest hole", "longest first, lowest hole",
      "in order of the schedule, tightest hole", "largest first, tightest hole",
      "bytes times steps, largest first, tightest hole", "longest first, tightest hole", "many orders at random",
      "pack anew around what is highest", "prove the lowest, for small graphs"}},
    {"match-range",
     number<&Policies::matchRange, 0, MostMatchRange>,
     Stage::Place,
     "Match range",
     "A freed block is handed on to requests of so many times its size, up or down: 16, as in MXNet; 0 is to none.",
     {},
     {},
     {},
     StorageReuse},
    {"match-range-search",
     choice<&Policies::matchRangeSearch>,
     Stage::Place,
     "Search match range",
     "Is every power of two up to the match range tried.",
     {"off", "on"},
     {"the match range as it is", "1, 2, 4 and so on up to it; the lowest plan is kept"},
     {},
     StorageReuse},
    {"colours",
     number<&Policies::colours, 1, MostColours>,
     Stage::Place,
     "Colours",
     "In how many colours nodes are painted along their longest paths; a block stays with the colour that freed "
     "it.",
     {},
     {},
     {},
     StorageReuse},
    {"alignment",
     {textOf<&Policies::alignment>, setAlignment},
     Stage::Place,
     "Alignment",
     "Of every offset, in bytes: a power of two.",
     {},
     {},
     {},
     {},
     true,
     {Rule::Misaligned}},
    {"capacity",
     {getCapacity, setCapacity},
     Stage::Implement, // with choose=fastest-within
     "Capacity",
     "Bytes an arena may have: 'none', '512MiB', or 'cpu=512MiB,sram=64KiB'.",
     {},
     {},
     {},
     {},
     false,
     {Rule::BeyondCapacity}},
    {"reserved",
     {getReserved, setReserved},
     Stage::Place,
     "Reserved",
     "What is kept free in an arena, by offset and bytes: 'none', '0+4KiB', or 'sram=0+16KiB:boot "
     "loader,sram=60KiB+4KiB'.",
     {},
     {},
     {},
     {},
     false,
     {Rule::Reserved}},
};

} // namespace

std::span<const PolicyInfo> policyTable()
{
    return Rows;
}

const PolicyInfo* findPolicy(std::string_view id)
{
    const auto found = std::ranges::find(Rows, id, &PolicyInfo::id);
    return found == std::end(Rows) ? nullptr : found;
}

bool hasEffect(const Policies& policies, const PolicyInfo& policy)
{
    const std::size_t equals = policy.onlyWith.find('=');
    return policy.onlyWith.empty() ||
           policyValue(policies, policy.onlyWith.substr(0, equals)) == policy.onlyWith.substr(equals + 1);
}

std::string policyValue(const Policies& policies, std::string_view id)
{
    const PolicyInfo* row = findPolicy(id);
    return row ? row->access.get(policies, *row) : std::string();
}

Status setPolicy(Policies& policies, std::string_view id, std::string_view value)
{
    if (const PolicyInfo* row = findPolicy(id)) return row->access.set(policies, *row, value);
    std::vector<std::string_view> ids;
    for (const PolicyInfo& row : Rows)
        ids.push_back(row.id);
    return usage(say("policy.unknown", word::Name {std::string(id)}, choicesOf(ids)));
}

} // namespace plimsoll
