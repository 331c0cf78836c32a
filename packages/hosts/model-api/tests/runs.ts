import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import type { AgentRuntime, RunEvent, RunEventType } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import type { ModelApiId, ModelApiOptions } from "../src/settings/options.ts";
import { modelOf, optionsFor, type Stage, startStage } from "./stage.ts";

export interface RunStage extends Stage {
  runtime: AgentRuntime;
  /** Every event of every run. */
  events: RunEvent[];
}

type Steps = NonNullable<ScriptInput["turns"]>[number]["steps"];

/** A runtime on one backend, whose model plays these steps; closed when the test ends. */
export async function stageSteps(
  id: ModelApiId,
  steps: Steps,
  options: Partial<ModelApiOptions> = {},
  runtimeOptions: Partial<RuntimeOptions> = {},
): Promise<RunStage> {
  return stageScript(id, { rehearsal: 1, turns: [{ steps }] }, options, runtimeOptions);
}

export async function stageScript(
  id: ModelApiId,
  script: ScriptInput,
  options: Partial<ModelApiOptions> = {},
  runtimeOptions: Partial<RuntimeOptions> = {},
): Promise<RunStage> {
  const stage = await startStage(script, (url) => ({ ...optionsFor(id, url), ...options }) as ModelApiOptions);
  const events: RunEvent[] = [];
  const runtime = createAgentRuntime({
    backend: stage.backend,
    models: { default: modelOf[id] },
    onEvent: (event) => void events.push(event),
    ...runtimeOptions,
  });
  onTestFinished(async () => {
    await runtime.close();
    await stage.close();
  });
  return { ...stage, runtime, events };
}

export function ofType<K extends RunEventType>(events: readonly RunEvent[], type: K) {
  return events.filter((event): event is Extract<RunEvent, { type: K }> => event.type === type);
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It did not fail, but gave ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
