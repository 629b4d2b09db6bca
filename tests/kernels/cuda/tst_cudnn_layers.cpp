#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "kernels/cuda/cuda.h"
#include "tests/kernels/cuda/cudnn_support.h"
#include "tests/kernels/run/device_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;
using namespace plimsoll::test;

namespace {

using Ints = std::vector<std::int64_t>;

Trial pool(const char* op, Shape x, Ints kernel)
{
    return Trial(op).input(std::move(x)).set("kernel_shape", std::move(kernel));
}

/// The gradient of r * r goes back through one activation.
const char* const OneActivation = "param x float32[4,16]\na: r = %1(x)\nm: z = Mul(r, r)\n"
                                  "s: y = ReduceSum(z) keepdims=0\ngrad x\nloss y\noutput y\n";

/// What was decided about x's gradient lying over another value, "r yes", "r implementation".
QString placesOfGradient(const Report& report)
{
    QStringList list;
    for (const Decision& decision : report.decisions) {
        if (decision.kind != DecisionKind::InPlace || !decision.subject.starts_with("grad:x")) continue;
        list.append(QString::fromStdString(decision.other + " " + (decision.accepted ? "yes" : decision.rule)));
    }
    list.sort();
    return list.join(QStringLiteral(", "));
}

} // namespace

/// Activations and pooling through a library that stands in for cuDNN, and refuses what lies over what it must not.
class tst_CudnnLayers : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { (void)lastAsked(); }

    void layersAgreeWithTheReference_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<QString>("forward");
        QTest::addColumn<QString>("backward");
        const auto row = [](const Trial& trial, const char* forward, const char* backward) {
            QTest::newRow(trial.name().c_str()) << trial << QString::fromUtf8(forward) << QString::fromUtf8(backward);
        };
        const char* const over = "activation activation over 0"; // y over x, dx over dy
        row(Trial("Relu").input({3, 17}), over, over);
        row(Trial("Relu").input({33}).odd(), over, "");
        row(Trial("Sigmoid").input({2, 3, 5, 7}).within(-9, 9), over, over);
        row(Trial("Tanh").input({22}).within(-4, 4), over, over);
        row(Trial("Elu").input({3, 33}).set("alpha", 1.7), over, "");
        row(Trial("Elu").input({5}), over, "");
        row(Trial("LeakyRelu").input({5}), "", "");
        row(Trial("Relu").input(DType::Float64, {5}), "", "");

        row(pool("MaxPool", {2, 3, 9, 8}, {3, 2}), "pooling", "pooling");
        row(pool("MaxPool", {1, 2, 9, 8}, {3, 3}).set("pads", Ints {1, 2, 1, 2}).set("strides", Ints {2, 3}), "pooling",
            "pooling");
        row(pool("MaxPool", {2, 3, 17}, {4}).set("strides", Ints {2}), "pooling", "pooling");
        row(pool("MaxPool", {1, 2, 5, 6, 7}, {2, 3, 2}), "pooling", "pooling");
        row(pool("MaxPool", {1, 2, 6, 6}, {2, 2}).set("dilations", Ints {2, 1}), "", "");
        row(pool("MaxPool", {1, 2, 6, 6}, {2, 2}).outputs(2), "", "pooling");
        row(pool("MaxPool", {1, 2, 6, 6}, {3, 3}).set("pads", Ints {0, 0, 1, 1}), "", "");
        row(pool("MaxPool", {1, 2, 6, 6}, {3, 3}).set("strides", Ints {2, 2}).set("ceil_mode", std::int64_t {1}), "",
            "");
        row(pool("AveragePool", {2, 3, 9, 8}, {3, 2}), "pooling", "pooling");
        const Trial padded = pool("AveragePool", {1, 2, 9, 8}, {3, 3}).set("pads", Ints {1, 2, 1, 2});
        row(padded, "pooling", "pooling");
        row(Trial(padded).set("count_include_pad", std::int64_t {1}), "pooling", "pooling");
        // the last column is not reached, so that the pad there does not matter
        row(pool("AveragePool", {1, 2, 6, 6}, {3, 3})
                .set("pads", Ints {1, 1, 0, 0})
                .set("strides", Ints {2, 2})
                .set("count_include_pad", std::int64_t {1}),
            "pooling", "pooling");
        // the last window hangs over what is padded: cuDNN would count all of it
        const Trial hanging = pool("AveragePool", {1, 2, 7, 7}, {3, 3})
                                  .set("pads", Ints {1, 1, 0, 0})
                                  .set("strides", Ints {2, 2})
                                  .set("ceil_mode", std::int64_t {1});
        row(hanging, "pooling", "pooling");
        row(Trial(hanging).set("count_include_pad", std::int64_t {1}), "", "");
    }
    void layersAgreeWithTheReference()
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
        for (const Trial::Prepared& node : prepared.value())
            QCOMPARE(failuresOf(tryOnDevice(*device, libraries, node), tried), QString());
        QCOMPARE(join(tried), backward);
    }

    void descriptorsSayTheSizes_data()
    {
        QTest::addColumn<Trial>("trial");
        QTest::addColumn<QString>("asked");
        QTest::newRow("an activation is a row") << Trial("Elu").input({3, 5}).set("alpha", 1.5)
                                                << QStringLiteral("cudnnActivationForward 4: x [1,1,1,15] by "
                                                                  "[15,15,15,1], coefficient 1.500000");
        QTest::newRow("windows")
            << pool("AveragePool", {1, 2, 9, 8}, {3, 2}).set("pads", Ints {1, 0, 1, 0}).set("strides", Ints {2, 3})
            << QStringLiteral("cudnnPoolingForward 2: x [1,2,9,8] by [144,72,8,1], y [1,2,5,3] by "
                              "[30,15,3,1], kernel [3,2], pads [1,0], strides [2,3]");
        QTest::newRow("one dimension") << pool("MaxPool", {2, 3, 17}, {4}).set("strides", Ints {2})
                                       << QStringLiteral("cudnnPoolingForward 3: x [2,3,17,1] by [51,17,1,1], y "
                                                         "[2,3,7,1] by [21,7,1,1], kernel [4,1], pads [0,0], strides "
                                                         "[2,1]");
    }
    void descriptorsSayTheSizes()
    {
        QFETCH(const Trial, trial);
        QFETCH(const QString, asked);
        const auto library = cudnnStandIn();
        const auto device = std::move(emulateCudaDevice(0, {CudnnStandIn})).value();
        QVERIFY(tryOnDevice(*device, {.cudnn = library.get()}, trial, CudnnSeed).ok());
        QCOMPARE(lastAsked(), asked);
    }

    /// Without a measured time a library's layer is taken where it is asked for only.
    void ourOwnKernelsComeFirst()
    {
        const auto library = cudnnStandIn();
        QCOMPARE(offersOf(Trial("Relu").input({5}), library.get()),
                 QStringLiteral("elementwise 0, cudnn:activation 0"));
        QCOMPARE(offersOf(Trial("Relu").input({5}), nullptr), QStringLiteral("elementwise 0"));
        QCOMPARE(offersOf(pool("MaxPool", {1, 1, 4, 4}, {2, 2}), library.get()),
                 QStringLiteral("pooling 0, cudnn:pooling 0"));
        const Report report = plannedWith(
            *library, graphFromText(QString::fromUtf8(OneActivation).arg(QStringLiteral("Relu")).toStdString()), {});
        for (const Implementation& chosen : report.program.implementations.chosen())
            QVERIFY2(!isLibrarys(chosen.name), chosen.name.c_str());
    }

    void aLayerThatCannotBeDescribedIsNoOffer_data()
    {
        QTest::addColumn<QByteArray>("function");
        QTest::addColumn<bool>("pooling");
        for (const char* function : {"cudnnCreateActivationDescriptor", "cudnnSetActivationDescriptor"})
            QTest::newRow(function) << QByteArray(function) << false;
        for (const char* function : {"cudnnCreatePoolingDescriptor", "cudnnSetPoolingNdDescriptor",
                                     "cudnnSetTensorNdDescriptor", "cudnnCreate"})
            QTest::newRow(function) << QByteArray(function) << true;
    }
    void aLayerThatCannotBeDescribedIsNoOffer()
    {
        QFETCH(const QByteArray, function);
        QFETCH(const bool, pooling);
        const Failing failing(function.constData());
        const auto library = cudnnStandIn();
        const Trial trial = pooling ? pool("MaxPool", {1, 1, 4, 4}, {2, 2}) : Trial("Relu").input({5});
        QCOMPARE(offersOf(trial, library.get()),
                 pooling ? QStringLiteral("pooling 0") : QStringLiteral("elementwise 0"));
    }

    /// Backward is offered the gradient that comes and what forward kept. Our own kernel could take either, since it
    /// reads an element before it writes there; the library takes dx over dy only.
    void theLibrarysPairsAreThePlans_data()
    {
        QTest::addColumn<QString>("op");
        for (const char* op : {"Relu", "Sigmoid", "Tanh"})
            QTest::newRow(op) << QString::fromUtf8(op);
    }
    void theLibrarysPairsAreThePlans()
    {
        QFETCH(const QString, op);
        const auto library = cudnnStandIn();
        const Graph graph = graphFromText(QString::fromUtf8(OneActivation).arg(op).toStdString());
        const std::map<std::string, std::string> pins {{"a", "cudnn:activation"}, {"backward:a", "cudnn:activation"}};
        Policies policies;
        policies.donation = DonationPolicy::On;
        const Report byLibrary = plannedWith(*library, graph, pins, policies);
        const Report byOwn = plannedWith(*library, graph, {{"backward:a", "formulas"}}, policies);
        QCOMPARE(placesOfGradient(byLibrary), QStringLiteral("grad:r yes, r implementation"));
        QCOMPARE(placesOfGradient(byOwn), QStringLiteral("grad:r yes, r already-shared"));
        const Implementation& chosen =
            byLibrary.program.implementations[findNode(*byLibrary.program.graph, "backward:a")];
        QCOMPARE(chosen.inPlace, (std::vector<Implementation::InPlacePair> {{0, 0}})); // g is its first input
        QCOMPARE(errorsIn(byLibrary), QString());
        QCOMPARE(faultOf(runWith(byLibrary, {CudnnStandIn})), QString());
        QVERIFY2(lastAsked().startsWith(QStringLiteral("cudnnActivation")), "it was computed by another kernel");
        QCOMPARE(faultOf(runWith(byLibrary, {})), QString()); // nothing stands in: by our own kernel
    }

    void sizesOfTheLibraryHave31Bits()
    {
        const auto library = cudnnStandIn();
        cuda::LibraryLayer layer;
        layer.mode = 1;
        layer.x = layer.y = {1, 1, 1, std::int64_t {1} << 31};
        const Status accepted = library->accepts(layer);
        QCOMPARE(QString::fromStdString(accepted.ok() ? "" : english(accepted.error().message)),
                 QStringLiteral("cuDNN takes no sizes beyond 31 bits."));
    }

    void aFailureInARunEndsIt_data()
    {
        QTest::addColumn<QByteArray>("function");
        for (const char* function : {"cudnnSetStream", "cudnnActivationBackward"})
            QTest::newRow(function) << QByteArray(function);
    }
    void aFailureInARunEndsIt()
    {
        QFETCH(const QByteArray, function);
        const auto library = cudnnStandIn();
        const Graph graph = graphFromText(QString::fromUtf8(OneActivation).arg(QStringLiteral("Tanh")).toStdString());
        const Report report = plannedWith(*library, graph, {{"backward:a", "cudnn:activation"}});
        const Failing failing(function.constData());
        const auto outcome = runWith(report, {CudnnStandIn});
        QVERIFY(!outcome.ok());
        QVERIFY2(english(outcome.error().message)
                         .find("cuDNN failed: " + function.toStdString() + " returned CUDNN_STATUS_EXECUTION_FAILED") !=
                     std::string::npos,
                 english(outcome.error().message).c_str());
    }

    /// The output is made once more, in the scratchpad.
    void aPoolsGradientNeedsRoomForItsOutput()
    {
        const auto library = cudnnStandIn();
        const auto prepared =
            pool("MaxPool", {1, 2, 16, 16}, {2, 2}).set("strides", Ints {2, 2}).prepareBackward(CudnnSeed);
        QVERIFY(prepared.ok() && prepared.value().size() == 1);
        const Trial::Prepared& node = prepared.value()[0];
        const Catalogue catalogue = describeForCuda(node.graph, {.cudnn = library.get()}, {});
        QStringList list;
        for (const Implementation& offer : catalogue.offers.at(node.graph[node.node].name))
            if (isLibrarys(offer.name)) list.append(QString::number(offer.scratchpadBytes));
        QCOMPARE(list, QStringList(QString::number(2 * 8 * 8 * 4)));
    }
};

QTEST_APPLESS_MAIN(tst_CudnnLayers)
#include "tst_cudnn_layers.moc"
