import { silentLogger } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openTestWorkspace } from "../../../app/tests/support/open-test-workspace.ts";
import {
  addToken,
  listScenarios,
  runScenario,
  undeclaredScenarios,
} from "../../../mcp-server/tests/conformance-suite.ts";
import { beginSession, post } from "../../../mcp-server/tests/server-for-tests.ts";
import { createMcpApi } from "../../src/protocols/mcp/mcp-api.ts";
import { startTestServer } from "../support/start-test-server.ts";

/** Starts the server of an agent. Returns its address and token. */
async function startMcpServer() {
  const { workspace } = await openTestWorkspace();
  const api = createMcpApi({ logger: silentLogger });
  onTestFinished(() => api.close?.());
  const { url, token } = await startTestServer({ workspace, apis: [api] });
  return { url: `${url}/mcp`, token };
}

const passing = [
  "server-initialize",
  "ping",
  "logging-set-level",
  "tools-list",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

test.each(passing)("the server passes the scenario %s of MCP's conformance suite", async (scenario) => {
  const { url, token } = await startMcpServer();
  await runScenario(scenario, await addToken(url, token));
});

const ownTools = "the suite calls a tool of its own, and the tools of the server are agents with a message";
const content = "an agent answers with text";
const noQuestions = "an agent asks neither the model nor the user of the client: its questions are in the event log";

/** Scenarios for features that the server does not offer, with the reason. */
const absent: Readonly<Record<string, string>> = {
  "tools-call-simple-text": ownTools,
  "tools-call-error": ownTools,
  "tools-call-with-progress": ownTools,
  "tools-call-with-logging": ownTools,
  "json-schema-2020-12": ownTools,
  "tools-call-image": content,
  "tools-call-audio": content,
  "tools-call-embedded-resource": content,
  "tools-call-mixed-content": content,
  "tools-call-sampling": noQuestions,
  "tools-call-elicitation": noQuestions,
  "elicitation-sep1034-defaults": noQuestions,
  "elicitation-sep1330-enums": noQuestions,
};

/** Errors about unknown tools, because the agents are the server's only tools. */
const unknownTool = /no tool .{1,2}test_|json_schema_2020_12_tool' not found/;

test.each(Object.entries(absent))("the scenario %s is not for agents as tools: %s", async (scenario) => {
  const { url, token } = await startMcpServer();
  await expect(runScenario(scenario, await addToken(url, token))).rejects.toThrow(unknownTool);
});

test("agents as tools declare tools and logging, and no method of resources, prompts or completions exists", async () => {
  const { url, token } = await startMcpServer();
  const { session, capabilities } = await beginSession(url, token);
  expect(capabilities).toEqual({ tools: { listChanged: true }, logging: {} });
  for (const method of new Set(Object.values(undeclaredScenarios))) {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 2, method, params: {} });
    const answer = await post(url, token, message, { "mcp-session-id": session });
    expect(await answer.text(), method).toContain('"code":-32601');
  }
});

test("every scenario of MCP's conformance suite passes for agents as tools, or is about what they do not offer", async () => {
  const known = [...passing, ...Object.keys(absent), ...Object.keys(undeclaredScenarios)];
  expect(known.sort()).toEqual([...(await listScenarios())].sort());
});
