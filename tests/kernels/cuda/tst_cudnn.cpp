#include "core/pipeline.h"
#include "kernels/checks/device_trial.h"
#include "kernels/cuda/cudnn_api.h"
#include "tests/kernels/cuda/cudnn_stand_in.h"
#include "tests/kernels/runtime/device_support.h"
#include "tests/kernels/runtime/run_support.h"
#include "tests/support/graph_text.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>
#define HAVE_CUDNN_HEADER
#endif

#include <QTest>

#include <dlfcn.h>
#include <set>

using namespace plimsoll;
using namespace plimsoll::kernels;
using cuda::ConvolutionLibrary;
using cuda::openCudnn;

namespace {

constexpr std::uint64_t Seed = 20250815;
const std::string StandIn = CUDNN_STAND_IN;

std::unique_ptr<ConvolutionLibrary> standIn()
{
    auto opened = openCudnn({StandIn});
    if (!opened.ok()) qFatal("%s", describe(opened.error()).c_str());
    return std::move(opened).value();
}

/// A function of the stand-in itself.
template <typename Function>
Function* inStandIn(const char* name)
{
    static void* const file = dlopen(StandIn.c_str(), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function*>(dlsym(file, name));
}

/// As long as it is there, the function of that name fails.
class Failing
{
public:
    explicit Failing(const char* function) { set(function, 5000); }
    ~Failing() { set("", 0); }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;

private:
    static void set(const char* function, int code) { inStandIn<decltype(standInFail)>("standInFail")(function, code); }
};

QString lastAsked()
{
    return QString::fromUtf8(inStandIn<decltype(standInLog)>("standInLog")());
}

bool isLibrarys(const std::string& name)
{
    return name.starts_with("cudnn:");
}

/// What is wrong with any kernel of the trial, and which ones went through the library.
QString failuresOf(const Result<std::vector<TrialOutcome>>& outcomes, std::set<std::string>& tried)
{
    if (!outcomes.ok()) return QString::fromStdString(describe(outcomes.error()));
    QString text;
    for (const TrialOutcome& outcome : outcomes.value()) {
        if (isLibrarys(outcome.kernel)) tried.insert(outcome.kernel);
        if (!outcome.wrong.empty()) text += QString::fromStdString(outcome.kernel + ": " + outcome.wrong + "\n");
        if (isLibrarys(outcome.kernel) && outcome.inPlace) text += QStringLiteral("nothing of it may be in place\n");
    }
    return text;
}

QString join(const std::set<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list.append(QString::fromStdString(name).mid(6));
    return list.join(u' ');
}

using Ints = std::vector<std::int64_t>;

Trial conv(Shape x, Shape w)
{
    return Trial("Conv").input(std::move(x)).input(std::move(w));
}
Trial transposed(Shape x, Shape w)
{
    return Trial("ConvTranspose").input(std::move(x)).input(std::move(w));
}

/// The offers of the library for a trial's node, "name workspace bytes"; and of our own by name.
QString offersOf(const Trial& trial, ConvolutionLibrary* library)
{
    const auto prepared = trial.prepare(Seed);
    if (!prepared.ok()) return QString::fromStdString(describe(prepared.error()));
    const Catalogue catalogue = describeForCuda(prepared.value().graph, {.cudnn = library}, {});
    QStringList list;
    for (const Implementation& offer : catalogue.offers.at("node"))
        list.append(QStringLiteral("%1 %2").arg(offer.name.c_str()).arg(offer.scratchpadBytes));
    return list.join(QStringLiteral(", "));
}

const char* const OneConvolution = "input x float32[1,4,8,8]\nparam w float32[4,4,3,3]\nc: y = Conv(x, w)\noutput y\n";

Report plannedWith(ConvolutionLibrary& library, const std::string& pin)
{
    const Graph graph = test::graphFromText(OneConvolution);
    PlanRequest request;
    request.policies.backend = BackendPolicy::Cuda;
    const auto inferred = graphToDispatch(graph, request, {});
    if (!inferred.ok()) qFatal("%s", describe(inferred.error()).c_str());
    request.catalogue = std::make_shared<const Catalogue>(describeForCuda(inferred.value(), {.cudnn = &library}, {}));
    request.pins["c"] = pin;
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Result<RunOutcome> runWith(const Report& report, const std::vector<std::string>& files)
{
    RunRequest request;
    request.mode = RunMode::Numeric;
    request.devices["cuda:0"] = {std::move(emulateCudaDevice(0, files)).value(), true};
    return test::executed(report, {}, std::move(request));
}

#ifdef HAVE_CUDNN_HEADER

/// Whether a caller cannot tell two types apart.
template <typename A, typename B>
constexpr bool Alike = std::is_pointer_v<A>&& std::is_pointer_v<B>;
template <typename A, typename B>
requires(!std::is_pointer_v<A> && !std::is_pointer_v<B>) constexpr bool Alike<A, B> =
    sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
template <>
constexpr bool Alike<void, void> = true;

template <typename A, typename... As, typename B, typename... Bs>
consteval bool sameCall(A (*)(As...), B (*)(Bs...))
{
    if constexpr (sizeof...(As) == sizeof...(Bs))
        return Alike<A, B> && (Alike<As, Bs> && ...);
    else
        return false;
}

namespace api = cuda::cudnn;
using Calls = api::Functions;
#define SAME(member, function) static_assert(sameCall(decltype(Calls::member) {}, decltype(&function) {}))
SAME(getVersion, cudnnGetVersion);
SAME(getErrorString, cudnnGetErrorString);
SAME(create, cudnnCreate);
SAME(destroy, cudnnDestroy);
SAME(setStream, cudnnSetStream);
SAME(createTensor, cudnnCreateTensorDescriptor);
SAME(destroyTensor, cudnnDestroyTensorDescriptor);
SAME(setTensor, cudnnSetTensorNdDescriptor);
SAME(createFilter, cudnnCreateFilterDescriptor);
SAME(destroyFilter, cudnnDestroyFilterDescriptor);
SAME(setFilter, cudnnSetFilterNdDescriptor);
SAME(createConvolution, cudnnCreateConvolutionDescriptor);
SAME(destroyConvolution, cudnnDestroyConvolutionDescriptor);
SAME(setConvolution, cudnnSetConvolutionNdDescriptor);
SAME(setGroups, cudnnSetConvolutionGroupCount);
SAME(setMath, cudnnSetConvolutionMathType);
SAME(forwardWorkspace, cudnnGetConvolutionForwardWorkspaceSize);
SAME(dataWorkspace, cudnnGetConvolutionBackwardDataWorkspaceSize);
SAME(filterWorkspace, cudnnGetConvolutionBackwardFilterWorkspaceSize);
SAME(forwardRanking, cudnnGetConvolutionForwardAlgorithm_v7);
SAME(dataRanking, cudnnGetConvolutionBackwardDataAlgorithm_v7);
SAME(filterRanking, cudnnGetConvolutionBackwardFilterAlgorithm_v7);
SAME(forward, cudnnConvolutionForward);
SAME(backwardData, cudnnConvolutionBackwardData);
SAME(backwardFilter, cudnnConvolutionBackwardFilter);
#if CUDNN_MAJOR >= 9
SAME(getLastErrorString, cudnnGetLastErrorString);
#endif
#undef SAME

static_assert(sizeof(api::Performance) == sizeof(cudnnConvolutionFwdAlgoPerf_t));
static_assert(offsetof(api::Performance, workspaceBytes) == offsetof(cudnnConvolutionFwdAlgoPerf_t, memory));
static_assert(offsetof(api::Performance, determinism) == offsetof(cudnnConvolutionFwdAlgoPerf_t, determinism));
static_assert(api::Success == CUDNN_STATUS_SUCCESS && api::Deterministic == CUDNN_DETERMINISTIC);
static_assert(api::Float == CUDNN_DATA_FLOAT && api::Half == CUDNN_DATA_HALF && api::Bfloat16 == CUDNN_DATA_BFLOAT16);
static_assert(api::Nchw == CUDNN_TENSOR_NCHW && api::CrossCorrelation == CUDNN_CROSS_CORRELATION);
static_assert(api::DefaultMath == CUDNN_DEFAULT_MATH && api::FmaMath == CUDNN_FMA_MATH);
static_assert(api::ForwardImplicitGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
static_assert(api::ForwardImplicitPrecompGemm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
static_assert(api::ForwardGemm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM);
static_assert(api::ForwardFft == CUDNN_CONVOLUTION_FWD_ALGO_FFT);
static_assert(api::ForwardFftTiling == CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING);
static_assert(api::ForwardWinograd == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
static_assert(api::ForwardWinogradNonfused == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED);
static_assert(api::DataImplicitGemm == CUDNN_CONVOLUTION_BWD_DATA_ALGO_1);
static_assert(api::DataFft == CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT);
static_assert(api::DataFftTiling == CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING);
static_assert(api::DataWinograd == CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD);
static_assert(api::DataWinogradNonfused == CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED);
static_assert(api::FilterImplicitGemm == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1);
static_assert(api::FilterFft == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT);
static_assert(api::FilterWinogradNonfused == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED);
static_assert(api::FilterFftTiling == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING);

#endif

} // namespace

/// cuDNN by way of a library that stands in for it: descriptors, workspaces and numbers, and what becomes of a library
/// that cannot be used. The declarations are compared with those of cudnn.h where that is installed.
class tst_Cudnn : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { (void)lastAsked(); }

    void aLibraryIsOpenedOrRefused_data()
    {
        QTest::addColumn<std::vector<std::string>>("files");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, std::vector<std::string> files, const std::string& said) {
            QTest::newRow(name) << std::move(files) << QString::fromStdString(said);
        };
        const std::string old = CUDNN_STAND_IN_7;
        const std::string lacking = CUDNN_STAND_IN_LACKING;
        row("version 9", {StandIn}, "9.19.0");
        row("version 8", {CUDNN_STAND_IN_8}, "8.9.2");
        row("the second", {"libcudnn.so.none", StandIn}, "9.19.0");
        row("not there", {"libcudnn.so.none", "libcudnn.so.never"},
            "cuDNN is not found (libcudnn.so.none, libcudnn.so.never).");
        row("version 7", {old}, "cuDNN cannot be used: " + old + ": it is version 7.6.5, and 8 and 9 are known.");
        row("a function lacks", {lacking},
            "cuDNN cannot be used: " + lacking + ": it lacks cudnnSetConvolutionGroupCount.");
        row("some other library", {"libm.so.6"},
            "cuDNN cannot be used: libm.so.6: it is no cuDNN: it lacks cudnnGetVersion.");
        row("the better one counts", {old, StandIn}, "9.19.0");
    }
    void aLibraryIsOpenedOrRefused()
    {
        QFETCH(const std::vector<std::string>, files);
        QFETCH(const QString, said);
        const auto opened = openCudnn(files);
        QCOMPARE(QString::fromStdString(opened.ok() ? opened.value()->version() : opened.error().message), said);
    }

    /// Where there is one: it has every function that is called, and says itself why it cannot run without a device.
    void theOneOfThisMachineIsOpened()
    {
        const auto opened = openCudnn(cuda::cudnnFiles());
        if (!opened.ok()) QSKIP(opened.error().message.c_str());
        const Status begun = opened.value()->begin();
        QVERIFY2(begun.ok() || QByteArray(begun.error().message.c_str())
                                   .startsWith("cuDNN failed: cudnnCreate returned CUDNN_STATUS_"),
                 begun.ok() ? "" : begun.error().message.c_str());
    }

    void algorithmsAgreeWithTheReference_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<QString>("forward");
        QTest::addColumn<QString>("backward");
        const auto row = [](const Trial& trial, const char* forward, const char* backward) {
            QTest::newRow(trial.name().c_str()) << trial << QString::fromUtf8(forward) << QString::fromUtf8(backward);
        };
        const std::int64_t two = 2;
        const char* const gemms = "gemm implicit_gemm implicit_precomp_gemm";
        const char* const moving = "fft fft_tiling gemm implicit_gemm implicit_precomp_gemm";
        const char* const all = "fft fft_tiling gemm implicit_gemm implicit_precomp_gemm winograd winograd_nonfused";
        row(conv({2, 3, 7, 5}, {5, 3, 3, 2}).input({5}), moving, "fft fft_tiling implicit_gemm");
        row(conv({2, 3, 9, 8}, {4, 3, 3, 3}).set("pads", Ints {1, 1, 1, 1}), all,
            "fft fft_tiling implicit_gemm winograd winograd_nonfused");
        row(conv({1, 3, 9, 8}, {4, 3, 3, 3}).input({4}).set("pads", Ints {2, 1, 2, 1}).set("strides", Ints {2, 3}),
            gemms, "implicit_gemm");
        row(conv({1, 6, 11, 9}, {4, 3, 3, 2}).set("group", two).set("dilations", Ints {2, 1}), gemms, "implicit_gemm");
        row(conv({2, 3, 33}, {5, 3, 4}).set("strides", Ints {3}), gemms, "implicit_gemm");
        row(conv({1, 2, 5, 6, 7}, {3, 2, 2, 3, 2}).set("pads", Ints {1, 0, 1, 1, 0, 1}), moving,
            "fft fft_tiling implicit_gemm");
        // the last column is not reached, so that the pad there does not matter
        row(conv({1, 2, 6, 6}, {3, 2, 3, 3}).set("pads", Ints {1, 1, 0, 0}).set("strides", Ints {2, 2}), gemms,
            "implicit_gemm");
        row(conv({1, 2, 6, 6}, {3, 2, 3, 3}).set("pads", Ints {0, 0, 1, 1}), "", "");
        row(conv({1, 2, 6, 6}, {3, 2, 2, 2}).set("auto_pad", std::string("SAME_UPPER")), "", "");
        const char* const back = "fft fft_tiling implicit_gemm";
        row(transposed({2, 3, 7, 5}, {3, 5, 3, 2}).input({5}), back, back);
        row(transposed({1, 4, 5, 6}, {4, 3, 3, 3}).set("pads", Ints {1, 1, 1, 1}),
            "fft fft_tiling implicit_gemm winograd winograd_nonfused",
            "fft fft_tiling implicit_gemm winograd_nonfused");
        row(transposed({1, 6, 5, 4}, {6, 2, 3, 3}).set("group", two).set("dilations", Ints {2, 1}), "implicit_gemm",
            "implicit_gemm");
        row(transposed({2, 3, 11}, {3, 7, 4}).set("strides", Ints {2}).set("output_padding", Ints {1}), "implicit_gemm",
            "implicit_gemm");
    }
    void algorithmsAgreeWithTheReference()
    {
        QFETCH(const Trial, trial);
        QFETCH(const QString, forward);
        QFETCH(const QString, backward);
        const auto library = standIn();
        const CudaLibraries libraries {.cudnn = library.get()};
        const auto device = std::move(emulateCudaDevice(0, {StandIn})).value();
        std::set<std::string> tried;

        QCOMPARE(failuresOf(tryOnDevice(*device, libraries, trial, Seed), tried), QString());
        QCOMPARE(join(tried), forward);

        tried.clear();
        const auto prepared = trial.prepareBackward(Seed);
        QVERIFY(prepared.ok());
        QCOMPARE(prepared.value().size(), std::size_t(1));
        QCOMPARE(failuresOf(tryOnDevice(*device, libraries, prepared.value()[0]), tried), QString());
        QCOMPARE(join(tried), backward);
    }

    void descriptorsSayTheSizes_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<QString>("asked");
        QTest::newRow("everything at once")
            << conv({1, 6, 11, 9}, {4, 3, 3, 2})
                   .input({4})
                   .set("group", std::int64_t {2})
                   .set("pads", Ints {2, 1, 2, 1})
                   .set("strides", Ints {2, 3})
                   .set("dilations", Ints {3, 2})
            << QStringLiteral("cudnnConvolutionForward 0: x [1,6,11,9] by [594,99,9,1], w [4,3,3,2], y [1,4,5,3] by "
                              "[60,15,3,1], pads [2,1], strides [2,3], dilations [3,2], groups 2, math 3, workspace 0, "
                              "adds");
        QTest::newRow("one dimension")
            << conv({2, 3, 33}, {5, 3, 4}).set("pads", Ints {1, 1}).set("strides", Ints {3})
            << QStringLiteral("cudnnConvolutionForward 0: x [2,3,33,1] by [99,33,1,1], w [5,3,4,1], y [2,5,11,1] by "
                              "[55,11,1,1], pads [1,0], strides [3,1], dilations [1,1], groups 1, math 3, workspace 0");
        QTest::newRow("transposed")
            << transposed({1, 6, 5, 4}, {6, 2, 3, 3}).set("group", std::int64_t {2})
            << QStringLiteral("cudnnConvolutionBackwardData 1: x [1,4,7,6] by [168,42,6,1], w [6,2,3,3], y [1,6,5,4] "
                              "by [120,20,4,1], pads [0,0], strides [1,1], dilations [1,1], groups 2, math 3, "
                              "workspace 432");
    }
    void descriptorsSayTheSizes()
    {
        QFETCH(const Trial, trial);
        QFETCH(const QString, asked);
        const auto library = standIn();
        const auto prepared = trial.prepare(Seed);
        QVERIFY(prepared.ok());
        const auto device = std::move(emulateCudaDevice(0, {StandIn})).value();
        std::vector<Implementation> offers =
            describeForCuda(prepared.value().graph, {.cudnn = library.get()}, {}).offers.at("node");
        std::erase_if(offers, [](const Implementation& offer) { return offer.name != "cudnn:implicit_gemm"; });
        QCOMPARE(offers.size(), std::size_t(1));

        QVERIFY(tryOffers(*device, offers, prepared.value()).ok());
        QCOMPARE(lastAsked(), asked);
    }

    void eachAlgorithmIsAnOfferWithItsWorkspace()
    {
        const auto library = standIn();
        const Trial trial = conv({1, 4, 8, 8}, {4, 4, 3, 3});
        // scratchpads are rounded up to 256: 4 * 36 * 36 bytes of columns, and 576 bytes of weights times the number
        QCOMPARE(offersOf(trial, library.get()),
                 QStringLiteral("cudnn:implicit_precomp_gemm 768, cudnn:implicit_gemm 0, cudnn:gemm 5376, "
                                "cudnn:winograd 3584, cudnn:winograd_nonfused 4096, cudnn:fft 2304, "
                                "cudnn:fft_tiling 3072, implicit_gemm 0"));
        QCOMPARE(offersOf(trial, nullptr), QStringLiteral("implicit_gemm 0"));
    }

    /// The library says which it takes to be faster: by number, the largest first.
    void whatTheLibraryPrefersTakesLess()
    {
        const auto library = standIn();
        const auto prepared = conv({1, 4, 8, 8}, {4, 4, 3, 3}).prepare(Seed);
        std::vector<std::pair<double, std::string>> times;
        const Catalogue catalogue = describeForCuda(prepared.value().graph, {.cudnn = library.get()}, {});
        for (const Implementation& offer : catalogue.offers.at("node")) {
            if (isLibrarys(offer.name)) times.emplace_back(offer.timeMs, offer.name);
            QVERIFY(!isLibrarys(offer.name) || (offer.inPlaceKnown && offer.inPlace.empty()));
        }
        std::ranges::sort(times);
        QStringList order;
        for (const auto& [ms, name] : times)
            order.append(QString::fromStdString(name).mid(6));
        QCOMPARE(order.join(u' '),
                 QStringLiteral("winograd_nonfused winograd fft_tiling fft gemm implicit_precomp_gemm implicit_gemm"));
    }

    void halvesAreNotConverted()
    {
        const auto library = standIn();
        QCOMPARE(offersOf(Trial("Conv").input(DType::Float16, {1, 4, 8, 8}).input(DType::Float16, {4, 4, 3, 3}),
                          library.get()),
                 QStringLiteral("implicit_gemm 0")); // the stand-in has none for them
    }

    void aFailureIsSaidAndOurOwnKernelIsThere_data()
    {
        QTest::addColumn<QByteArray>("function");
        for (const char* function :
             {"cudnnCreate", "cudnnCreateTensorDescriptor", "cudnnSetTensorNdDescriptor", "cudnnSetFilterNdDescriptor",
              "cudnnSetConvolutionNdDescriptor", "cudnnSetConvolutionGroupCount", "cudnnSetConvolutionMathType",
              "cudnnGetConvolutionForwardWorkspaceSize", "cudnnGetConvolutionForwardAlgorithm_v7"})
            QTest::newRow(function) << QByteArray(function);
    }
    void aFailureIsSaidAndOurOwnKernelIsThere()
    {
        QFETCH(const QByteArray, function);
        const Failing failing(function.constData());
        const auto library = standIn();
        QCOMPARE(offersOf(conv({1, 4, 8, 8}, {4, 4, 3, 3}), library.get()), QStringLiteral("implicit_gemm 0"));
        const Status begun = library->begin();
        if (function != "cudnnCreate") return;
        QCOMPARE(QString::fromStdString(begun.ok() ? "" : begun.error().message),
                 QStringLiteral("cuDNN failed: cudnnCreate returned CUDNN_STATUS_EXECUTION_FAILED (as the test wants "
                                "it)."));
    }

    void aFailureInARunEndsIt()
    {
        const auto library = standIn();
        const Report report = plannedWith(*library, "cudnn:gemm");
        const Failing failing("cudnnConvolutionForward");
        const auto outcome = runWith(report, {StandIn});
        QVERIFY(!outcome.ok());
        QVERIFY2(QString::fromStdString(outcome.error().message)
                     .contains(QStringLiteral("cuDNN failed: cudnnConvolutionForward returned "
                                              "CUDNN_STATUS_EXECUTION_FAILED")),
                 outcome.error().message.c_str());
    }

    void thePlanHasRoomForTheWorkspace()
    {
        const auto library = standIn();
        const Report without = plannedWith(*library, "cudnn:implicit_gemm");
        const Report with = plannedWith(*library, "cudnn:gemm");
        QCOMPARE(with.peakBytes - without.peakBytes, std::int64_t {5376});
        QCOMPARE(test::faultOf(runWith(with, {StandIn})), QString());
        QVERIFY(lastAsked().contains(QStringLiteral("workspace 5184")));
        QCOMPARE(test::faultOf(runWith(without, {StandIn})), QString());
    }

    /// With room for half of what the library wants, it is not called.
    void aScratchpadThatIsTooSmallIsRefused()
    {
        const auto library = standIn();
        Report report = plannedWith(*library, "cudnn:gemm");
        for (Implementation& chosen : report.implementations)
            chosen.scratchpadBytes /= 2;
        const auto outcome = runWith(report, {StandIn});
        QVERIFY(!outcome.ok());
        QVERIFY2(QString::fromStdString(outcome.error().message).contains(QStringLiteral("planned too small")),
                 outcome.error().message.c_str());
    }

    /// A plan from a machine that has it, tried on one that has not.
    void whereNothingStandsInOurOwnKernelDoes()
    {
        const auto library = standIn();
        const Report report = plannedWith(*library, "cudnn:gemm");
        QCOMPARE(test::faultOf(runWith(report, {})), QString());
        QCOMPARE(lastAsked(), QString());
    }
};

QTEST_APPLESS_MAIN(tst_Cudnn)
#include "tst_cudnn.moc"
