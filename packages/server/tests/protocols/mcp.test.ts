import { setTimeout } from "node:timers/promises";
import { answerApproval, listApprovals } from "@bridle/app/approvals";
import { silentLogger } from "@bridle/protocol";
import type { Client } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { createMcpApi } from "../../src/protocols/mcp/mcp-api.ts";
import { startDesk } from "../support/protocol-desk.ts";
import { startTestServer } from "../support/start-test-server.ts";

async function startMcpServer() {
  const { workspace } = await openTestWorkspace();
  const api = createMcpApi({ logger: silentLogger });
  onTestFinished(() => api.close?.());
  return { workspace, server: await startTestServer({ workspace, apis: [api] }) };
}

const connect = (url: string, token: string) => connectOverHttp(`${url}/mcp`, token);

test("an MCP client of the server asks an agent, whose question anyone answers", async () => {
  const { server, workspace } = await startMcpServer();
  const client = await connect(server.url, server.token);
  expect((await client.listTools()).tools).toMatchObject([
    { name: "ask_agent", description: expect.stringContaining("Answers questions about orders.") },
  ]);
  const messages: (string | undefined)[] = [];
  const asked = client.callTool(
    { name: "ask_agent", arguments: { message: "Where is my order?" } },
    { onprogress: ({ message }) => messages.push(message) },
  );
  const { context, eventLog } = workspace;
  let [open] = await listApprovals(eventLog);
  for (; open === undefined; [open] = await listApprovals(eventLog)) await setTimeout(20);
  await answerApproval(open.id, { decision: "allow", by: "ada" }, eventLog, context.project.permissions());
  expect(await asked).toMatchObject({
    content: [{ text: expect.stringMatching(/^It is on its way\.\n\n\(session: /) }],
  });
  expect(messages).toEqual(['lookup {"id":"7"}', expect.stringContaining("bridle approvals answer")]);
});

test("an MCP client asks an agent on Claude Code with a login", async () => {
  const { server } = await startDesk("login");
  const client = await connect(server.url, server.token);
  const asked = await client.callTool({ name: "ask_agent", arguments: { message: "What time is it?" } });
  expect(asked).toMatchObject({ content: [{ text: expect.stringMatching(/It is .*noon/) }] });
  expect(asked).not.toHaveProperty("isError");
});

test("clients of two tokens have sessions of their own, and one that only reads has none", async () => {
  const { server } = await startMcpServer();
  await expect(connect(server.url, server.viewerToken)).rejects.toThrow();
  await expect(connect(server.url, "wrong")).rejects.toThrow();
  const [one, two] = [await connect(server.url, server.token), await connect(server.url, server.token)];
  const ask = (client: Client, args: object) => client.callTool({ name: "ask_agent", arguments: { ...args } });
  const text = JSON.stringify((await ask(one, { message: "Hi" })).content);
  const session = /session: ([\w-]+)/.exec(text)?.[1];
  expect(await ask(one, { message: "Hi", session })).not.toHaveProperty("isError");
  expect(await ask(two, { message: "Hi", session })).toMatchObject({ isError: true });
});

test("a message that is none is refused in the form of the protocol", async () => {
  const { server } = await startMcpServer();
  const headers = { accept: "application/json, text/event-stream" };
  const response = await server.fetch("/mcp", {
    method: "POST",
    headers,
    json: { jsonrpc: "2.0", id: 1, method: "x" },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
});
