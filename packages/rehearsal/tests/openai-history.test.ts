import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { expect, onTestFinished, test } from "vitest";
import { defineScript, startRehearsal } from "../src/index.ts";
import { answered, generate, stream, tool, user } from "./ai-sdk.ts";

/** Runs a loop of two steps with thinking, with the options of one provider. */
async function loop(openai: Record<string, string | boolean | string[]>) {
  const turns = [{ steps: [{ think: "hm", say: "Well.", call: "look", with: { id: "A" } }, { say: "Done." }] }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  const model = createOpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: "rehearsal" }).responses("gpt-5.5");
  const options: Omit<LanguageModelV4CallOptions, "prompt"> = { tools: [tool("look")], providerOptions: { openai } };
  const first = await stream(model, { ...options, prompt: [user("hello")] });
  const prompt = [user("hello"), ...answered(first, "42")];
  return { rehearsal, last: await generate(model, { ...options, prompt }) };
}

test("a history of stored items is sent by reference, and continues at the next step", async () => {
  const { rehearsal, last } = await loop({ store: true });
  expect(last.text).toBe("Done.");
  expect(rehearsal.requests[1]?.body).toMatchObject({
    input: [
      { role: "user" },
      { type: "item_reference" },
      { type: "item_reference" },
      { type: "function_call", name: "look" },
      { type: "function_call_output", output: "42" },
    ],
  });
});

test("a history of items that were not stored contains encrypted reasoning, and continues too", async () => {
  const { rehearsal, last } = await loop({ store: false });
  expect(last.text).toBe("Done.");
  expect(rehearsal.requests[1]?.body).toMatchObject({
    store: false,
    include: ["reasoning.encrypted_content"],
    input: [
      { role: "user" },
      { type: "reasoning", encrypted_content: expect.stringMatching(/./) },
      { role: "assistant" },
      { type: "function_call" },
      { type: "function_call_output" },
    ],
  });
  expect(rehearsal.failures).toEqual([]);
});

test("a response that fails is an error of the client", async () => {
  const turns = [{ steps: [{ say: "Hel", stop_reason: "failed", forever: true }] }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  const model = createOpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: "rehearsal" }).responses("gpt-5.5");
  const outcome = await stream(model, { prompt: [user("hello")] });
  expect(outcome).toMatchObject({ text: "Hel", finish: "error", error: { statusCode: 500, type: "response.failed" } });
  await expect(generate(model, { prompt: [user("hello")] })).rejects.toThrow("The server had an error");
});

test("the tokens of reasoning are part of the output", async () => {
  const turns = [{ steps: [{ say: "Hi", usage: { output: 20, reasoning: 15 } }] }];
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  const openai = createOpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: "rehearsal" });
  for (const model of [openai.chat("gpt-5.5"), openai.responses("gpt-5.5")]) {
    const { usage } = await model.doGenerate({ prompt: [user("hello")] });
    expect(usage.outputTokens).toEqual({ total: 20, text: 5, reasoning: 15 });
  }
});
