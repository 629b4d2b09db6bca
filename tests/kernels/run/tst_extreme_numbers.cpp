#include "core/facts/english/english.h"
#include "core/facts/words/verdict.h"
#include "core/ops/op_schema.h"
#include "core/pipeline/pipeline.h"
#include "kernels/kernel.h"
#include "kernels/run/catalogue.h"
#include "kernels/run/executor.h"
#include "tests/support/first_seed.h"
#include "tests/support/graph_text.h"

#include <QDate>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <array>
#include <csignal>
#include <random>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace plimsoll;

/// No number of a file stops planning or a run: each number of each operator, its attributes, sizes and known elements,
/// is replaced by numbers that no model has. What comes of it is an error with its place or a run that equals its
/// oracle, within a second. operator_nodes.txt has the nodes.
///
/// A sample is taken; PLIMSOLL_ALL=1 takes all, PLIMSOLL_ONLY=Conv those of one operator.
class tst_ExtremeNumbers : public QObject
{
    Q_OBJECT

private slots:
    void everyRowWithAKernelHasANode();
    void nothingStopsAtANumber();
};

namespace {

constexpr std::int64_t MostBytes = std::int64_t {32} << 20; ///< Of a run: more is honest work for more than a second.

const QStringList Whole = {"0",
                           "1",
                           "-1",
                           "2147483647",
                           "-2147483648",
                           "2147483648",
                           "1099511627776",
                           "9223372036854775807",
                           "-9223372036854775808"};
const QStringList Real = {"0.0", "1.0", "-1.0", "2147483648.0", "-9223372036854775808.0",
                          "nan", "inf", "-inf", "1e-45",        "1e38"};
const QStringList Sizes = {"0", "1", "1025", "2147483647", "1099511627776"};

QStringList nodeLines()
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/tests/kernels/run/operator_nodes.txt"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
}

QString operatorOf(const QString& line)
{
    return line.section(u' ', 0, 0).section(u'@', 0, 0);
}

/// "Conv@11 float32[1,3,8,8] float32[4,3,3,3] pads=[1,1,1,1] out=1" as a graph; "={1,2}" behind a type makes a
/// constant.
std::string graphTextOf(const QString& line, bool gradient)
{
    const QStringList words = line.split(u' ');
    QString text;
    QStringList inputs;
    QStringList attributes;
    int outputs = 1;
    for (const QString& word : words.mid(1)) {
        const QString name = QStringLiteral("i%1").arg(inputs.size());
        const qsizetype bracket = word.indexOf(u'[');
        const qsizetype equals = word.indexOf(u'=');
        if (word == QStringLiteral("_")) {
            inputs << word;
        } else if (bracket >= 0 && (equals < 0 || bracket < equals)) {
            const QString elements = word.section(QStringLiteral("={"), 1).chopped(equals < 0 ? 0 : 1);
            text += (equals < 0 ? "input " : "const ") + name + ' ' + word.section(u'=', 0, 0);
            if (equals >= 0) text += " = " + QString(elements).replace(u',', u' ');
            text += '\n';
            inputs << name;
        } else if (word.startsWith(QStringLiteral("out="))) {
            outputs = word.mid(4).toInt();
        } else {
            attributes << word;
        }
    }
    QStringList results;
    for (int i = 0; i < outputs; ++i)
        results << QStringLiteral("y%1").arg(i);
    const QString version = words[0].section(u'@', 1);
    if (!version.isEmpty())
        text.prepend("opset " + version + '\n');
    else
        text.prepend("opset 27\n");
    text += "n: " + results.join(u',') + " = " + operatorOf(line) + '(' + inputs.join(u',') + ") " +
            attributes.join(u' ') + '\n';
    if (gradient) text += "s: t = ReduceSum(y0) keepdims=0\noutput t\nloss t\ngrad i0\n";
    return (text + "output " + results.join(u' ') + '\n').toStdString();
}

/// The line with each of its numbers replaced by each of the extreme ones, and with each attribute left out.
QStringList variantsOf(const QString& line)
{
    static const QRegularExpression number(
        QStringLiteral("(?<=[\\[,={])-?[0-9]+(\\.[0-9]+)?(e-?[0-9]+)?(?=[\\],} ]|$)"));
    static const QRegularExpression attribute(QStringLiteral(" [a-zA-Z_0-9]+=(?!\\{)[^ ]+"));
    QStringList variants;
    for (auto all = number.globalMatch(line); all.hasNext();) {
        const auto match = all.next();
        const QString before = line.left(match.capturedStart());
        const QString word = before.section(u' ', -1);
        const bool size = word.contains(u'[') && !word.contains(u'=');
        const bool real = match.captured().contains(u'.') || word.startsWith(QStringLiteral("float"));
        if (word.startsWith(QStringLiteral("out="))) continue;
        for (const QString& extreme : size ? Sizes : real ? Real : Whole)
            variants << before + extreme + line.mid(match.capturedEnd());
    }
    for (auto all = attribute.globalMatch(line); all.hasNext();) {
        const auto match = all.next();
        if (!match.captured().startsWith(QStringLiteral(" out=")))
            variants << line.left(match.capturedStart()) + line.mid(match.capturedEnd());
    }
    return variants;
}

std::string wrongIn(const Error& error)
{
    const bool placed = !error.where.empty() || !error.file.empty();
    const bool memory = english(error.message).find("memory") != std::string::npos; // of the run as a whole
    if (error.code == ErrorCode::Internal) return "internal: " + describe(error);
    return placed || memory ? std::string() : "an error without a place: " + describe(error);
}

/// Plans and runs; what is wrong with what came of it.
std::string wrongWith(const std::string& text)
{
    auto graph = test::parseGraphText(text);
    if (!graph.ok()) return {};
    PlanRequest request;
    request.search.workLimit = 1000;
    if (auto offers = kernels::describeBackends(graph.value(), {}, {}); offers.ok())
        request.catalogue = std::make_shared<const Catalogue>(std::move(offers).value());
    const auto report = analyse(graph.value(), request, {});
    if (!report.ok()) return wrongIn(report.error());
    if (report.value().memory.noReuseBytes > MostBytes) return {};
    kernels::RunRequest run;
    run.cover = kernels::RunRequest::Cover::Never;
    run.maxBytes = MostBytes;
    kernels::RunObserver silent;
    const auto outcome = kernels::execute(report.value().program, run, silent, {});
    if (!outcome.ok()) return wrongIn(outcome.error());
    const auto& mismatches = outcome.value().result.mismatches;
    return mismatches.empty() ? std::string()
                              : mismatches.front().value + " differs: " + english(mismatches.front().note);
}

/// What a child tells: how far it is, and what was wrong. It may end at any moment.
struct Told
{
    std::size_t at = 0;
    std::array<char, 4096> wrong {};
};

struct Case
{
    QString line;
    bool gradient = false;
};

/// A second of processor time and 2 GiB; what takes more is ended by the kernel.
[[noreturn]] void work(const std::vector<Case>& cases, Told& told)
{
    const rlimit memory {rlim_t {2} << 30, rlim_t {2} << 30};
    setrlimit(RLIMIT_DATA, &memory);
    const rlimit none {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM})
        std::signal(signal, SIG_DFL); // Qt's say a stack, for which they take their time
    for (; told.at < cases.size(); ++told.at) {
        const itimerval second {{0, 0}, {1, 0}};
        setitimer(ITIMER_PROF, &second, nullptr);
        const std::string wrong = wrongWith(graphTextOf(cases[told.at].line, cases[told.at].gradient));
        if (wrong.empty()) continue;
        std::snprintf(told.wrong.data(), told.wrong.size(), "%s", wrong.c_str());
        _exit(1);
    }
    _exit(0);
}

QStringList failures(const std::vector<Case>& cases)
{
    auto* told = new (mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Told;
    QStringList found;
    while (told->at < cases.size()) {
        told->wrong = {};
        const pid_t child = fork();
        if (child == 0) work(cases, *told);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
        const QString what = told->wrong[0] != 0           ? QString::fromUtf8(told->wrong.data())
                             : !WIFSIGNALED(status)        ? QStringLiteral("ended with %1").arg(WEXITSTATUS(status))
                             : WTERMSIG(status) == SIGPROF ? QStringLiteral("takes more than a second")
                                                           : QString::fromLatin1(strsignal(WTERMSIG(status)));
        const Case& failed = cases[told->at++];
        found << failed.line + (failed.gradient ? " with its gradient: " : ": ") + what;
        if (qEnvironmentVariableIsSet("PLIMSOLL_ALL")) fprintf(stderr, "%s\n", qPrintable(found.back()));
    }
    munmap(told, sizeof(Told));
    return found;
}

} // namespace

void tst_ExtremeNumbers::everyRowWithAKernelHasANode()
{
    std::set<QString> there;
    for (const QString& line : nodeLines())
        there.insert(operatorOf(line));
    const std::set<QString> ours = {"plimsoll::Reorder", "plimsoll::CopyTo", "plimsoll::Data", "plimsoll::Retain"};
    there.insert(ours.begin(), ours.end()); // no file has them
    QStringList missing;
    for (const OpFamily& family : opFamilies()) {
        for (const OpSchema& row : family.rows) {
            const std::string domain(family.domain);
            const QString name = QString::fromStdString((domain.empty() ? "" : domain + "::") + std::string(row.op));
            const bool runs = kernels::findReferenceKernel(family.domain, row.op) != nullptr && !row.bodies &&
                              !row.op.starts_with("Sequence");
            if (runs && !there.contains(name)) missing << name;
        }
    }
    QCOMPARE(missing, QStringList());
}

void tst_ExtremeNumbers::nothingStopsAtANumber()
{
#ifdef __SANITIZE_THREAD__
    QSKIP("the memory that a case may take is too little for the thread sanitizer");
#endif
    constexpr std::size_t Sample = 4000;
    qputenv("OMP_NUM_THREADS", "1");
    std::vector<Case> cases;
    const QString only = qEnvironmentVariable("PLIMSOLL_ONLY");
    for (const QString& line : nodeLines()) {
        if (!only.isEmpty() && operatorOf(line) != only) continue;
        const std::string name = operatorOf(line).toStdString();
        const std::size_t colons = name.find("::");
        const OpSchema* row = colons == std::string::npos ? findSchema("", name)
                                                          : findSchema(name.substr(0, colons), name.substr(colons + 2));
        const bool gradient = row && !row->derivative.empty() && line.contains(QStringLiteral(" float32["));
        for (const QString& variant : variantsOf(line)) {
            cases.push_back({variant, false});
            if (gradient) cases.push_back({variant, true});
        }
    }
    qInfo("%zu cases", cases.size());
    if (!qEnvironmentVariableIsSet("PLIMSOLL_ALL") && only.isEmpty()) {
        std::mt19937 random(test::firstSeed(QDate::currentDate().dayOfYear()));
        std::ranges::shuffle(cases, random);
        cases.resize(std::min(cases.size(), Sample));
    }
    const QStringList found = failures(cases);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

QTEST_APPLESS_MAIN(tst_ExtremeNumbers)
#include "tst_extreme_numbers.moc"
