import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createCodexBackend } from "@bridle/codex";
import { createAgentRuntime } from "@bridle/core";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { startAppServer } from "./codex-app-server.ts";
import { installPeers, loadCodexSdk } from "./peers.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const script = parseScript("rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]", "bench");
const model = "gpt-6-sol";

/** Measures the time from a call to its first request: in a process that is started for the call, and in a running one. */
export async function benchCodex(rounds: number): Promise<void> {
  const rehearsal = await startRehearsal({ script });
  const home = mkdtempSync(join(tmpdir(), "bridle-bench-codex-"));
  const baseUrl = `${rehearsal.url}/v1`;
  const openBridle = () => {
    const environment = { PATH: process.env.PATH, HOME: home, OPENAI_API_KEY: "bench" };
    const backend = createCodexBackend({ auth: "api_key", baseUrl, environment });
    return createAgentRuntime({ backend, models: { default: model } });
  };
  const openCold = () => {
    const runtime = openBridle();
    return () => untilRequest(() => runtime.generateText({ prompt: "hello" })).finally(() => runtime.close());
  };
  const openRaw = (codexHome = home) => startAppServer({ baseUrl, model, home: codexHome });
  const askSdk = await loadCodexSdk({ baseUrl, model, home, workingDirectory: home });
  async function untilRequest(call: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    const isFirst = ({ path, at }: { path: string; at: number }) => path === "/v1/responses" && at >= startedAt;
    const [request] = await Promise.all([rehearsal.nextRequest(isFirst), call()]);
    return request.at - startedAt;
  }

  const cache = join(home, "cache");
  process.env.XDG_CACHE_HOME = cache;
  const [raw, bridle] = [openRaw(), openBridle()];
  await bridle.generateText({ prompt: "hello" });
  await untilExists(join(cache, "bridle")); // a second after Codex's first start, Bridle stores Codex's empty databases there
  const series = await measureInTurns(rounds, {
    "ten lines on app-server, cold": async () => {
      const cold = openRaw();
      return untilRequest(() => cold.ask("hello")).finally(() => cold.stop());
    },
    "ten lines on app-server with a new CODEX_HOME, cold": async () => {
      const folder = mkdtempSync(join(home, "new-"));
      const cold = openRaw(folder);
      return untilRequest(() => cold.ask("hello")).finally(() => cold.stop());
    },
    "Bridle on codex, cold": () => openCold()(),
    "Bridle on codex with a new cache, cold": async () => {
      process.env.XDG_CACHE_HOME = mkdtempSync(join(home, "cache-"));
      const ask = openCold();
      process.env.XDG_CACHE_HOME = cache;
      return ask();
    },
    "@openai/codex-sdk": () => untilRequest(() => askSdk("hello")),
    "ten lines on app-server": () => untilRequest(() => raw.ask("hello")),
    "Bridle on codex": () => untilRequest(() => bridle.generateText({ prompt: "hello" })),
  });
  printTable("Call to first request, Codex", series, {
    target: "warm at most 60 ms, cold at most 1.2 times the ten lines",
  });
  await Promise.all([raw.stop(), bridle.close(), rehearsal.close()]);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function untilExists(folder: string): Promise<void> {
  const hasDatabases = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith("-databases.json"));
  while (!hasDatabases()) await setTimeout(100);
}

if (import.meta.main) {
  installPeers();
  await benchCodex(Number(process.argv[2] ?? 10));
}
