import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { defineScript } from "../script/define.ts";
import type { ScriptInput } from "../script/schema.ts";
import { startRehearsal } from "../server/rehearsal.ts";
import { startTlsProxy, type TlsProxy } from "./tls-proxy.ts";

async function open(steps: ScriptInput["turns"][number]["steps"], hosts?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "bridle-"));
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  const tlsProxy = await startTlsProxy({ rehearsal, folder, ...(hosts && { hosts }) });
  onTestFinished(async () => {
    await tlsProxy.close();
    await rehearsal.close();
    await rm(folder, { recursive: true });
  });
  return { rehearsal, tlsProxy };
}

/** Opens a tunnel. Returns the status and the socket. */
async function tunnel(
  { environment }: TlsProxy,
  host: string,
): Promise<{ status: number | undefined; socket: Duplex }> {
  const request = httpRequest(environment.HTTPS_PROXY, { method: "CONNECT", path: `${host}:443` }).end();
  const [response, socket] = await once(request, "connect");
  return { status: response.statusCode, socket };
}

async function post(tlsProxy: TlsProxy): Promise<string> {
  const { socket } = await tunnel(tlsProxy, "api.anthropic.com");
  const ca = await readFile(tlsProxy.environment.NODE_EXTRA_CA_CERTS);
  const secure = connectTls({ socket, ca, servername: "api.anthropic.com" });
  const body = JSON.stringify({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "hello" }] });
  secure.write(
    `POST /v1/messages HTTP/1.1\r\nHost: api.anthropic.com\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return text(secure);
}

test("a request to the API's own address reaches the rehearsal, with a certificate of the new authority", async () => {
  const { rehearsal, tlsProxy } = await open([{ say: "Hello" }]);
  expect(await post(tlsProxy)).toContain('"text":"Hello"');
  expect(rehearsal.requests).toMatchObject([{ path: "/v1/messages", headers: { host: "api.anthropic.com" } }]);
  expect(tlsProxy.hosts).toEqual(["api.anthropic.com"]);
});

test("several hosts can lead to the rehearsal, with one certificate", async () => {
  const { rehearsal, tlsProxy } = await open([{ say: "Hello" }], ["chatgpt.com", "api.anthropic.com"]);
  expect(await post(tlsProxy)).toContain('"text":"Hello"');
  expect(rehearsal.requests).toHaveLength(1);
});

test("a connection that the script breaks breaks for the client too", async () => {
  const { tlsProxy } = await open([{ reset: true }]);
  expect(await post(tlsProxy)).toBe("");
});

test("every other host is refused and logged", async () => {
  const { tlsProxy } = await open([{ say: "Hello" }]);
  const { status, socket } = await tunnel(tlsProxy, "example.com");
  socket.destroy();
  expect(status).toBe(403);
  const plain = httpRequest(tlsProxy.environment.HTTPS_PROXY, { path: "http://example.org/x" }).end();
  const [response] = await once(plain, "response");
  response.resume();
  expect(response.statusCode).toBe(403);
  expect(tlsProxy.hosts).toEqual(["example.com", "example.org"]);
});

test("closing ends open tunnels", async () => {
  const { tlsProxy } = await open([{ stall: true }]);
  const answer = post(tlsProxy).catch(() => "broken");
  await expect.poll(() => tlsProxy.hosts.length).toBe(1);
  await tlsProxy.close();
  expect(await answer).not.toContain('"text"');
});
