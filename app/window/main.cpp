#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/views/canvas.h"
#include "app/window/command_line.h"
#include "app/window/help/log.h"
#include "app/window/language.h"
#include "app/window/look/screen_room.h"
#include "app/window/main_window.h"
#include "app/window/screenshot.h"
#include "app/window/tabs/compare_offer.h"
#include "app/window/tabs/document_tabs.h"
#include "core/base/output_file.h"
#include "core/facts/english/english.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <atomic>
#include <cstdio>

namespace {

using namespace plimsoll;
using namespace plimsoll::app;

/// Before QApplication: a picture needs no display, and where there is none only pictures can be made.
void choosePlatform(const QStringList& arguments)
{
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) return;
    const bool display = !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    for (const QString& argument : arguments) {
        for (const char* option : {"--screenshot", "--picture", "--whole-picture", "--table", "--json"})
            if (!display && argument.startsWith(QLatin1String(option))) qputenv("QT_QPA_PLATFORM", "offscreen");
    }
}

/// Who hears what Qt says, while there is a window.
std::atomic<Log*> listener = nullptr;

void hear(QtMsgType, const QMessageLogContext&, const QString& text)
{
    // The offscreen platform says this of every window that has a smallest size. It is not news.
    if (text.contains(QStringLiteral("does not support propagateSizeHints"))) return;
    std::fprintf(stderr, "%s\n", qPrintable(text));
    if (Log* log = listener) // maybe of another thread
        QMetaObject::invokeMethod(
            log, [log, text] { log->add(QStringLiteral("Warning of Qt"), QStringLiteral("Qt: ") + text); },
            Qt::QueuedConnection);
}

/// Standard input as a file that can be read again; empty where it cannot be kept.
QString keptInput()
{
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
    const QString path = folder.filePath(QStringLiteral("standard-input"));
    QFile input;
    if (!folder.mkpath(QStringLiteral(".")) || !input.open(stdin, QIODevice::ReadOnly)) return {};
    const Status kept = writeFile(path.toStdString(), input.readAll().toStdString());
    if (!kept.ok()) std::fprintf(stderr, "plimsoll: %s\n", describe(kept.error()).c_str());
    return kept.ok() ? path : QString();
}

int ended(int status)
{
    listener = nullptr;
    return status;
}

QString given(const QString& file)
{
    return file == QStringLiteral("-") ? keptInput() : file;
}

/// A window by itself, that is never seen.
int startPicture(const CommandLine& line, const Settings& settings)
{
    Workbench bench {Engine()};
    MainWindow window(bench, settings);
    if (line.verbose) window.log().printToo();
    listener = &window.log();
    window.setTheme(line.theme.value_or(ThemeChoice::Light));
    if (const QString file = given(line.file); !file.isEmpty()) window.open(file, line.choices, line.plan);
    return ended(takeScreenshot(window, bench, line));
}

/// What is asked for of the first file.
void showAsked(MainWindow& page, const CommandLine& line)
{
    if (line.view.isEmpty() && line.select.isEmpty()) return;
    QObject::connect(
        &page.bench().session, &Session::reportChanged, &page,
        [&page, line] {
            if (!line.select.isEmpty()) page.select(line.select);
            if (!line.view.isEmpty()) page.showView(line.view);
        },
        Qt::SingleShotConnection);
}

int startWindow(const CommandLine& line, const Settings& settings)
{
    DocumentTabs tabs(settings);
    if (line.verbose) tabs.log().printToo();
    listener = &tabs.log();
    if (line.theme) tabs.current().setTheme(*line.theme);
    tabs.keepSafeIn(safeFolder());
    QList<MainWindow*> pages;
    if (const QString file = given(line.file); !file.isEmpty()) pages << &tabs.open(file, line.choices, line.plan);
    for (const QString& other : line.others)
        pages << &tabs.open(given(other), line.choices, {});
    if (pages.size() == 2) offerComparison(*pages.first(), *pages.last());
    tabs.setCurrentIndex(0);
    showAsked(tabs.current(), line);
    tabs.fitInto(screenRoom(tabs));
    tabs.show();
    return ended(QApplication::exec());
}

int start(const CommandLine& line)
{
    const bool picture = writes(line);
    const Settings settings(!picture);
    const QString unasked = picture ? QStringLiteral("en") : settings.language();
    const SpokenLanguage language(line.language.isEmpty() ? unasked : line.language);
    return picture ? startPicture(line, settings) : startWindow(line, settings);
}

} // namespace

int main(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const Result<CommandLine> line = parseCommandLine(arguments);
    if (!line.ok()) {
        std::fprintf(stderr, "plimsoll: %s\n", english(line.error().message).c_str());
        return 2;
    }
    if (line.value().help) {
        std::fputs(qPrintable(usageText()), stdout);
        return 0;
    }
    if (line.value().version) {
        std::puts("plimsoll " PLIMSOLL_VERSION);
        return 0;
    }
    choosePlatform(arguments);
    qInstallMessageHandler(hear);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("plimsoll"));
    QApplication::setApplicationDisplayName(QStringLiteral("Plimsoll"));
    QApplication::setApplicationVersion(QStringLiteral(PLIMSOLL_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("io.github.plimsoll.Plimsoll"));
    installCanvasAccessibility();
    return start(line.value());
}
