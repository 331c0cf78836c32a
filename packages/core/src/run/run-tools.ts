import { ToolExecutor, type ToolExecutorOptions } from "../tools/tool-executor.ts";
import { toolHost } from "./describe-run.ts";
import type { EngineServices } from "./engine-services.ts";
import type { RunPlan } from "./run-plan.ts";

type RunParts = Pick<
  ToolExecutorOptions,
  "journal" | "runId" | "permissions" | "approvals" | "pauseRun" | "callFor" | "stop"
>;

/** Creates the tool executor of a run. */
export function createRunTools(plan: RunPlan, shared: EngineServices, parts: RunParts): ToolExecutor {
  const { spec, toolbox, session, labels, approve } = plan;
  const { backend, eventLog: _log, ...services } = shared;
  const known = backend.features.builtins;
  const annotated = spec.builtins.map((name) => [name, known[name] ?? { destructive: true }] as const);
  return new ToolExecutor({
    ...services,
    ...parts,
    toolbox,
    host: toolHost(backend),
    builtins: Object.fromEntries(annotated),
    projectDir: spec.projectDir,
    environment: spec.environment,
    approver: approve ?? services.approver,
    sessionId: session?.sessionId,
    labels,
    maxResultChars: backend.features.maxResultChars,
    offersResultsAtOnce: backend.features.offersLater === false,
    earlierResults: session?.earlierResults,
  });
}
