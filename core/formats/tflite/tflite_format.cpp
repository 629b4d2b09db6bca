#include "core/formats/formats.h"
#include "core/formats/tflite/tflite_reader.h"

namespace plimsoll {

const Format TfliteFormat {
    .id = "tflite",
    .title = "TensorFlow Lite",
    .name = "TensorFlow Lite model",
    .plural = "formats.tflite",
    .extensions = "tflite",
    .mediaType = "application/x-tflite",
    .magic = {4, "TFL3"},
    .howToGet = "A .tflite model, as a converter or Vela writes it.",
    .plan = "judged, or pins what it places",
    .runs = "fingerprints",
    .terms = {16, BackendPolicy::Captured}, // TensorFlow Lite Micro aligns so.
    .several = true,
    .recognise = hasMagic<TfliteFormat>,
    .read = readTflite,
};

} // namespace plimsoll
