/** Starts models for ingest on a real backend. A function behind a loopback server plays the model. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClaudeCodeBackend } from "@bridle/claude-code";
import { createAgentRuntime, type RuntimeOptions } from "@bridle/core";
import { createModelApiBackend } from "@bridle/model-api";
import type { Backend, RunEvent } from "@bridle/protocol";
import { type Rehearsal, type RehearsedModel, type RehearsedRequest, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import type { IngestModels } from "../../src/models/ingest-models.ts";
import { createRuntimeModels } from "../../src/models/runtime-models.ts";

export interface StartedModels {
  readonly models: IngestModels;
  readonly rehearsal: Rehearsal;
  readonly events: readonly RunEvent[];
  /** The requests to the model, in order. */
  readonly asked: readonly RehearsedRequest[];
  /** Returns the number of requests to the model so far. */
  calls(): number;
  close(): Promise<void>;
}

/** The backends to test. The last one is Claude Code as users have it: with a login and the provider's own address. */
export const testedBackends = ["anthropic", "openai-compatible", "claude-code", "claude-code with a login"] as const;
type TestedBackend = (typeof testedBackends)[number];

const modelNames: Readonly<Record<TestedBackend, string>> = {
  anthropic: "claude-sonnet-5-5",
  "openai-compatible": "llama-of-rehearsal",
  "claude-code": "sonnet",
  "claude-code with a login": "sonnet",
};

interface StartOptions {
  readonly backend?: TestedBackend;
  /** The account's concurrency limits. */
  readonly limits?: RuntimeOptions["limits"];
}

export async function startModels(
  model: RehearsedModel,
  { backend: name = "anthropic", limits }: StartOptions = {},
): Promise<StartedModels> {
  const asked: RehearsedRequest[] = [];
  const rehearsal = await startRehearsal({
    model(request) {
      asked.push(request);
      return model(request);
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "bridle-ingest-models-"));
  const { backend, close } = await openBackend(name, rehearsal, folder);
  const events: RunEvent[] = [];
  const models = { default: modelNames[name] };
  const runtime = createAgentRuntime({
    backend,
    models,
    limits: { maxConcurrency: 8, ...limits },
    projectDir: folder,
    onEvent: (event) => void events.push(event),
  });
  return {
    models: createRuntimeModels(runtime, { models }),
    rehearsal,
    events,
    asked,
    calls: () => asked.length,
    async close() {
      await runtime.close();
      await close();
      await rehearsal.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface OpenedBackend {
  readonly backend: Backend;
  close(): Promise<void>;
}

async function openBackend(name: TestedBackend, rehearsal: Rehearsal, folder: string): Promise<OpenedBackend> {
  if (name === "anthropic" || name === "openai-compatible") {
    const pauses = { wait: async (_ms: number, signal: AbortSignal) => signal.throwIfAborted(), random: () => 1 };
    const options =
      name === "anthropic"
        ? { id: name, apiKey: "key-of-test", baseUrl: rehearsal.url }
        : { id: name, baseUrl: `${rehearsal.url}/v1`, resultImages: true };
    const backend = createModelApiBackend(options, pauses);
    return { backend, close: () => backend.close() };
  }
  const configDir = join(folder, "config");
  await mkdir(configDir);
  const own = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CLAUDE_CONFIG_DIR: configDir,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
  };
  if (name === "claude-code") {
    const environment = { ...own, ANTHROPIC_API_KEY: "sk-ant-rehearsal" };
    const backend = createClaudeCodeBackend({ auth: "api_key", baseUrl: rehearsal.url, environment });
    return { backend, close: () => backend.close() };
  }
  const proxy = await startTlsProxy({ rehearsal, folder });
  await writeFakeLogin(configDir);
  const oauthAccount = { accountUuid: "00000000-0000-4000-8000-000000000001", emailAddress: "rehearsal@example.com" };
  await writeFile(join(configDir, ".claude.json"), JSON.stringify({ oauthAccount, userID: "0".repeat(64) }));
  const backend = createClaudeCodeBackend({ environment: { ...own, ...proxy.environment } });
  return {
    backend,
    async close() {
      await backend.close();
      await proxy.close();
    },
  };
}
