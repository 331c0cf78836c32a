import { joinPermissions } from "../approvals/memory-permissions.ts";
import { ToolExecutor, type ToolExecutorOptions } from "../tools/tool-executor.ts";
import { toolHost } from "./describe-run.ts";
import type { EngineServices } from "./engine-services.ts";
import type { RunPlan } from "./run-plan.ts";

type RunParts = Pick<ToolExecutorOptions, "journal" | "runId" | "permissions" | "pauseRun" | "callFor" | "stop">;

/** The tool executor of a run. `permissions` are those of its session. */
export function createRunTools(
  plan: RunPlan,
  shared: EngineServices,
  { permissions, ...parts }: RunParts,
): ToolExecutor {
  const { spec, toolbox, session, labels, approve } = plan;
  const { backend, eventLog, permissions: lasting, ...services } = shared;
  const known = backend.features.builtins;
  const annotated = spec.builtins.map((name) => [name, known[name] ?? { destructive: true }] as const);
  return new ToolExecutor({
    ...{ ...services, ...parts },
    ...{ toolbox, host: toolHost(backend), builtins: Object.fromEntries(annotated) },
    ...{ projectDir: spec.projectDir, environment: spec.environment, approvals: eventLog.approvals },
    ...{ approver: approve ?? services.approver, sessionId: session?.sessionId, labels },
    maxResultChars: backend.features.maxResultChars,
    earlierResults: session?.earlierResults,
    permissions: joinPermissions(permissions, lasting),
  });
}
