import type { ScriptedModel } from "@bridle/conformance";
import type { Backend } from "@bridle/protocol";
import { correctionStart } from "@bridle/protocol";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { type Refusals, toScript } from "../../shared/tests/to-script.ts";
import { createModelApiBackend } from "../src/backend.ts";
import type { Pauses } from "../src/request/retry.ts";
import type { ModelApiId, ModelApiOptions } from "../src/settings/options.ts";

/** A backend on a rehearsal, and its pauses between attempts. */
export interface TestBackend {
  backend: Backend;
  rehearsal: Rehearsal;
  /** The milliseconds of each pause. The test does not wait for the pauses. */
  pauses: number[];
  /** Returns the number of requests to the model. */
  requestCount(): number;
  close(): Promise<void>;
}

/** Returns a backend's options, with credentials that can be distinguished in requests. */
export function optionsFor(id: ModelApiId, baseUrl: string): ModelApiOptions {
  switch (id) {
    case "anthropic":
    case "gateway":
    case "openai":
      return { id, apiKey: `key-of-${id}`, baseUrl, probeModel: modelOf[id] };
    case "openai-compatible":
      return { id, baseUrl: `${baseUrl}/v1`, probeModel: modelOf[id], resultImages: true };
    case "vertex":
      return { id, project: "a-project", location: "global", accessToken: "token-of-vertex", baseUrl };
    case "bedrock":
      return { id, region: "us-east-1", accessKeyId: "AKIDBEDROCK", secretAccessKey: "secret-of-bedrock", baseUrl };
  }
}

export const modelOf: Readonly<Record<ModelApiId, string>> = {
  anthropic: "claude-sonnet-5-5",
  vertex: "claude-sonnet-5-5",
  bedrock: "anthropic.claude-sonnet-5-5",
  gateway: "anthropic/claude-sonnet-5.5",
  openai: "gpt-6-sol",
  "openai-compatible": "llama-of-rehearsal",
};

export async function startTestBackend(
  script: ScriptInput,
  options: (url: string) => ModelApiOptions = (url) => optionsFor("anthropic", url),
): Promise<TestBackend> {
  const rehearsal = await startRehearsal({ script: defineScript(script) });
  const pauses: number[] = [];
  const backend = createModelApiBackend(options(rehearsal.url), recordPauses(pauses));
  return {
    backend,
    rehearsal,
    pauses,
    requestCount: () => rehearsal.requests.filter(({ method }) => method === "POST").length,
    async close() {
      await backend.close();
      await rehearsal.close();
    },
  };
}

function recordPauses(pauses: number[]): Pauses {
  return {
    wait: async (ms, signal) => {
      pauses.push(ms);
      signal.throwIfAborted();
    },
    random: () => 1,
  };
}

/** Converts the suite's neutral script to a rehearsal script. A repair request gets the corrected call, if there is one. */
export function toCorrectingScript(model: ScriptedModel): ScriptInput {
  const script = toScript(model, refusals);
  const calls = model.flatMap(({ steps }) => steps.flatMap((step) => step.calls ?? []));
  const corrected = calls.flatMap(({ tool, corrected }) => (corrected ? [{ call: tool, with: corrected }] : []));
  const repairs = [...corrected, { say: "I cannot repair it.", forever: true }];
  return { ...script, turns: [{ when: { user: correctionStart }, steps: repairs }, ...script.turns] };
}

const refusals: Refusals = {
  authentication: { status: 401 },
  billing: { status: 402 },
  "usage-limit": { limit: { resets_in_seconds: 3600 } },
  "rate-limit": { status: 429 },
  overloaded: { status: 529 },
  "model-not-found": { status: 404 },
  "context-overflow": { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" },
  "invalid-request": { status: 400, message: "messages: something is wrong" },
  "connection-lost": { reset: true },
};
