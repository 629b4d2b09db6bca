#include "tests/support/symbol_writer.h"

#include <algorithm>
#include <array>

namespace plimsoll::test {
namespace {

std::string quoted(const std::string& text)
{
    return "\"" + text + "\"";
}

std::string pair(int number)
{
    return "(" + std::to_string(number) + ", " + std::to_string(number) + ")";
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return "[" + text + "]";
}

template <typename Number>
std::string joined(const std::vector<Number>& numbers)
{
    std::vector<std::string> parts;
    for (const Number number : numbers)
        parts.push_back(std::to_string(number));
    return joined(parts);
}

} // namespace

SymbolWriter::Entry SymbolWriter::add(const std::string& op, const std::string& name, const std::string& rest,
                                      int outputs)
{
    m_nodes.push_back("{\"op\": " + quoted(op) + ", \"name\": " + quoted(name) + rest + "}");
    m_rows.push_back(m_rows.back() + outputs);
    return {nodes() - 1, 0, 0};
}

std::string SymbolWriter::entries(const std::vector<Entry>& entries) const
{
    std::vector<std::string> parts;
    for (const Entry& entry : entries) {
        std::vector<int> numbers = {entry.node, entry.output};
        if (m_dialect != Dialect::Param) numbers.push_back(entry.version);
        parts.push_back(joined(numbers));
    }
    return joined(parts);
}

std::string SymbolWriter::attributesText(const Attributes& attributes) const
{
    if (attributes.empty()) return m_dialect == Dialect::Param ? ", \"param\": {}, \"backward_source_id\": -1" : "";
    std::string text;
    for (const auto& [key, value] : attributes)
        text += (text.empty() ? "" : ", ") + quoted(key) + ": " + quoted(value);
    const char* key = m_dialect == Dialect::Attrs ? "attrs" : m_dialect == Dialect::Attr ? "attr" : "param";
    return ", " + quoted(key) + ": {" + text + "}" +
           (m_dialect == Dialect::Param ? ", \"backward_source_id\": -1" : "");
}

SymbolWriter::Entry SymbolWriter::variable(const std::string& name, const Attributes& attributes)
{
    m_variables.push_back(nodes());
    return add("null", name, attributesText(attributes) + ", \"inputs\": []", 1);
}

SymbolWriter::Entry SymbolWriter::node(const std::string& op, const std::string& name, const std::vector<Entry>& inputs,
                                       const Attributes& attributes, int outputs)
{
    return add(op, name, attributesText(attributes) + ", \"inputs\": " + entries(inputs), outputs);
}

SymbolWriter::Entry SymbolWriter::owner(const std::string& op, const std::string& name,
                                        const std::vector<Entry>& inputs, const Attributes& attributes,
                                        const std::vector<std::string>& subgraphs, int outputs)
{
    return add(op, name,
               attributesText(attributes) + ", \"inputs\": " + entries(inputs) +
                   ", \"subgraphs\": " + joined(subgraphs),
               outputs);
}

SymbolWriter::Entry SymbolWriter::convolution(const std::string& name, Entry data, int filters, Window window,
                                              int groups, bool bias)
{
    std::vector<Entry> inputs = {data, variable(name + "_weight")};
    if (bias) inputs.push_back(variable(name + "_bias"));
    Attributes attributes = {{"kernel", pair(window.kernel)},
                             {"stride", pair(window.stride)},
                             {"pad", pair(window.pad)},
                             {"num_filter", std::to_string(filters)},
                             {"no_bias", bias ? "False" : "True"}};
    if (groups > 1) attributes["num_group"] = std::to_string(groups);
    return node("Convolution", name, inputs, attributes);
}

SymbolWriter::Entry SymbolWriter::batchNorm(const std::string& name, Entry data)
{
    std::vector<Entry> inputs = {data, variable(name + "_gamma"), variable(name + "_beta")};
    for (const char* state : {"_moving_mean", "_moving_var"}) {
        if (m_dialect == Dialect::Param) break;
        inputs.push_back(variable(name + state));
        inputs.back().version = 1;
    }
    return node("BatchNorm", name, inputs, {{"eps", "1e-05"}, {"fix_gamma", "False"}, {"use_global_stats", "True"}}, 3);
}

SymbolWriter::Entry SymbolWriter::relu(const std::string& name, Entry data)
{
    return node("Activation", name, {data}, {{"act_type", "relu"}});
}

SymbolWriter::Entry SymbolWriter::pooling(const std::string& name, Entry data, const std::string& type, Window window,
                                          const std::string& convention)
{
    return node("Pooling", name, {data},
                {{"pool_type", type},
                 {"kernel", pair(window.kernel)},
                 {"stride", pair(window.stride)},
                 {"pad", pair(window.pad)},
                 {"pooling_convention", convention}});
}

SymbolWriter::Entry SymbolWriter::globalPooling(const std::string& name, Entry data)
{
    return node("Pooling", name, {data}, {{"pool_type", "avg"}, {"kernel", pair(1)}, {"global_pool", "True"}});
}

SymbolWriter::Entry SymbolWriter::classifier(Entry data, int classes)
{
    const Entry flat = node("Flatten", "flatten", {data});
    const Entry weight = variable("classifier_weight");
    const Entry scores = node("FullyConnected", "classifier", {flat, weight, variable("classifier_bias")},
                              {{"num_hidden", std::to_string(classes)}});
    return node("SoftmaxOutput", "softmax", {scores, variable("softmax_label")});
}

SymbolWriter::Entry SymbolWriter::convolved(const std::string& name, Entry data, int filters, Window window, int groups)
{
    return relu(name + "_relu", batchNorm(name + "_bn", convolution(name, data, filters, window, groups)));
}

std::string SymbolWriter::text(const std::vector<Entry>& heads) const
{
    std::string text =
        "{\"nodes\": " + joined(m_nodes) + ", \"arg_nodes\": " + joined(m_variables) + ", \"heads\": " + entries(heads);
    if (m_dialect != Dialect::Param) text += ", \"node_row_ptr\": " + joined(m_rows);
    if (m_dialect == Dialect::Attrs) text += ", \"attrs\": {\"mxnet_version\": [\"int\", 10500]}";
    if (m_dialect == Dialect::Attr) text += ", \"attrs\": {\"mxnet_version\": [\"int\", 1200]}";
    return text + "}";
}

namespace symbols {
namespace {

using Entry = SymbolWriter::Entry;

Entry basicBlock(SymbolWriter& writer, const std::string& name, Entry data, int filters, int stride)
{
    Entry shortcut = data;
    if (stride > 1)
        shortcut = writer.batchNorm(name + "_match_conv_bn",
                                    writer.convolution(name + "_match_conv", data, filters, {1, stride, 0}));
    const Entry first = writer.convolved(name + "_conv1", data, filters, {3, stride, 1});
    const Entry second =
        writer.batchNorm(name + "_conv2_bn", writer.convolution(name + "_conv2", first, filters, {3, 1, 1}));
    return writer.relu(name + "_relu", writer.node("broadcast_add", name, {shortcut, second}));
}

/// What the means of the channels say about their weight.
Entry excite(SymbolWriter& writer, const std::string& name, Entry data, int channels)
{
    const Entry means = writer.globalPooling(name + "_global_pool", data);
    const Entry down = writer.convolution(name + "_1x1_down", means, channels / 16, {}, 1, true);
    const Entry up =
        writer.convolution(name + "_1x1_up", writer.relu(name + "_1x1_down_relu", down), channels, {}, 1, true);
    const Entry weights = writer.node("Activation", name + "_1x1_up_prob", {up}, {{"act_type", "sigmoid"}});
    const Entry shaped = writer.node("Reshape", name + "_reshape", {weights},
                                     {{"shape", "(-1, " + std::to_string(channels) + ", 1, 1)"}});
    return writer.node("broadcast_mul", name + "_mul", {data, shaped});
}

struct Stage
{
    int filters = 0;
    int stride = 1;
    bool projects = false;
};

Entry bottleneck(SymbolWriter& writer, const std::string& name, Entry data, const Stage& stage)
{
    const Entry reduced = writer.convolved(name + "_1x1_reduce", data, stage.filters, {1, stage.stride, 0});
    const Entry middle = writer.convolved(name + "_3x3", reduced, stage.filters, {3, 1, 1});
    const Entry grown = writer.batchNorm(name + "_1x1_increase_bn",
                                         writer.convolution(name + "_1x1_increase", middle, 4 * stage.filters, {}));
    const Entry weighed = excite(writer, name, grown, 4 * stage.filters);
    Entry shortcut = data;
    if (stage.projects)
        shortcut = writer.batchNorm(name + "_1x1_proj_bn", writer.convolution(name + "_1x1_proj", data,
                                                                              4 * stage.filters, {1, stage.stride, 0}));
    const std::vector<Entry> both = stage.projects ? std::vector {weighed, shortcut} : std::vector {shortcut, weighed};
    return writer.relu(name + "_relu", writer.node("broadcast_add", name, both));
}

} // namespace

std::string resnet18(SymbolWriter::Dialect dialect)
{
    SymbolWriter writer(dialect);
    Entry last = writer.convolved("conv1", writer.variable("data"), 64, {7, 2, 3});
    last = writer.pooling("pool1", last, "max", {3, 2, 1});
    for (int block = 1; block <= 8; ++block) {
        const bool first = block > 2 && block % 2 == 1;
        last = basicBlock(writer, "res" + std::to_string(block), last, 64 << ((block - 1) / 2), first ? 2 : 1);
    }
    return writer.text({writer.classifier(writer.globalPooling("avg_pool", last), 1000)});
}

std::string squeezeExcite(const std::vector<int>& blocks)
{
    SymbolWriter writer(SymbolWriter::Dialect::Attr);
    Entry last = writer.convolved("conv1", writer.variable("data"), 64, {7, 2, 3});
    last = writer.pooling("pool1", last, "max", {3, 2, 0}, "full");
    int block = 0;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        for (int i = 0; i < blocks[stage]; ++i) {
            const Stage shape {64 << stage, stage > 0 && i == 0 ? 2 : 1, i == 0};
            last = bottleneck(writer, "seres" + std::to_string(++block), last, shape);
        }
    }
    return writer.text({writer.classifier(writer.globalPooling("pool5", last), 1000)});
}

std::string mobilenet(SymbolWriter::Dialect dialect)
{
    SymbolWriter writer(dialect);
    Entry last = writer.convolved("conv0", writer.variable("data"), 32, {3, 2, 1});
    int channels = 32;
    for (int layer = 1; layer <= 13; ++layer) {
        const std::string name = "conv" + std::to_string(layer);
        const bool halves = layer == 2 || layer == 4 || layer == 6 || layer == 12;
        last = writer.convolved(name + "_dw", last, channels, {3, halves ? 2 : 1, 1}, channels);
        if (layer == 1 || halves) channels *= 2;
        last = writer.convolved(name + "_pw", last, channels, {});
    }
    return writer.text({writer.classifier(writer.globalPooling("pool", last), 1000)});
}

std::string densenet(int blocks, int layers)
{
    SymbolWriter writer;
    Entry last = writer.convolved("conv0", writer.variable("data"), 16, {3, 1, 1});
    int channels = 16;
    for (int block = 0; block < blocks; ++block) {
        for (int layer = 0; layer < layers; ++layer) {
            const std::string name = "dense" + std::to_string(block) + "_" + std::to_string(layer);
            const Entry normal = writer.relu(name + "_relu", writer.batchNorm(name + "_bn", last));
            const Entry grown = writer.convolution(name, normal, 8, {3, 1, 1});
            const Entry dropped = writer.node("Dropout", name + "_dropout", {grown}, {{"p", "0.2"}}, 2);
            last = writer.node("Concat", name + "_concat", {last, dropped}, {{"num_args", "2"}, {"dim", "1"}});
            channels += 8;
        }
        channels /= 2;
        const std::string name = "transition" + std::to_string(block);
        last = writer.pooling(name + "_pool", writer.convolved(name, last, channels, {}), "avg", {2, 2, 0}, "full");
    }
    return writer.text({writer.classifier(writer.globalPooling("pool", last), 100)});
}

std::string inception(int blocks)
{
    SymbolWriter writer;
    Entry last = writer.convolved("stem", writer.variable("data"), 32, {3, 2, 1});
    for (int block = 0; block < blocks; ++block) {
        const std::string name = "in" + std::to_string(block);
        const Entry one = writer.convolved(name + "_1", last, 8, {});
        const Entry three = writer.convolved(name + "_3", writer.convolved(name + "_3r", last, 8, {}), 8, {3, 1, 1});
        const Entry five = writer.convolved(name + "_5", writer.convolved(name + "_5r", last, 4, {}), 8, {5, 1, 2});
        const Entry pooled = writer.pooling(name + "_pool", last, "max", {3, 1, 1});
        const Entry projected = writer.convolved(name + "_proj", pooled, 8, {});
        last = writer.node("Concat", name + "_concat", {one, three, five, projected}, {{"num_args", "4"}});
    }
    return writer.text({writer.classifier(writer.globalPooling("pool", last), 100)});
}

namespace {

/// The parts of Inception-ResNet v2.
class InceptionResnet
{
public:
    std::string text()
    {
        Entry last = stem(m_writer.variable("data"));
        for (int block = 1; block <= 10; ++block)
            last = blockA("a" + std::to_string(block), last);
        last = reductionA(last);
        for (int block = 1; block <= 20; ++block)
            last = blockB("b" + std::to_string(block), last, {128, 160, 192}, 7, 1088);
        last = reductionB(last);
        for (int block = 1; block <= 10; ++block)
            last = blockB("c" + std::to_string(block), last, {192, 224, 256}, 3, 2080);
        last = m_writer.globalPooling("pool", m_writer.convolved("conv6", last, 1536, {}));
        last = m_writer.node("Dropout", "dropout", {last}, {{"p", "0.2"}}, 2);
        return m_writer.text({m_writer.classifier(last, 1000)});
    }

private:
    Entry scale(Entry data, const char* by)
    {
        return m_writer.node("_mul_scalar", "scale" + std::to_string(m_scales++), {data}, {{"scalar", by}});
    }

    Entry concat(const std::string& name, const std::vector<Entry>& parts)
    {
        return m_writer.node("Concat", name + "_concat", parts, {{"num_args", std::to_string(parts.size())}});
    }

    Entry halved(const std::string& name, Entry data) { return m_writer.pooling(name, data, "max", {3, 2, 0}, "full"); }

    Entry stem(Entry data)
    {
        Entry last = m_writer.convolved("conv1", data, 32, {3, 2, 0});
        last = m_writer.convolved("conv2", last, 32, {3, 1, 0});
        last = halved("pool1", m_writer.convolved("conv3", last, 64, {3, 1, 1}));
        last = m_writer.convolved("conv4_reduce", last, 80, {});
        last = halved("pool2", m_writer.convolved("conv4", last, 192, {3, 1, 0}));
        const Entry one = m_writer.convolved("conv5_1", last, 96, {});
        const Entry five = m_writer.convolved("conv5_5", m_writer.convolved("conv5_5r", last, 48, {}), 64, {5, 1, 2});
        const Entry reduced =
            m_writer.convolved("conv5_3a", m_writer.convolved("conv5_3r", last, 64, {}), 96, {3, 1, 1});
        const Entry three = m_writer.convolved("conv5_3b", reduced, 96, {3, 1, 1});
        const Entry mean = m_writer.pooling("conv5_pool", last, "avg", {3, 1, 1}, "full");
        return scale(concat("stem", {one, five, three, m_writer.convolved("conv5_p", mean, 64, {})}), "1.0");
    }

    /// The branches, as deep as the data again, are scaled down and added to it.
    Entry residual(const std::string& name, Entry data, const std::vector<Entry>& branches, int channels,
                   const char* by)
    {
        const Entry up = m_writer.convolution(name + "_up", concat(name, branches), channels, {}, 1, true);
        const Entry sum = m_writer.node("elemwise_add", name + "_sum", {data, scale(up, by)});
        return scale(m_writer.relu(name + "_sum_relu", sum), "1.0");
    }

    Entry blockA(const std::string& name, Entry data)
    {
        const Entry one = m_writer.convolved(name + "_1", data, 32, {});
        const Entry two =
            m_writer.convolved(name + "_2b", m_writer.convolved(name + "_2a", data, 32, {}), 32, {3, 1, 1});
        const Entry middle =
            m_writer.convolved(name + "_3b", m_writer.convolved(name + "_3a", data, 32, {}), 48, {3, 1, 1});
        const Entry three = m_writer.convolved(name + "_3c", middle, 64, {3, 1, 1});
        return residual(name, data, {one, two, three}, 320, "0.17");
    }

    /// A row, then a column instead of a square.
    Entry blockB(const std::string& name, Entry data, const std::array<int, 3>& filters, int length, int channels)
    {
        const Entry one = m_writer.convolved(name + "_1", data, 192, {});
        const Entry reduced = m_writer.convolved(name + "_2a", data, filters[0], {});
        const Entry row = strip(name + "_2b", reduced, filters[1], {1, length});
        const Entry column = strip(name + "_2c", row, filters[2], {length, 1});
        return residual(name, data, {one, column}, channels, length == 7 ? "0.1" : "0.2");
    }

    Entry strip(const std::string& name, Entry data, int filters, std::pair<int, int> kernel)
    {
        const auto text = [](int first, int second) {
            return "(" + std::to_string(first) + ", " + std::to_string(second) + ")";
        };
        const Entry made = m_writer.node("Convolution", name, {data, m_writer.variable(name + "_weight")},
                                         {{"kernel", text(kernel.first, kernel.second)},
                                          {"pad", text(kernel.first / 2, kernel.second / 2)},
                                          {"num_filter", std::to_string(filters)},
                                          {"no_bias", "True"}});
        return m_writer.relu(name + "_relu", m_writer.batchNorm(name + "_bn", made));
    }

    Entry reductionA(Entry data)
    {
        const Entry one = m_writer.convolved("ra_1", data, 384, {3, 2, 0});
        const Entry two = m_writer.convolved("ra_2b", m_writer.convolved("ra_2a", data, 256, {}), 256, {3, 1, 1});
        const Entry three = m_writer.convolved("ra_2c", two, 384, {3, 2, 0});
        return scale(concat("ra", {one, three, halved("ra_pool", data)}), "1.0");
    }

    Entry reductionB(Entry data)
    {
        const Entry one = m_writer.convolved("rb_1b", m_writer.convolved("rb_1a", data, 256, {}), 384, {3, 2, 0});
        const Entry two = m_writer.convolved("rb_2b", m_writer.convolved("rb_2a", data, 256, {}), 288, {3, 2, 0});
        const Entry three = m_writer.convolved("rb_3b", m_writer.convolved("rb_3a", data, 256, {}), 288, {3, 1, 1});
        const Entry last = m_writer.convolved("rb_3c", three, 320, {3, 2, 0});
        return scale(concat("rb", {one, two, last, halved("rb_pool", data)}), "1.0");
    }

    SymbolWriter m_writer;
    int m_scales = 0;
};

} // namespace

std::string inceptionResnet()
{
    return InceptionResnet().text();
}

namespace {

/// What one scale says, as [batch, places * filters].
Entry predictions(SymbolWriter& writer, const std::string& name, Entry features, int filters)
{
    const Entry map = writer.convolution(name, features, filters, {3, 1, 1}, 1, true);
    const Entry last = writer.node("transpose", name + "_last", {map}, {{"axes", "(0, 2, 3, 1)"}});
    return writer.node("Flatten", name + "_flat", {last});
}

Entry joined(SymbolWriter& writer, const std::string& name, const std::vector<Entry>& parts)
{
    const Entry all = writer.node("Concat", name, parts, {{"num_args", std::to_string(parts.size())}, {"dim", "1"}});
    return writer.node("Reshape", name + "_rows", {all}, {{"shape", "(0, -1, 4)"}});
}

} // namespace

std::string detector(int scales)
{
    SymbolWriter writer;
    const Entry data = writer.variable("data");
    Entry last = writer.convolved("stem", data, 16, {3, 2, 1});
    std::vector<Entry> classes;
    std::vector<Entry> places;
    for (int scale = 0; scale < scales; ++scale) {
        const std::string name = "scale" + std::to_string(scale);
        last = writer.convolved(name, last, 16, {3, 2, 1});
        const Entry normal = writer.node("L2Normalization", name + "_norm", {last}, {{"mode", "channel"}});
        classes.push_back(predictions(writer, name + "_cls", normal, 8));
        places.push_back(predictions(writer, name + "_loc", normal, 8));
    }
    const Entry likely = writer.node("softmax", "likely", {joined(writer, "classes", classes)}, {{"axis", "-1"}});
    const Entry scores =
        writer.node("slice_axis", "scores", {likely}, {{"axis", "-1"}, {"begin", "1"}, {"end", "None"}});
    const Entry none = writer.node("zeros_like", "none", {scores});
    const Entry ids = writer.node("_plus_scalar", "ids", {none}, {{"scalar", "1"}});
    const Entry parts = writer.node("SliceChannel", "parts", {joined(writer, "places", places)},
                                    {{"num_outputs", "4"}, {"axis", "2"}}, 4);
    const auto part = [&](int number) { return Entry {parts.node, number, 0}; };
    const Entry half = writer.node("_mul_scalar", "half", {part(2)}, {{"scalar", "0.5"}});
    const Entry low = writer.node("elemwise_sub", "low", {part(0), half});
    const Entry high = writer.node("elemwise_add", "high", {part(0), half});
    const Entry boxes =
        writer.node("Concat", "boxes", {low, part(1), high, part(3)}, {{"num_args", "4"}, {"dim", "2"}});
    return writer.text({ids, scores, boxes, scores, data});
}

std::string recurrent(int loops)
{
    SymbolWriter gate;
    const Entry given = gate.variable("given");
    const std::string gated = gate.text({gate.node("sigmoid", "gate", {gate.node("negative", "minus", {given})})});
    SymbolWriter body;
    const Entry row = body.variable("row");
    const Entry state = body.variable("state");
    const Entry open = body.owner("_CachedOp", "part", {row}, {}, {gated});
    const Entry next = body.node("tanh", "next", {body.node("elemwise_add", "sum", {open, state})});
    const std::string step = body.text({body.node("_copy", "out", {next}), next});
    SymbolWriter writer;
    Entry rows = writer.variable("data");
    Entry last = writer.variable("start", {{"__shape__", "(8,)"}});
    for (int loop = 0; loop < loops; ++loop) {
        rows = writer.owner("_foreach", "loop" + std::to_string(loop), {rows, last},
                            {{"in_data_locs", "(0,)"},
                             {"in_state_locs", "(1,)"},
                             {"remain_locs", "()"},
                             {"num_args", "3"},
                             {"num_outputs", "2"},
                             {"num_out_data", "1"}},
                            {step}, 2);
        last = {rows.node, 1, 0};
    }
    return writer.text({rows, last, last});
}

} // namespace symbols

} // namespace plimsoll::test
