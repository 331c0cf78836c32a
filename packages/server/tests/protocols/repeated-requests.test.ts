import { expect, test } from "vitest";
import { startDesk } from "../support/protocol-desk.ts";

const question = "Where is my order?";

test.each([
  [
    "AG-UI",
    "/ag-ui/agents/agent",
    { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: question }] },
  ],
  [
    "AI SDK",
    "/ai-sdk/agents/agent/chat",
    { id: "t", messages: [{ id: "1", role: "user", parts: [{ type: "text", text: question }] }] },
  ],
  ["OpenAI Responses", "/openai/v1/responses", { model: "agent", input: question, conversation: "t" }],
  [
    "OpenAI Chat Completions",
    "/openai/v1/chat/completions",
    { model: "agent", messages: [{ role: "user", content: question }] },
  ],
  [
    "A2A",
    "/a2a/agents/agent",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: question }] } },
    },
  ],
])("a request of %s with the same key begins one run, also while its question is open", async (_, path, json) => {
  const { server, workspace } = await startDesk();
  const headers = { "idempotency-key": "key-1" };
  const send = async (body: object) => {
    const response = await server.fetch(path, { method: "POST", headers, json: body });
    return { status: response.status, text: await response.text() };
  };
  const [first, second] = await Promise.all([send(json), send(json)]);
  const third = await send(json);
  expect([first?.status, second?.status, third.status]).toEqual([200, 200, 200]);
  const [one, two, three] = [first?.text, second?.text, third.text].map((text) => text?.replace(/"created":\d+/g, "")); // the time
  expect([two, three]).toEqual([one, one]);
  expect(await workspace.eventLog.runs()).toHaveLength(1);
  const other = await send(JSON.parse(JSON.stringify(json).replace(question, "Hello.")));
  expect(other.text).toContain("key-1");
  expect(await workspace.eventLog.runs()).toHaveLength(1);
});
