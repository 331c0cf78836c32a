import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import type { Backend } from "@bridle/protocol";
import type { RehearsalFailure } from "@bridle/rehearsal";
import { expect, test, vi } from "vitest";
import { startRehearsedBackend } from "./rehearsed-backend.ts";
import { failingAsScripted } from "./rehearsed-conversation.ts";

const request = { at: 0, method: "POST", path: "/v1/messages", query: "", headers: {}, body: undefined, closed: false };

const greeting = new URL("../../tests/greeting.rehearsal.yaml", import.meta.url).pathname;

function scripted(backend: Backend, failures: readonly RehearsalFailure[] = []): Backend {
  return {
    ...backend,
    open: async (spec, signal) => failingAsScripted(await backend.open(spec, signal), { failures }),
  };
}

test("a run without an answer in the script ends with the error of the script", async () => {
  const failures: RehearsalFailure[] = [];
  const backend = createMemoryBackend([
    { steps: [{ say: "Hm.", calls: [{ tool: "misfit", input: {} }] }, { say: "An answer." }] },
  ]);
  const runtime = createAgentRuntime({
    backend: scripted(backend, failures),
    models: { default: "memory-1" },
    onEvent(event) {
      if (event.type === "tool.requested") failures.push({ message: "s.yaml: no turn matches.", request });
    },
  });
  const { result } = runtime.runAgentLoop({ prompt: "Hello", tools: [], stepBudget: 3 });
  expect(await result).toMatchObject({
    stopReason: "error",
    error: { message: "The rehearsal does not match: s.yaml: no turn matches." },
  });
});

test("a run that follows the script is unchanged", async () => {
  const backend = createMemoryBackend([{ steps: [{ say: "Hello." }] }]);
  const runtime = createAgentRuntime({ backend: scripted(backend), models: { default: "m" } });
  expect((await runtime.generateText({ prompt: "Hello" })).text).toBe("Hello.");
});

test("a run that fails for another reason keeps that reason", async () => {
  const backend = createMemoryBackend([{ steps: [{ fail: "billing" }] }]);
  const runtime = createAgentRuntime({ backend: scripted(backend), models: { default: "m" } });
  await expect(runtime.generateText({ prompt: "Hello" })).rejects.toMatchObject({ code: "billing" });
});

test("a rehearsal has the host's name and the host's provider in telemetry", async () => {
  const provider = { backend: "claude-code", auth: "session" } as const;
  const backend = await startRehearsedBackend(greeting, { provider, environment: {} });
  expect(backend).toMatchObject({ id: "claude-code", telemetryProvider: "anthropic", rehearsed: true });
  await backend.close();
});

test("a temporary folder that is not writable is an error of the machine's settings", async () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  await expect(
    startRehearsedBackend(greeting, { provider: { backend: "claude-code", auth: "session" }, environment: {} }).finally(
      vi.unstubAllEnvs,
    ),
  ).rejects.toThrow("cannot be created in /nowhere/at/all (ENOENT). Set TMPDIR to a writable folder.");
});
