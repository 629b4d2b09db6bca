// Opens files in a window that nobody sees, and prints when each plan was painted, the longest tasks of the window's
// thread, and what panning and stepping take: the latter in processor time of that thread, which a busy machine hardly
// changes.
//     QT_QPA_PLATFORM=offscreen build/bench/bench_window FILE…       one process for each file tells its own memory

#include "app/models/large_report.h"
#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/views/canvas.h"
#include "app/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QTemporaryDir>
#include <QTimer>

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr int LongestWaitMs = 120'000;

/// Processor time of the window's thread so far.
double threadMs()
{
    timespec time {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// One event that the window's thread dealt with, and all that this led to.
struct LongTask
{
    double ms = 0;
    double atMs = 0; ///< Since the file was opened.
    std::string what;
};

/// Measures every event from outside.
class MeasuredApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0) return QApplication::notify(receiver, event);
        const std::string what = std::string(receiver->metaObject()->className()) + " " +
                                 receiver->objectName().toStdString() + ", event " + std::to_string(event->type());
        const bool paints = event->type() == QEvent::UpdateRequest || event->type() == QEvent::Paint;
        const double before = threadMs();
        ++m_depth;
        const bool done = QApplication::notify(receiver, event);
        --m_depth;
        tasks.push_back({threadMs() - before, static_cast<double>(sinceOpened.elapsed()), what});
        if (paints && drawn && paintedMs < 0) paintedMs = static_cast<double>(sinceOpened.elapsed());
        return done;
    }

    QElapsedTimer sinceOpened;
    bool drawn = false; ///< The canvas has its picture.
    double paintedMs = -1;
    std::vector<LongTask> tasks;

private:
    int m_depth = 0;
};

/// VmHWM: the most memory this process ever had, in MiB; -1 where the system does not tell.
long peakResidentMiB()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        long kib = -1;
        if (word == "VmHWM:" && status >> kib) return kib / 1024;
    }
    return -1;
}

template <typename Done>
void waitUntil(Done done)
{
    QElapsedTimer all;
    all.start();
    while (!done() && all.elapsed() < LongestWaitMs) {
        QEventLoop loop;
        QTimer::singleShot(5, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

/// The slowest and the middle one of so many presses of a key, each with the picture that it leads to.
void benchKey(Canvas& canvas, int key, const char* what)
{
    constexpr int Presses = 31;
    std::vector<double> times;
    for (int i = 0; i < Presses; ++i) {
        const double before = threadMs();
        QKeyEvent press(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(&canvas, &press);
        canvas.repaint();
        times.push_back(threadMs() - before);
    }
    std::ranges::sort(times);
    std::printf("  %-12s %8.1f ms in the middle, %8.1f ms at most\n", what, times[Presses / 2], times.back());
}

/// What is done beside the window: how long it takes, and the longest task of the window's thread meanwhile.
void benchJob(MeasuredApplication& application, const char* name, const std::function<void()>& start,
              const std::function<bool()>& done)
{
    application.sinceOpened.start();
    application.tasks.clear();
    const double before = threadMs();
    start();
    const double begun = threadMs() - before;
    waitUntil(done);
    double longest = begun;
    for (const LongTask& task : application.tasks)
        longest = std::max(longest, task.ms);
    std::printf("  %-17s %6.0f ms, %8.1f ms of the window's thread at once\n", name,
                static_cast<double>(application.sinceOpened.elapsed()), longest);
}

void benchFile(MeasuredApplication& application, const char* file)
{
    Workbench bench {Engine()};
    bench.session.setAsksForOffers(false);
    const Settings settings(false);
    MainWindow window(bench, settings);
    window.resize(1400, 900);
    window.show();
    auto* const canvas = window.findChild<Canvas*>(QStringLiteral("plan"));
    application.drawn = false;
    application.paintedMs = -1;
    double plannedMs = -1;
    QObject::connect(&bench.session, &Session::reportChanged, &window, [&] {
        plannedMs = static_cast<double>(application.sinceOpened.elapsed());
        application.drawn = !isLarge(*bench.session.report()); // else the canvas says when
    });
    QObject::connect(canvas, &Canvas::statusChanged, &window,
                     [&](const QString& text) { application.drawn = text.isEmpty() && bench.session.report(); });
    application.sinceOpened.start();
    application.tasks.clear();
    window.open(QString::fromLocal8Bit(file));
    waitUntil([&] { return application.paintedMs >= 0 || bench.session.error(); });
    const long memory = peakResidentMiB();
    waitUntil([&] { return window.settled(); });
    std::printf("%s\n  planned after %.0f ms, painted after %.0f ms, %ld MiB at most by then\n", file, plannedMs,
                application.paintedMs, memory);
    std::ranges::sort(application.tasks, std::greater<>(), &LongTask::ms);
    for (std::size_t i = 0; i < std::min<std::size_t>(6, application.tasks.size()); ++i) {
        const LongTask& task = application.tasks[i];
        std::printf("  task of %8.1f ms, until %7.0f ms: %s\n", task.ms, task.atMs, task.what.c_str());
    }
    if (!bench.session.report()) return;
    benchJob(
        application, "match with itself", [&] { bench.session.comparison().compareWith(bench.session.file()); },
        [&] { return bench.session.comparison().shown().matches != nullptr; });
    const QTemporaryDir folder;
    const QString session = folder.filePath(QStringLiteral("bench.plimsoll"));
    auto* const document = window.findChild<Document*>();
    benchJob(
        application, "save", [&] { (void)document->save(session); }, [&] { return document->file() == session; });
    canvas->setFocus();
    benchKey(*canvas, Qt::Key_W, "zoom");
    benchKey(*canvas, Qt::Key_D, "pan");
    benchKey(*canvas, Qt::Key_BracketRight, "step");
}

} // namespace

int main(int count, char** arguments)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // told as it is known, in a file too
    MeasuredApplication application(count, arguments);
    installCanvasAccessibility();
    for (int i = 1; i < count; ++i)
        benchFile(application, arguments[i]);
    std::_Exit(0); // not behind the plans that are still being priced
}
