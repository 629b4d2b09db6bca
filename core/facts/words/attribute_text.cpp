#include "core/facts/words/attribute_text.h"

#include "core/facts/english/english.h"

#include <sstream>

namespace plimsoll {
namespace {

struct AttributeText
{
    template <typename Number>
    std::string operator()(Number number) const
    {
        std::ostringstream text;
        text << number;
        return text.str();
    }
    template <typename Number>
    std::string operator()(const std::vector<Number>& numbers) const
    {
        constexpr std::size_t Most = 16;
        std::string text;
        for (std::size_t i = 0; i < std::min(Most, numbers.size()); ++i)
            text += (i == 0 ? "" : ", ") + (*this)(numbers[i]);
        return "[" + text + (numbers.size() > Most ? ", …]" : "]");
    }
    std::string operator()(const std::string& text) const { return text.substr(0, 200); }
    std::string operator()(const std::vector<std::string>& texts) const
    {
        return english(say("about.texts", texts.size()));
    }
    std::string operator()(const TensorLiteral& tensor) const
    {
        return describe(TensorType::dense(tensor.dtype, tensor.shape));
    }
    std::string operator()(const std::vector<TensorLiteral>& tensors) const
    {
        return english(say("about.tensors", tensors.size()));
    }
};

} // namespace

std::string attributeText(const Attribute& attribute)
{
    return std::visit(AttributeText(), attribute);
}

std::string attributesText(const Attributes& attributes)
{
    std::string text;
    for (const auto& [name, attribute] : attributes)
        text += (text.empty() ? "" : ", ") + name + "=" + attributeText(attribute);
    return text;
}

} // namespace plimsoll
