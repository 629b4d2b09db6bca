#include "core/report/plan_svg.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/english/english.h"
#include "core/picture/bar_chains.h"
#include "core/report/escape.h"
#include "core/report/svg_hatch.h"
#include "core/report/svg_scale.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::size_t MostBars = 8'000; ///< Each is up to two shapes and, while they are few, a label.
constexpr std::size_t MostLabels = 1'500;
constexpr std::size_t MostMarks = 1'000;

constexpr SvgFrame PlanFrame {96, 24, 1080, 460};
constexpr SvgFrame CurveFrame {96, 520, 1080, 130};
constexpr double Width = 1200;
constexpr double Height = 700;

/// A rectangle in pixels with what it stands for.
struct Shape
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    const PlanBar* bar = nullptr;
};

/// Bars up to where another of their storage goes on in the same bytes.
std::vector<Shape> clipped(const std::vector<Shape>& bars)
{
    std::vector<Shape> own;
    std::map<StorageId, std::size_t> latest;
    for (const Shape& bar : bars) {
        const auto [at, isNew] = latest.try_emplace(bar.bar->storage, own.size());
        Shape* const before = isNew ? nullptr : &own[at->second];
        if (before && before->bar->bytes == bar.bar->bytes) before->width = std::min(before->width, bar.x - before->x);
        at->second = own.size();
        own.push_back(bar);
    }
    return own;
}

/// What a name has to itself: a bar, or a chain of short ones.
std::vector<Shape> namedShapes(std::vector<Shape> bars)
{
    constexpr double Short = 60;
    std::erase_if(bars, [](const Shape& shape) { // whose hatch says what they are
        return !shape.bar->value.valid() && shape.bar->pattern != Pattern::Scratch;
    });
    std::vector<Shape> named;
    std::vector<Shape> shortBars;
    std::vector<const PlanBar*> asked;
    for (const Shape& bar : clipped(bars)) {
        if (bar.width >= Short) {
            named.push_back(bar);
        } else {
            shortBars.push_back(bar);
            asked.push_back(bar.bar);
        }
    }
    for (const BarChain& chain : chainsOf(asked)) {
        const Shape& last = shortBars[chain.last];
        named.push_back(shortBars[chain.first]);
        named.back().width = last.x + last.width - named.back().x;
    }
    return named;
}

class PlanSvg
{
public:
    PlanSvg(const Report& report, SvgInk ink)
        : m_report(report), m_ink(ink), m_picture(makePlanPicture(report, colourStorages(report.program)))
    {
        m_steps = std::max<std::int64_t>(m_picture.steps, 1);
        m_bytes = std::max<std::int64_t>(m_picture.heightBytes, 1);
        std::int64_t most = std::max(m_picture.peakBytes, report.memory.peakBytes);
        m_curveBytes = std::max<std::int64_t>({most, m_picture.lowerBoundBytes, 1});
    }

    std::string draw()
    {
        open();
        axes();
        operators();
        bars();
        legend();
        waits();
        lanes();
        turns();
        marks();
        curve();
        caption();
        m_text += "</svg>\n";
        return std::move(m_text);
    }

private:
    void open();
    void axes();
    void operators();
    void bars();
    void legend();
    void lanes();
    void reserved(const PlanLane& lane);
    void waits();
    void turns();
    void marks();
    void curve();
    void caption();

    [[nodiscard]] std::vector<Shape> shapes(double grid) const;
    void drawBar(const Shape& shape);
    void drawName(const Shape& shape);
    void rect(double x, double y, double width, double height, const std::string& paint, const std::string& title = {});
    void line(double x1, double y1, double x2, double y2, std::string_view role, bool dashed = false);
    void label(double x, double y, std::string_view anchor, std::string_view role, std::string_view text);

    [[nodiscard]] std::string fill(std::string_view role) const;
    [[nodiscard]] std::string stroke(std::string_view role) const;
    [[nodiscard]] double xOf(const SvgFrame& frame, std::int64_t step) const
    {
        return frame.x + frame.width * static_cast<double>(step) / static_cast<double>(m_steps);
    }
    [[nodiscard]] double yOf(std::int64_t stackedByte) const
    {
        return PlanFrame.y + PlanFrame.height * (1 - static_cast<double>(stackedByte) / static_cast<double>(m_bytes));
    }
    [[nodiscard]] double curveY(std::int64_t bytes) const
    {
        return CurveFrame.y + CurveFrame.height * (1 - static_cast<double>(bytes) / static_cast<double>(m_curveBytes));
    }

    const Report& m_report;
    SvgInk m_ink;
    PlanPicture m_picture;
    std::int64_t m_steps = 1;
    std::int64_t m_bytes = 1;
    std::int64_t m_curveBytes = 1;
    std::size_t m_drawn = 0;
    std::string m_text;
};

std::string PlanSvg::fill(std::string_view role) const
{
    if (m_ink == SvgInk::Classes) return " class=\"" + std::string(role) + "\"";
    return " fill=\"" + hex(roleColour(palette(Theme::Light), role)) + "\"";
}

std::string PlanSvg::stroke(std::string_view role) const
{
    if (m_ink == SvgInk::Classes) return " fill=\"none\" class=\"l" + std::string(role) + "\"";
    return " fill=\"none\" stroke=\"" + hex(roleColour(palette(Theme::Light), role)) + "\"";
}

void PlanSvg::rect(double x, double y, double width, double height, const std::string& paint, const std::string& title)
{
    m_text += "<rect x=\"" + decimal(x) + "\" y=\"" + decimal(y) + "\" width=\"" + decimal(width) + "\" height=\"" +
              decimal(height) + "\"" + paint;
    m_text += title.empty() ? "/>\n" : "><title>" + escapeXml(title) + "</title></rect>\n";
}

void PlanSvg::line(double x1, double y1, double x2, double y2, std::string_view role, bool dashed)
{
    m_text += "<line x1=\"" + decimal(x1) + "\" y1=\"" + decimal(y1) + "\" x2=\"" + decimal(x2) + "\" y2=\"" +
              decimal(y2) + "\"" + stroke(role) + (dashed ? " stroke-dasharray=\"6 4\"" : "") + "/>\n";
}

void PlanSvg::label(double x, double y, std::string_view anchor, std::string_view role, std::string_view text)
{
    m_text += "<text x=\"" + decimal(x) + "\" y=\"" + decimal(y) + "\" text-anchor=\"" + std::string(anchor) + "\"" +
              fill(role) + ">" + escapeXml(text) + "</text>\n";
}

void PlanSvg::open()
{
    m_text += m_ink == SvgInk::Literal
                  ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""
                  : "<svg";
    m_text += " viewBox=\"0 0 " + decimal(Width) + " " + decimal(Height) + "\" width=\"" + decimal(Width) +
              "\" height=\"" + decimal(Height) +
              "\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n<title>" +
              escapeXml(english(say("picture.title", m_report.program.graph->name))) + "</title>\n";
    if (m_ink == SvgInk::Literal) rect(0, 0, Width, Height, fill("background"));
}

void PlanSvg::axes()
{
    for (const SvgFrame& frame : {PlanFrame, CurveFrame}) {
        rect(frame.x, frame.y, frame.width, frame.height, fill("panel"));
        for (const std::int64_t step : ticks(m_steps, 10))
            line(xOf(frame, step), frame.y, xOf(frame, step), frame.y + frame.height, "grid");
    }
    for (const PlanLane& lane : m_picture.lanes) {
        const auto wanted = static_cast<int>(8 * static_cast<double>(lane.extent) / static_cast<double>(m_bytes)) + 1;
        for (const std::int64_t byte : byteTicks(lane.extent, wanted)) {
            line(PlanFrame.x, yOf(lane.base + byte), PlanFrame.x + PlanFrame.width, yOf(lane.base + byte), "grid");
            label(PlanFrame.x - 6, yOf(lane.base + byte) + 4, "end", "muted", formatBytes(byte));
        }
    }
    for (const std::int64_t byte : byteTicks(m_curveBytes, 3))
        label(CurveFrame.x - 6, curveY(byte) + 4, "end", "muted", formatBytes(byte));
    for (const std::int64_t step : ticks(m_steps, 10)) {
        label(xOf(CurveFrame, step), CurveFrame.y + CurveFrame.height + 16, "middle", "muted", formatCount(step));
    }
    label(PlanFrame.x, PlanFrame.y - 8, "start", "text",
          spoken("Address over steps: a rectangle for each value while its bytes matter"));
    label(CurveFrame.x, CurveFrame.y - 8, "start", "text", spoken("Live bytes at each step"));
}

/// Under every so many steps the operator that runs there; all of them where there is room.
void PlanSvg::operators()
{
    constexpr double NameWidth = 56;
    const double wide = PlanFrame.width / static_cast<double>(m_steps);
    const auto every = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(NameWidth / wide)));
    const double y = PlanFrame.y + PlanFrame.height + 12;
    const std::vector<Step>& steps = m_report.program.schedule.steps;
    for (std::int64_t at = 0; at < std::min<std::int64_t>(m_steps, std::ssize(steps)); at += every) {
        const NodeId node = steps[static_cast<std::size_t>(at)].node;
        if (!node.valid()) continue;
        const std::string name = std::string(passMark(m_report, node)) + (*m_report.program.graph)[node].op;
        const double middle = (xOf(PlanFrame, at) + xOf(PlanFrame, at + 1)) / 2;
        label(middle, y, "middle", "muted", shortened(name, static_cast<std::size_t>(wide * double(every) / 6)));
        if (every > 1) line(middle, y - 11, middle, y - 8, "muted");
    }
}

/// Bars in pixels. With a grid above 0 they are rounded outwards to it, and those that become equal are one.
std::vector<Shape> PlanSvg::shapes(double grid) const
{
    std::vector<Shape> all;
    std::map<std::tuple<double, double, double, double>, std::size_t> known;
    for (const PlanBar& bar : m_picture.bars) {
        const Interval bytes = stackedBytes(m_picture, bar);
        if (bar.steps.empty() || bytes.empty()) continue;
        double left = xOf(PlanFrame, bar.steps.begin);
        double right = xOf(PlanFrame, bar.steps.end);
        double top = yOf(bytes.end);
        double bottom = yOf(bytes.begin);
        if (grid > 0) {
            left = std::floor(left / grid) * grid;
            right = std::ceil(right / grid) * grid;
            top = std::floor(top / grid) * grid;
            bottom = std::ceil(bottom / grid) * grid;
            const auto [same, isNew] = known.try_emplace({left, right, top, bottom}, all.size());
            if (!isNew) continue;
        }
        all.push_back({left, top, right - left, bottom - top, &bar});
    }
    return all;
}

std::string colourRole(const PlanBar& bar)
{
    return bar.colour == NoColour ? "external" : "s" + std::to_string(bar.colour);
}

void PlanSvg::drawBar(const Shape& shape)
{
    const PlanBar& bar = *shape.bar;
    std::string paint = fill(colourRole(bar));
    if (shape.width > 3 && shape.height > 3) {
        paint += m_ink == SvgInk::Classes
                     ? std::string(" stroke-width=\"0.5\"")
                     : " stroke-width=\"0.5\" stroke=\"" + hex(palette(Theme::Light).outline) + "\"";
        if (bar.output) paint += " stroke-dasharray=\"3 2\"";
    }
    rect(shape.x, shape.y, shape.width, shape.height, paint, english(barDescription(m_report, bar)));
    const std::string hatch = hatchPath(bar.pattern, {shape.x, shape.y, shape.width, shape.height});
    if (!hatch.empty())
        m_text += "<path d=\"" + hatch + "\" stroke-opacity=\"0.45\" pointer-events=\"none\"" + stroke("text") + "/>\n";
}

void PlanSvg::drawName(const Shape& shape)
{
    if (shape.width < 36 || shape.height < 12) return;
    const PlanBar& bar = *shape.bar;
    const auto most = static_cast<std::size_t>(shape.width / 6.5);
    std::string name = barLabel(m_report, bar);
    // Long names are paths, and their end tells more than their beginning.
    if (name.size() > most && name.find('/') != std::string::npos) name = name.substr(name.rfind('/') + 1);
    name = shortened(name, most);
    label(shape.x + 3, shape.y + shape.height / 2 + 4, "start", "on-" + colourRole(bar), name);
}

void PlanSvg::bars()
{
    std::vector<Shape> all = shapes(0);
    for (double grid = 1; all.size() > MostBars; grid *= 2)
        all = shapes(grid);
    m_drawn = all.size();
    for (const Shape& shape : all)
        drawBar(shape);
    if (all.size() > MostLabels) return;
    for (const Shape& shape : namedShapes(all))
        drawName(shape);
}

/// What is seen of patterns and outlines, from the right.
void PlanSvg::legend()
{
    struct Sign
    {
        std::string_view name;
        Pattern pattern = Pattern::Plain;
        std::string look {};
    };
    const auto seen = [&](auto&& holds) { return std::ranges::any_of(m_picture.bars, holds); };
    std::vector<Sign> signs;
    const auto isError = [](const FindingMark& mark) { return mark.severity == Severity::Error; };
    if (std::ranges::any_of(m_picture.findings, isError))
        signs.push_back({spoken("broken rule"), Pattern::Plain, stroke("violation") + " stroke-width=\"2\""});
    for (const Pattern pattern :
         {Pattern::Scratch, Pattern::Rounding, Pattern::Padding, Pattern::View, Pattern::InPlace})
        if (seen([&](const PlanBar& bar) { return bar.pattern == pattern; }))
            signs.push_back({spoken(patternName(pattern)), pattern, stroke("outline")});
    if (seen([](const PlanBar& bar) { return bar.output; }))
        signs.push_back({spoken("output"), Pattern::Plain, stroke("outline") + " stroke-dasharray=\"3 2\""});
    double right = PlanFrame.x + PlanFrame.width;
    for (const Sign& sign : signs) {
        const PixelRect area {right - 6 * static_cast<double>(sign.name.size()) - 22, PlanFrame.y - 18, 16, 11};
        rect(area.x, area.y, area.width, area.height, sign.look);
        label(area.x + area.width + 5, PlanFrame.y - 8, "start", "muted", sign.name);
        const std::string hatch = hatchPath(sign.pattern, area);
        if (!hatch.empty()) m_text += "<path d=\"" + hatch + "\" stroke-opacity=\"0.6\"" + stroke("text") + "/>\n";
        right = area.x - 12;
    }
}

/// Beneath the lines of its lane.
void PlanSvg::reserved(const PlanLane& lane)
{
    for (const ReservedBytes& region : lane.reserved) {
        const Interval shown = intersection(region.bytes, {0, lane.extent});
        if (shown.empty()) continue;
        const double top = yOf(lane.base + shown.end);
        const PixelRect area {PlanFrame.x, top, PlanFrame.width, yOf(lane.base + shown.begin) - top};
        rect(area.x, area.y, area.width, area.height, stroke("outline"), region.why);
        m_text +=
            "<path d=\"" + hatchPath(Pattern::InPlace, area) + "\" stroke-opacity=\"0.45\"" + stroke("text") + "/>\n";
    }
}

void PlanSvg::lanes()
{
    for (const PlanLane& lane : m_picture.lanes) {
        reserved(lane);
        const double top = yOf(lane.base + lane.extent);
        rect(PlanFrame.x, top, PlanFrame.width, yOf(lane.base) - top, stroke("outline"));
        const double bound = yOf(lane.base + std::min(lane.lowerBoundBytes, lane.extent));
        line(PlanFrame.x, bound, PlanFrame.x + PlanFrame.width, bound, "bound", true);
        if (lane.capacityBytes && *lane.capacityBytes < lane.extent) {
            const double capacity = yOf(lane.base + std::max<std::int64_t>(*lane.capacityBytes, 0));
            line(PlanFrame.x, capacity, PlanFrame.x + PlanFrame.width, capacity, "violation", true);
        }
        if (m_picture.lanes.size() > 1) label(PlanFrame.x + PlanFrame.width - 4, top - 5, "end", "text", lane.title);
    }
}

/// Behind bars: up to where every stream may have the bytes.
void PlanSvg::waits()
{
    constexpr double SmallestWait = 6;
    std::size_t drawn = 0;
    for (const WaitMark& mark : m_picture.waits) {
        const std::int64_t base = m_picture.lanes[static_cast<std::size_t>(mark.lane)].base;
        const double left = xOf(PlanFrame, mark.steps.begin);
        const double right = xOf(PlanFrame, mark.steps.end);
        const double top = yOf(base + mark.bytes.end);
        const double bottom = yOf(base + mark.bytes.begin);
        if (right - left < SmallestWait || bottom - top < SmallestWait || drawn++ >= MostMarks) continue;
        line(left, (top + bottom) / 2, right, (top + bottom) / 2, "bound", true);
        line(right, (top + bottom) / 2 - 3, right, (top + bottom) / 2 + 3, "bound");
    }
}

/// Names that would stand over one another are left out; the lines are not.
void PlanSvg::turns()
{
    constexpr double NameWidth = 60;
    double free = PlanFrame.x;
    for (const PassTurn& turn : m_picture.turns) {
        const double x = xOf(PlanFrame, turn.step);
        line(x, PlanFrame.y, x, PlanFrame.y + PlanFrame.height, "text", true);
        if (x < free) continue;
        label(x + 4, PlanFrame.y + 12, "start", "text", spoken(turn.backward ? "backward" : "forward"));
        free = x + NameWidth;
    }
}

void PlanSvg::marks()
{
    std::size_t drawn = 0;
    for (const FindingMark& mark : m_picture.findings) {
        if (mark.lane < 0 || mark.severity == Severity::Advice || drawn++ >= MostMarks) continue;
        const std::int64_t base = m_picture.lanes[static_cast<std::size_t>(mark.lane)].base;
        const double left = xOf(PlanFrame, mark.steps.begin);
        const double top = yOf(base + mark.bytes.end);
        const double width = std::max(xOf(PlanFrame, mark.steps.end) - left, 2.0);
        const double height = std::max(yOf(base + mark.bytes.begin) - top, 2.0);
        const bool error = mark.severity == Severity::Error;
        rect(left, top, width, height, stroke(error ? "violation" : "warning") + " stroke-width=\"2\"",
             english(m_report.verdict.findings[mark.finding].message));
    }
}

void PlanSvg::curve()
{
    const double bottom = CurveFrame.y + CurveFrame.height;
    const std::size_t steps = m_picture.liveBytes.size();
    const std::size_t columns = std::min<std::size_t>(steps, static_cast<std::size_t>(CurveFrame.width));
    std::string path = "M" + decimal(CurveFrame.x) + " " + decimal(bottom);
    for (std::size_t c = 0; c < columns; ++c) {
        const std::size_t first = c * steps / columns;
        const std::size_t last = (c + 1) * steps / columns;
        std::int64_t most = 0;
        for (std::size_t s = first; s < last; ++s)
            most = std::max(most, m_picture.liveBytes[s]);
        path += "V" + decimal(curveY(most)) + "H" + decimal(xOf(CurveFrame, static_cast<std::int64_t>(last)));
    }
    m_text += "<path d=\"" + path + "V" + decimal(bottom) + "Z\"" + fill("curve-fill") + "/>\n";
    m_text += "<path d=\"" + path + "\"" + stroke("curve") + "/>\n";
    line(CurveFrame.x, curveY(m_report.memory.lowerBoundBytes), CurveFrame.x + CurveFrame.width,
         curveY(m_report.memory.lowerBoundBytes), "bound", true);
    line(CurveFrame.x, curveY(m_report.memory.peakBytes), CurveFrame.x + CurveFrame.width,
         curveY(m_report.memory.peakBytes), "outline");
}

void PlanSvg::caption()
{
    const std::size_t bars = m_picture.bars.size();
    label(PlanFrame.x, Height - 12, "start", "muted",
          english(say("picture.caption", m_report.memory.peakBytes, m_report.memory.lowerBoundBytes,
                      m_report.memory.noReuseBytes, bars,
                      m_drawn < bars ? say("picture.drawn-as", m_drawn) : Message())));
}

} // namespace

std::string planSvg(const Report& report, SvgInk ink)
{
    return PlanSvg(report, ink).draw();
}

} // namespace plimsoll
