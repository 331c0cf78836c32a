/** The conformance suite of the protocol, run as its own program against a server of ours. */
import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { conformanceTools } from "./conformance-tools.ts";
import { startTestServer } from "./server-for-tests.ts";

const root = join(import.meta.dirname, "../../..");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const passing = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "server-sse-multiple-streams",
  "dns-rebinding-protection",
];

test.each(passing)("the conformance suite of MCP passes in the scenario %s", async (scenario) => {
  const { url, token } = await startTestServer({ tools: conformanceTools });
  await runScenario(scenario, await addToken(url, token));
});

/** Scenarios of features that a server of ours does not offer. */
const absent: Readonly<Record<string, string>> = {
  "logging-set-level": "no log messages over the protocol: the event log has everything",
  "completion-complete": "no prompts and resources to complete",
  "tools-call-audio": "tools of Bridle return text and images",
  "tools-call-embedded-resource": "tools of Bridle return text and images",
  "tools-call-mixed-content": "expects an embedded resource beside text and image",
  "tools-call-with-logging": "no log messages over the protocol",
  "tools-call-sampling": "tools ask no model of the client",
  "tools-call-elicitation": "tools ask no questions through the client",
  "elicitation-sep1034-defaults": "tools ask no questions through the client",
  "elicitation-sep1330-enums": "tools ask no questions through the client",
  "server-sse-polling": "streams cannot be resumed; a client repeats the request",
  "resources-list": "no resources",
  "resources-read-text": "no resources",
  "resources-read-binary": "no resources",
  "resources-templates-read": "no resources",
  "resources-subscribe": "no resources",
  "resources-unsubscribe": "no resources",
  "prompts-list": "no prompts",
  "prompts-get-simple": "no prompts",
  "prompts-get-with-args": "no prompts",
  "prompts-get-embedded-resource": "no prompts",
  "prompts-get-with-image": "no prompts",
};

test("every server scenario of the conformance suite either passes or is about a feature that Bridle does not offer", async () => {
  const listed = [...(await runSuite(["list", "--server"])).matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  expect([...passing, ...Object.keys(absent)].sort()).toEqual(listed.sort());
});

test("a scenario of the conformance suite fails for a server without its tools", async () => {
  const { url, token } = await startTestServer({ tools: [] });
  await expect(runScenario("tools-call-image", await addToken(url, token))).rejects.toThrow("No image content found");
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
