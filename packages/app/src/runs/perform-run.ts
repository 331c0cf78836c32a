import { type AgentSession, omitUndefined, type Prompt, type RunEvent, type RunResult } from "@bridle/protocol";
import { attachedMessage } from "../attachments/attachment.ts";
import type { ProjectContext } from "../context/project-context.ts";
import type { AgentRunPlan } from "./agent-plan.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { openRunner } from "./open-runner.ts";
import type { RunnerEffects } from "./runtime-options.ts";
import { refuseSchema } from "./schema-file.ts";
import { type OnBusy, sendWhenFree } from "./send-when-free.ts";

export interface RunEffects extends RunnerEffects {
  readonly signal: AbortSignal;
  onWarning(warning: string): void;
  /** Called when the session of the run is open, before the prompt is sent. */
  onSession(session: AgentSession): void;
  readonly onBusy: OnBusy;
}

/** Performs one run. Resolves with the result however the run ends. Rejects if the run cannot start. */
export async function performRun(plan: AgentRunPlan, context: ProjectContext, effects: RunEffects): Promise<RunResult> {
  let result: RunResult | undefined;
  const onEvent = (event: RunEvent) => {
    if (event.type === "run.finished") result = event.result;
    effects.onEvent?.(event);
  };
  const eventLog = plan.ephemeral ? "none" : "project";
  const runner = await openRunner(plan, context, { eventLog, ...omitUndefined(effects), onEvent });
  try {
    for (const warning of runner.warnings) effects.onWarning(warning);
    await start(runner, plan, effects);
  } catch (error) {
    if (result === undefined) throw plan.schema ? refuseSchema(plan.schema.file, error) : error;
    // in all other cases, the result contains the error
  } finally {
    await runner.close();
  }
  if (result === undefined) throw new Error("The run had no end.");
  return result;
}

async function start(
  runner: AgentRunner,
  plan: AgentRunPlan,
  { signal, onSession, onBusy }: RunEffects,
): Promise<void> {
  const { runtime, request, limits } = runner;
  const { sessionId, schema } = plan;
  const prompt = promptOf(plan);
  if (sessionId !== undefined) {
    const session = await runtime.openSession({ ...request, id: sessionId });
    onSession(session);
    await (await sendWhenFree(session, prompt, { signal, ...limits }, onBusy)).result;
  } else if (schema) {
    const { system, role, model } = request;
    const asked = omitUndefined({ system, role, model });
    await runtime.generateObject({ ...asked, prompt, signal, ...limits, schema: schema.schema });
  } else await runtime.runAgentLoop({ ...request, prompt, signal, ...limits }).result;
}

function promptOf({ prompt: text, attachments = [] }: AgentRunPlan): Prompt {
  return attachments.length === 0 ? text : [attachedMessage({ text, attachments })];
}
