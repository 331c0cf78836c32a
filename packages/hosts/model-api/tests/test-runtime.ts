import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import type { AgentRuntime, RunEvent, RunEventType } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import type { ModelApiId, ModelApiOptions } from "../src/settings/options.ts";
import { modelOf, optionsFor, startTestBackend, type TestBackend } from "./test-backend.ts";

export interface TestRuntime extends TestBackend {
  runtime: AgentRuntime;
  /** The events of all runs. */
  events: RunEvent[];
}

type Steps = NonNullable<ScriptInput["turns"]>[number]["steps"];

/** Starts a runtime on one backend with a model that plays these steps. The runtime is closed when the test ends. */
export async function startSteps(
  id: ModelApiId,
  steps: Steps,
  options: Partial<ModelApiOptions> = {},
  runtimeOptions: Partial<RuntimeOptions> = {},
): Promise<TestRuntime> {
  return startScript(id, { rehearsal: 1, turns: [{ steps }] }, options, runtimeOptions);
}

export async function startScript(
  id: ModelApiId,
  script: ScriptInput,
  options: Partial<ModelApiOptions> = {},
  runtimeOptions: Partial<RuntimeOptions> = {},
): Promise<TestRuntime> {
  const started = await startTestBackend(script, (url) => ({ ...optionsFor(id, url), ...options }) as ModelApiOptions);
  const events: RunEvent[] = [];
  const runtime = createAgentRuntime({
    backend: started.backend,
    models: { default: modelOf[id] },
    onEvent: (event) => void events.push(event),
    ...runtimeOptions,
  });
  onTestFinished(async () => {
    await runtime.close();
    await started.close();
  });
  return { ...started, runtime, events };
}

export function ofType<K extends RunEventType>(events: readonly RunEvent[], type: K) {
  return events.filter((event): event is Extract<RunEvent, { type: K }> => event.type === type);
}

/** Returns the reason that a promise rejects with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It did not reject, but resolved with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
