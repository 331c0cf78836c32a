import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { BackendCrashError, NetworkError, TimeoutError } from "@bridle/protocol";
import { defineScript, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf, type KnownProcess, stillThere } from "../../claude-code/tests/support/processes.ts";
import { startTestBackend } from "./support/test-backend.ts";

type Steps = ScriptInput["turns"][number]["steps"];

async function startOwner(task: "stay" | "leave", steps: Steps) {
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  const temporary = await mkdtemp(join(tmpdir(), "bridle-owner-"));
  const program = join(import.meta.dirname, "support/owner.ts");
  const words = ["--conditions=@bridle/source", program, task, `${rehearsal.url}/v1`];
  const owner = spawn(process.execPath, words, { env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary } });
  onTestFinished(async () => {
    owner.kill("SIGKILL");
    await rehearsal.close();
    await rm(temporary, { recursive: true, force: true });
  });
  const said = { out: "", err: "" };
  owner.stdout.on("data", (data: Buffer) => (said.out += data));
  owner.stderr.on("data", (data: Buffer) => (said.err += data));
  return { owner, said, temporary, asked: () => rehearsal.nextRequest(({ method }) => method === "POST") };
}

const noneLeft = (children: KnownProcess[]) => expect.poll(() => stillThere(children), { timeout: 5000 }).toEqual([]);

test.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)(
  "a %s during a request leaves no process behind",
  async (signal) => {
    const { owner, asked } = await startOwner("stay", [{ say: "Well", stall: true }]);
    await asked();
    const children = childrenOf(owner.pid ?? 0);
    expect(children.filter(({ command }) => command.includes("copilot-runtime"))).toHaveLength(1);
    owner.kill(signal);
    if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit");
    await noneLeft(children);
  },
);

test("a program that does not close its runtime exits, and leaves neither process nor folder", async () => {
  const { owner, said, temporary, asked } = await startOwner("leave", [{ say: "Hello" }]);
  await asked();
  const children = childrenOf(owner.pid ?? 0);
  if (owner.exitCode === null) await once(owner, "exit");
  expect({ code: owner.exitCode, ...said }).toEqual({ code: 0, out: "Hello\nHello\nasked\n", err: "" });
  await noneLeft(children);
  expect(await readdir(temporary)).toEqual([]);
});

test("a model that stops in the middle of an answer ends the run with a TimeoutError after the allowed silence", async () => {
  const script: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Well", stall: true }] }] };
  const { backend, close } = await startTestBackend(script, { idleTimeoutMs: 700 });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  await expect(runtime.generateText({ prompt: "go" })).rejects.toBeInstanceOf(TimeoutError);
  await runtime.close();
  await close();
});

test("a model service that cannot be reached ends the run with a NetworkError after the allowed attempts", async () => {
  const script: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Well" }] }] };
  const { backend, close } = await startTestBackend(script, { baseUrl: "http://127.0.0.1:9/v1" });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  await expect(runtime.generateText({ prompt: "go" })).rejects.toBeInstanceOf(NetworkError);
  await runtime.close();
  await close();
});

test("if the runtime dies, its runs end with a BackendCrashError, and the next run starts another", async () => {
  const turns = [{ when: { user: "wait" }, steps: [{ say: "Well", stall: true }] }, { steps: [{ say: "Hello" }] }];
  const { backend, rehearsal, close } = await startTestBackend({ rehearsal: 1, turns } as ScriptInput);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const waiting = [1, 2].map(() => runtime.runAgentLoop({ prompt: "wait", tools: [], stepBudget: 1 }));
  await expect.poll(() => rehearsal.requests.length, { timeout: 60_000 }).toBe(2);
  const runtimes = childrenOf(process.pid).filter(({ command }) => command.includes("copilot-runtime"));
  expect(runtimes).toHaveLength(1);
  for (const { pid } of runtimes) process.kill(pid, "SIGKILL");
  for (const { result } of waiting) expect((await result).error).toBeInstanceOf(BackendCrashError);
  expect((await runtime.generateText({ prompt: "go" })).text).toBe("Hello");
  await runtime.close();
  await close();
});
