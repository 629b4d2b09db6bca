#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <map>
#include <re2/re2.h>
#include <set>

namespace plimsoll::kernels {
namespace {

Result<TensorView> textInput(const KernelCall& call, std::size_t index)
{
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, index));
    if (tensor.dtype != DType::String) return refuseType(call, tensor.dtype);
    return tensor;
}

/// Only ASCII letters have a case here: nothing else is the same in every locale.
std::string changedCase(std::string text, const std::string& action)
{
    for (char& c : text) {
        if (action == "LOWER" && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
        if (action == "UPPER" && c >= 'a' && c <= 'z') c = static_cast<char>(c + 'A' - 'a');
    }
    return text;
}

Status stringNormalizer(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, textInput(call, 0));
    const bool isRow = x.shape.size() == 2 && x.shape[0] == 1;
    if (x.shape.size() != 1 && !isRow) return refuse(call, say("kernel.not-by-channel", describe(x)));
    const std::string action = textAttribute(call, "case_change_action", "NONE");
    const std::string compared = intAttribute(call, "is_case_sensitive", 0) != 0 ? "NONE" : "LOWER";
    std::set<std::string> stopwords;
    for (const std::string& word : textsAttribute(call, "stopwords"))
        stopwords.insert(changedCase(word, compared));
    std::vector<std::string> kept;
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const std::string& text = x.as<std::string>()[i];
        if (!stopwords.contains(changedCase(text, compared))) kept.push_back(changedCase(text, action));
    }
    if (kept.empty()) kept.emplace_back();
    Shape shape {static_cast<std::int64_t>(kept.size())};
    if (isRow) shape.insert(shape.begin(), 1);
    PLIMSOLL_ASSIGN(y, call.output(0, DType::String, shape));
    std::copy(kept.begin(), kept.end(), y.as<std::string>());
    return {};
}

Status stringConcat(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, textInput(call, 0));
    PLIMSOLL_ASSIGN(b, textInput(call, 1));
    PLIMSOLL_ASSIGN(pair, broadcastInputs(call, a, b));
    PLIMSOLL_ASSIGN(out, call.output(0, DType::String, pair.shape));
    mapPairs(pair, a.as<const std::string>(), b.as<const std::string>(), out.as<std::string>(),
             [](const std::string& x, const std::string& y) { return x + y; });
    return {};
}

/// Python's str.split: at runs of blanks without a delimiter, at each delimiter with one.
std::vector<std::string> splitText(const std::string& text, const std::string& delimiter, std::int64_t most)
{
    std::vector<std::string> parts;
    const auto full = [&] { return most >= 0 && static_cast<std::int64_t>(parts.size()) >= most; };
    if (!delimiter.empty()) {
        std::size_t begin = 0;
        for (std::size_t end = 0; !full() && (end = text.find(delimiter, begin)) != std::string::npos;
             begin = end + delimiter.size()) {
            parts.push_back(text.substr(begin, end - begin));
        }
        parts.push_back(text.substr(begin));
        return parts;
    }
    constexpr const char* Blanks = " \t\n\r\v\f";
    std::size_t begin = text.find_first_not_of(Blanks);
    while (begin != std::string::npos) {
        const std::size_t end =
            full() ? text.find_last_not_of(Blanks) + 1 : std::min(text.find_first_of(Blanks, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = full() && end == text.find_last_not_of(Blanks) + 1 ? std::string::npos
                                                                   : text.find_first_not_of(Blanks, end);
    }
    return parts;
}

Status stringSplit(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, textInput(call, 0));
    const std::string delimiter = textAttribute(call, "delimiter", "");
    const std::int64_t most = hasAttribute(call, "maxsplit") ? intAttribute(call, "maxsplit", 0) : -1;
    std::vector<std::vector<std::string>> all;
    std::vector<std::int64_t> counts;
    std::size_t widest = 0;
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        all.push_back(x.as<std::string>()[i].empty() ? std::vector<std::string>()
                                                     : splitText(x.as<std::string>()[i], delimiter, most));
        counts.push_back(static_cast<std::int64_t>(all.back().size()));
        widest = std::max(widest, all.back().size());
    }
    Shape shape = x.shape;
    shape.push_back(static_cast<std::int64_t>(widest));
    PLIMSOLL_ASSIGN(y, call.output(0, DType::String, shape));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].resize(widest);
        std::copy(all[i].begin(), all[i].end(), y.as<std::string>() + i * widest);
    }
    return call.wantsOutput(1) ? writeIntegers(call, 1, DType::Int64, x.shape, counts) : Status();
}

/// In time linear in the text, whatever the pattern.
Status regexFullMatch(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, textInput(call, 0));
    RE2::Options options;
    options.set_log_errors(false);
    const RE2 pattern(textAttribute(call, "pattern", ""), options);
    if (!pattern.ok()) return refuse(call, say("kernel.pattern-syntax", pattern.error()));
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    for (std::int64_t i = 0; i < x.elements(); ++i)
        y.as<std::uint8_t>()[i] = RE2::FullMatch(x.as<std::string>()[i], pattern) ? 1 : 0;
    return {};
}

using Words = std::vector<std::string>;

/// Numbers are compared as their decimals, so that both kinds of pool are one.
Words wordsOf(const TensorView& tensor)
{
    if (tensor.dtype == DType::String) return {tensor.as<std::string>(), tensor.as<std::string>() + tensor.elements()};
    Words words;
    for (const std::int64_t number : integersOf(tensor))
        words.push_back(std::to_string(number));
    return words;
}

struct Pool
{
    std::map<Words, std::size_t> ids; ///< N-gram → its place in the pool.
    std::vector<std::int64_t> columns;
    std::vector<double> weights;
};

Result<Pool> readPool(const KernelCall& call)
{
    Words words = textsAttribute(call, "pool_strings");
    for (const std::int64_t number : intsAttribute(call, "pool_int64s").value_or(std::vector<std::int64_t>()))
        words.push_back(std::to_string(number));
    const auto starts = intsAttribute(call, "ngram_counts").value_or(std::vector<std::int64_t>());
    Pool pool;
    pool.columns = intsAttribute(call, "ngram_indexes").value_or(std::vector<std::int64_t>());
    pool.weights = floatsAttribute(call, "weights").value_or(std::vector<double>());
    const auto total = static_cast<std::int64_t>(words.size());
    for (std::size_t n = 1; n <= starts.size(); ++n) {
        const std::int64_t end = n < starts.size() ? starts[n] : total;
        const auto length = static_cast<std::int64_t>(n);
        if (starts[n - 1] < 0 || end > total || (end - starts[n - 1]) % length != 0)
            return refuse(call, say("kernel.ngram-counts"));
        for (std::int64_t at = starts[n - 1]; at < end; at += length) {
            pool.ids.try_emplace(Words(words.begin() + at, words.begin() + at + length), pool.ids.size());
        }
    }
    const bool inRange =
        std::all_of(pool.columns.begin(), pool.columns.end(), [](std::int64_t c) { return c >= 0 && c < 1 << 28; });
    if (pool.columns.size() < pool.ids.size() || !inRange ||
        (!pool.weights.empty() && pool.weights.size() < pool.ids.size())) {
        return refuse(call, say("kernel.ngram-indexes"));
    }
    return pool;
}

struct Lengths
{
    std::int64_t shortest = 1;
    std::int64_t longest = 1;
    std::int64_t mostSkipped = 0;
};

/// Of countNgrams, for a row of \p size words.
double ngramPasses(const Lengths& lengths, std::int64_t size)
{
    double passes = 0;
    for (std::int64_t n = lengths.shortest; n <= std::min(lengths.longest, size); ++n) {
        const std::int64_t apart = n == 1 ? 1 : std::min(std::min(lengths.mostSkipped, size) + 1, (size - 1) / (n - 1));
        const double left =
            static_cast<double>(apart) * static_cast<double>(size) -
            static_cast<double>(n - 1) * static_cast<double>(apart) * static_cast<double>(apart + 1) / 2;
        passes += static_cast<double>(n) * std::max(left, 0.0);
    }
    return passes;
}

/// How often each n-gram of the pool stands in a row, words between its own being skipped.
void countNgrams(const Words& row, const Pool& pool, const Lengths& lengths, std::vector<std::int64_t>& counts)
{
    const auto size = static_cast<std::int64_t>(row.size());
    for (std::int64_t n = lengths.shortest; n <= std::min(lengths.longest, size); ++n) {
        for (std::int64_t step = 1; step <= (n == 1 ? 1 : std::min(lengths.mostSkipped, size) + 1); ++step) {
            for (std::int64_t begin = 0; begin + (n - 1) * step < size; ++begin) {
                Words ngram;
                for (std::int64_t i = 0; i < n; ++i)
                    ngram.push_back(row[static_cast<std::size_t>(begin + i * step)]);
                const auto found = pool.ids.find(ngram);
                if (found != pool.ids.end()) ++counts[found->second];
            }
        }
    }
}

Status tfIdfVectorizer(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(pool, readPool(call));
    if (x.shape.empty() || x.shape.size() > 2) return refuse(call, say("kernel.not-rows", describe(x)));
    const Lengths lengths {std::max<std::int64_t>(intAttribute(call, "min_gram_length", 1), 1),
                           intAttribute(call, "max_gram_length", 1), intAttribute(call, "max_skip_count", 0)};
    const std::string mode = textAttribute(call, "mode", "TF");
    const std::int64_t columns =
        pool.columns.empty() ? 0 : *std::max_element(pool.columns.begin(), pool.columns.end()) + 1;
    const std::int64_t rows = x.shape.size() == 2 ? x.shape[0] : 1;
    const std::int64_t width = x.shape.back();
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, x.shape.size() == 2 ? Shape {rows, columns} : Shape {columns}));
    PLIMSOLL_TRY(call.announce({static_cast<double>(rows) * ngramPasses(lengths, width)}));
    const Words words = wordsOf(x);
    std::fill_n(y.as<float>(), y.elements(), 0.0F);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::vector<std::int64_t> counts(pool.ids.size(), 0);
        countNgrams(Words(words.begin() + row * width, words.begin() + (row + 1) * width), pool, lengths, counts);
        for (std::size_t id = 0; id < counts.size(); ++id) {
            const double weight = pool.weights.empty() ? 1 : pool.weights[id];
            const auto count = static_cast<double>(counts[id]);
            const double number = mode == "TF" ? count : mode == "IDF" ? (count > 0 ? weight : 0) : count * weight;
            y.as<float>()[row * columns + pool.columns[id]] = static_cast<float>(number);
        }
    }
    return {};
}

constexpr KernelEntry TextKernels[] = {
    {"", "RegexFullMatch", regexFullMatch},     {"", "StringConcat", stringConcat},
    {"", "StringNormalizer", stringNormalizer}, {"", "StringSplit", stringSplit},
    {"", "TfIdfVectorizer", tfIdfVectorizer},
};

} // namespace

constinit const KernelTable textKernels = TextKernels;

} // namespace plimsoll::kernels
