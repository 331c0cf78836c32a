/** Runs agent hosts with a base URL that redirects their requests to another machine. Claude Code has separate tests. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgentRuntime } from "@bridle/core";
import type { HostBackend } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { startCodex } from "../packages/hosts/codex/tests/support/test-backend.ts";
import { startTestBackend } from "../packages/hosts/copilot/tests/support/test-backend.ts";

const script = { rehearsal: 1 as const, turns: [{ steps: [{ say: "Fine." }] }] };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a run to an address that redirects. Returns the headers of the requests that reached the other machine. */
async function redirect(
  status: number,
  start: (url: string) => Promise<{ backend: HostBackend; close(): Promise<void> }>,
): Promise<{ reached: IncomingHttpHeaders[]; error: unknown }> {
  const reached: IncomingHttpHeaders[] = [];
  const elsewhere = await serve((request, response) => {
    reached.push(request.headers);
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
  });
  const baseUrl = await serve((request, response) => {
    request.resume();
    response.writeHead(status, { location: `${elsewhere.replace("127.0.0.1", "localhost")}${request.url}` }).end();
  });
  const { backend, close } = await start(baseUrl);
  onTestFinished(close);
  const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
  const error = await runtime.generateText({ prompt: "Go" }).catch((failure: unknown) => failure);
  return { reached, error };
}

test.each([302, 307])("a redirect with status %i takes Codex to another machine without the key", async (status) => {
  const { reached, error } = await redirect(status, (url) => startCodex(script, { baseUrl: `${url}/v1` }));
  expect(error).toBeInstanceOf(Error);
  expect(reached.length).toBeGreaterThan(0);
  expect(JSON.stringify(reached)).not.toContain("sk-of-the-test");
});

test.each([
  [302, "openai"],
  [307, "openai"],
  [307, "azure"],
  [307, "anthropic"],
] as const)("a redirect with status %i takes no request of Copilot's runtime on %s anywhere", async (status, api) => {
  const { reached, error } = await redirect(status, (url) => startTestBackend(script, { api, baseUrl: url }));
  expect(reached).toEqual([]);
  expect(error).toBeInstanceOf(Error);
});
