#include "core/facts/english/english.h"
#include "kernels/checks/placed_call.h"
#include "kernels/common/numbers.h"
#include "tests/kernels/run/host_device.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

Trial::Prepared added()
{
    return Trial("Add").input({2, 3}).input({3}).prepare(1).value();
}

/// Blocks of a device, and how large they were to be.
struct Blocks
{
    Device& device;
    std::vector<DeviceBlock> held {};
    QList<qint64> asked {};

    Result<std::byte*> reserve(std::int64_t bytes)
    {
        asked << bytes;
        PLIMSOLL_ASSIGN(block, device.reserve(bytes));
        return held.emplace_back(std::move(block)).data;
    }
    Result<PlacedTrial> place(const Trial::Prepared& trial, std::optional<Implementation::InPlacePair> inPlace = {})
    {
        return placeTrial(
            device, trial, [this](std::int64_t bytes) { return reserve(bytes); }, inPlace);
    }
};

std::vector<double> numbersAt(Device& device, const TensorView& tensor)
{
    const HostTensor here(tensor.dtype, tensor.shape);
    const std::span room(here.view().as<std::byte>(), static_cast<std::size_t>(tensor.bytes()));
    if (!device.copyOut(room, tensor.as<const std::byte>()).ok()) return {};
    return doublesOf(here.view());
}

} // namespace

/// The tensors of a trial in the memory of a device, and the call that hands them to a kernel.
class PlacedCalls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outputsHaveTypesAndNoPlace();
    void aCallHandsOutWhatWasPlaced();
    void anOutputOfAnotherTypeIsRefused_data();
    void anOutputOfAnotherTypeIsRefused();
    void onlyLiteralsInMemoryAreThere();
    void inputsAreBroughtToTheDevice();
    void anOutputInPlaceLiesOverItsInput();
    void whatIsAbsentStaysAbsent();
    void failuresAreHandedOn();
};

void PlacedCalls::outputsHaveTypesAndNoPlace()
{
    const std::vector<TensorView> views = outputViews(Trial("Split").input({4, 2}).outputs(2).prepare(1).value());
    QCOMPARE(views.size(), std::size_t {2});
    for (const TensorView& view : views) {
        QCOMPARE(view.dtype, DType::Float32);
        QCOMPARE(view.shape, (Shape {2, 2}));
        QVERIFY(view.data == nullptr);
    }
}

void PlacedCalls::aCallHandsOutWhatWasPlaced()
{
    const Trial::Prepared trial = added();
    const HostTensor room(DType::Float32, {2, 3});
    std::byte scratch[16];
    PlacedCall call(trial, trial.inputs, {room.view()}, scratch);
    QCOMPARE(call.inputCount(), std::size_t {2});
    QVERIFY(call.input(1).tensor.data == trial.inputs[1].tensor.data);
    QVERIFY(call.input(2).kind == RuntimeValue::Kind::Absent);
    QVERIFY(call.wantsOutput(0) && !call.wantsOutput(1));
    const auto output = call.output(0, DType::Float32, {2, 3});
    QVERIFY(output.ok());
    QVERIFY(output.value().data == room.view().data);
    QCOMPARE(call.scratchpad().size(), std::size_t {16});
    QCOMPARE(call.node().op, std::string("Add"));
    QCOMPARE(call.opset(), std::int64_t {22});
    QVERIFY(!call.setOutput(0, {}).ok()); // a sequence is none
}

void PlacedCalls::anOutputOfAnotherTypeIsRefused_data()
{
    QTest::addColumn<int>("index");
    QTest::addColumn<DType>("dtype");
    QTest::addColumn<Shape>("shape");
    QTest::newRow("another type") << 0 << DType::Float64 << Shape {2, 3};
    QTest::newRow("another shape") << 0 << DType::Float32 << Shape {3, 2};
    QTest::newRow("another rank") << 0 << DType::Float32 << Shape {6};
    QTest::newRow("one too many") << 1 << DType::Float32 << Shape {2, 3};
}

void PlacedCalls::anOutputOfAnotherTypeIsRefused()
{
    QFETCH(const int, index);
    QFETCH(const DType, dtype);
    QFETCH(const Shape, shape);
    const Trial::Prepared trial = added();
    const HostTensor room(DType::Float32, {2, 3});
    PlacedCall call(trial, trial.inputs, {room.view()}, {});
    const auto refused = call.output(std::size_t(index), dtype, shape);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().code == ErrorCode::Internal);
}

void PlacedCalls::onlyLiteralsInMemoryAreThere()
{
    const Trial::Prepared trial = added();
    PlacedCall call(trial, trial.inputs, {}, {});
    TensorLiteral literal {DType::UInt8, {2}, {}};
    QVERIFY(!call.literal(literal).ok());
    literal.data.bytes = std::make_shared<std::vector<std::byte>>(2, std::byte {7});
    const auto view = call.literal(literal);
    QVERIFY(view.ok());
    QCOMPARE(int(view.value().as<std::uint8_t>()[1]), 7);
}

void PlacedCalls::inputsAreBroughtToTheDevice()
{
    test::HostDevice device;
    Blocks blocks {device};
    const Trial::Prepared trial = added();
    const auto placed = blocks.place(trial);
    QVERIFY(placed.ok());
    QCOMPARE(blocks.asked, (QList<qint64> {24, 12, 24}));
    QCOMPARE(device.copiedIn, std::int64_t {36});
    for (std::size_t i = 0; i < 2; ++i) {
        QVERIFY(placed.value().inputs[i].tensor.data == blocks.held[i].data);
        QCOMPARE(numbersAt(device, placed.value().inputs[i].tensor), doublesOf(trial.inputs[i].tensor));
    }
    QVERIFY(placed.value().outputs[0].data == blocks.held[2].data);
}

void PlacedCalls::anOutputInPlaceLiesOverItsInput()
{
    test::HostDevice device;
    Blocks blocks {device};
    const auto placed = blocks.place(added(), Implementation::InPlacePair {0, 0});
    QVERIFY(placed.ok());
    QCOMPARE(blocks.asked, (QList<qint64> {24, 12}));
    QVERIFY(placed.value().outputs[0].data == placed.value().inputs[0].tensor.data);
}

void PlacedCalls::whatIsAbsentStaysAbsent()
{
    test::HostDevice device;
    Blocks blocks {device};
    const Trial::Prepared trial = Trial("Clip").input({4}).absent().input({}).prepare(1).value();
    const auto placed = blocks.place(trial);
    QVERIFY(placed.ok());
    QVERIFY(placed.value().inputs[1].kind == RuntimeValue::Kind::Absent);
    QVERIFY(placed.value().inputs[1].tensor.data == nullptr);
    QVERIFY(placed.value().inputs[2].kind == RuntimeValue::Kind::Tensor);
}

void PlacedCalls::failuresAreHandedOn()
{
    test::HostDevice device;
    const Trial::Prepared trial = added();
    const auto full = placeTrial(device, trial, [](std::int64_t) -> Result<std::byte*> {
        return Error {ErrorCode::Unsupported, Message("The device is full."), {}, {}};
    });
    QVERIFY(!full.ok());
    QCOMPARE(english(full.error().message), std::string("The device is full."));
    std::byte host[64];
    const auto elsewhere = placeTrial(device, trial, [&](std::int64_t) -> Result<std::byte*> { return host; });
    QVERIFY(!elsewhere.ok());
    QVERIFY(english(elsewhere.error().message).find("an address of the host") != std::string::npos);
}

QTEST_APPLESS_MAIN(PlacedCalls)
#include "tst_placed_call.moc"
