import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { BackendCrashError, defaultPromptCaching } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { childrenOf, stillThere } from "../../claude-code/tests/support/processes.ts";
import { startAppServer } from "../src/process/start-server.ts";
import { killCodex } from "./support/kill-codex.ts";
import { startCodex } from "./support/test-backend.ts";
import { startCodexSession } from "./support/test-session.ts";

const hello = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Hello." }] }] };
const silent = { rehearsal: 1 as const, turns: [{ steps: [{ say: "One", stall: true, forever: true }] }] };

test("one process serves conversations one after another and at once, each with its own tools", async () => {
  const { backend, close } = await startCodex(hello);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  await runtime.generateText({ prompt: "first" });
  await Promise.all(["a", "b", "c"].map((prompt) => runtime.generateText({ prompt })));
  expect(backend.pool()).toEqual({ idle: 1, busy: 0, reused: 3 });
  await runtime.close();
  await close();
});

test("a logout and a killed process leave the user's login as it is", async () => {
  const { environment, readLogin, close } = await startCodexSession(hello);
  const before = await readLogin();
  const server = await startAppServer({ auth: "session", environment }, []);
  await server.request("account/logout", {}, z.unknown());
  if (server.pid === undefined) throw new Error("Codex did not start.");
  process.kill(server.pid, "SIGKILL");
  await server.gone;
  expect(await readLogin()).toBe(before);
  await close();
});

test("a conversation of a killed process ends with a BackendCrashError, and the next one gets another process", async () => {
  const { backend, close } = await startCodex(silent);
  const spec = {
    model: "gpt-6-sol",
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: tmpdir(),
  };
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const run = runtime.runAgentLoop({ prompt: "go", tools: [], stepBudget: 1 });
  for await (const event of run) if (event.type === "text.delta") killCodex();
  expect((await run.result).error).toBeInstanceOf(BackendCrashError);
  const conversation = await backend.open(spec, new AbortController().signal);
  await conversation.close();
  await runtime.close();
  await close();
});

test("no process is left if the owner is killed in the middle of a request", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "bridle-killed-codex-")); // a killed program does not remove its folders
  onTestFinished(() => rm(temporary, { recursive: true, force: true, maxRetries: 5 }));
  const owner = spawn(
    process.execPath,
    ["--conditions=@bridle/source", join(import.meta.dirname, "support/owner.ts")],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TMPDIR: temporary } },
  );
  await once(owner.stdout, "data");
  const started = childrenOf(owner.pid ?? 0).filter(({ command }) => command.includes("app-server"));
  expect(started).toHaveLength(1);
  owner.kill("SIGKILL");
  await once(owner, "exit");
  while (stillThere(started).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});
