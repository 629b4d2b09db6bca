#pragma once

#include "app/cli/arguments.h"
#include "core/base/outputs.h"
#include "core/pipeline/pipeline.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace plimsoll::cli {

/// What every command that plans a graph takes.
struct GraphOptions
{
    std::string graph;                   ///< A file, or "-".
    std::vector<std::string> policies;   ///< "id=value"
    std::vector<std::string> overrides;  ///< The same, for one side of a comparison: they go before policies.
    std::vector<std::string> dims;       ///< "batch=1"
    std::vector<std::string> shapes;     ///< "NAME=1x3x224x224"; "NAME=" is a scalar.
    std::vector<std::string> maxStored;  ///< "NAME=1000"
    std::vector<std::string> pins;       ///< "NODE=IMPLEMENTATION"
    std::string catalogue;               ///< What backends offer, instead of asking those of this machine; or "-".
    std::vector<std::string> gradients;  ///< "NAME=add"
    std::vector<std::string> recomputed; ///< Names of values that backward computes anew.
    std::vector<std::string> apart;      ///< "NAME=OTHER"
    std::vector<std::string> together;   ///< "NAME=OTHER"
    std::vector<std::string> places;     ///< "NAME=OFFSET"
    std::string derivatives;             ///< A file of derivatives, or empty.
    bool whatIf = false;         ///< Price every single change of a policy; only where the command has whatIfArgument.
    bool reproducible = false;   ///< Nothing of this moment and this machine in what is written.
    bool isolate = false;        ///< Graph and plan are read in a child process first; see read_apart.h.
    std::vector<Output> outputs; ///< What the command writes; nothing of it is read.
    std::string plan; ///< A plan to judge instead of making one, or "-"; only where the command has planArgument.
    bool planOfGraph = false;   ///< Judge the plan that the graph's file brings, where no other is named.
    bool planOfSession = false; ///< The same of a session; planArgument says so.
};

[[nodiscard]] Arguments graphArguments(GraphOptions& options);
/// All but the graph itself.
[[nodiscard]] Arguments planningArguments(GraphOptions& options);

/// "--isolate".
[[nodiscard]] Argument isolateArgument(bool& isolate);

/// The policies with their values: the footer of a help.
[[nodiscard]] std::string policiesText();

/// "--plan", for commands that work on a plan that was handed over as well as on our own. analyseFile reads it.
[[nodiscard]] Argument planArgument(GraphOptions& options);

/// A policy from "id=value".
[[nodiscard]] Status takePolicy(Policies& policies, const std::string& text);

/// Of an option that may be repeated: BadUsage where two of its "key=value" give one key two values. Policies end
/// their key at the first '=', names at the last.
[[nodiscard]] Status refuseContradictions(const std::string& option, const std::vector<std::string>& texts);

/// "--what-if". analyseAndSearch heeds it.
[[nodiscard]] Argument whatIfArgument(GraphOptions& options);

/// The policies that the options name.
[[nodiscard]] std::set<std::string, std::less<>> namedPolicies(const GraphOptions& options);

/// Policies, shapes and derivatives from their text. BadUsage names the argument, BadInput the file and its line.
[[nodiscard]] Result<PlanRequest> makeRequest(const GraphOptions& options);

} // namespace plimsoll::cli
