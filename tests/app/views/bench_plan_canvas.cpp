// How fast the plan can be panned. Prints milliseconds of this process a frame, so that a busy machine does not count;
// asserts nothing, since machines differ.
#include "app/views/plan/plan_canvas.h"

#include "tests/core/picture/picture_samples.h"

#include <QApplication>
#include <QImage>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr int Frames = 60;
const QSize Size(1600, 900);

struct Stopwatch
{
    std::clock_t begin = std::clock();
    [[nodiscard]] double ms() const { return 1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC; }
};

double median(std::vector<double> times)
{
    std::nth_element(times.begin(), times.begin() + Frames / 2, times.end());
    return times[Frames / 2];
}

/// Pans back and forth, so that every frame is painted anew.
void measure(PlanCanvas& canvas, const char* what)
{
    std::vector<double> times;
    QImage image(Size, QImage::Format_RGB32);
    for (int i = 0; i < Frames; ++i) {
        QKeyEvent key(QEvent::KeyPress, i % 2 ? Qt::Key_A : Qt::Key_D, Qt::NoModifier);
        const Stopwatch timer;
        QCoreApplication::sendEvent(&canvas, &key);
        canvas.render(&image);
        times.push_back(timer.ms());
    }
    std::printf("  %-22s %6.2f ms a frame (worst %.2f)\n", what, median(times),
                *std::max_element(times.begin(), times.end()));
}

void zoom(PlanCanvas& canvas, int notches)
{
    for (int i = 0; i < notches; ++i) {
        QKeyEvent key(QEvent::KeyPress, Qt::Key_W, Qt::NoModifier);
        QCoreApplication::sendEvent(&canvas, &key);
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    for (const std::size_t count : {1'000, 10'000, 100'000}) {
        const auto report = std::make_shared<const Report>(test::randomReport(count, 1));
        Stopwatch timer;
        const auto colours = test::coloursOf(*report);
        const double colouring = timer.ms();
        PlanCanvas canvas;
        canvas.resize(Size);
        canvas.show();
        timer = {};
        canvas.setReport(report, colours);
        std::printf("%zu bars: colours %.1f ms, picture %.1f ms\n", count, colouring, timer.ms());
        measure(canvas, "everything");
        zoom(canvas, 10);
        measure(canvas, "a tenth of the steps");
        zoom(canvas, 20);
        measure(canvas, "a thousandth");
    }
    return 0;
}
