/** Tests the content of requests: cache marks, history, reasoning and objects. */
import { defineTool } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { modelApiIds } from "../src/settings/options.ts";
import { ofType, startScript, startSteps } from "./test-runtime.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => `${at} is fine`,
});
const find = defineTool({ ...look, name: "find", description: "Finds." });
const system = { static: "You are a clerk.", dynamic: "Today is Tuesday." };
const calling = { call: "look", with: { at: "A-1" } };
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Marked {
  cache_control?: { type: string; ttl?: string };
  providerOptions?: { anthropic?: { cacheControl?: object } };
}
interface ClaudeBody {
  system?: ({ text: string } & Marked)[];
  tools: Marked[];
  messages: { role: string; content: Marked[] }[];
}

describe.each(["anthropic", "vertex", "bedrock"] as const)("prompt caching on %s", (id) => {
  async function bodies(promptCaching: object) {
    const steps = [calling, { say: "done" }];
    const { runtime, rehearsal } = await startSteps(id, steps, {}, { promptCaching });
    await runtime.runAgentLoop({ prompt: "go", system, tools: [look, find], stepBudget: 3 }).result;
    return rehearsal.requests.map(({ body }) => body as ClaudeBody);
  }

  test("marks the static instructions, the last tool and the last message, in every step", async () => {
    for (const { system: instructions = [], tools, messages } of await bodies({})) {
      expect(instructions.map(({ cache_control }) => cache_control)).toEqual([{ type: "ephemeral" }, undefined]);
      expect(tools.map(({ cache_control }) => cache_control)).toEqual([undefined, { type: "ephemeral" }]);
      const marks = messages.map(({ content }) => content.map(({ cache_control }) => cache_control ?? null));
      expect(marks.flat().filter((mark) => mark !== null)).toEqual([{ type: "ephemeral" }]);
      expect(marks.at(-1)?.at(-1)).toEqual({ type: "ephemeral" });
    }
  });

  test("sets the lifetime of each mark, and raises an earlier mark's lifetime to a longer one that follows", async () => {
    const [body] = await bodies({ systemTtl: "1h", toolsTtl: "5m", historyTtl: "5m" });
    expect(body?.system?.[0]?.cache_control).toEqual({ type: "ephemeral", ttl: "1h" });
    expect(body?.tools.at(-1)?.cache_control).toEqual({ type: "ephemeral", ttl: "1h" });
    expect(body?.messages.at(-1)?.content.at(-1)?.cache_control).toEqual({ type: "ephemeral" });
  });

  test("marks nothing that is switched off", async () => {
    const [some] = await bodies({ cacheSystem: false, cacheTools: false });
    expect(JSON.stringify([some?.system, some?.tools])).not.toContain("cache_control");
    expect(JSON.stringify(some?.messages)).toContain("cache_control");
    expect(JSON.stringify(await bodies({ enabled: false }))).not.toContain("cache_control");
  });
});

test("dynamic instructions are not marked, even if they are the first message", async () => {
  const { runtime, rehearsal } = await startSteps("anthropic", [{ say: "fine" }]);
  await runtime.generateText({ prompt: "go", system: { dynamic: "Today is Tuesday." } });
  expect(rehearsal.requests[0]?.body).toHaveProperty("system", [{ type: "text", text: "Today is Tuesday." }]);
});

test("prompt caching on the gateway marks only prompts for Claude", async () => {
  const { runtime, rehearsal } = await startSteps("gateway", [{ say: "fine" }]);
  await runtime.generateText({ prompt: "go", system });
  await runtime.generateText({ prompt: "go", system, model: "openai/gpt-6-sol" });
  const marks = rehearsal.requests.map(({ body }) => JSON.stringify(body).match(/cacheControl/g)?.length ?? 0);
  expect(marks).toEqual([2, 0]);
});

test("openai gets the same cache key for the same instructions, and stores nothing", async () => {
  const { runtime, rehearsal } = await startSteps("openai", [{ say: "fine" }]);
  for (const said of ["You are a clerk.", "You are a clerk.", "You are a cook."]) {
    await runtime.generateText({ prompt: "go", system: said });
  }
  const bodies = rehearsal.requests.map(({ body }) => body as { store: boolean; prompt_cache_key: string });
  expect(bodies.map(({ store }) => store)).toEqual([false, false, false]);
  const [first, second, third] = bodies.map(({ prompt_cache_key }) => prompt_cache_key);
  expect(first).toBe(second);
  expect(first).not.toBe(third);
});

describe("reasoning is sent back to the host with its calls", () => {
  const steps = [{ think: "Let me see.", ...calling }, { say: "done" }];
  const loop = { prompt: "go", tools: [look], stepBudget: 3 };

  test.each(["anthropic", "vertex", "bedrock"] as const)("on %s with its signature", async (id) => {
    const { runtime, rehearsal } = await startSteps(id, steps);
    expect((await runtime.runAgentLoop(loop).result).stopReason).toBe("natural");
    const body = rehearsal.requests[1]?.body as { messages: { content: object[] }[] };
    expect(body.messages[1]?.content[0]).toMatchObject({
      type: "thinking",
      thinking: "Let me see.",
      signature: expect.stringMatching(/./),
    });
  });

  test("on openai in its encrypted form", async () => {
    const { runtime, rehearsal } = await startSteps("openai", steps);
    expect((await runtime.runAgentLoop(loop).result).stopReason).toBe("natural");
    const [first, second] = rehearsal.requests.map(({ body }) => body as { include?: string[]; input: object[] });
    expect(first?.include).toContain("reasoning.encrypted_content");
    expect(second?.input).toContainEqual(
      expect.objectContaining({ type: "reasoning", encrypted_content: expect.stringMatching(/./) }),
    );
  });

  test("on the gateway with the provider's metadata", async () => {
    const { runtime, rehearsal } = await startSteps("gateway", steps);
    expect((await runtime.runAgentLoop(loop).result).stopReason).toBe("natural");
    const body = rehearsal.requests[1]?.body as { prompt: { role: string; content: object[] }[] };
    const answer = body.prompt.find(({ role }) => role === "assistant");
    expect(answer?.content[0]).toMatchObject({ type: "reasoning", text: "Let me see." });
  });
});

test.each(["anthropic", "bedrock", "gateway", "openai", "openai-compatible", "vertex"] as const)(
  "%s sends a history, an image and documents",
  async (id) => {
    const { runtime, rehearsal } = await startSteps(id, [{ say: "fine" }]);
    const text = Buffer.from("order,total\nA-1,20").toString("base64");
    const pdf = Buffer.from("%PDF-1.4 hello").toString("base64");
    const { text: said } = await runtime.generateText({
      prompt: [
        { role: "user", content: "Who are you?" },
        { role: "assistant", content: "A clerk." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look at these." },
            { type: "image", mediaType: "image/png", data: pixel },
            { type: "file", mediaType: "text/csv", data: text, name: "orders.csv" },
            { type: "file", mediaType: "application/pdf", data: pdf, name: "bill.pdf" },
          ],
        },
      ],
    });
    expect(said).toBe("fine");
    const sent = JSON.stringify(rehearsal.requests[0]?.body);
    for (const part of ["Who are you?", "A clerk.", "Look at these.", pixel, "A-1,20", pdf]) {
      expect(sent).toContain(part);
    }
  },
);

describe("an object", () => {
  const schema = z.object({ name: z.string(), tags: z.array(z.string()).default([]), born: z.url().optional() });

  test("is requested from openai in a form that it accepts, and a notice names the keywords that were left out", async () => {
    const { runtime, rehearsal, events } = await startSteps("openai", [{ object: { name: "Bern" } }]);
    expect((await runtime.generateObject({ prompt: "go", schema })).object).toEqual({ name: "Bern", tags: [] });
    expect(rehearsal.failures).toEqual([]);
    const body = rehearsal.requests[0]?.body as { text: { format: { strict: boolean; schema: object } } };
    expect(body.text.format).toMatchObject({ type: "json_schema", strict: false });
    expect(ofType(events, "notice").map(({ message }) => message)).toEqual([
      expect.stringContaining("does not accept default, format uri in a schema"),
    ]);
  });

  test("without optional parts is strict on openai", async () => {
    const { runtime, rehearsal } = await startSteps("openai", [{ object: { name: "Bern", at: { x: 1 } } }]);
    const strict = z.object({ name: z.string(), at: z.object({ x: z.number() }) });
    await runtime.generateObject({ prompt: "go", schema: strict });
    expect(rehearsal.failures).toEqual([]);
    expect(rehearsal.requests[0]?.body).toMatchObject({ text: { format: { strict: true } } });
  });

  test("in a code fence is parsed, and its text is not emitted", async () => {
    const said = '```json\n{ "name": "Bern" }\n```';
    const { runtime, events } = await startSteps("openai-compatible", [{ say: said }]);
    expect((await runtime.generateObject({ prompt: "go", schema })).object).toEqual({ name: "Bern", tags: [] });
    expect(ofType(events, "text.completed")).toEqual([]);
  });

  test("that is missing is requested again, without an empty message in between", async () => {
    const { runtime, rehearsal } = await startScript("anthropic", {
      rehearsal: 1,
      turns: [{ when: { user: "whole object" }, steps: [{ object: { name: "Bern" } }] }, { steps: [{ say: "" }] }],
    });
    expect((await runtime.generateObject({ prompt: "go", schema })).object).toEqual({ name: "Bern", tags: [] });
    const body = rehearsal.requests[1]?.body as ClaudeBody;
    expect(body.messages.filter(({ content }) => content.length === 0)).toEqual([]);
  });

  test("is requested from Bedrock's newest models in words, and the event log says so", async () => {
    const { runtime, rehearsal, events } = await startSteps("bedrock", [{ object: { name: "Bern" } }]);
    await runtime.generateObject({ prompt: "go", schema, system: "You are a clerk." });
    const body = rehearsal.requests[0]?.body as { system: { text: string }[]; tools?: unknown };
    expect(body.system.map(({ text }) => text).join()).toMatch(/You are a clerk\..*matches this JSON Schema.*"name"/s);
    expect(body.tools).toBeUndefined();
    expect(ofType(events, "model.input")[0]?.hostAdds).toEqual([expect.stringContaining("JSON")]);
  });
});

test("headers of the options are sent with every request", async () => {
  const headers = { "x-team": "blue" };
  const { runtime, rehearsal } = await startSteps("openai-compatible", [{ say: "fine" }], { headers });
  await runtime.generateText({ prompt: "go" });
  expect(rehearsal.requests[0]?.headers["x-team"]).toBe("blue");
});

test.each(modelApiIds)("a header of the options replaces %s's own, in any case", async (id) => {
  const headers = { AUTHORIZATION: "Basic eA==", "X-Api-Key": "of-a-proxy", "Content-TYPE": "application/json; v=1" };
  const { runtime, rehearsal } = await startSteps(id, [{ say: "fine" }], { headers });
  await runtime.generateText({ prompt: "go" });
  const { authorization, "x-api-key": key, "content-type": type } = rehearsal.requests[0]?.headers ?? {};
  const signed = expect.stringMatching(/^AWS4-HMAC-SHA256 /); // the signature covers all other headers
  const sent = id === "bedrock" ? signed : "Basic eA==";
  expect([authorization, key, type]).toEqual([sent, "of-a-proxy", "application/json; v=1"]);
});

test.each(["anthropic", "vertex", "bedrock"] as const)("%s returns the arguments of calls in one piece", async (id) => {
  const { runtime, rehearsal } = await startSteps(id, [{ say: "fine" }]);
  await runtime.runAgentLoop({ prompt: "go", tools: [look], stepBudget: 1 }).result;
  expect(JSON.stringify(rehearsal.requests[0])).not.toMatch(/eager_input_streaming|fine-grained-tool-streaming/);
});
