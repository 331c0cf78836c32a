import { setTimeout } from "node:timers/promises";
import OpenAI from "openai";
import type { ChatCompletionMessageParam } from "openai/resources/chat/completions";
import { expect, test } from "vitest";
import { openOpenAi } from "../support/openai-client.ts";

function user(content: string): ChatCompletionMessageParam {
  return { role: "user", content };
}

test("a conversation continues in its session while the client sends it back as it was", async () => {
  const { client, workspace } = await openOpenAi();
  const messages = [user("What time is it?")];
  const first = await client.chat.completions.create({ model: "agent", messages });
  expect(first).toMatchObject({
    choices: [{ finish_reason: "stop", message: { role: "assistant", content: "One moment.\n\nIt is noon." } }],
    usage: { total_tokens: expect.any(Number) },
  });
  messages.push({ role: "assistant", content: first.choices[0]?.message.content ?? "" }, user("And the second?"));
  const second = await client.chat.completions.create({ model: "agent", messages });
  expect(second.choices[0]?.message.content).toBe("This is the second answer.");
  expect(await workspace.eventLog.sessions()).toMatchObject([{ runs: 2 }]);
  const changed = [
    user("What day is it?"),
    { role: "assistant", content: "Monday." } as const,
    user("And the second?"),
  ];
  await client.chat.completions.create({ model: "agent", messages: changed });
  const [newest] = await workspace.eventLog.sessions();
  const events = await workspace.eventLog.read({ sessionId: newest?.sessionId ?? "" });
  const replaced = events.find(({ type }) => type === "history.replaced");
  expect(replaced).toMatchObject({ type: "history.replaced", reason: "edited", messages: [{}, { role: "assistant" }] });
});

test.each(["rehearsal", "login"] as const)(
  "a stream has the text of finished responses only, and questions are denied (%s)",
  async (model) => {
    const { client, workspace } = await openOpenAi(model);
    const stream = await client.chat.completions.create({
      model: "agent",
      messages: [user("Where is my order?")],
      stream: true,
      stream_options: { include_usage: true },
    });
    const texts: string[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      texts.push(chunk.choices[0]?.delta.content ?? "");
      usage = chunk.usage ?? usage;
    }
    expect(texts.filter((text) => text !== "")).toMatchObject([
      "I will look.",
      expect.stringContaining("Nobody can be asked here."),
    ]);
    expect(usage).toMatchObject({ completion_tokens: expect.any(Number) });
    expect(await workspace.eventLog.approvals.open()).toEqual([]);
  },
);

test("a response that is requested again is never in the stream, and a failure is an error", async () => {
  const { client } = await openOpenAi();
  const stream = await client.chat.completions.create({
    model: "agent",
    messages: [user("Please break.")],
    stream: true,
  });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("It was a bright day.");
  const failing = { model: "agent", messages: [user("Please fail.")] };
  await expect(client.chat.completions.create(failing)).rejects.toMatchObject({ status: 502, code: "invalid_request" });
  const failed = await client.chat.completions.create({ ...failing, stream: true });
  await expect(async () => {
    for await (const _chunk of failed);
  }).rejects.toThrow("No such thing");
});

test("a client's tools, several choices and files at an address are refused", async () => {
  const { client } = await openOpenAi();
  const ask = (more: object) => client.chat.completions.create({ model: "agent", messages: [user("Hello.")], ...more });
  const tool = { type: "function", function: { name: "t", parameters: {} } };
  await expect(ask({ tools: [tool] })).rejects.toMatchObject({ status: 422, code: "client-tools" });
  await expect(ask({ n: 2 })).rejects.toMatchObject({ code: "one-choice" });
  const content = [{ type: "image_url", image_url: { url: "http://169.254.169.254/" } }];
  await expect(ask({ messages: [{ role: "user", content }] })).rejects.toMatchObject({ code: "remote-file" });
});

test("a client that lost the reply and sends the request again gets the same run, and asks anew later", async () => {
  const { server, workspace } = await openOpenAi();
  let isLost = true;
  const client = new OpenAI({
    baseURL: `${server.url}/openai/v1`,
    apiKey: server.token,
    maxRetries: 2,
    async fetch(url, init) {
      const response = fetch(url, init);
      if (!isLost) return response;
      isLost = false;
      while ((await workspace.eventLog.runs()).length === 0) await setTimeout(20);
      throw new TypeError("The connection was lost.");
    },
  });
  const ask = () => client.chat.completions.create({ model: "agent", messages: [user("Tell me a story.")] });
  expect((await ask()).choices[0]?.message.content).toContain("Once upon a time");
  expect(await workspace.eventLog.runs()).toHaveLength(1);
  await ask();
  expect(await workspace.eventLog.runs()).toHaveLength(2);
});

test("two requests that continue the same conversation at once both get an answer", async () => {
  const { client, workspace } = await openOpenAi();
  const messages = [user("Hello.")];
  const { choices } = await client.chat.completions.create({ model: "agent", messages });
  messages.push({ role: "assistant", content: choices[0]?.message.content ?? "" }, user("Tell me a story."));
  const ask = () => client.chat.completions.create({ model: "agent", messages });
  const answers = await Promise.all([ask(), ask()]);
  for (const answer of answers) expect(answer.choices[0]?.message.content).toContain("Once upon a time");
  expect(await workspace.eventLog.sessions()).toHaveLength(2);
});

test.each([false, true])(
  "a run that somebody stops is an error, and not half an answer (stream: %s)",
  async (stream) => {
    const { client, workspace } = await openOpenAi();
    const asked = (async () => {
      const reply = await client.chat.completions.create({
        model: "agent",
        messages: [user("Tell me a story.")],
        stream,
      });
      if (Symbol.asyncIterator in reply) for await (const _chunk of reply);
    })();
    const failed = expect(asked).rejects.toMatchObject({ code: "run-stopped" });
    let runs = await workspace.eventLog.runs();
    for (; runs.length === 0; runs = await workspace.eventLog.runs()) await setTimeout(20);
    workspace.runs.stop(runs[0]?.runId ?? "", "test");
    await failed;
  },
);
