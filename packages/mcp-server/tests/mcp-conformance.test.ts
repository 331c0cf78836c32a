/** The conformance suite of the protocol, run as its own program against a server of ours. */
import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { conformanceTools } from "./conformance-tools.ts";
import { beginSession, post, startTestServer } from "./server-for-tests.ts";

const root = join(import.meta.dirname, "../../..");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

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

/** Scenarios of features that a server of ours does not have, with the reason. */
const absent: Readonly<Record<string, string>> = {
  "tools-call-audio": content,
  "tools-call-embedded-resource": content,
  "tools-call-mixed-content": content,
  "tools-call-sampling": noQuestions,
  "tools-call-elicitation": noQuestions,
  "elicitation-sep1034-defaults": noQuestions,
  "elicitation-sep1330-enums": noQuestions,
};

/** Scenarios of features that are not declared, with the method that is not there. */
const undeclared: Readonly<Record<string, string>> = {
  "completion-complete": "completion/complete",
  "resources-list": "resources/list",
  "resources-read-text": "resources/read",
  "resources-read-binary": "resources/read",
  "resources-templates-read": "resources/templates/list",
  "resources-subscribe": "resources/subscribe",
  "resources-unsubscribe": "resources/unsubscribe",
  "prompts-list": "prompts/list",
  "prompts-get-simple": "prompts/get",
  "prompts-get-with-args": "prompts/get",
  "prompts-get-embedded-resource": "prompts/get",
  "prompts-get-with-image": "prompts/get",
};

test.each(Object.entries(absent))("the scenario %s is not for a server of ours: %s", async (scenario) => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  await expect(runScenario(scenario, await addToken(url, token))).rejects.toThrow("=== Failed Checks ===");
});

test("what is not declared is no method of the server: resources, prompts, completions", async () => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  const { session, capabilities } = await beginSession(url, token);
  expect(capabilities).toEqual({ tools: { listChanged: true }, logging: {} });
  for (const method of new Set(Object.values(undeclared))) {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 2, method, params: {} });
    const answer = await post(url, token, message, { "mcp-session-id": session });
    expect(await answer.text(), method).toContain('"code":-32601');
  }
});

test("every server scenario of the conformance suite either passes or is about a feature that Bridle does not offer", async () => {
  const listed = [...(await runSuite(["list", "--server"])).matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  expect([...passing, ...Object.keys(absent), ...Object.keys(undeclared)].sort()).toEqual(listed.sort());
});

test("a scenario of the conformance suite fails for a server without its tools", async () => {
  const { url, token } = await startTestServer({ tools: [] });
  await expect(runScenario("tools-call-image", await addToken(url, token))).rejects.toThrow("tools-call-image");
});

/** Resolves if the scenario passes; rejects with its report. */
async function runScenario(scenario: string, url: string): Promise<void> {
  await runSuite(["server", "--url", url, "--scenario", scenario]);
}

function runSuite(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [suite, ...words], (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

/** The suite sends no token, so a proxy adds it. Everything else passes unchanged, also `Host`. */
async function addToken(url: string, token: string): Promise<string> {
  const proxy = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const passed = request(url, { method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers);
      to.flushHeaders();
      answer.pipe(to);
    });
    passed.on("error", () => to.destroy());
    to.on("close", () => passed.destroy());
    from.pipe(passed);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
}
