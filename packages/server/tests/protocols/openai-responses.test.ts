import OpenAI from "openai";
import type { ResponseInputItem } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { openOpenAi } from "../support/openai-client.ts";

function approve(id: string | undefined, more: object = {}): ResponseInputItem[] {
  return [{ type: "mcp_approval_response", approval_request_id: id ?? "", approve: true, ...more }];
}

test("the models are the agents, and an unknown one is an error in OpenAI's form", async () => {
  const { client } = await openOpenAi();
  expect((await client.models.list()).data).toMatchObject([{ id: "agent", owned_by: "bridle" }]);
  expect(await client.models.retrieve("agent")).toMatchObject({ id: "agent" });
  await expect(client.responses.create({ model: "agnet", input: "Hello." })).rejects.toMatchObject({
    error: { message: expect.stringContaining('Did you mean "agent"?'), type: "invalid_request_error" },
  });
  await expect(new OpenAI({ baseURL: client.baseURL, apiKey: "wrong" }).models.list()).rejects.toMatchObject({
    status: 401,
    type: "authentication_error",
  });
});

test("a response has text, reasoning and calls, and the next one continues its conversation", async () => {
  const { client, workspace } = await openOpenAi();
  const { data: first, response } = await client.responses
    .create({ model: "agent", input: "What time is it?", instructions: "Be rude.", metadata: { ticket: "1" } })
    .withResponse();
  expect(response.headers.get("x-bridle-ignored")).toBe("instructions");
  expect(first).toMatchObject({
    status: "completed",
    model: "agent",
    output_text: "One moment.It is noon.",
    metadata: { ticket: "1" },
    output: [
      { type: "reasoning", content: [{ text: "Which clock?" }] },
      { type: "message" },
      { type: "mcp_call", name: "clock", arguments: "{}", output: "noon", status: "completed" },
      { type: "message" },
    ],
    usage: { total_tokens: expect.any(Number) },
  });
  const second = await client.responses.create({
    model: "agent",
    input: "And the second?",
    previous_response_id: first.id,
  });
  expect(second.conversation).toEqual(first.conversation);
  expect(await client.responses.retrieve(first.id)).toEqual(first);
  const branch = await client.responses.create({ model: "agent", input: "Hello.", previous_response_id: first.id });
  expect(branch.conversation).not.toEqual(first.conversation);
  const [replaced] = (await workspace.eventLog.read({ sessionId: branch.conversation?.id ?? "" })).filter(
    ({ type }) => type === "history.replaced",
  );
  expect(JSON.stringify(replaced)).toContain("What time is it?");
  expect(JSON.stringify(replaced)).not.toContain("second");
});

test.each(["rehearsal", "login"] as const)(
  "a streamed response ends with an approval request, and the answer continues it with an edited input (%s)",
  async (model) => {
    const { client } = await openOpenAi(model);
    const asked = await client.responses.stream({ model: "agent", input: "Where is my order?" }).finalResponse();
    expect(asked.output).toMatchObject([
      { type: "message" },
      { type: "mcp_approval_request", name: "lookup", arguments: '{"id":"7"}' },
    ]);
    await expect(
      client.responses.create({ model: "agent", input: "Hurry up.", previous_response_id: asked.id }),
    ).rejects.toMatchObject({ status: 409, code: "approval-open" });
    const input = approve(asked.output[1]?.id, { arguments: '{"id":"9"}' });
    const stream = client.responses.stream({ model: "agent", previous_response_id: asked.id, input });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.filter((type) => type.includes("mcp_call."))).toEqual([
      "response.mcp_call.in_progress",
      "response.mcp_call.completed",
    ]);
    expect((await stream.finalResponse()).output).toMatchObject([
      {
        type: "mcp_call",
        arguments: '{"id":"9"}',
        approval_request_id: asked.output[1]?.id,
        output: expect.stringContaining("Order 9 is on its way."),
      },
      { type: "message", content: [{ text: expect.stringContaining("Order 9") }] },
    ]);
  },
);

test("a denial fails the call, with the text that the model got", async () => {
  const { client } = await openOpenAi();
  const asked = await client.responses.create({ model: "agent", input: "Where is my order?", conversation: "desk-1" });
  expect(asked.conversation).toEqual({ id: "desk-1" });
  const input = approve(asked.output.at(-1)?.id, { approve: false, reason: "Not today." });
  const denied = await client.responses.create({ model: "agent", conversation: "desk-1", input });
  expect(denied.output[0]).toMatchObject({ type: "mcp_call", status: "failed" });
  expect(JSON.stringify(denied.output[0])).toContain("Not today.");
});

test("a response in the background is read while it runs, resumed by its number, and cancelled", async () => {
  const { client } = await openOpenAi();
  const begun = await client.responses.create({ model: "agent", input: "Tell me a story.", background: true });
  expect(begun.status).toBe("in_progress");
  const stream = await client.responses.retrieve(begun.id, { stream: true, starting_after: 1 });
  const numbers: number[] = [];
  let last = "";
  let isCancelled = false;
  for await (const event of stream) {
    numbers.push(event.sequence_number);
    last = event.type;
    if (event.type === "response.output_text.delta" && !isCancelled) {
      isCancelled = true;
      expect(await client.responses.cancel(begun.id)).toMatchObject({ status: "cancelled" });
    }
  }
  expect(numbers).toEqual(numbers.map((_, index) => index + 2));
  expect(last).toBe("response.incomplete");
});

test("a response that is requested again is not in the output, and a run that fails is a failed response", async () => {
  const { client } = await openOpenAi();
  const stream = client.responses.stream({ model: "agent", input: "Please break." });
  expect((await stream.finalResponse()).output).toMatchObject([{ content: [{ text: "It was a bright day." }] }]);
  expect(await client.responses.create({ model: "agent", input: "Please fail." })).toMatchObject({
    status: "failed",
    error: { code: "server_error", message: expect.stringContaining("No such thing") },
  });
});

test("metadata of a client takes the place of no label of Bridle's", async () => {
  const { client, workspace } = await openOpenAi();
  const metadata = { agent: "other", test: "t", summaryOf: "s" };
  const { id } = await client.responses.create({ model: "agent", input: "Hello.", metadata });
  const [run] = await workspace.eventLog.runs();
  const events = await workspace.eventLog.read({ runId: run?.runId ?? "" });
  const { labels } = events.find((event) => event.type === "run.started") ?? {};
  expect(labels).toMatchObject({ agent: "desk", "openai.metadata.agent": "other" });
  expect(labels).not.toHaveProperty("test");
  expect(await client.responses.retrieve(id)).toMatchObject({ metadata });
});
