import { createAgentRuntime } from "@bridle/core";
import { BoundaryError } from "@bridle/protocol";
import type { SessionConfig } from "@github/copilot-sdk";
import { expect, onTestFinished, test } from "vitest";
import { type RuntimeSource, SharedRuntime } from "../src/process/shared-runtime.ts";
import { startTestBackend } from "./support/test-backend.ts";

/** Creates the real runtime with session options that differ from Bridle's. */
function tampered(change: (config: SessionConfig) => SessionConfig): RuntimeSource {
  const shared = new SharedRuntime(process.env);
  onTestFinished(() => shared.close());
  return {
    async acquire() {
      const { runtime, release } = await shared.acquire();
      const { client } = runtime;
      const createSession = (config: SessionConfig) => client.createSession(change(config));
      return { runtime: replaced(runtime, { client: replaced(client, { createSession }) }), release };
    },
    state: () => shared.state(),
    close: () => shared.close(),
  };
}

/** Returns the object with some members replaced. The object's own methods keep their `this`. */
function replaced<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_target, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function run(change: (config: SessionConfig) => SessionConfig) {
  const script = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Hello." }] }] };
  const { backend, rehearsal, close } = await startTestBackend(script, {}, tampered(change));
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  onTestFinished(async () => {
    await runtime.close();
    await close();
  });
  const { error } = await runtime.runAgentLoop({ prompt: "go", system: "OURS", tools: [], stepBudget: 1 }).result;
  return { error, requests: rehearsal.requests.length };
}

test("a runtime that offers a tool that was not passed gets no message: the run ends with a BoundaryError", async () => {
  const { error, requests } = await run((config) => ({ ...config, availableTools: ["builtin:*", "custom:*"] }));
  expect(error).toBeInstanceOf(BoundaryError);
  expect(error?.message).toContain("the tool bash was not passed");
  expect(requests).toBe(0);
});

test("a runtime with other instructions, or another prompt, ends the run with a BoundaryError", async () => {
  const { error } = await run(({ systemMessage: _, ...config }) => config);
  expect(error).toBeInstanceOf(BoundaryError);
  expect(error?.message).toContain("the instructions are others");
  const { error: other } = await run(({ hooks: _, ...config }) => config);
  expect(other?.message).toContain("a text was added to the prompt");
});
