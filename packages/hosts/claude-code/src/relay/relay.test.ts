import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { startTlsProxy } from "@bridle/rehearsal/tls";
import { expect, onTestFinished, test } from "vitest";
import type { ClaudeEnvironment } from "../options.ts";
import { Relay } from "./relay.ts";
import { Relays } from "./relays.ts";
import { requireProxySupport } from "./upstream.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function relayTo(baseUrl: string, environment: ClaudeEnvironment = {}): Promise<string> {
  const relay = new Relay(baseUrl, environment);
  onTestFinished(() => relay.close());
  return relay.address();
}

/** Sends a request, and resolves with the response as soon as its headers have arrived. */
async function send(url: string, { body = "", ...options }: { method?: string; headers?: object; body?: string } = {}) {
  const sent = request(url, { method: "POST", ...options, headers: { "x-api-key": "k", ...options.headers } });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { sent, response };
}

test("a request arrives with its method, path, query, headers and body, and the response comes back unchanged", async () => {
  let arrived: { method?: string; url?: string; headers: NodeJS.Dict<string | string[]>; body: string } | undefined;
  const packed = gzipSync("hello");
  const url = await serve(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    arrived = { method, url: path, headers, body: await text(request) };
    response.writeHead(201, "Made", { "content-encoding": "gzip", "set-cookie": ["a=1", "b=2"], "x-limit": "3" });
    response.end(packed);
  });
  const { response } = await send(`${await relayTo(`${url}/team/`)}/v1/messages?beta=true`, { body: "ü" });
  expect(arrived).toMatchObject({ method: "POST", url: "/team/v1/messages?beta=true", body: "ü" });
  expect(arrived?.headers).toMatchObject({ "x-api-key": "k", host: new URL(url).host });
  expect(response).toMatchObject({ statusCode: 201, statusMessage: "Made" });
  expect(response.headers).toMatchObject({ "content-encoding": "gzip", "set-cookie": ["a=1", "b=2"], "x-limit": "3" });
  expect(await buffer(response)).toEqual(packed);
});

test("headers and each part of a stream are passed on when they arrive", async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    held.resolve(response);
  });
  const { response } = await send(await relayTo(url).then((address) => `${address}/v1/messages`));
  const upstream = await held.promise;
  for (const part of ["one", "two"]) {
    upstream.write(part);
    const [chunk] = await once(response, "data");
    expect(String(chunk)).toBe(part);
  }
  upstream.end();
  await once(response, "end");
});

test("a stream that is cut off upstream is cut off for the host", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.destroy());
  });
  const { response } = await send(`${await relayTo(url)}/v1/messages`);
  await expect(text(response)).rejects.toMatchObject({ code: "ECONNRESET" });
});

test("a request that the host gives up is given up upstream", async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((_request, response) => {
    response.once("close", () => closed.resolve());
    response.writeHead(200).flushHeaders();
  });
  const { sent, response } = await send(`${await relayTo(url)}/v1/messages`);
  response.once("error", () => {});
  sent.destroy();
  await closed.promise;
});

test("an address that cannot be reached is an error with the reason", async () => {
  const { response } = await send(`${await relayTo("http://127.0.0.1:1")}/v1/messages`);
  expect(response.statusCode).toBe(502);
  expect(await text(response)).toContain("The base URL cannot be reached: ECONNREFUSED");
});

test("a request without the relay's token reaches nothing", async () => {
  let isReached = false;
  const url = await serve((_request, response) => {
    isReached = true;
    response.end();
  });
  const { origin } = new URL(await relayTo(url));
  for (const path of ["/v1/messages", "/", `/${"0".repeat(32)}/v1/messages`]) {
    expect((await send(origin + path)).response.statusCode).toBe(404);
  }
  expect(isReached).toBe(false);
});

test("a kept connection that the other side closes costs no request", async () => {
  let requests = 0;
  const url = await serve((request, response) => {
    requests++;
    response.setHeader("connection", "keep-alive");
    response.end("ok", () => setTimeout(() => request.socket.destroy(), 5));
  });
  const address = await relayTo(url);
  for (let turn = 0; turn < 5; turn++) {
    const { response } = await send(`${address}/v1/messages`, { body: "x" });
    expect(await text(response)).toBe("ok");
    await wait(turn);
  }
  expect(requests).toBeGreaterThanOrEqual(5);
});

test("a relay reaches an address through the proxy of the environment, and trusts its certificate authorities", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bridle-relay-"));
  const url = await serve(async (request, response) => response.end(`${request.url} ${await text(request)}`));
  const tlsProxy = await startTlsProxy({ rehearsal: { url }, folder });
  onTestFinished(async () => {
    await tlsProxy.close();
    await rm(folder, { recursive: true });
  });
  const through = async (environment: ClaudeEnvironment) => {
    const address = await relayTo("https://api.anthropic.com", environment);
    return text((await send(`${address}/v1/messages`, { body: "hi" })).response);
  };
  expect(await through(tlsProxy.environment)).toBe("/v1/messages hi");
  expect(tlsProxy.hosts).toEqual(["api.anthropic.com"]);
  const { HTTPS_PROXY } = tlsProxy.environment;
  expect(await through({ HTTPS_PROXY })).toMatch(/cannot be reached: (UNABLE|SELF)_/);
});

const modes = [
  ["api_key", { ANTHROPIC_BASE_URL: "http://gateway.example" }, "ANTHROPIC_BASE_URL"],
  ["oauth_token", { ANTHROPIC_BASE_URL: "http://gateway.example" }, "ANTHROPIC_BASE_URL"],
  ["vertex", { ANTHROPIC_VERTEX_BASE_URL: "http://gateway.example" }, "ANTHROPIC_VERTEX_BASE_URL"],
  ["foundry", { ANTHROPIC_FOUNDRY_BASE_URL: "http://gateway.example" }, "ANTHROPIC_FOUNDRY_BASE_URL"],
  [
    "bedrock",
    { ANTHROPIC_BEDROCK_BASE_URL: "http://gateway.example", AWS_BEARER_TOKEN_BEDROCK: "k" },
    "ANTHROPIC_BEDROCK_BASE_URL",
  ],
] as const;

test.each(modes)(
  "with %s the host gets the address of one relay, and reaches it without a proxy",
  async (auth, given, name) => {
    const relays = new Relays(auth);
    onTestFinished(() => relays.close());
    const environment = await relays.apply({
      ...given,
      HTTPS_PROXY: "http://proxy.example:1",
      NO_PROXY: "here.example",
    });
    expect(environment[name]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    expect(environment).toMatchObject({ NO_PROXY: "here.example,127.0.0.1", no_proxy: "here.example,127.0.0.1" });
    expect(await relays.apply({ ...given })).toEqual({ ...given, [name]: environment[name] });
  },
);

test.each([
  ["session", {}],
  ["api_key", { ANTHROPIC_API_KEY: "k" }],
  ["api_key", { ANTHROPIC_BASE_URL: "https://api.anthropic.com" }],
  ["bedrock", { ANTHROPIC_BEDROCK_BASE_URL: "http://gateway.example", AWS_ACCESS_KEY_ID: "id" }],
] as const)("%s with %j needs no relay", async (auth, given) => {
  expect(await new Relays(auth).apply({ ...given, HTTPS_PROXY: "p" })).toEqual({ ...given, HTTPS_PROXY: "p" });
});

test.each(["ftp://gateway.example", "gateway", ""])("the base URL %j is a ConfigError", (baseUrl) => {
  expect(() => new Relay(baseUrl, {})).toThrow(
    expect.objectContaining({ code: "config", field: "llm.provider.baseUrl" }),
  );
});

test("a proxy is refused on versions of Node.js that would ignore it", () => {
  for (const version of ["22.18.0", "22.20.9", "23.11.1", "24.4.1"]) {
    expect(() => requireProxySupport(version)).toThrow("needs Node.js 22.21 or 24.5");
  }
  for (const version of ["22.21.0", "24.5.0", "24.21.0", "26.0.0"]) requireProxySupport(version);
});
