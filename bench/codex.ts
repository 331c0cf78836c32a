import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodexBackend } from "@bridle/codex";
import { createAgentRuntime } from "@bridle/core";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { startAppServer } from "./codex-app-server.ts";
import { installPeers, loadCodexSdk } from "./peers.ts";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const script = parseScript("rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]", "bench");
const model = "gpt-6-sol";

/** The time from a call to its first request: in a process that is started for it, and in one that runs. */
export async function benchCodex(rounds: number): Promise<void> {
  const rehearsal = await startRehearsal({ script });
  const home = mkdtempSync(join(tmpdir(), "bridle-bench-codex-"));
  const baseUrl = `${rehearsal.url}/v1`;
  const openBridle = () => {
    const environment = { PATH: process.env.PATH, HOME: home, OPENAI_API_KEY: "bench" };
    const backend = createCodexBackend({ auth: "api_key", baseUrl, environment });
    return createAgentRuntime({ backend, models: { default: model } });
  };
  const openRaw = (codexHome = home) => startAppServer({ baseUrl, model, home: codexHome });
  const askSdk = await loadCodexSdk({ baseUrl, model, home, workingDirectory: home });
  async function untilRequest(call: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    const isFirst = ({ path, at }: { path: string; at: number }) => path === "/v1/responses" && at >= startedAt;
    const [request] = await Promise.all([rehearsal.nextRequest(isFirst), call()]);
    return request.at - startedAt;
  }

  const [raw, bridle] = [openRaw(), openBridle()];
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
    "Bridle on codex, cold": async () => {
      const runtime = openBridle();
      return untilRequest(() => runtime.generateText({ prompt: "hello" })).finally(() => runtime.close());
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

if (import.meta.main) {
  installPeers();
  await benchCodex(Number(process.argv[2] ?? 10));
}
