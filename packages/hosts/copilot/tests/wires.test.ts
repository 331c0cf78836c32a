/** Tests the protocols that the runtime speaks with model services, in addition to the one that the conformance suite uses. */
import { createAgentRuntime } from "@bridle/core";
import { type AgentRuntime, AuthenticationError, ContextOverflowError, defineTool } from "@bridle/protocol";
import type { RecordedRequest, ScriptInput } from "@bridle/rehearsal";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sentRequests } from "../../model-api/tests/sent-requests.ts";
import type { CopilotOptions } from "../src/options.ts";
import { SharedRuntime } from "../src/process/shared-runtime.ts";
import { startTestBackend } from "./support/test-backend.ts";

type Steps = ScriptInput["turns"][number]["steps"];

const shared = new SharedRuntime(process.env);
afterAll(() => shared.close());

/** Keys that the runtime itself adds to a request, besides the model, the instructions, the messages and the tools. */
const responsesKeys = ["include", "parallel_tool_calls", "prompt_cache_key", "reasoning", "store", "stream"];
const completionsKeys = ["reasoning_effort", "stream", "stream_options", "temperature"];
const anthropicKeys = ["max_tokens", "stream", "temperature", "thinking"];

interface Wire {
  readonly options: CopilotOptions;
  readonly path: RegExp;
  readonly keyHeader: string;
  readonly addedKeys: readonly string[];
  /** Matches the run's description of the addition. */
  readonly named: RegExp;
}

const wires: readonly (readonly [name: string, wire: Wire])[] = [
  [
    "Responses",
    {
      options: {},
      path: /^\/v1\/responses$/,
      keyHeader: "authorization",
      addedKeys: responsesKeys,
      named: /prompt_cache_key/,
    },
  ],
  [
    "Chat Completions",
    {
      options: { wireApi: "completions" },
      path: /^\/v1\/chat\/completions$/,
      keyHeader: "authorization",
      addedKeys: completionsKeys,
      named: /temperature/,
    },
  ],
  [
    "Azure",
    {
      options: { api: "azure" },
      path: /^\/openai\/v1\/responses/,
      keyHeader: "api-key",
      addedKeys: responsesKeys,
      named: /prompt_cache_key/,
    },
  ],
  [
    "Anthropic",
    {
      options: { api: "anthropic" },
      path: /^\/v1\/messages/,
      keyHeader: "x-api-key",
      addedKeys: anthropicKeys,
      named: /thinking budget/,
    },
  ],
];

const weather = defineTool({
  name: "weather",
  description: "The weather of a city.",
  input: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

/** The offered tools. Bridle's own tool for the rest of a long result is offered from the start. */
const offered = ["weather", "read_result"];

describe.each(wires)("on the protocol of %s", (_name, { options, path, keyHeader, addedKeys, named }) => {
  const start = async (steps: Steps): Promise<{ runtime: AgentRuntime; sent: () => readonly RecordedRequest[] }> => {
    const script = { rehearsal: 1 as const, turns: [{ steps }] };
    const { backend, rehearsal, close } = await startTestBackend(script, options, shared);
    const runtime = createAgentRuntime({ backend, models: { default: "claude-haiku-5-5" } });
    onTestFinished(async () => {
      await runtime.close();
      await close();
    });
    return { runtime, sent: () => rehearsal.requests.filter(({ method }) => method === "POST") };
  };

  test("two calls of a response run, and the model gets the instructions, the tools and the results, and nothing else", async () => {
    const calls = ["Oslo", "Rome"].map((city) => ({ call: "weather", with: { city } }));
    const { runtime, sent } = await start([{ calls, usage: { input: 100, output: 20 } }, { say: "Both sunny." }]);
    const { text, usage } = await runtime.runAgentLoop({
      system: "You are OURS.",
      prompt: "Compare.",
      tools: [weather],
      stepBudget: 3,
    }).result;
    expect(text).toBe("Both sunny.");
    expect(usage.inputTokens).toBeGreaterThan(100);
    expect(usage.outputTokens).toBeGreaterThan(20);
    for (const { path: asked, headers } of sent()) {
      expect(asked).toMatch(path);
      expect(headers[keyHeader]).toContain("key-of-copilot");
    }
    const requests = sentRequests(sent());
    expect(requests.map(({ system }) => system)).toEqual(["You are OURS.", "You are OURS."]);
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([offered, offered]);
    expect(requests.map(({ texts }) => texts)).toEqual([["Compare."], ["Compare.", "sunny in Oslo", "sunny in Rome"]]);
  });

  test("the run names what the runtime adds, and the request has no other key", async () => {
    const { runtime, sent } = await start([{ say: "Hello." }]);
    const additions: string[] = [];
    for await (const event of runtime.runAgentLoop({ system: "OURS", prompt: "Hi", tools: [weather], stepBudget: 1 })) {
      if (event.type === "model.input") additions.push(...event.hostAdds);
    }
    const passed = ["model", "instructions", "system", "input", "messages", "tools"];
    const keys = Object.keys(sent()[0]?.body as object).filter((key) => !passed.includes(key));
    expect(keys.sort()).toEqual(addedKeys);
    expect(additions.join("; ")).toMatch(named);
    expect(additions.join("; ")).toContain("keywords that limit a value, such as minLength");
  });

  test("an object is returned in its schema, with one request", async () => {
    const { runtime, sent } = await start([{ object: { city: "Oslo" } }]);
    const { object } = await runtime.generateObject({ prompt: "Where?", schema: z.object({ city: z.string() }) });
    expect(object).toEqual({ city: "Oslo" });
    expect(sent()).toHaveLength(1);
  });

  test("a refused key and a prompt that is too long have their own errors", async () => {
    const refusing = await start([{ status: 401, forever: true }]);
    await expect(refusing.runtime.generateText({ prompt: "go" })).rejects.toBeInstanceOf(AuthenticationError);
    const tooLong = await start([
      { status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum", forever: true },
    ]);
    await expect(tooLong.runtime.generateText({ prompt: "go" })).rejects.toBeInstanceOf(ContextOverflowError);
  });
});
