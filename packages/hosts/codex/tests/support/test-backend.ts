import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { withOverflows } from "../../../claude-code/tests/support/overflow-once.ts";
import { withWindows } from "../../../claude-code/tests/support/used-up-window.ts";
import type { Refusals } from "../../../shared/tests/to-script.ts";
import { type CodexBackend, createCodexBackend } from "../../src/backend.ts";
import type { CodexOptions } from "../../src/options.ts";
import { prepareDatabases } from "./prepared-databases.ts";

/** The real Codex on a key, with a rehearsed model. */
export interface CodexTestContext {
  backend: CodexBackend;
  rehearsal: Rehearsal;
  /** A home without settings. */
  home: string;
  close(): Promise<void>;
}

export async function startCodex(script: ScriptInput, options: Partial<CodexOptions> = {}): Promise<CodexTestContext> {
  const home = await mkdtemp(join(tmpdir(), "bridle-codex-"));
  await mkdir(join(home, ".codex"));
  await prepareDatabases();
  const rehearsal = await startRehearsal({ script: withOverflows(withWindows(defineScript(script))) });
  const backend = createCodexBackend({
    auth: "api_key",
    baseUrl: `${rehearsal.url}/backend-api/codex`,
    maxRetries: 1,
    ...options,
    environment: { PATH: process.env.PATH, HOME: home, OPENAI_API_KEY: "sk-of-the-test", ...options.environment },
  });
  return {
    backend,
    rehearsal,
    home,
    async close() {
      await backend.close();
      await rehearsal.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** How the service refuses requests. Codex repeats a refused request once. */
export const codexRefusals: Refusals = {
  authentication: { status: 401, forever: true },
  billing: { status: 402, forever: true },
  "usage-limit": { limit: { resets_in_seconds: 3600 } },
  "rate-limit": { status: 429, forever: true },
  overloaded: { status: 503, forever: true },
  "model-not-found": { status: 404, forever: true },
  "context-overflow": {
    status: 400,
    error_type: "context_length_exceeded",
    message: "prompt is too long: 250000 tokens > 200000 maximum",
  },
  "invalid-request": { status: 400, message: "messages: something is wrong", forever: true },
  "connection-lost": { reset: true, forever: true },
};
