import { expect, test } from "vitest";
import { addToken, listScenarios, runScenario, undeclaredScenarios } from "./conformance-suite.ts";
import { conformanceTools } from "./conformance-tools.ts";
import { beginSession, post, startTestServer } from "./server-for-tests.ts";

const passing = [
  "server-initialize",
  "ping",
  "logging-set-level",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-error",
  "tools-call-with-progress",
  "tools-call-with-logging",
  "json-schema-2020-12",
  "server-sse-polling",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

test.each(passing)("the conformance suite of MCP passes in the scenario %s", async (scenario) => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  await runScenario(scenario, await addToken(url, token));
});

const content = "a tool returns text and images, and nothing else";
const noQuestions = "a tool asks neither the model nor the user of the client";

/** Scenarios for features that a Bridle server does not have, with the reason. */
const absent: Readonly<Record<string, string>> = {
  "tools-call-audio": content,
  "tools-call-embedded-resource": content,
  "tools-call-mixed-content": content,
  "tools-call-sampling": noQuestions,
  "tools-call-elicitation": noQuestions,
  "elicitation-sep1034-defaults": noQuestions,
  "elicitation-sep1330-enums": noQuestions,
};

test.each(Object.entries(absent))("the scenario %s is not for a server of ours: %s", async (scenario) => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  await expect(runScenario(scenario, await addToken(url, token))).rejects.toThrow("=== Failed Checks ===");
});

test("what is not declared is no method of the server: resources, prompts, completions", async () => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  const { session, capabilities } = await beginSession(url, token);
  expect(capabilities).toEqual({ tools: { listChanged: true }, logging: {} });
  for (const method of new Set(Object.values(undeclaredScenarios))) {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 2, method, params: {} });
    const answer = await post(url, token, message, { "mcp-session-id": session });
    expect(await answer.text(), method).toContain('"code":-32601');
  }
});

test("every server scenario of the conformance suite either passes or is about a feature that Bridle does not offer", async () => {
  const listed = [...(await listScenarios())];
  expect([...passing, ...Object.keys(absent), ...Object.keys(undeclaredScenarios)].sort()).toEqual(listed.sort());
});

test("a scenario of the conformance suite fails for a server without its tools", async () => {
  const { url, token } = await startTestServer({ tools: [] });
  await expect(runScenario("tools-call-image", await addToken(url, token))).rejects.toThrow("tools-call-image");
});
