#include "core/facts/english/english.h"
#include "kernels/cuda/cuda.h"
#include "tests/kernels/cuda/cudnn_support.h"
#include "tests/kernels/run/device_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::test;
using cuda::LayerLibrary;
using cuda::openCudnn;

namespace {

using Ints = std::vector<std::int64_t>;

Trial conv(Shape x, Shape w)
{
    return Trial("Conv").input(std::move(x)).input(std::move(w));
}
Trial transposed(Shape x, Shape w)
{
    return Trial("ConvTranspose").input(std::move(x)).input(std::move(w));
}

const char* const OneConvolution = "input x float32[1,4,8,8]\nparam w float32[4,4,3,3]\nc: y = Conv(x, w)\noutput y\n";

Report plannedBy(LayerLibrary& library, const std::string& pin)
{
    return plannedWith(library, graphFromText(OneConvolution), {{"c", pin}});
}

} // namespace

/// cuDNN by way of a library that stands in for it: descriptors, workspaces and numbers, and what becomes of a library
/// that cannot be used. The declarations are compared with those of cudnn.h where that is installed (cudnn_header.cpp).
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
        row("version 9", {CudnnStandIn}, "9.19.0");
        row("version 8", {CUDNN_STAND_IN_8}, "8.9.2");
        row("the second", {"libcudnn.so.none", CudnnStandIn}, "9.19.0");
        row("not there", {"libcudnn.so.none", "libcudnn.so.never"},
            "cuDNN is not found (libcudnn.so.none, libcudnn.so.never).");
        row("version 7", {old}, "cuDNN cannot be used: " + old + ": it is version 7.6.5, and 8 and 9 are known.");
        row("a function lacks", {lacking},
            "cuDNN cannot be used: " + lacking + ": it lacks cudnnSetConvolutionGroupCount.");
        row("some other library", {"libm.so.6"},
            "cuDNN cannot be used: libm.so.6: it is no cuDNN: it lacks cudnnGetVersion.");
        row("the better one counts", {old, CudnnStandIn}, "9.19.0");
    }
    void aLibraryIsOpenedOrRefused()
    {
        QFETCH(const std::vector<std::string>, files);
        QFETCH(const QString, said);
        const auto opened = openCudnn(files);
        QCOMPARE(QString::fromStdString(opened.ok() ? opened.value()->version() : english(opened.error().message)),
                 said);
    }

    /// Where there is one: it has every function that is called, and says itself why it cannot run without a device.
    void theOneOfThisMachineIsOpened()
    {
        const auto opened = openCudnn(cuda::cudnnFiles());
        if (!opened.ok()) QSKIP(english(opened.error().message).c_str());
        const Status begun = opened.value()->begin();
        QVERIFY2(begun.ok() || QByteArray(english(begun.error().message).c_str())
                                   .startsWith("cuDNN failed: cudnnCreate returned CUDNN_STATUS_"),
                 begun.ok() ? "" : english(begun.error().message).c_str());
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
        const auto library = cudnnStandIn();
        const CudaLibraries libraries {.cudnn = library.get()};
        const auto device = std::move(emulateCudaDevice(0, {CudnnStandIn})).value();
        std::set<std::string> tried;

        QCOMPARE(failuresOf(tryOnDevice(*device, libraries, trial, CudnnSeed), tried), QString());
        QCOMPARE(join(tried), forward);

        tried.clear();
        const auto prepared = trial.prepareBackward(CudnnSeed);
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
        const auto library = cudnnStandIn();
        const auto prepared = trial.prepare(CudnnSeed);
        QVERIFY(prepared.ok());
        const auto device = std::move(emulateCudaDevice(0, {CudnnStandIn})).value();
        std::vector<Implementation> offers =
            describeForCuda(prepared.value().graph, {.cudnn = library.get()}, {}).offers.at("node");
        std::erase_if(offers, [](const Implementation& offer) { return offer.name != "cudnn:implicit_gemm"; });
        QCOMPARE(offers.size(), std::size_t(1));

        QVERIFY(tryOffers(*device, offers, prepared.value()).ok());
        QCOMPARE(lastAsked(), asked);
    }

    void eachAlgorithmIsAnOfferWithItsWorkspace()
    {
        const auto library = cudnnStandIn();
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
        const auto library = cudnnStandIn();
        const auto prepared = conv({1, 4, 8, 8}, {4, 4, 3, 3}).prepare(CudnnSeed);
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
        const auto library = cudnnStandIn();
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
        const auto library = cudnnStandIn();
        QCOMPARE(offersOf(conv({1, 4, 8, 8}, {4, 4, 3, 3}), library.get()), QStringLiteral("implicit_gemm 0"));
        const Status begun = library->begin();
        if (function != "cudnnCreate") return;
        QCOMPARE(QString::fromStdString(begun.ok() ? "" : english(begun.error().message)),
                 QStringLiteral("cuDNN failed: cudnnCreate returned CUDNN_STATUS_EXECUTION_FAILED (as the test wants "
                                "it)."));
    }

    void aFailureInARunEndsIt()
    {
        const auto library = cudnnStandIn();
        const Report report = plannedBy(*library, "cudnn:gemm");
        const Failing failing("cudnnConvolutionForward");
        const auto outcome = runWith(report, {CudnnStandIn});
        QVERIFY(!outcome.ok());
        QVERIFY2(QString::fromStdString(english(outcome.error().message))
                     .contains(QStringLiteral("cuDNN failed: cudnnConvolutionForward returned "
                                              "CUDNN_STATUS_EXECUTION_FAILED")),
                 english(outcome.error().message).c_str());
    }

    void thePlanHasRoomForTheWorkspace()
    {
        const auto library = cudnnStandIn();
        const Report without = plannedBy(*library, "cudnn:implicit_gemm");
        const Report with = plannedBy(*library, "cudnn:gemm");
        QCOMPARE(with.memory.peakBytes - without.memory.peakBytes, std::int64_t {5376});
        QCOMPARE(faultOf(runWith(with, {CudnnStandIn})), QString());
        QVERIFY(lastAsked().contains(QStringLiteral("workspace 5184")));
        QCOMPARE(faultOf(runWith(without, {CudnnStandIn})), QString());
    }

    /// With room for half of what the library wants, it is not called.
    void aScratchpadThatIsTooSmallIsRefused()
    {
        const auto library = cudnnStandIn();
        Report report = plannedBy(*library, "cudnn:gemm");
        for (std::size_t node = 0; node < report.program.graph->nodes.size(); ++node) {
            Implementation& chosen = report.program.implementations.at(NodeId(node));
            chosen.scratchpadBytes /= 2;
        }
        const auto outcome = runWith(report, {CudnnStandIn});
        QVERIFY(!outcome.ok());
        QVERIFY2(QString::fromStdString(english(outcome.error().message)).contains(QStringLiteral("planned too small")),
                 english(outcome.error().message).c_str());
    }

    /// A plan from a machine that has it, tried on one that has not.
    void whereNothingStandsInOurOwnKernelDoes()
    {
        const auto library = cudnnStandIn();
        const Report report = plannedBy(*library, "cudnn:gemm");
        QCOMPARE(faultOf(runWith(report, {})), QString());
        QCOMPARE(lastAsked(), QString());
    }
};

QTEST_APPLESS_MAIN(tst_Cudnn)
#include "tst_cudnn.moc"
