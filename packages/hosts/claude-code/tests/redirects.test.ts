import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createAgentRuntime } from "@bridle/core";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { createClaudeCodeBackend } from "../src/backend.ts";
import type { ClaudeAuthMode } from "../src/options.ts";
import { createHome } from "./support/home.ts";

const key = "sk-ant-of-the-user";
/** Each kind of credential that a request carries unchanged. */
const credentials: Partial<Record<ClaudeAuthMode, Readonly<Record<string, string>>>> = {
  api_key: { ANTHROPIC_API_KEY: key },
  oauth_token: { CLAUDE_CODE_OAUTH_TOKEN: key },
  foundry: { ANTHROPIC_FOUNDRY_API_KEY: key },
  bedrock: { AWS_REGION: "eu-central-1", AWS_BEARER_TOKEN_BEDROCK: key },
};
const modes = ["api_key", "oauth_token", "foundry", "bedrock"] as const;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts another machine, which answers nothing. `reached` contains the headers of every request that reached it. */
async function serveElsewhere(): Promise<{ url: string; reached: IncomingHttpHeaders[] }> {
  const reached: IncomingHttpHeaders[] = [];
  const url = await serve((request, response) => {
    reached.push(request.headers);
    request.resume();
    response.writeHead(400, { "content-type": "application/json" }).end(refusal);
  });
  return { url, reached };
}

const refusal = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "no" } });

/** Runs at this address, and returns the answer or the error. */
async function runAt(baseUrl: string, auth: ClaudeAuthMode): Promise<unknown> {
  const home = await createHome();
  const environment = { ...home.environment, ...credentials[auth] };
  const backend = createClaudeCodeBackend({ auth, baseUrl, environment, pool: false });
  const runtime = createAgentRuntime({ backend, models: { default: "claude-sonnet-4-5" }, projectDir: home.project });
  onTestFinished(async () => {
    await runtime.close();
    await home.remove();
  });
  return runtime.generateText({ prompt: "Go" }).then(
    ({ text }) => text,
    (error: unknown) => error,
  );
}

const redirects = [301, 302, 303, 307, 308].map((status) => ({ status, auth: "api_key" as const }));
const others = modes.slice(1).map((auth) => ({ status: 307, auth }));

test.each([...redirects, ...others])(
  "a base URL that redirects with status $status to another origin does not get the credential of $auth sent there",
  async ({ status, auth }) => {
    const elsewhere = await serveElsewhere();
    const baseUrl = await serve((request, response) => {
      request.resume();
      response.writeHead(status, { location: `${elsewhere.url}/v1/messages?token=x` }).end();
    });
    const error = await runAt(baseUrl, auth);
    expect(elsewhere.reached).toEqual([]);
    expect(error).toMatchObject({ code: "config", field: "llm.provider.baseUrl" });
    expect(error).toHaveProperty("message", expect.stringContaining(`a redirect to ${elsewhere.url}/v1/messages,`));
    expect(error).toHaveProperty("message", expect.stringContaining("Correct llm.provider.baseUrl"));
  },
);

test.each(modes)("a base URL without a redirect gets the credential of %s", async (auth) => {
  const { url, reached } = await serveElsewhere();
  await runAt(url, auth);
  expect(reached.some((headers) => JSON.stringify(headers).includes(key))).toBe(true);
});

test("a redirect within the same origin is an error too, because the next one could lead elsewhere", async () => {
  const elsewhere = await serveElsewhere();
  const baseUrl = await serve((request, response) => {
    request.resume();
    const location = request.url?.startsWith("/moved") ? elsewhere.url : `/moved${request.url}`;
    response.writeHead(307, { location }).end();
  });
  expect(await runAt(baseUrl, "api_key")).toMatchObject({ code: "config", field: "llm.provider.baseUrl" });
  expect(elsewhere.reached).toEqual([]);
});

test("an address with a path and a trailing slash works as a base URL", async () => {
  const rehearsal = await startRehearsal({
    script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello" }] }] }),
  });
  onTestFinished(() => rehearsal.close());
  const behind = await serve((request, response) => {
    const path = request.url?.replace(/^\/team\/a/, "") ?? "";
    if (path === request.url) return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = request.method === "POST" ? Buffer.concat(chunks) : null;
      const answer = await fetch(rehearsal.url + path, {
        method: request.method ?? "GET",
        headers: { "content-type": "application/json", "x-api-key": String(request.headers["x-api-key"]) },
        body,
      });
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  expect(await runAt(`${behind}/team/a/`, "api_key")).toBe("Hello");
});
