import type { HostBackend } from "@bridle/protocol";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { withOverflows } from "../../../claude-code/tests/support/overflow-once.ts";
import type { Refusals } from "../../../shared/tests/to-script.ts";
import { CopilotBackend } from "../../src/backend.ts";
import type { CopilotOptions } from "../../src/options.ts";
import type { RuntimeSource } from "../../src/process/shared-runtime.ts";

/** The real runtime on a key, with a rehearsed model. */
export interface TestBackend {
  backend: HostBackend;
  rehearsal: Rehearsal;
  close(): Promise<void>;
}

/** @param runtime A runtime that several tests share. Closing the backend leaves it running. */
export async function startTestBackend(
  script: ScriptInput,
  options: CopilotOptions = {},
  runtime?: RuntimeSource,
): Promise<TestBackend> {
  const rehearsal = await startRehearsal({ script: withOverflows(defineScript(script)) });
  const { api = "openai" } = options;
  const baseUrl = api === "openai" ? `${rehearsal.url}/v1` : rehearsal.url;
  const all = { apiKey: "key-of-copilot", baseUrl, maxAttempts: 2, ...options };
  const backend = new CopilotBackend(all, runtime && lend(runtime));
  return {
    backend,
    rehearsal,
    async close() {
      await backend.close();
      await rehearsal.close();
    },
  };
}

function lend(runtime: RuntimeSource): RuntimeSource {
  return { acquire: () => runtime.acquire(), state: () => runtime.state(), close: async () => {} };
}

export const copilotRefusals: Refusals = {
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
