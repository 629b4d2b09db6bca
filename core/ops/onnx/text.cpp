#include "core/ops/onnx/op_families.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

Status inferStringSplit(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    facts.set(1, DType::Int64, dims);
    if (dims) dims->push_back(UnknownSize);
    return facts.give(DType::String, dims);
}

/// One column for every n-gram of the pool.
Status inferTfIdf(NodeFacts& facts)
{
    auto dims = facts.dims(0);
    const auto* indexes = facts.integersAttribute("ngram_indexes");
    std::int64_t columns = UnknownSize;
    if (indexes && !indexes->empty()) columns = *std::ranges::max_element(*indexes);
    if (columns >= 0 && columns < INT64_MAX) ++columns;
    if (dims && dims->empty()) dims->push_back(columns);
    if (dims) dims->back() = columns;
    return facts.give(DType::Float32, dims);
}

constexpr OpSchema TextSchemas[] = {
    {.op = "RegexFullMatch",
     .signature = "string",
     .infer = [](NodeFacts& facts) { return facts.give(DType::Bool, facts.dims(0)); }},
    {.op = "StringConcat", .signature = "string string", .infer = inferBroadcast},
    {.op = "StringNormalizer",
     .signature = "string",
     .infer = [](NodeFacts& facts) -> Status {
         // Stop words may go away.
         auto dims = facts.dims(0);
         if (dims && !dims->empty()) dims->back() = UnknownSize;
         return facts.give(DType::String, dims);
     },
     .choices = {{"case_change_action", "NONE|LOWER|UPPER"}}},
    {.op = "StringSplit", .signature = "string -> 2", .infer = inferStringSplit},
    {.op = "TfIdfVectorizer", .signature = "string|int", .infer = inferTfIdf, .choices = {{"mode", "TF|IDF|TFIDF"}}},
};

} // namespace

constinit const OpFamily textOperators {"", TextSchemas};

} // namespace plimsoll::ops
