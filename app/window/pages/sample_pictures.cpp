#include "app/window/pages/sample_pictures.h"

#include "app/session/job_runner.h"
#include "app/views/plan/plan_thumbnail.h"
#include "app/window/look/theme.h"
#include "app/window/pages/card.h"
#include "app/window/pages/samples.h"
#include "app/window/pages/start_page.h"

namespace plimsoll::app {
namespace {

/// By plain loops, or as the file says: what backends offer changes no sample's point.
Result<Report> planned(const Sample& sample, const Engine& engine, const Context& context)
{
    PLIMSOLL_ASSIGN(content, engine.read(sampleFile(sample.file).toStdString(), context));
    PlanRequest request;
    request.policies = sample.choices.policies;
    request.policies.backend = sample.plan.isEmpty() ? BackendPolicy::Reference : BackendPolicy::Captured;
    if (!sample.plan.isEmpty()) {
        PLIMSOLL_ASSIGN(plan, engine.readPlan(sampleFile(sample.plan).toStdString(), context));
        request.givenPlan = sharedPlan(std::move(plan));
    } else if (const PlanFile* own = content.wholePlan()) {
        request.givenPlan = sharedPlan(*own);
    }
    return engine.analyse(content.graph, request, context);
}

} // namespace

void drawSamples(StartPage& page, JobRunner& worker, const Engine& engine)
{
    const Style style = makeStyle(themeNow(), page.font());
    worker.start(
        QStringLiteral("samples"), StartPage::tr("Drawing the samples"),
        [engine, style, ratio = page.devicePixelRatioF()](const Context& context) {
            QMap<QString, QImage> pictures; // of what cannot be planned there is none
            for (const Sample& sample : samples()) {
                if (context.stopped()) break;
                const Result<Report> report = planned(sample, engine, context);
                if (report.ok()) pictures[sample.file] = planThumbnail(report.value(), Card::PictureSize, ratio, style);
            }
            return pictures;
        },
        [&page](const QMap<QString, QImage>& pictures) { page.setPictures(pictures); });
}

} // namespace plimsoll::app
