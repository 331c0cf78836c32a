import { expect, test } from "vitest";
import { serveDesk } from "../support/serve-desk.ts";

const question = "Where is my order?";

interface OpenQuestion {
  readonly id: string;
  readonly input: Readonly<Record<string, string>>;
}

interface Client {
  readonly path: string;
  /** Creates the request that leads to a question. */
  ask(): object;
  /** Creates the client's answer to the question. `asked` is the text of the response. */
  answer(question: OpenQuestion, decision: "allow" | "deny", asked: string, input?: object): object;
}

let messageIds = 0;

function a2aMessage(message: object): object {
  messageIds += 1;
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message: { messageId: `m${messageIds}`, role: "ROLE_USER", contextId: "t", ...message } },
  };
}

const userMessage = { id: "1", role: "user", parts: [{ type: "text", text: question }] };

const clients: Readonly<Record<string, Client>> = {
  "AG-UI": {
    path: "/ag-ui/agents/agent",
    ask: () => ({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: question }] }),
    answer: ({ id }, decision, _asked, input) => ({
      threadId: "t",
      runId: "r2",
      messages: [{ id: "1", role: "user", content: question }],
      resume: [
        {
          interruptId: id,
          status: "resolved",
          payload: { approved: decision === "allow", ...(input && { editedArgs: input }) },
        },
      ],
    }),
  },
  "AI SDK": {
    path: "/ai-sdk/agents/agent/chat",
    ask: () => ({ id: "t", messages: [userMessage] }),
    answer: ({ id, input: shown }, decision, _asked, input) => ({
      id: "t",
      messages: [
        userMessage,
        {
          id: "2",
          role: "assistant",
          parts: [
            {
              type: "dynamic-tool",
              toolName: "lookup",
              toolCallId: "call",
              state: "approval-responded",
              input: shown,
              approval: { id, approved: decision === "allow" },
            },
          ],
        },
      ],
      ...(input && { edits: { [id]: input } }),
    }),
  },
  "OpenAI Responses": {
    path: "/openai/v1/responses",
    ask: () => ({ model: "agent", input: question, conversation: "t" }),
    answer: ({ id }, decision, asked, input) => ({
      model: "agent",
      previous_response_id: JSON.parse(asked).id,
      input: [
        {
          type: "mcp_approval_response",
          approval_request_id: id,
          approve: decision === "allow",
          ...(input && { arguments: JSON.stringify(input) }),
        },
      ],
    }),
  },
  A2A: {
    path: "/a2a/agents/agent",
    ask: () => a2aMessage({ parts: [{ text: question }] }),
    answer: ({ id }, decision, asked, input) =>
      a2aMessage({
        taskId: JSON.parse(asked).result.task.id,
        parts: [{ data: { approvalId: id, decision, ...(input && { input }) } }],
      }),
  },
};

function serveAll() {
  return serveDesk({ agents: ["agent.yaml"] }, "serve: { protocols: [ag-ui, ai-sdk, openai, a2a] }\n");
}

async function openDesk({ path, ask }: Client) {
  const server = await serveAll();
  const send = async (json: object) => {
    const headers = { "a2a-version": "1.0" };
    const response = await server.send(path, { method: "POST", headers, json });
    return { status: response.status, text: await response.text() };
  };
  const read = async (place: string) => JSON.parse(await (await server.send(`/api/v1${place}`)).text());
  const asked = await send(ask());
  expect(asked.status).toBe(200);
  const { approvals } = await read("/approvals");
  expect(approvals).toHaveLength(1);
  const answerNatively = async (decision: string) => {
    const { id, inputHash } = approvals[0];
    const json = { decision, inputHash };
    return (await server.send(`/api/v1/approvals/${id}/answer`, { method: "POST", json })).status;
  };
  const typesOf = async () =>
    (await read("/sessions/t/events?limit=1000")).events.map((event: { type: string }) => event.type);
  return { send, asked: asked.text, question: approvals[0] as OpenQuestion, answerNatively, typesOf };
}

/** A2A reports errors in JSON-RPC, with status 200. */
const refused = (name: string) =>
  name === "A2A"
    ? { status: 200, text: expect.stringContaining("approval-settled") }
    : { status: 409, text: expect.stringContaining("approval-settled") };

test.each(Object.entries(clients))(
  "%s: an approval of a question that was denied is refused, and so is a denial of an approved one",
  async (name, client) => {
    for (const [first, second] of [
      ["deny", "allow"],
      ["allow", "deny"],
    ] as const) {
      const { send, asked, question: open, typesOf } = await openDesk(client);
      expect((await send(client.answer(open, first, asked))).status).toBe(200);
      const before = await typesOf();
      expect(await send(client.answer(open, second, asked))).toMatchObject(refused(name));
      expect(await typesOf()).toEqual(before);
      expect((await send(client.answer(open, first, asked))).text).not.toContain("approval-settled");
    }
  },
);

test.each(Object.entries(clients))(
  "%s: an approval with another input than the one that was approved is refused",
  async (name, client) => {
    const { send, asked, question: open } = await openDesk(client);
    expect((await send(client.answer(open, "allow", asked, { id: "9" }))).status).toBe(200);
    expect(await send(client.answer(open, "allow", asked, { id: "8" }))).toMatchObject(refused(name));
    expect((await send(client.answer(open, "allow", asked, { id: "9" }))).text).not.toContain("approval-settled");
  },
);

test.each(Object.entries(clients))(
  "%s: an approval is refused if somebody has denied the question in the API of the server",
  async (name, client) => {
    const { send, asked, question: open, answerNatively } = await openDesk(client);
    expect(await answerNatively("deny")).toBe(200);
    expect(await send(client.answer(open, "allow", asked))).toMatchObject(refused(name));
    expect(await answerNatively("allow")).toBe(409);
  },
);

const reserved = [".", ".."];

test.each(reserved)("no protocol begins a session with the id %s, which no address could name", async (id) => {
  const server = await serveAll();
  const message = { id: "1", role: "user" };
  const requests: readonly [string, object][] = [
    ["/api/v1/sessions", { agent: "agent", id }],
    ["/api/v1/sessions", { agent: "agent", id: id.replaceAll(".", "%2e") }],
    ["/ag-ui/agents/agent", { threadId: id, runId: "r", messages: [{ ...message, content: "Hello." }] }],
    ["/ai-sdk/agents/agent/chat", { id, messages: [{ ...message, parts: [{ type: "text", text: "Hello." }] }] }],
    ["/openai/v1/responses", { model: "agent", input: "Hello.", conversation: id }],
    ["/openai/v1/responses", { model: "agent", input: "Hello.", conversation: { id } }],
    ["/a2a/agents/agent", a2aMessage({ contextId: id, parts: [{ text: "Hello." }] })],
  ];
  const answers: unknown[] = [];
  for (const [path, json] of requests) {
    const response = await server.send(path, { method: "POST", headers: { "a2a-version": "1.0" }, json });
    const text = await response.text();
    answers.push([path, response.status >= 400 || text.includes('"error"')]);
  }
  expect(answers).toEqual(requests.map(([path]) => [path, true]));
  const first = await server.send("/api/v1/sessions", { method: "POST", json: { agent: "agent", id: "good" } });
  expect(first.status).toBe(201);
  const fork = await server.send("/api/v1/sessions/good/fork", { method: "POST", json: { id, atStep: 0 } });
  expect(fork.status).toBe(422);
  const { sessions } = JSON.parse(await (await server.send("/api/v1/sessions")).text());
  expect(sessions.map((each: { id: string }) => each.id)).toEqual(["good"]);
});
