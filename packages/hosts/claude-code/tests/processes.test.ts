import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { defaultPromptCaching, textMessage } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import type { ClaudeCodeOptions } from "../src/options.ts";
import { childrenOf, hostsAmong, type KnownProcess, stillThere } from "./support/processes.ts";
import { startTestContext } from "./support/test-context.ts";

type Steps = ScriptInput["turns"][number]["steps"];

async function openTestContext(steps: Steps, options: Partial<ClaudeCodeOptions> = {}) {
  const context = await startTestContext({ rehearsal: 1, turns: [{ steps }] }, options);
  onTestFinished(context.close);
  return context;
}

/** Starts a program that uses the backend, as a separate process with its own temporary folder. */
async function startOwner(task: string, steps: Steps) {
  const { home, tlsProxy, rehearsal } = await openTestContext(steps);
  const temporary = join(home.home, "temporary");
  await mkdir(temporary);
  const environment = { ...home.environment, ...tlsProxy.environment, TMPDIR: temporary };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const owner = spawn(
    process.execPath,
    [
      "--conditions=@bridle/source",
      join(import.meta.dirname, "support/owner.ts"),
      JSON.stringify({ task, environment, projectDir: home.project }),
    ],
    { env: { PATH, NODE_COMPILE_CACHE, HOME: home.home, TMPDIR: temporary, ANTHROPIC_API_KEY: "sk-unused" } },
  );
  onTestFinished(() => void owner.kill("SIGKILL"));
  const said = { out: "", err: "" };
  owner.stdout.on("data", (data: Buffer) => (said.out += data));
  owner.stderr.on("data", (data: Buffer) => (said.err += data));
  return { owner, said, temporary, asked: () => rehearsal.nextRequest(({ path }) => path === "/v1/messages") };
}

/** Ends the owner, and returns the children that it had: a host and its watchdog. */
async function end(owner: ChildProcess, signal: NodeJS.Signals): Promise<KnownProcess[]> {
  const children = childrenOf(owner.pid ?? 0);
  expect(hostsAmong(children)).toHaveLength(1);
  expect(children.length).toBeGreaterThan(1);
  owner.kill(signal);
  if (owner.exitCode === null && owner.signalCode === null) await once(owner, "exit");
  return children;
}

const noneLeft = (children: KnownProcess[]) => expect.poll(() => stillThere(children), { timeout: 5000 }).toEqual([]);

test.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)(
  "a %s during a request leaves no process behind",
  async (signal) => {
    const { owner, asked } = await startOwner("run", [{ say: "Well", stall: true }]);
    await asked();
    await noneLeft(await end(owner, signal));
  },
);

test("a SIGKILL while a tool runs leaves no process behind", async () => {
  const { owner, said } = await startOwner("run", [{ call: "hang" }]);
  await expect.poll(() => said.out, { timeout: 60_000 }).toContain("hanging");
  await noneLeft(await end(owner, "SIGKILL"));
});

test("a SIGKILL while a process waits for its first prompt leaves no process behind", async () => {
  const { owner, said } = await startOwner("wait", [{ say: "Never asked" }]);
  await expect.poll(() => said.out, { timeout: 60_000 }).toContain("waiting");
  await noneLeft(await end(owner, "SIGKILL"));
});

test("a SIGKILL while a process waits for the next call leaves no process behind", async () => {
  const { owner, said } = await startOwner("ask and wait", [{ say: "Hello" }]);
  await expect.poll(() => said.out, { timeout: 60_000 }).toContain("asked 1");
  await noneLeft(await end(owner, "SIGKILL"));
});

test("a program that does not close its runtime exits, and leaves neither process nor folder", async () => {
  const { owner, said, temporary } = await startOwner("ask and forget", [{ say: "Hello", delay_ms: 300 }]);
  await expect.poll(() => hostsAmong(childrenOf(owner.pid ?? 0)), { timeout: 60_000 }).toHaveLength(1);
  const children = childrenOf(owner.pid ?? 0);
  if (owner.exitCode === null) await once(owner, "exit");
  expect({ code: owner.exitCode, ...said }).toEqual({ code: 0, out: "Hello\nHello\nasked 1\n", err: "" });
  await noneLeft(children);
  expect(await readdir(temporary)).toEqual([]);
});

test("a program that exits while a process is idle leaves no process behind", async () => {
  const { owner, said } = await startOwner("ask and exit", [{ say: "Hello", delay_ms: 300 }]);
  await expect.poll(() => hostsAmong(childrenOf(owner.pid ?? 0)), { timeout: 60_000 }).toHaveLength(1);
  const children = childrenOf(owner.pid ?? 0);
  if (owner.exitCode === null) await once(owner, "exit");
  expect(said.out).toContain("asked 1");
  await noneLeft(children);
});

test("a program that closes its runtime on SIGTERM stops the run and ends all processes", async () => {
  const { owner, said, asked } = await startOwner("run and close on SIGTERM", [{ say: "Well", stall: true }]);
  await asked();
  const children = await end(owner, "SIGTERM");
  expect(stillThere(children)).toEqual([]);
  expect(said.out).toContain("stopped");
  expect(owner.exitCode).toBe(0);
});

test("closing leaves no process, no file and no output of the host", async () => {
  const { owner, said, temporary } = await startOwner("run", [
    {
      calls: [
        { call: "look" },
        { call: "Bash", with: { command: "id" } },
        { call: "Read", with: { file_path: "/etc/hostname" } },
      ],
    },
    { say: "Done" },
  ]);
  await expect.poll(() => said.out, { timeout: 60_000 }).toContain("closed");
  await expect.poll(() => childrenOf(owner.pid ?? 0)).toEqual([]);
  const entries = await readdir(temporary, { recursive: true, withFileTypes: true });
  expect(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
  expect(said).toEqual({ out: "natural\nclosed\n", err: "" });
});

test("a host that is killed during a response is a crash within a second, and is not replaced", async () => {
  const { backend, home, rehearsal } = await openTestContext([{ say: "Well", stall: true }]);
  const before = childrenOf(process.pid);
  const runtime = createAgentRuntime({ backend, models: { default: "sonnet" }, projectDir: home.project });
  const run = runtime.runAgentLoop({ prompt: "Go", tools: [], stepBudget: 2 });
  for await (const { type } of run) if (type === "text.delta") break;
  const known = new Set(before.map(({ pid }) => pid));
  const started = hostsAmong(childrenOf(process.pid)).filter(({ pid }) => !known.has(pid));
  expect(started).toHaveLength(1);
  const killedAt = performance.now();
  for (const { pid } of started) process.kill(pid, "SIGKILL");
  const result = await run.result;
  expect(performance.now() - killedAt).toBeLessThan(1000);
  expect(result).toMatchObject({ stopReason: "error", text: "Well", error: { code: "backend_crash" } });
  expect(rehearsal.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
  await runtime.close();
});

test("a host that dies between two turns fails the second turn at once", async () => {
  const { backend, home, rehearsal } = await openTestContext([{ say: "Hello" }]);
  const known = new Set(childrenOf(process.pid).map(({ pid }) => pid));
  const { signal } = new AbortController();
  const conversation = await backend.open(
    {
      model: "sonnet",
      system: { static: "", dynamic: "" },
      tools: [],
      builtins: [],
      stepBudget: 1,
      promptCaching: defaultPromptCaching,
      history: [],
      projectDir: home.project,
    },
    signal,
  );
  const turn = () =>
    conversation.turn(textMessage("Go"), {
      signal,
      emit() {},
      completeHostTool() {},
      reportRefused() {},
      callTool: async () => ({ output: "", isError: true }),
      awaitLimit: async (error) => Promise.reject(error),
      authorizeHostTool: async () => ({ allow: false, reply: "" }),
    });
  expect(await turn()).toEqual({ reason: "natural" });
  const hosts = hostsAmong(childrenOf(process.pid)).filter(({ pid }) => !known.has(pid));
  for (const { pid } of hosts) process.kill(pid, "SIGKILL");
  await expect.poll(() => stillThere(hosts)).toEqual([]);
  await expect(turn()).rejects.toMatchObject({ code: "backend_crash" });
  await expect(turn()).rejects.toMatchObject({ code: "backend_crash" });
  expect(rehearsal.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
});

test("a host that cannot start is tried four times, and the error contains its output", async () => {
  const { backend, home } = await openTestContext([{ say: "Never" }], {
    extraEnvironment: { BUN_OPTIONS: "--cwd=/dev/null/nowhere" },
  });
  const runtime = createAgentRuntime({ backend, models: { default: "sonnet" }, projectDir: home.project });
  const run = runtime.runAgentLoop({ prompt: "Go", tools: [], stepBudget: 1 });
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  expect(types.filter((type) => type === "retry.scheduled")).toHaveLength(3);
  const { error } = await run.result;
  expect(error).toMatchObject({ code: "backend_crash", message: expect.stringContaining("/dev/null/nowhere") });
  await runtime.close();
});
