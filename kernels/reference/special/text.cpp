#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/special/ngrams.h"

#include <algorithm>
#include <regex>
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
    if (x.shape.size() != 1 && !isRow) return refuse(call, describe(x) + " is neither [C] nor [1,C].");
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

Status regexFullMatch(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, textInput(call, 0));
    constexpr std::size_t LongestText = 4096; // the matcher recurses once a character
    std::regex pattern;
    try {
        pattern = std::regex(textAttribute(call, "pattern", ""));
    } catch (const std::regex_error& error) {
        return refuse(call, std::string("the pattern cannot be read: ") + error.what() + ".");
    }
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Bool, x.shape));
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const std::string& text = x.as<std::string>()[i];
        if (text.size() > LongestText)
            return refuse(call, "a text is longer than " + std::to_string(LongestText) + " bytes.");
        try {
            y.as<std::uint8_t>()[i] = std::regex_match(text, pattern) ? 1 : 0;
        } catch (const std::regex_error& error) {
            return refuse(call, std::string("the pattern cannot be matched: ") + error.what() + ".");
        }
    }
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "RegexFullMatch", regexFullMatch},     {"", "StringConcat", stringConcat},
    {"", "StringNormalizer", stringNormalizer}, {"", "StringSplit", stringSplit},
    {"", "TfIdfVectorizer", tfIdfVectorizer},
};

} // namespace

constinit const KernelTable textKernels = Table;

} // namespace plimsoll::kernels
