import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { type AgentRuntime, createRuntime } from "bridle";
import type { PeerPlace } from "./peers.ts";

/** A rehearsed model that always answers Hello, and a separate folder for each caller. */
export interface Stage {
  readonly rehearsal: Rehearsal;
  readonly place: PeerPlace;
  /** Creates a runtime on this model. `provider` is `llm.provider` of its `bridle.yaml`, as one-line YAML. */
  createRuntime(name: string, provider: string, model?: string): Promise<AgentRuntime>;
  /** Measures the milliseconds from a call to its first request. Resolves after the call has ended. */
  untilRequest(call: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

const script = parseScript("rehearsal: 1\nturns: [{ steps: [{ say: Hello., forever: true }] }]", "bench");

export async function createStage(folder: string): Promise<Stage> {
  const rehearsal = await startRehearsal({ script });
  const configDir = join(folder, "claude");
  mkdirSync(configDir, { recursive: true });
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_API_KEY: "bench",
    ANTHROPIC_BASE_URL: rehearsal.url,
  };
  const runtimes: AgentRuntime[] = [];

  return {
    rehearsal,
    place: { cwd: folder, environment },
    async createRuntime(name, provider, model = "sonnet") {
      const projectDir = join(folder, name);
      mkdirSync(projectDir, { recursive: true });
      const limits = "{ maxConcurrency: 8 }";
      const yaml = `llm:\n  provider: ${provider}\n  models: { default: ${model} }\n  limits: ${limits}\n`;
      writeFileSync(join(projectDir, "bridle.yaml"), yaml);
      const runtime = await createRuntime({ projectDir, environment });
      runtimes.push(runtime);
      return runtime;
    },
    async untilRequest(call) {
      const request = rehearsal.nextRequest(({ method, path }) => method === "POST" && path.endsWith("/messages"));
      const startedAt = performance.now();
      const [{ at }] = await Promise.all([request, call()]);
      return at - startedAt;
    },
    async close() {
      for (const runtime of runtimes) await runtime.close();
      await rehearsal.close();
    },
  };
}

/** Returns the setting for Claude Code with a key on the rehearsed model. `more` contains further keys. */
export function claudeCode({ rehearsal }: Stage, more = ""): string {
  return `{ backend: claude-code, auth: api_key, baseUrl: "${rehearsal.url}"${more} }`;
}
