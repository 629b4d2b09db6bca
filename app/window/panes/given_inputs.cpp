#include "app/window/panes/given_inputs.h"

#include "app/models/window_text.h"
#include "core/facts/words/names.h"
#include "core/formats/files/npy.h"

#include <QDir>
#include <QFileInfo>
#include <QFloat16>
#include <QImage>
#include <QImageReader>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <type_traits>

namespace plimsoll::app {
namespace {

/// Where an image lies in a tensor.
struct ImageShape
{
    std::int64_t images = 1; ///< The same in each.
    std::int64_t channels = 1;
    std::int64_t height = 0;
    std::int64_t width = 0;
    bool channelsLast = false;
};

constexpr std::int64_t LongestSide = 16384; ///< Pixels.

constexpr std::int64_t MostBytes = std::int64_t {1} << 30;

/// [height,width], [channels,height,width], [height,width,channels], and the last two with a batch before them. Nothing
/// for what holds no image.
std::optional<ImageShape> imageShape(const TensorType& type)
{
    constexpr std::array Types = {DType::Float32, DType::Float16, DType::Float64, DType::UInt8};
    const auto shape = type.shape();
    const bool fits =
        type.bytes().value_or(MostBytes) < MostBytes && std::ranges::find(Types, type.dtype) != Types.end();
    if (!fits || !shape || shape->size() < 2 || shape->size() > 4 || type.isSparse()) return std::nullopt;
    Shape sizes = *shape;
    if (sizes.size() == 2 && (sizes[0] == 1 || sizes[1] == 1)) return std::nullopt; // a row of numbers
    ImageShape found;
    if (sizes.size() == 4) {
        found.images = sizes.front();
        sizes.erase(sizes.begin());
    }
    const auto holdsColours = [](std::int64_t count) { return count == 1 || count == 3 || count == 4; };
    if (sizes.size() == 3) {
        found.channelsLast = !holdsColours(sizes.front());
        found.channels = found.channelsLast ? sizes.back() : sizes.front();
        sizes.erase(found.channelsLast ? sizes.end() - 1 : sizes.begin());
    }
    found.height = sizes[0];
    found.width = sizes[1];
    const bool isImage = holdsColours(found.channels) && found.height > 0 && found.width > 0 &&
                         found.height <= LongestSide && found.width <= LongestSide;
    return isImage ? std::optional(found) : std::nullopt;
}

/// Red, green, blue, alpha; grey where there is one channel. 0 to 255.
int channelOf(QRgb pixel, std::int64_t channel, std::int64_t channels)
{
    if (channels == 1) return qGray(pixel);
    return std::array {qRed(pixel), qGreen(pixel), qBlue(pixel), qAlpha(pixel)}[static_cast<std::size_t>(channel)];
}

template <typename Element>
void fill(const QImage& image, const ImageShape& shape, double scale, std::vector<std::byte>& bytes)
{
    using Wide = std::conditional_t<std::is_same_v<Element, double>, double, float>;
    const auto add = [&](std::int64_t row, std::int64_t column, std::int64_t channel) {
        const QRgb pixel = image.pixel(int(column), int(row));
        const auto element = static_cast<Element>(static_cast<Wide>(scale * channelOf(pixel, channel, shape.channels)));
        const auto* first = reinterpret_cast<const std::byte*>(&element);
        bytes.insert(bytes.end(), first, first + sizeof element);
    };
    const std::int64_t planes = shape.channelsLast ? 1 : shape.channels;
    for (std::int64_t plane = 0; plane < planes; ++plane)
        for (std::int64_t row = 0; row < shape.height; ++row)
            for (std::int64_t column = 0; column < shape.width; ++column)
                for (std::int64_t i = 0; i < shape.channels / planes; ++i)
                    add(row, column, plane + i);
}

std::vector<std::byte> elementsOf(const QImage& given, const ImageShape& shape, DType dtype)
{
    const QImage image =
        given.convertToFormat(QImage::Format_ARGB32)
            .scaled(int(shape.width), int(shape.height), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    std::vector<std::byte> one;
    if (dtype == DType::Float32) fill<float>(image, shape, 1.0 / 255, one);
    if (dtype == DType::Float64) fill<double>(image, shape, 1.0 / 255, one);
    if (dtype == DType::Float16) fill<qfloat16>(image, shape, 1.0 / 255, one);
    if (dtype == DType::UInt8) fill<std::uint8_t>(image, shape, 1, one);
    std::vector<std::byte> all;
    for (std::int64_t i = 0; i < shape.images; ++i)
        all.insert(all.end(), one.begin(), one.end());
    return all;
}

Error fault(const QString& file, Message what)
{
    return {ErrorCode::BadInput, std::move(what), file.toStdString(), {}};
}

/// By position among the inputs.
Result<std::size_t> inputFor(const QFileInfo& file, const Graph& graph, bool image)
{
    const std::vector<ValueId>& inputs = graph.top().inputs;
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const TensorType& type = graph[inputs[i]].type;
        const bool takes = !image || imageShape(type);
        if (takes) able.push_back(i);
        if (file.completeBaseName() != QString::fromStdString(graph[inputs[i]].name)) continue;
        if (!takes) return fault(file.filePath(), say("inputs.image-type", word::Name {describe(type)}));
        return i;
    }
    if (able.size() == 1) return able.front();
    if (able.empty()) return fault(file.filePath(), say(image ? "inputs.no-image" : "inputs.none"));
    const auto nameOf = [&](std::size_t i) { return word::Name {graph[inputs[i]].name}; };
    return fault(file.filePath(), say("inputs.which", listOf(able, nameOf, 4)));
}

Result<QByteArray> asTensorFile(const QFileInfo& file, const TensorType& type, bool image)
{
    if (!image) {
        QFile tensor(file.filePath());
        if (!tensor.open(QIODevice::ReadOnly))
            return fault(file.filePath(), Message(tensor.errorString().toStdString()));
        return tensor.readAll();
    }
    QImageReader reader(file.filePath());
    reader.setAutoTransform(true);
    const QImage read = reader.read();
    if (read.isNull()) return fault(file.filePath(), Message(reader.errorString().toStdString()));
    const ImageShape shape = *imageShape(type);
    return QByteArray::fromStdString(npyFile(type.dtype, *type.shape(), elementsOf(read, shape, type.dtype)));
}

} // namespace

QString inputsAt(const QString& path)
{
    const QFileInfo given(path);
    const bool numbered = given.isFile() && given.completeBaseName().startsWith(QStringLiteral("input_"));
    if (given.isFile() && !numbered) return QDir::toNativeSeparators(path);
    const QDir folder(given.isFile() ? given.absolutePath() : given.filePath());
    const QString data = folder.filePath(QStringLiteral("test_data_set_0"));
    return QDir::toNativeSeparators(QFileInfo(data).isDir() ? data : folder.path());
}

Result<QString> inputsFolder(const QString& given, const Graph& graph, const QString& room)
{
    const QFileInfo file(given);
    if (!file.isFile()) return given;
    const bool image = !QImageReader::imageFormat(given).isEmpty();
    PLIMSOLL_ASSIGN(input, inputFor(file, graph, image));
    PLIMSOLL_ASSIGN(content, asTensorFile(file, graph[graph.top().inputs[input]].type, image));
    for (const QString& earlier : QDir(room).entryList(QDir::Files))
        QFile::remove(QDir(room).filePath(earlier));
    const QString suffix = image ? QStringLiteral("npy") : file.suffix();
    QSaveFile written(QDir(room).filePath(QStringLiteral("input_%1.%2").arg(input).arg(suffix)));
    if (!written.open(QIODevice::WriteOnly) || written.write(content) != content.size() || !written.commit())
        return fault(given, Message(written.errorString().toStdString()));
    return room;
}

} // namespace plimsoll::app
