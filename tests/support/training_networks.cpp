#include "tests/support/training_networks.h"

#include <optional>

namespace plimsoll::test {
namespace {

/// Writes graph text layer by layer; each function gives the name of its result.
class Writer
{
public:
    explicit Writer(Trained trained) : m_trained(trained) {}

    std::string convolution(const std::string& x, int from, int to, int kernel, int stride)
    {
        const std::string w = parameter({to, from, kernel, kernel}, Trained::All);
        return node("Conv(" + x + ", " + w + ") strides=" + pair(stride) + " pads=" + four(kernel / 2));
    }

    std::string batchNorm(const std::string& x, int channels)
    {
        const std::string scale = parameter({channels}, Trained::Normalization);
        const std::string bias = parameter({channels}, Trained::Normalization);
        const std::string mean = parameter({channels}, {});
        const std::string variance = parameter({channels}, {});
        const std::string y = next();
        m_text += y + ", " + y + "m, " + y + "v = BatchNormalization(" + x + ", " + scale + ", " + bias + ", " + mean +
                  ", " + variance + ") training_mode=1\n";
        return y;
    }

    std::string layerNorm(const std::string& x, int width)
    {
        return node("LayerNormalization(" + x + ", " + parameter({width}, Trained::Normalization) + ", " +
                    parameter({width}, Trained::Normalization) + ")");
    }

    std::string linear(const std::string& x, int from, int to)
    {
        const std::string product = node("MatMul(" + x + ", " + parameter({from, to}, Trained::All) + ")");
        return node("Add(" + product + ", " + parameter({to}, Trained::All) + ")");
    }

    std::string node(const std::string& call)
    {
        std::string y = next();
        m_text += y + " = " + call + "\n";
        return y;
    }

    std::string parameter(std::initializer_list<int> shape, std::optional<Trained> part)
    {
        const std::string name = "w" + std::to_string(++m_parameters);
        m_text += "param " + name + " float32[";
        for (const int* size = shape.begin(); size != shape.end(); ++size)
            m_text += (size == shape.begin() ? "" : ",") + std::to_string(*size);
        m_text += "]\n";
        if (part && (m_trained == Trained::All || m_trained == *part)) m_gradients += " " + name;
        return name;
    }

    void line(const std::string& text) { m_text += text + "\n"; }

    std::string withLoss(const std::string& scores, const std::string& target)
    {
        m_text += "loss0: loss = SoftmaxCrossEntropyLoss(" + scores + ", " + target + ")\n";
        return m_text + "output loss\ngrad" + m_gradients + "\nloss loss\n";
    }

private:
    std::string next() { return "v" + std::to_string(++m_values); }
    static std::string pair(int size) { return "[" + std::to_string(size) + "," + std::to_string(size) + "]"; }
    static std::string four(int size)
    {
        const std::string s = std::to_string(size);
        return "[" + s + "," + s + "," + s + "," + s + "]";
    }

    Trained m_trained;
    std::string m_text;
    std::string m_gradients;
    int m_values = 0;
    int m_parameters = 0;
};

std::string basicBlock(Writer& writer, const std::string& x, int from, int to, int stride)
{
    const std::string first = writer.batchNorm(writer.convolution(x, from, to, 3, stride), to);
    const std::string second =
        writer.batchNorm(writer.convolution(writer.node("Relu(" + first + ")"), to, to, 3, 1), to);
    const std::string skip =
        stride == 1 && from == to ? x : writer.batchNorm(writer.convolution(x, from, to, 1, stride), to);
    return writer.node("Relu(" + writer.node("Add(" + second + ", " + skip + ")") + ")");
}

/// Three times normalization, relu and convolution, of a quarter of the channels inside.
std::string bottleneck(Writer& writer, const std::string& x, int from, int to, int stride)
{
    const auto active = [&](const std::string& value, int channels) {
        return writer.node("Relu(" + writer.batchNorm(value, channels) + ")");
    };
    const int inside = to / 4;
    const std::string first = active(x, from);
    const std::string second = active(writer.convolution(first, from, inside, 1, 1), inside);
    const std::string third = active(writer.convolution(second, inside, inside, 3, stride), inside);
    const std::string skip = stride == 1 && from == to ? x : writer.convolution(first, from, to, 1, stride);
    return writer.node("Add(" + writer.convolution(third, inside, to, 1, 1) + ", " + skip + ")");
}

/// [batch, length, width] → [batch, heads, length, width / heads]
std::string heads(Writer& writer, const std::string& x, const std::string& axes)
{
    return writer.node("Transpose(" + writer.node("Reshape(" + x + ", split)") + ") perm=" + axes);
}

std::string attention(Writer& writer, const std::string& x, int width)
{
    const std::string query = heads(writer, writer.linear(x, width, width), "[0,2,1,3]");
    const std::string key = heads(writer, writer.linear(x, width, width), "[0,2,3,1]");
    const std::string value = heads(writer, writer.linear(x, width, width), "[0,2,1,3]");
    const std::string scores = writer.node("Mul(" + writer.node("MatMul(" + query + ", " + key + ")") + ", scale)");
    const std::string mixed =
        writer.node("MatMul(" + writer.node("Softmax(" + scores + ") axis=-1") + ", " + value + ")");
    const std::string joined = writer.node("Transpose(" + mixed + ") perm=[0,2,1,3]");
    return writer.linear(writer.node("Reshape(" + joined + ", join)"), width, width);
}

} // namespace

std::string resNet18(int batch, int size, int width, Trained trained)
{
    constexpr int Classes = 10;
    Writer writer(trained);
    const std::string pixels = std::to_string(size);
    writer.line("graph resnet18\ninput x float32[" + std::to_string(batch) + ",3," + pixels + "," + pixels + "]");
    writer.line("input target int64[" + std::to_string(batch) + "]");
    std::string x = writer.node("Relu(" + writer.batchNorm(writer.convolution("x", 3, width, 7, 2), width) + ")");
    x = writer.node("MaxPool(" + x + ") kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]");
    int channels = width;
    for (int stage = 0; stage < 4; ++stage) {
        const int to = width << stage;
        for (int block = 0; block < 2; ++block) {
            x = basicBlock(writer, x, channels, to, stage > 0 && block == 0 ? 2 : 1);
            channels = to;
        }
    }
    x = writer.node("Flatten(" + writer.node("GlobalAveragePool(" + x + ")") + ")");
    const std::string w = writer.parameter({channels, Classes}, Trained::Head);
    const std::string b = writer.parameter({Classes}, Trained::Head);
    return writer.withLoss(writer.node("Gemm(" + x + ", " + w + ", " + b + ")"), "target");
}

std::string preactivationResNet152(int batch, int size)
{
    Writer writer(Trained::All);
    const std::string pixels = std::to_string(size);
    writer.line("graph resnet152\ninput x float32[" + std::to_string(batch) + ",3," + pixels + "," + pixels + "]");
    writer.line("input target int64[" + std::to_string(batch) + "]");
    std::string x = writer.node("Relu(" + writer.batchNorm(writer.convolution("x", 3, 64, 7, 2), 64) + ")");
    x = writer.node("MaxPool(" + x + ") kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]");
    int channels = 64;
    int to = 256;
    for (const int blocks : {3, 8, 36, 3}) {
        for (int block = 0; block < blocks; ++block) {
            x = bottleneck(writer, x, channels, to, to > 256 && block == 0 ? 2 : 1);
            channels = to;
        }
        to *= 2;
    }
    x = writer.node("Relu(" + writer.batchNorm(x, channels) + ")");
    x = writer.node("Flatten(" + writer.node("GlobalAveragePool(" + x + ")") + ")");
    const std::string w = writer.parameter({channels, 1000}, Trained::Head);
    const std::string b = writer.parameter({1000}, Trained::Head);
    return writer.withLoss(writer.node("Gemm(" + x + ", " + w + ", " + b + ")"), "target");
}

std::string transformer(int layers, int batch, int length, int width, Trained trained)
{
    constexpr int Heads = 4;
    constexpr int Tokens = 50;
    Writer writer(trained);
    const auto text = [](int number) { return std::to_string(number); };
    writer.line("graph transformer\ninput tokens int64[" + text(batch) + "," + text(length) + "]");
    writer.line("input target int64[" + text(batch * length) + "]");
    writer.line("const scale float32[] = 0.25");
    writer.line("const split int64[4] = " + text(batch) + " " + text(length) + " " + text(Heads) + " " +
                text(width / Heads));
    writer.line("const join int64[3] = " + text(batch) + " " + text(length) + " " + text(width));
    writer.line("const flat int64[2] = " + text(batch * length) + " " + text(width));
    std::string x = writer.node("Gather(" + writer.parameter({Tokens, width}, Trained::All) + ", tokens)");
    for (int layer = 0; layer < layers; ++layer) {
        x = writer.node("Add(" + x + ", " + attention(writer, writer.layerNorm(x, width), width) + ")");
        const std::string wide =
            writer.node("Gelu(" + writer.linear(writer.layerNorm(x, width), width, 4 * width) + ")");
        x = writer.node("Add(" + x + ", " + writer.linear(wide, 4 * width, width) + ")");
    }
    x = writer.node("Reshape(" + writer.layerNorm(x, width) + ", flat)");
    return writer.withLoss(writer.node("MatMul(" + x + ", " + writer.parameter({width, Tokens}, Trained::Head) + ")"),
                           "target");
}

} // namespace plimsoll::test
