import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCopilotBackend } from "@bridle/copilot";
import { createAgentRuntime } from "@bridle/core";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { CopilotClient } from "@github/copilot-sdk";
import { measureInTurns } from "./statistics.ts";
import { printTable } from "./table.ts";

const script = parseScript("rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]", "bench");
const model = "gpt-6-sol";

/** Measures the time from a call to its first request: in a runtime process that is started for the call, and in a running one. */
export async function benchCopilot(rounds: number): Promise<void> {
  const rehearsal = await startRehearsal({ script });
  const folder = mkdtempSync(join(tmpdir(), "bridle-bench-copilot-"));
  const baseUrl = `${rehearsal.url}/v1`;
  const openBridle = () => {
    const backend = createCopilotBackend({ baseUrl, apiKey: "bench" });
    return createAgentRuntime({ backend, models: { default: model } });
  };
  const openSdk = () => new CopilotClient({ mode: "empty", baseDirectory: folder, useLoggedInUser: false });
  async function askSdk(client: CopilotClient): Promise<void> {
    const provider = { type: "openai", wireApi: "responses", baseUrl, apiKey: "bench" } as const;
    const session = await client.createSession({ model, provider, availableTools: ["custom:*"] });
    await session.sendAndWait("hello");
    await session.disconnect();
  }
  async function untilRequest(call: () => Promise<unknown>): Promise<number> {
    const startedAt = performance.now();
    const [request] = await Promise.all([rehearsal.nextRequest(({ method }) => method === "POST"), call()]);
    return request.at - startedAt;
  }

  const [sdk, bridle] = [openSdk(), openBridle()];
  const series = await measureInTurns(rounds, {
    "ten lines on the SDK, cold": async () => {
      await using client = openSdk();
      return await untilRequest(() => askSdk(client));
    },
    "Bridle on copilot, cold": async () => {
      const runtime = openBridle();
      return await untilRequest(() => runtime.generateText({ prompt: "hello" })).finally(() => runtime.close());
    },
    "ten lines on the SDK": () => untilRequest(() => askSdk(sdk)),
    "Bridle on copilot": () => untilRequest(() => bridle.generateText({ prompt: "hello" })),
  });
  printTable("Call to first request, Copilot", series, {
    target: "warm at most 60 ms, cold at most 1.2 times the SDK",
  });
  await Promise.all([sdk.stop(), bridle.close(), rehearsal.close()]);
  rmSync(folder, { recursive: true, force: true });
}

if (import.meta.main) await benchCopilot(Number(process.argv[2] ?? 10));
