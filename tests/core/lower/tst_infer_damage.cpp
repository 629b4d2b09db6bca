#include "core/lower/types/infer_types.h"

#include "core/formats/read_graph.h"
#include "core/lower/fold.h"
#include "core/ops/op_traits.h"

#include <QTest>

#include <cstring>
#include <filesystem>
#include <random>

using namespace plimsoll;

/// Graphs with absurd numbers in them: an answer or an Error, never a crash, a hang or an undefined operation.
class InferDamage : public QObject
{
    Q_OBJECT

private slots:
    void damagedGraphsEndWithAnAnswerOrAnError_data();
    void damagedGraphsEndWithAnAnswerOrAnError();
};

namespace {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

constexpr std::int64_t Absurd[] = {
    0, 1, -1, 2, 3, -2, 7, 64, 1 << 20, INT32_MAX, INT64_MAX, INT64_MIN, INT64_MAX / 2, INT64_MIN + 1};

std::int64_t absurd(Random& random)
{
    return Absurd[random() % std::size(Absurd)];
}

template <typename Items>
auto& anyOf(Items& items, Random& random)
{
    return items[random() % items.size()];
}

void damageAttribute(Node& node, Random& random)
{
    if (node.attributes.empty()) return;
    Attributes::Map& attributes = node.attributes.edit();
    auto place = attributes.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random() % attributes.size()));
    if (auto* integer = std::get_if<std::int64_t>(&place->second)) *integer = absurd(random);
    if (auto* real = std::get_if<double>(&place->second)) *real = static_cast<double>(absurd(random));
    if (auto* integers = std::get_if<std::vector<std::int64_t>>(&place->second)) {
        if (!integers->empty() && random() % 2) {
            anyOf(*integers, random) = absurd(random);
        } else {
            integers->resize(random() % 5, absurd(random));
        }
    }
    if (auto* literal = std::get_if<TensorLiteral>(&place->second); literal && literal->data.bytes) {
        auto bytes = std::make_shared<std::vector<std::byte>>(*literal->data.bytes);
        const std::int64_t number = absurd(random);
        if (bytes->size() >= sizeof number) std::memcpy(bytes->data(), &number, sizeof number);
        if (random() % 4 == 0) bytes->resize(bytes->size() / 2);
        literal->data.bytes = std::move(bytes);
    }
    if (random() % 8 == 0) attributes.erase(place);
}

void damageValue(Value& value, Random& random)
{
    if (random() % 8 == 0) value.type.dtype = static_cast<DType>(random() % 27);
    if (value.type.dims && !value.type.dims->empty()) {
        const std::int64_t size = absurd(random);
        anyOf(*value.type.dims, random) = {size < 0 ? -1 : size, {}};
    }
    if (random() % 8 == 0 && value.type.dims) value.type.dims->resize(random() % 5, Dim {2, {}});
    if (value.data->bytes && value.data->bytes->size() >= sizeof(std::int64_t)) {
        auto bytes = std::make_shared<std::vector<std::byte>>(*value.data->bytes);
        const std::int64_t number = absurd(random);
        std::memcpy(bytes->data(), &number, sizeof number);
        value.data.edit().bytes = std::move(bytes);
    }
}

void damageWiring(Graph& graph, Node& node, Random& random)
{
    if (node.inputs.empty()) return;
    if (random() % 2) {
        node.inputs.resize(random() % (node.inputs.size() + 1));
    } else {
        // An earlier input of the graph: the order of execution stays right.
        const auto& inputs = graph[TopBody].inputs;
        anyOf(node.inputs, random) = inputs.empty() ? ValueId() : inputs[random() % inputs.size()];
    }
}

void damage(Graph& graph, Random& random)
{
    for (std::uint64_t i = random() % 4 + 1; i > 0; --i) {
        Node& node = anyOf(graph.nodes, random);
        switch (random() % 4) {
        case 0:
            damageAttribute(node, random);
            break;
        case 1:
            damageValue(anyOf(graph.values, random), random);
            break;
        case 2:
            damageWiring(graph, node, random);
            break;
        default:
            graph.opsets[""] = static_cast<std::int64_t>(random() % 28);
            break;
        }
    }
}

/// Everything of this stage and of the tables beneath it.
void exercise(const Graph& graph)
{
    const auto inferred = inferTypes(graph, {}, {});
    if (!inferred.ok()) return;
    const Graph folded = fold(inferred.value(), FoldPolicy::All, {});
    for (std::size_t n = 0; n < folded.nodes.size(); ++n) {
        (void)aliasTraits(folded, NodeId(n));
        (void)isPure(folded, NodeId(n));
        for (const BodyId body : folded.nodes[n].bodies)
            (void)bodyLinks(folded, NodeId(n), body);
    }
}

} // namespace

void InferDamage::damagedGraphsEndWithAnAnswerOrAnError_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("rounds"); ///< For each model.
    QTest::newRow("corpora") << QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/onnx/node") << 40;
    QTest::newRow("Debian's libonnx-testdata") << QStringLiteral("/usr/share/libonnx-testdata/data/node") << 4;
}

void InferDamage::damagedGraphsEndWithAnAnswerOrAnError()
{
    QFETCH(QString, folder);
    QFETCH(int, rounds);
    if (!fs::exists(folder.toStdString())) QSKIP("The folder with the models is not there.");
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("PLIMSOLL_TEST_SEED", &given);
    const std::uint64_t seed = given ? static_cast<std::uint64_t>(wanted) : 20240607;
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    Random random(seed);
    int exercised = 0;

    for (const auto& entry : fs::recursive_directory_iterator(folder.toStdString())) {
        if (entry.path().extension() != ".onnx") continue;
        const auto graph = readGraph(entry.path(), {});
        for (int i = 0; graph.ok() && !graph.value().nodes.empty() && i < rounds; ++i) {
            Graph damaged = graph.value();
            damage(damaged, random);
            exercise(damaged);
            ++exercised;
        }
    }

    qInfo("%d damaged graphs", exercised);
    QVERIFY(exercised > 0);
}

QTEST_APPLESS_MAIN(InferDamage)
#include "tst_infer_damage.moc"
