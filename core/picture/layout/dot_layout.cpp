#include "core/picture/layout/dot_layout.h"

#include "core/picture/layout/layout_clusters.h"
#include "core/picture/layout/side_routes.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

namespace plimsoll {
namespace {

/// `dot` speaks of inches; a picture unit is a point.
constexpr double PointsPerInch = 72;
constexpr std::int32_t LongestSpan = 16;
constexpr int CurveSamples = 16;

/// Reads the words of one line after the other.
class PlainReader
{
public:
    explicit PlainReader(std::string_view text) : m_rest(text) {}

    [[nodiscard]] bool nextLine()
    {
        if (m_rest.empty()) return false;
        const std::size_t end = m_rest.find('\n');
        m_line = m_rest.substr(0, end);
        m_rest = end == std::string_view::npos ? std::string_view() : m_rest.substr(end + 1);
        ++m_number;
        return true;
    }

    std::string_view word()
    {
        while (!m_line.empty() && m_line.front() == ' ')
            m_line.remove_prefix(1);
        const std::string_view found = m_line.substr(0, m_line.find(' '));
        m_line.remove_prefix(found.size());
        return found;
    }

    /// False when the next word is no number.
    template <typename Number>
    [[nodiscard]] bool number(Number& value)
    {
        return isNumber(word(), value);
    }

    /// "b12" → 12, if there is such a box.
    [[nodiscard]] bool box(std::size_t boxes, std::int32_t& index)
    {
        const std::string_view name = word();
        return name.starts_with('b') && isNumber(name.substr(1), index) && index >= 0 &&
               static_cast<std::size_t>(index) < boxes;
    }

    [[nodiscard]] Error error(Message message) const
    {
        return {ErrorCode::BadInput, std::move(message), "line " + std::to_string(m_number) + " of dot's answer", ""};
    }

private:
    template <typename Number>
    [[nodiscard]] static bool isNumber(std::string_view text, Number& value)
    {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    }

    std::string_view m_rest;
    std::string_view m_line;
    int m_number = 0;
};

Point onCurve(const Point* p, double t)
{
    const double u = 1 - t;
    const auto blend = [&](double a, double b, double c, double d) {
        return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
    };
    return {blend(p[0].x, p[1].x, p[2].x, p[3].x), blend(p[0].y, p[1].y, p[2].y, p[3].y)};
}

/// A chain of cubic Bézier curves as a polyline.
std::vector<Point> flatten(const std::vector<Point>& control)
{
    if (control.size() < 4) return control;
    std::vector<Point> line = {control.front()};
    for (std::size_t i = 0; i + 3 < control.size(); i += 3) {
        for (int k = 1; k <= CurveSamples; ++k)
            line.push_back(onCurve(&control[i], double(k) / CurveSamples));
    }
    return line;
}

/// A polyline that leaves and arrives vertically at each of its points.
std::vector<Point> rounded(const std::vector<Point>& points)
{
    std::vector<Point> control = {points.front()};
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double middle = (points[i - 1].y + points[i].y) / 2;
        control.insert(control.end(), {{points[i - 1].x, middle}, {points[i].x, middle}, points[i]});
    }
    return flatten(control);
}

class AnswerReader
{
public:
    AnswerReader(std::string_view text, const LayoutProblem& problem) : m_reader(text), m_problem(problem)
    {
        m_layout.centres.resize(problem.boxes.size());
        m_layout.routes.resize(problem.edges.size());
        m_placed.assign(problem.boxes.size(), 0);
        for (std::size_t i = problem.edges.size(); i-- > 0;) {
            m_edges.emplace(std::pair(problem.edges[i].from, problem.edges[i].to), i);
        }
    }

    Result<GraphLayout> run()
    {
        bool complete = false;
        while (!complete && m_reader.nextLine()) {
            const std::string_view kind = m_reader.word();
            if (kind == "graph")
                PLIMSOLL_TRY(readGraph());
            else if (kind == "node")
                PLIMSOLL_TRY(readNode());
            else if (kind == "edge")
                PLIMSOLL_TRY(readEdge());
            else
                complete = kind == "stop";
        }
        if (!complete) return m_reader.error(say("dot.cut-off"));
        for (std::size_t i = 0; i < m_placed.size(); ++i) {
            if (!m_placed[i]) return m_reader.error(say("dot.unplaced", std::to_string(i)));
        }
        std::vector<std::size_t> own; // edges that `dot` was not given pass beside the boxes between
        for (std::size_t i = 0; i < m_problem.edges.size(); ++i) {
            const auto [from, to] = m_problem.edges[i];
            auto& route = m_layout.routes[i];
            if (!route.empty() || from == to) continue;
            const Point a = m_layout.centres[from];
            const Point b = m_layout.centres[to];
            route = {{a.x, a.y + m_problem.boxes[from].height / 2}, {b.x, b.y - m_problem.boxes[to].height / 2}};
            own.push_back(i);
        }
        routeAround(m_problem, own, m_layout);
        for (std::size_t i : own)
            m_layout.routes[i] = rounded(m_layout.routes[i]);
        m_layout.curved = true;
        return std::move(m_layout);
    }

private:
    [[nodiscard]] Point fromInches(double x, double y) const
    {
        return {x * PointsPerInch, m_layout.height - y * PointsPerInch};
    }

    Status readGraph()
    {
        double scale = 0;
        if (!m_reader.number(scale) || !m_reader.number(m_layout.width) || !m_reader.number(m_layout.height)) {
            return m_reader.error(say("dot.size"));
        }
        m_layout.width *= PointsPerInch;
        m_layout.height *= PointsPerInch;
        return {};
    }

    Status readNode()
    {
        std::int32_t box = 0;
        double x = 0;
        double y = 0;
        if (!m_reader.box(m_placed.size(), box) || !m_reader.number(x) || !m_reader.number(y)) {
            return m_reader.error(say("dot.node"));
        }
        m_layout.centres[box] = fromInches(x, y);
        m_placed[box] = 1;
        return {};
    }

    Status readEdge()
    {
        std::int32_t from = 0;
        std::int32_t to = 0;
        int count = 0;
        if (!m_reader.box(m_placed.size(), from) || !m_reader.box(m_placed.size(), to) || !m_reader.number(count)) {
            return m_reader.error(say("dot.edge"));
        }
        std::vector<Point> control;
        for (int i = 0; i < count; ++i) {
            double x = 0;
            double y = 0;
            if (!m_reader.number(x) || !m_reader.number(y)) return m_reader.error(say("dot.points"));
            control.push_back(fromInches(x, y));
        }
        if (const auto entry = m_edges.find({from, to}); entry != m_edges.end()) {
            m_layout.routes[entry->second] = flatten(control);
        }
        return {};
    }

    PlainReader m_reader;
    const LayoutProblem& m_problem;
    GraphLayout m_layout;
    std::vector<char> m_placed;
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> m_edges;
};

/// Widths for `dot`: boxes of a cluster that would be narrower than the narrowest frame are widened to it, since `dot`
/// knows no least width of clusters.
std::vector<double> widthsFor(const LayoutProblem& problem)
{
    constexpr double Least = NarrowestFrame - 2 * FrameAir;
    std::vector<double> widest(problem.clusterParents.size(), 0);
    for (std::size_t i = widest.size(); i-- > 0;) {
        if (problem.clusterParents[i] >= 0) widest[problem.clusterParents[i]] = Least;
    }
    for (std::size_t i = 0; i < problem.clusterOf.size(); ++i) {
        if (problem.clusterOf[i] < 0) continue;
        double& width = widest[problem.clusterOf[i]];
        width = std::max(width, problem.boxes[i].width);
    }
    std::vector<double> widths;
    for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
        const std::int32_t cluster = problem.clusterOf.empty() ? -1 : problem.clusterOf[i];
        const bool narrow = cluster >= 0 && widest[cluster] < Least;
        widths.push_back(narrow ? Least : problem.boxes[i].width);
    }
    return widths;
}

/// Subgraphs inside each other, as the clusters are.
void writeClusters(const LayoutProblem& problem, std::string& text)
{
    // As much air and room for a title as framesOf() takes; `dot` adds something to the height of a label.
    const std::string room = "margin=" + std::to_string(static_cast<int>(FrameAir)) +
                             "; label=\" \"; fontsize=" + std::to_string(static_cast<int>(FrameTitle) - 8) + ";\n";
    const std::size_t count = problem.clusterParents.size();
    std::vector<std::vector<std::size_t>> boxes(count);
    for (std::size_t i = 0; i < problem.clusterOf.size(); ++i) {
        if (problem.clusterOf[i] >= 0) boxes[problem.clusterOf[i]].push_back(i);
    }
    std::vector<std::string> written(count);
    for (std::size_t i = count; i-- > 0;) { // those inside come before those around
        std::string own = "subgraph cluster_" + std::to_string(i) + " { " + room;
        for (std::size_t box : boxes[i])
            own += "b" + std::to_string(box) + ";\n";
        own += written[i] + "}\n";
        const std::int32_t parent = problem.clusterParents[i];
        std::string& around = parent < 0 ? text : written[parent];
        if (!boxes[i].empty() || !written[i].empty()) around += own;
        written[i].clear();
    }
}

} // namespace

std::string writeDot(const LayoutProblem& problem)
{
    const Ranking ranking = rankBoxes(problem);
    char line[160];
    std::snprintf(line, sizeof line, "digraph g {\nranksep=%.3f; nodesep=%.3f; nslimit=2;\n",
                  problem.rankGap / PointsPerInch, problem.boxGap / PointsPerInch);
    std::string text = line;
    text += "node [shape=box, fixedsize=true, label=\"\"]; edge [arrowhead=none, tailport=s, headport=n];\n";
    const std::vector<double> widths = widthsFor(problem);
    for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
        std::snprintf(line, sizeof line, "b%zu [width=%.3f, height=%.3f];\n", i, widths[i] / PointsPerInch,
                      problem.boxes[i].height / PointsPerInch);
        text += line;
    }
    writeClusters(problem, text);
    for (const LayoutEdge& edge : problem.edges) {
        const std::int32_t span = std::abs(ranking.rank[edge.to] - ranking.rank[edge.from]);
        if (edge.from == edge.to || span > LongestSpan) continue;
        std::snprintf(line, sizeof line, "b%d -> b%d;\n", edge.from, edge.to);
        text += line;
    }
    return text + "}\n";
}

Result<GraphLayout> readDotPlain(std::string_view text, const LayoutProblem& problem)
{
    return AnswerReader(text, problem).run();
}

} // namespace plimsoll
