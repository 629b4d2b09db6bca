#include "tests/kernels/onednn/agreement.h"

#include "core/facts/english/english.h"
#include "kernels/run/catalogue.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <optional>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr std::int64_t Channels = 16;
constexpr std::int64_t Size = 56;

std::string network(int kernel)
{
    const std::string k = std::to_string(kernel);
    const std::string pad = std::to_string(kernel / 2);
    const std::string pads = pad + "," + pad + "," + pad + "," + pad;
    return "input x float32[1,16,56,56]\nparam w float32[16,16," + k + "," + k +
           "]\nparam b float32[16]\n"
           "conv: a = Conv(x, w, b) pads=[" +
           pads + "]\nrelu: r = Relu(a)\nout: y = Sigmoid(r)\noutput y\n";
}

/// Bytes of scratchpad and of weights, as the library itself says; nothing where it refuses.
std::optional<std::int64_t> asked(int kernel)
{
    using Memory = dnnl::memory;
    const auto any = [](const Memory::dims& dims) {
        return Memory::desc(dims, Memory::data_type::f32, Memory::format_tag::any);
    };
    try {
        dnnl::primitive_attr own;
        own.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        const Memory::dims image {1, Channels, Size, Size};
        const Memory::dims pad {kernel / 2, kernel / 2};
        const dnnl::convolution_forward::primitive_desc description({dnnl::prop_kind::forward_inference,
                                                                     dnnl::algorithm::convolution_winograd,
                                                                     any(image),
                                                                     any({Channels, Channels, kernel, kernel}),
                                                                     any({Channels}),
                                                                     any(image),
                                                                     {1, 1},
                                                                     pad,
                                                                     pad},
                                                                    own, dnnl::engine(dnnl::engine::kind::cpu, 0));
        return static_cast<std::int64_t>(description.scratchpad_desc().get_size() +
                                         description.weights_desc().get_size());
    } catch (const dnnl::error&) {
        return std::nullopt;
    }
}

std::vector<Implementation> offersByWinograd(const Catalogue& catalogue)
{
    std::vector<Implementation> found;
    for (const Implementation& offer : catalogue.offers.at("conv")) {
        if (offer.name.find("wino") != std::string::npos) found.push_back(offer);
    }
    return found;
}

} // namespace

/// Winograd's convolutions: fewer products for a large scratchpad. Whether there are any the library knows.
class OneDnnWinogradTest : public QObject
{
    Q_OBJECT

private slots:
    void itIsOfferedWhereTheLibraryHasIt_data();
    void itIsOfferedWhereTheLibraryHasIt();
};

void OneDnnWinogradTest::itIsOfferedWhereTheLibraryHasIt_data()
{
    QTest::addColumn<int>("kernel");
    QTest::addColumn<bool>("fuses");
    QTest::newRow("3x3") << 3 << false;
    QTest::newRow("3x3, with what follows") << 3 << true;
    QTest::newRow("5x5") << 5 << false; // nobody has it
}

void OneDnnWinogradTest::itIsOfferedWhereTheLibraryHasIt()
{
    QFETCH(int, kernel);
    QFETCH(bool, fuses);
    const Graph graph = test::graphFromText(network(kernel));
    PlanRequest request;
    request.policies.fusion = fuses ? FusionPolicy::On : FusionPolicy::Off;
    const auto catalogue = describeBackends(graph, {}, {}, {});
    QVERIFY(catalogue.ok());
    const std::vector<Implementation> offers = offersByWinograd(catalogue.value());
    const auto bytes = asked(kernel);
    QCOMPARE(offers.empty(), !bytes);
    if (!bytes) return;

    for (const Implementation& offer : offers) {
        QVERIFY(offer.scratchpadBytes >= *bytes); // rounded up between the two
        QVERIFY(offer.scratchpadBytes < *bytes + 128);
        QVERIFY(offer.prepared.empty());
    }
    request.catalogue = std::make_shared<const Catalogue>(catalogue.value());
    request.constraints.pins["conv"] = offers.front().name;
    const Result<Report> report = analyse(graph, request, {});
    QVERIFY2(report.ok(), report.ok() ? "" : describe(report.error()).c_str());
    QCOMPARE(report.value().program.implementations[NodeId {0}].name, offers.front().name);
    const auto& scratch = report.value().program.map.scratch;
    QCOMPARE(std::ranges::count_if(scratch, [](const auto& one) { return one.where.bytes > 100'000; }), 1);
    QCOMPARE(countFindings(report.value(), Severity::Error), std::size_t(0));
    test::agreesWithReference(report.value());
}

QTEST_APPLESS_MAIN(OneDnnWinogradTest)
#include "tst_onednn_winograd.moc"
