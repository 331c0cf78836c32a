/** Checks that a run ends in bounded time if the service is silent or unreachable, wherever Codex waits for it. */
import { createAgentRuntime } from "@bridle/core";
import { defaultPromptCaching, NetworkError, TimeoutError } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { childrenOf, stillThere } from "../../claude-code/tests/support/processes.ts";
import type { CodexBackend } from "../src/backend.ts";
import { withExpiredToken } from "./support/expired-token.ts";
import { startSilentServer } from "./support/silent-server.ts";
import { startCodex } from "./support/test-backend.ts";
import { startCodexSession } from "./support/test-session.ts";

const hello: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };
const idleTimeoutMs = 1200;

function ask(backend: CodexBackend) {
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  return runtime.generateText({ prompt: "Hello?" }).finally(() => runtime.close());
}

test("a service that falls silent in the middle of an answer ends the run with a TimeoutError", async () => {
  const silent: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "One", stall: true, forever: true }] }] };
  const { backend, rehearsal, close } = await startCodex(silent, { idleTimeoutMs });
  onTestFinished(close);
  await expect(ask(backend)).rejects.toThrow(TimeoutError);
  expect(rehearsal.requests).toHaveLength(1);
});

test("a service that never begins an answer ends the run with a TimeoutError", async () => {
  await using silent = await startSilentServer();
  const { backend, close } = await startCodex(hello, { idleTimeoutMs, baseUrl: silent.url });
  onTestFinished(close);
  await expect(ask(backend)).rejects.toThrow(TimeoutError);
});

test("a service that cannot be reached ends the run with a NetworkError after the retries", async () => {
  const { backend, close } = await startCodex(hello, { baseUrl: "http://127.0.0.1:1/v1", maxRetries: 2 });
  onTestFinished(close);
  const asked = ask(backend);
  await expect(asked).rejects.toThrow(NetworkError);
  await expect(asked).rejects.toThrow("Check the network, and llm.provider.baseUrl.");
});

test("a silent proxy ends the run with a TimeoutError, even if Codex waits for it while it starts", async () => {
  await using proxy = await startSilentServer();
  const { backend, home, close } = await startCodexSession(hello, {
    idleTimeoutMs,
    environment: { HTTPS_PROXY: proxy.url },
  });
  onTestFinished(close);
  await withExpiredToken(home); // so that Codex refreshes the login first
  const asked = ask(backend);
  await expect(asked).rejects.toThrow(TimeoutError);
  await expect(asked).rejects.toThrow("Codex did not answer a request for 1.2 s. Check the network");
});

test("a check of the login ends when its signal is aborted, although Codex waits for a silent proxy", async () => {
  await using proxy = await startSilentServer();
  const { backend, home, close } = await startCodexSession(hello, { environment: { HTTPS_PROXY: proxy.url } });
  onTestFinished(close);
  await withExpiredToken(home);
  const before = performance.now();
  await expect(backend.checkAuth(AbortSignal.timeout(500))).rejects.toThrow("aborted");
  expect(performance.now() - before).toBeLessThan(5000);
});

test("a process that no longer answers is replaced for the next conversation, and ended", async () => {
  const { backend, close } = await startCodex(hello, { idleTimeoutMs: 3000 });
  onTestFinished(close);
  const spec = {
    model: "gpt-6-sol",
    system: { static: "", dynamic: "" },
    tools: [],
    builtins: [],
    stepBudget: 1,
    promptCaching: defaultPromptCaching,
    history: [],
    projectDir: import.meta.dirname,
  };
  const signal = new AbortController().signal;
  await (await backend.open(spec, signal)).close();
  const started = childrenOf(process.pid).filter(({ command }) => command.includes("app-server"));
  expect(started).toHaveLength(1);
  for (const { pid } of started) process.kill(pid, "SIGSTOP");
  await expect(backend.open(spec, signal)).rejects.toThrow(TimeoutError);
  await (await backend.open(spec, signal)).close();
  await backend.close();
  expect(stillThere(started)).toEqual([]);
});
