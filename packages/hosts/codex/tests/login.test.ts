import { createAgentRuntime } from "@bridle/core";
import { AuthenticationError } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { expect, test } from "vitest";
import { createCodexBackend } from "../src/backend.ts";
import { modelRequests } from "./support/codex-wire.ts";
import { startCodexSession } from "./support/test-session.ts";
import { trapVariables } from "./support/traps.ts";

const hello: ScriptInput = { rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] };

test("a ChatGPT login pays, even if the environment has other credentials, and its file stays as it is", async () => {
  const { backend, rehearsal, tlsProxy, readLogin, close } = await startCodexSession(hello, {
    environment: { ...trapVariables, OPENAI_API_KEY: "sk-trap-of-the-key" },
  });
  const before = await readLogin();
  const { tokens } = JSON.parse(before);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  try {
    const { text, cost } = await runtime.generateText({ prompt: "Hello?" });
    expect(text).toBe("Hello.");
    expect(cost?.estimate).toBe(true);
    const [request, ...more] = modelRequests(rehearsal.requests);
    expect(more).toEqual([]);
    expect(request?.path).toBe("/backend-api/codex/responses");
    expect(request?.headers.authorization).toBe(`Bearer ${tokens.access_token}`);
    expect(JSON.stringify(request)).not.toContain("trap");
    expect(JSON.stringify(request?.body)).not.toContain("rehearsal@example.com");
    expect(new Set(tlsProxy.hosts)).toEqual(new Set(["chatgpt.com"]));
  } finally {
    await runtime.close();
    expect(await readLogin()).toBe(before);
    await close();
  }
});

test("without a login nothing is started, and the error contains the remedy", async () => {
  const backend = createCodexBackend({ environment: { PATH: process.env.PATH, HOME: "/nowhere", ...trapVariables } });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const asked = runtime.generateText({ prompt: "Hello?" });
  await expect(asked).rejects.toThrow(AuthenticationError);
  await expect(asked).rejects.toThrow('Run "codex login" once');
  await runtime.close();
});

test("a used-up window is a UsageLimitError with the time when it opens again", async () => {
  const { backend, close } = await startCodexSession({
    rehearsal: 1,
    turns: [{ steps: [{ limit: { resets_in_seconds: 3600, window: "seven_day" }, forever: true }] }],
  });
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const error = await runtime.generateText({ prompt: "Hello?" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "usage_limit", window: "seven_day", resetsAt: expect.any(Date) });
  await runtime.close();
  await close();
});
