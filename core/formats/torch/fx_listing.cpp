#include "core/formats/torch/fx_graph.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

/// The position behind "[0/0] " or "[__aot_graphs] ", or \p at where there is no such group.
std::size_t behindGroup(std::string_view line, std::size_t at)
{
    if (at >= line.size() || line[at] != '[') return at;
    const std::size_t end = line.find(']', at);
    const std::string_view inside = line.substr(at + 1, std::min(end, line.size()) - at - 1);
    const bool frame = inside.find('/') != std::string_view::npos && !inside.empty() && isDigit(inside.front());
    if (end == std::string_view::npos || (!frame && !inside.starts_with("__") && inside != "INFO" && inside != "DEBUG"))
        return at;
    return std::min(end + (line.substr(end + 1).starts_with(' ') ? 2 : 1), line.size());
}

/// "[2023-11-16 22:34:36,034] [0/0] torch.a.b: [INFO] ", as PyTorch 2.1 wrote it. 0 where there is none.
std::size_t behindOldPrefix(std::string_view line)
{
    const bool date =
        line.size() > 6 && line[0] == '[' && std::all_of(line.begin() + 1, line.begin() + 5, isDigit) && line[5] == '-';
    for (const std::string_view level : {": [DEBUG] ", ": [INFO] ", ": [WARNING] "}) {
        const std::size_t found = date ? line.find(level) : std::string_view::npos;
        if (found != std::string_view::npos) return found + level.size();
    }
    return 0;
}

/// "V0819 12:42:50.396000 888578 torch/a.py:246] " in front of a line, with "[rank0]:" before it perhaps.
std::size_t behindLogPrefix(std::string_view line)
{
    if (const std::size_t old = behindOldPrefix(line); old > 0) return old;
    std::size_t begin = 0;
    if (line.starts_with("[rank")) begin = std::min(line.find(':') + 1, line.size());
    const std::string_view rest = line.substr(begin);
    const bool ours = rest.size() > 6 && std::string_view("VIWEC").find(rest[0]) != std::string_view::npos &&
                      std::all_of(rest.begin() + 1, rest.begin() + 5, isDigit) && rest[5] == ' ';
    const std::size_t end = ours ? line.find("] ", begin) : std::string_view::npos;
    if (end == std::string_view::npos) return 0;
    std::size_t at = end + 2;
    for (std::size_t next = behindGroup(line, at); next != at; next = behindGroup(line, at))
        at = next;
    return at;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::size_t indentOf(std::string_view line)
{
    return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The text between \p before and the next \p after.
std::string between(std::string_view text, std::string_view before, std::string_view after)
{
    const std::size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    const std::size_t from = begin + before.size();
    const std::size_t end = text.find(after, from);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(from, end - from));
}

struct Title
{
    std::string name;
    std::string frame;
};

struct LogTitle
{
    std::string_view begins;
    std::string_view name;
};

constexpr LogTitle LogTitles[] = {
    {"===== Joint graph", "aot_joint_graph"},        {"===== Forward graph", "aot_forward_graph"},
    {"===== Backward graph", "aot_backward_graph"},  {"===== Inference graph", "aot_inference_graph"},
    {"TRACED GRAPH", "dynamo_output_graph"},         {"BEFORE PRE GRAD", "before_pre_grad_graph"},
    {"AFTER PRE GRAD", "after_pre_grad_graph"},      {"BEFORE POST GRAD", "before_post_grad_graph"},
    {"AFTER POST GRAD", "inductor_post_grad_graph"},
};

/// "class GraphModule(torch.nn.Module):", behind a path perhaps: the name of the class.
std::string classIn(std::string_view line)
{
    const std::size_t begin = line.find("class ");
    const std::size_t end = line.find("(torch.nn.Module):");
    const bool whole = begin != std::string_view::npos && end != std::string_view::npos && begin < end &&
                       (begin == 0 || line[begin - 1] == ' ');
    return whole ? std::string(line.substr(begin + 6, end - begin - 6)) : std::string();
}

/// Follows a log line by line.
class Finder
{
public:
    void take(const Line& line)
    {
        const std::string_view text = trimmed(line.text);
        if (m_open && belongs(line.text, text)) {
            m_listings.back().lines.push_back(line);
            return;
        }
        m_open = false;
        const std::string name = classIn(text);
        if (!name.empty()) return takeClass(name, indentOf(line.text));
        if (text.starts_with("def forward(")) return open(line);
        for (const LogTitle& title : LogTitles) {
            if (text.starts_with(title.begins)) setTitle({std::string(title.name), m_title.frame});
        }
    }

    /// Of a record of TORCH_TRACE: a graph that is open ends there.
    /// "{"aot_joint_graph": {}, "frame_id": 0, "frame_compile_id": 0, …"
    void takeHead(std::string_view head)
    {
        m_open = false;
        Title title;
        title.name = between(head, "{\"", "\"");
        if (title.name == "artifact") title.name = between(head, "\"name\": \"", "\"");
        const std::string frame = between(head, "\"frame_id\": ", ",");
        if (!frame.empty()) title.frame = frame + "/" + between(head, "\"frame_compile_id\": ", ",");
        setTitle(std::move(title));
    }
    void setFrame(std::string frame) { m_title.frame = std::move(frame); }

    std::vector<Listing> finish() &&
    {
        std::map<std::string, int> count;
        for (Listing& listing : m_listings) {
            const int number = ++count[listing.name];
            if (number > 1) listing.name += "-" + std::to_string(number);
        }
        return std::move(m_listings);
    }

private:
    void setTitle(Title title)
    {
        m_title = std::move(title);
        m_hasClass = false;
    }

    /// The head of a function may go over lines; comments may stand anywhere; else the body is indented.
    bool belongs(std::string_view line, std::string_view text)
    {
        if (text.empty() || text.starts_with('#')) return true;
        const bool head = !m_bodyBegun;
        if (!m_bodyBegun) m_bodyBegun = text.ends_with(':') && text.find(')') != std::string_view::npos;
        if (head && text.starts_with(')')) return true;
        return indentOf(line) > m_indent;
    }

    void takeClass(const std::string& name, std::size_t indent)
    {
        if (m_hasClass && indent > m_classIndent && !m_listings.empty()) {
            m_listings.back().parts.push_back(name);
            m_insidePart = true;
            return;
        }
        m_hasClass = true;
        m_insidePart = false;
        m_class = name;
        m_classIndent = indent;
    }

    void open(const Line& line)
    {
        if (m_insidePart) return;
        const bool called = m_hasClass && m_class.find('<') == std::string::npos;
        const std::string name = !m_title.name.empty() ? m_title.name : called ? m_class : "graph";
        m_listings.push_back({name, m_title.frame, {line}, {}});
        m_indent = indentOf(line.text);
        const std::string_view text = trimmed(line.text);
        m_bodyBegun = text.ends_with(':') || text.find("):") != std::string_view::npos;
        m_open = true;
    }

    std::vector<Listing> m_listings;
    Title m_title;
    std::string m_class;
    std::size_t m_classIndent = 0;
    std::size_t m_indent = 0; ///< Of "def forward".
    bool m_hasClass = false;
    bool m_insidePart = false; ///< Of a graph: in a class inside of its class.
    bool m_open = false;
    bool m_bodyBegun = false;
};

/// "[0/0] " in the prefix of a line of TORCH_LOGS.
std::string frameIn(std::string_view prefix)
{
    for (std::size_t at = prefix.find("] ["); at != std::string_view::npos; at = prefix.find("] [", at + 1)) {
        const std::string_view inside = prefix.substr(at + 3, prefix.find(']', at + 3) - at - 3);
        if (!inside.empty() && isDigit(inside.front()) && inside.find('/') != std::string_view::npos)
            return std::string(inside);
    }
    return {};
}

} // namespace

std::vector<Listing> findListings(std::string_view text)
{
    Finder finder;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        const std::size_t at = behindLogPrefix(line);
        const std::string_view rest = line.substr(at);
        if (at > 0 && rest.starts_with('{')) {
            finder.takeHead(rest);
            continue;
        }
        if (at > 0) finder.setFrame(frameIn(line.substr(0, at)));
        finder.take({rest, number});
    }
    return std::move(finder).finish();
}

} // namespace plimsoll::fx
