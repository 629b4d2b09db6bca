#include "kernels/reference/gradients/gradients.h"
#include "kernels/reference/kernel_families.h"

#include <map>
#include <utility>

namespace plimsoll::kernels {
namespace {

using Registry = std::map<std::pair<std::string_view, std::string_view>, KernelFunction>;

Registry joinFamilies()
{
    Registry registry;
    for (const KernelTable table : {
             activationKernels(), arithmeticKernels(),    atenKernels(),
             attentionKernels(),  boxKernels(),           castKernels(),
             columnKernels(),     comparisonKernels(),    concatKernels(),
             constantKernels(),   convolutionKernels(),   cumulativeKernels(),
             einsumKernels(),     fourierKernels(),       gatherKernels(),
             gridKernels(),       linearAlgebraKernels(), linearAttentionKernels(),
             lossKernels(),       mathKernels(),          mxnetElementwiseKernels(),
             mxnetLayerKernels(), mxnetMovementKernels(), normalizationKernels(),
             padKernels(),        plimsollKernels(),      poolingKernels(),
             quantizeKernels(),   quantizedKernels(),     randomKernels(),
             recurrentKernels(),  reduceKernels(),        resizeKernels(),
             rotaryKernels(),     scatterKernels(),       selectKernels(),
             sequenceKernels(),   shapeKernels(),         sliceKernels(),
             softmaxKernels(),    sortKernels(),          textKernels(),
             trainingKernels(),   transposeKernels(),     vendorKernels(),
         }) {
        for (const KernelEntry& entry : table)
            registry[{entry.domain, entry.op}] = entry.run;
    }
    return registry;
}

} // namespace

KernelFunction findReferenceKernel(std::string_view domain, std::string_view op)
{
    if (const KernelFunction gradient = findGradientKernel(domain)) return gradient;
    static const Registry registry = joinFamilies();
    const auto found = registry.find({domain == "ai.onnx" ? "" : domain, op});
    return found == registry.end() ? nullptr : found->second;
}

} // namespace plimsoll::kernels
