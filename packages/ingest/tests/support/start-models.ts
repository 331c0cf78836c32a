/** Models of ingest on a real backend, whose model is a function on loopback. */
import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import { createModelApiBackend, type ModelApiOptions } from "@bridle/model-api";
import type { RunEvent } from "@bridle/protocol";
import { type Rehearsal, type RehearsedModel, startRehearsal } from "@bridle/rehearsal";
import type { IngestModels } from "../../src/models/ingest-models.ts";
import { createRuntimeModels } from "../../src/models/runtime-models.ts";

export interface StartedModels {
  readonly models: IngestModels;
  readonly rehearsal: Rehearsal;
  readonly events: readonly RunEvent[];
  /** Requests to the model so far. */
  calls(): number;
  close(): Promise<void>;
}

const modelNames = { anthropic: "claude-sonnet-5-5", "openai-compatible": "llama-of-rehearsal" };

export async function startModels(
  model: RehearsedModel,
  {
    backend: id = "anthropic",
    runtime: more = {},
  }: { backend?: keyof typeof modelNames; runtime?: Partial<RuntimeOptions> } = {},
): Promise<StartedModels> {
  const rehearsal = await startRehearsal({ model });
  const options: ModelApiOptions =
    id === "anthropic"
      ? { id, apiKey: "key-of-test", baseUrl: rehearsal.url }
      : { id, baseUrl: `${rehearsal.url}/v1`, resultImages: true };
  const backend = createModelApiBackend(options, {
    wait: async (_, signal) => signal.throwIfAborted(),
    random: () => 1,
  });
  const events: RunEvent[] = [];
  const limits = { maxConcurrency: 8 };
  const models = { default: modelNames[id] };
  const runtime = createAgentRuntime({ backend, models, limits, onEvent: (event) => void events.push(event), ...more });
  return {
    ...{ models: createRuntimeModels(runtime, { models }), rehearsal, events },
    calls: () => rehearsal.requests.filter(({ method }) => method === "POST").length,
    async close() {
      await runtime.close();
      await backend.close();
      await rehearsal.close();
    },
  };
}
