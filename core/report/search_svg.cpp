#include "core/report/search_svg.h"

#include "core/base/bytes.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/picture/search_axes.h"
#include "core/report/escape.h"
#include "core/report/svg_scale.h"

#include <cmath>

namespace plimsoll {
namespace {

constexpr SvgFrame Frame {96, 24, 1080, 200};
constexpr double Width = 1200;
constexpr double Height = 252;
constexpr int ByteLabels = 5;

class SearchSvg
{
public:
    explicit SearchSvg(const SearchRecord& record) : m_record(record), m_axes(searchAxes(record, 0)) {}

    std::string draw()
    {
        m_text = "<svg viewBox=\"0 0 " + decimal(Width) + " " + decimal(Height) + "\" width=\"" + decimal(Width) +
                 "\" height=\"" + decimal(Height) +
                 "\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\">\n<title>Best plan and proved bound over "
                 "the time of the search</title>\n";
        m_text += "<clipPath id=\"search-frame\"><rect x=\"" + decimal(Frame.x) + "\" y=\"" + decimal(Frame.y) +
                  "\" width=\"" + decimal(Frame.width) + "\" height=\"" + decimal(Frame.height) + "\"/></clipPath>\n";
        axes();
        const std::string best = stairs([](const Incumbent& entry) { return entry.peakBytes; });
        const std::string bound = stairs([](const Incumbent& entry) { return entry.boundBytes; });
        m_text += "<g clip-path=\"url(#search-frame)\">\n<path d=\"" + bound +
                  "\" fill=\"none\" class=\"lbound\" stroke-dasharray=\"6 4\"/>\n<path d=\"" + best +
                  "\" fill=\"none\" class=\"lcurve\" stroke-width=\"2\"/>\n";
        dots();
        m_text += "</g>\n</svg>\n";
        return std::move(m_text);
    }

private:
    [[nodiscard]] double xOf(double seconds) const { return Frame.x + Frame.width * m_axes.timeShare(seconds); }
    [[nodiscard]] double yOf(double bytes) const { return Frame.y + Frame.height * (1 - m_axes.byteShare(bytes)); }

    void line(double x1, double y1, double x2, double y2)
    {
        m_text += "<line x1=\"" + decimal(x1) + "\" y1=\"" + decimal(y1) + "\" x2=\"" + decimal(x2) + "\" y2=\"" +
                  decimal(y2) + "\" fill=\"none\" class=\"lgrid\"/>\n";
    }

    void label(double x, double y, std::string_view anchor, std::string_view role, std::string_view text)
    {
        m_text += "<text x=\"" + decimal(x) + "\" y=\"" + decimal(y) + "\" text-anchor=\"" + std::string(anchor) +
                  "\" class=\"" + std::string(role) + "\">" + escapeXml(text) + "</text>\n";
    }

    void axes()
    {
        m_text += "<rect x=\"" + decimal(Frame.x) + "\" y=\"" + decimal(Frame.y) + "\" width=\"" +
                  decimal(Frame.width) + "\" height=\"" + decimal(Frame.height) + "\" class=\"panel\"/>\n";
        const double bottom = Frame.y + Frame.height;
        for (double decade = std::ceil(std::log10(m_axes.firstSeconds)); decade <= std::log10(m_axes.lastSeconds);
             ++decade) {
            const double x = xOf(std::pow(10.0, decade));
            line(x, Frame.y, x, bottom);
            label(x, bottom + 16, "middle", "muted", durationText(std::pow(10.0, decade)));
        }
        const double distance = (m_axes.highBytes - m_axes.lowBytes) / (ByteLabels + 1);
        for (int tick = 1; tick <= ByteLabels; ++tick) {
            const double bytes = m_axes.lowBytes + tick * distance;
            line(Frame.x, yOf(bytes), Frame.x + Frame.width, yOf(bytes));
            const auto whole = static_cast<std::int64_t>(std::llround(bytes));
            label(Frame.x - 6, yOf(bytes) + 4, "end", "muted", bytesText(whole));
        }
        label(Frame.x, Frame.y - 8, "start", "text",
              spoken("Best plan so far, and (dashed) what no plan is below, over the time of the search"));
    }

    /// Counted where rounded sizes of neighbouring labels would read alike.
    [[nodiscard]] std::string bytesText(std::int64_t bytes) const
    {
        constexpr double NarrowSpan = 0.02;
        const bool narrow = m_axes.highBytes - m_axes.lowBytes < NarrowSpan * m_axes.highBytes;
        return narrow ? formatCount(bytes) : formatBytes(bytes);
    }

    /// The last corner goes on to the end of the plot.
    template <typename BytesOf>
    [[nodiscard]] std::string stairs(BytesOf bytesOf) const
    {
        std::string path;
        for (const Incumbent& entry : m_record.history) {
            const std::string x = decimal(xOf(entry.seconds));
            const std::string y = decimal(yOf(static_cast<double>(bytesOf(entry))));
            path += path.empty() ? "M" + x + " " + y : "H" + x + "V" + y;
        }
        return path + "H" + decimal(Frame.x + Frame.width);
    }

    void dots()
    {
        for (const Incumbent& entry : m_record.history) {
            m_text += "<circle cx=\"" + decimal(xOf(entry.seconds)) + "\" cy=\"" +
                      decimal(yOf(static_cast<double>(entry.peakBytes))) + "\" r=\"3\" class=\"curve\"><title>" +
                      escapeXml(english(say("picture.found", word::Size {entry.peakBytes}, durationText(entry.seconds),
                                            entry.member))) +
                      "</title></circle>\n";
        }
    }

    const SearchRecord& m_record;
    SearchAxes m_axes;
    std::string m_text;
};

} // namespace

std::string searchSvg(const SearchRecord& record)
{
    return record.history.size() < 2 ? std::string() : SearchSvg(record).draw();
}

} // namespace plimsoll
