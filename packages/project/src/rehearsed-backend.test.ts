import { createAgentRuntime } from "@bridle/core";
import { createMemoryBackend } from "@bridle/core/conformance";
import type { RehearsalFailure } from "@bridle/rehearsal";
import { expect, test } from "vitest";
import { failingAsScripted } from "./rehearsed-backend.ts";

const request = { at: 0, method: "POST", path: "/v1/messages", query: "", headers: {}, body: undefined, closed: false };

test("a run that the script had no answer to ends with the script's own sentence", async () => {
  const failures: RehearsalFailure[] = [];
  const backend = createMemoryBackend([
    { steps: [{ say: "Hm.", calls: [{ tool: "misfit", input: {} }] }, { say: "An answer." }] },
  ]);
  const runtime = createAgentRuntime({
    backend: failingAsScripted(backend, { failures }),
    models: { default: "memory-1" },
    onEvent(event) {
      if (event.type === "tool.requested") failures.push({ message: "s.yaml: no turn matches.", request });
    },
  });
  const { result } = runtime.runAgentLoop({ prompt: "Hello", tools: [], stepBudget: 3 });
  expect(await result).toMatchObject({
    stopReason: "error",
    error: { message: "The rehearsal does not fit: s.yaml: no turn matches." },
  });
});

test("a run that went as scripted is left alone", async () => {
  const backend = createMemoryBackend([{ steps: [{ say: "Hello." }] }]);
  const runtime = createAgentRuntime({
    backend: failingAsScripted(backend, { failures: [] }),
    models: { default: "m" },
  });
  expect((await runtime.generateText({ prompt: "Hello" })).text).toBe("Hello.");
});

test("a run that failed for another reason keeps it", async () => {
  const backend = createMemoryBackend([{ steps: [{ fail: "billing" }] }]);
  const runtime = createAgentRuntime({
    backend: failingAsScripted(backend, { failures: [] }),
    models: { default: "m" },
  });
  await expect(runtime.generateText({ prompt: "Hello" })).rejects.toMatchObject({ code: "billing" });
});
