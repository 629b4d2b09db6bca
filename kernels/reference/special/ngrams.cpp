#include "kernels/reference/special/ngrams.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"

#include <algorithm>
#include <map>

namespace plimsoll::kernels {
namespace {

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
            return refuse(call, "ngram_counts do not fit the pool.");
        for (std::int64_t at = starts[n - 1]; at < end; at += length) {
            pool.ids.try_emplace(Words(words.begin() + at, words.begin() + at + length), pool.ids.size());
        }
    }
    const bool inRange =
        std::all_of(pool.columns.begin(), pool.columns.end(), [](std::int64_t c) { return c >= 0 && c < 1 << 28; });
    if (pool.columns.size() < pool.ids.size() || !inRange ||
        (!pool.weights.empty() && pool.weights.size() < pool.ids.size())) {
        return refuse(call, "ngram_indexes or weights do not fit the pool.");
    }
    return pool;
}

struct Lengths
{
    std::int64_t shortest = 1;
    std::int64_t longest = 1;
    std::int64_t mostSkipped = 0;
};

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

} // namespace

Status tfIdfVectorizer(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(pool, readPool(call));
    if (x.shape.empty() || x.shape.size() > 2) return refuse(call, describe(x) + " is neither a row nor rows.");
    const Lengths lengths {std::max<std::int64_t>(intAttribute(call, "min_gram_length", 1), 1),
                           intAttribute(call, "max_gram_length", 1), intAttribute(call, "max_skip_count", 0)};
    const std::string mode = textAttribute(call, "mode", "TF");
    const std::int64_t columns =
        pool.columns.empty() ? 0 : *std::max_element(pool.columns.begin(), pool.columns.end()) + 1;
    const std::int64_t rows = x.shape.size() == 2 ? x.shape[0] : 1;
    const std::int64_t width = x.shape.back();
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Float32, x.shape.size() == 2 ? Shape {rows, columns} : Shape {columns}));
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

} // namespace plimsoll::kernels
