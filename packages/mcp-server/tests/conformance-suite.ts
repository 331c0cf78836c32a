/** Runs the protocol's conformance suite as a separate program against a Bridle server. */
import { execFile } from "node:child_process";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../../..");
const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/** Scenarios for features that no Bridle server declares, with the method that is missing. */
export const undeclaredScenarios: Readonly<Record<string, string>> = {
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

/** Runs a scenario. Rejects with the suite's report if the scenario does not pass. */
export async function runScenario(scenario: string, url: string): Promise<void> {
  await runSuite(["server", "--url", url, "--scenario", scenario]);
}

/** Lists the names of all scenarios for servers. */
export async function listScenarios(): Promise<readonly string[]> {
  return [...(await runSuite(["list", "--server"])).matchAll(/^ +- (\S+)/gm)].flatMap(([, name]) => name ?? []);
}

function runSuite(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [suite, ...words], (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

/**
 * Starts a proxy that adds a token, because the suite sends none. Otherwise it only changes the port in `Host` and `Origin` to the
 * server's.
 */
export async function addToken(url: string, token: string): Promise<string> {
  const proxy = createServer((from, to) => {
    const headers = { ...withPort(from.headers, from.socket.localPort, url), authorization: `Bearer ${token}` };
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

function withPort(headers: IncomingHttpHeaders, own: number | undefined, url: string): IncomingHttpHeaders {
  const change = (value: string | undefined) => value?.replace(`:${own}`, `:${new URL(url).port}`);
  const { host, origin } = headers;
  return { ...headers, host: change(host), ...(origin !== undefined && { origin: change(origin) }) };
}
