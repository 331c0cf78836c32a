import { expect, test } from "vitest";
import { childrenOf, hostsAmong, stillThere } from "./support/processes.ts";
import { loop, type Steps, startScript } from "./support/runs.ts";

const idleTimeoutMs = 5000;

test.each<[string, Steps[number], string]>([
  ["never answers", { say: "Too late", delay_ms: 3_600_000 }, ""],
  ["stalls in the middle", { say: "Half an", stall: true }, "Half an"],
])("a service that %s ends the run with a TimeoutError, and its process", async (_, fault, text) => {
  const { runtime } = await startScript([fault], { idleTimeoutMs });
  const run = loop(runtime);
  await expect.poll(() => hostsAmong(childrenOf(process.pid)), { timeout: idleTimeoutMs }).toHaveLength(1);
  const hosts = hostsAmong(childrenOf(process.pid));
  const { result } = await run;
  expect(result).toMatchObject({ stopReason: "error", text, error: { code: "timeout" } });
  expect(result.error?.message).toContain("allow a longer silence with llm.provider.idleTimeoutMs");
  await expect.poll(() => stillThere(hosts)).toEqual([]);
});

test("a check of the credentials fails if the service is silent", async () => {
  const { unpooled } = await startScript([{ say: "Too late", delay_ms: 3_600_000 }], { idleTimeoutMs });
  await expect(unpooled.checkAuth()).rejects.toMatchObject({ code: "timeout" });
});
