#include "kernels/answers.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

class Writer
{
public:
    explicit Writer(const Asked& about) : m_about(about) {}

    void add(const Node& node)
    {
        for (const ValueId input : node.inputs)
            add(input);
        m_text += "→";
        for (const ValueId output : node.outputs)
            add(output);
        m_text += "\n";
    }

    void add(const std::string& text) { m_text += text; }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void add(ValueId value)
    {
        if (!value.valid()) return add(" _");
        const auto [number, isNew] = m_numbers.try_emplace(value, m_numbers.size());
        add(" " + std::to_string(number->second));
        if (isNew) describeValue(value);
    }

    void describeValue(ValueId value)
    {
        const Value& info = m_about.graph[value];
        const Uses& uses = m_about.uses;
        const bool once = uses.reads[value.index()].size() == 1 && uses.results[value.index()].empty();
        m_text += ":" + describe(info.type) + "." + std::to_string(static_cast<int>(info.role)) + (once ? "." : "+");
        const bool isRead =
            info.role == ValueRole::Constant || (info.role == ValueRole::Parameter && m_about.weightsCount);
        // What is long counts as equal only where it is the same: it is a weight, and most answers depend on its shape.
        constexpr std::size_t Long = 1024;
        if (isRead && info.data->bytes) {
            const std::vector<std::byte>& bytes = *info.data->bytes;
            const void* const place = &bytes;
            if (bytes.size() > Long)
                m_text.append(reinterpret_cast<const char*>(&place), sizeof place);
            else
                m_text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
        const auto seen = m_about.seen.find(value);
        for (const std::string& layout : seen == m_about.seen.end() ? std::set<std::string>() : seen->second)
            m_text += "|" + layout;
    }

    const Asked& m_about;
    std::map<ValueId, std::size_t> m_numbers;
    std::string m_text;
};

} // namespace

Question questionAbout(const Asked& about, NodeId node, const std::vector<FusedNode>& chain)
{
    const Graph& graph = about.graph;
    Writer writer(about);
    Question question {{}, {&graph[node]}};
    writer.add(graph[node]);
    for (const FusedNode& behind : chain) {
        writer.add(std::to_string(behind.input));
        writer.add(graph[behind.node]);
        question.nodes.push_back(&graph[behind.node]);
    }
    question.tensors = writer.take();
    return question;
}

const std::vector<Implementation>* Answers::find(const Question& question) const
{
    const auto alike = m_byTensors.find(question.tensors);
    if (alike == m_byTensors.end()) return nullptr;
    const auto answer = std::find_if(alike->second.begin(), alike->second.end(), [&](const Answer& one) {
        return std::ranges::equal(one.nodes, question.nodes, [](const Node* a, const Node* b) {
            return a->op == b->op && a->domain == b->domain && a->attributes == b->attributes;
        });
    });
    return answer == alike->second.end() ? nullptr : &answer->offers;
}

void Answers::keep(Question question, std::vector<Implementation> offers)
{
    m_byTensors[std::move(question.tensors)].push_back({std::move(question.nodes), std::move(offers)});
}

} // namespace plimsoll::kernels
