import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { errorOf } from "../../tests/support/reading.ts";
import { sendRest } from "./rest-request.ts";

const service = { product: "Shop", isTransient: ({ status }: { readonly status: number }) => status === 503 };

async function start(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return new URL(`http://127.0.0.1:${port}/rows`);
}

const get = (url: URL, signal?: AbortSignal) => sendRest({ method: "GET", url, headers: { A: "b" }, signal }, service);

test("a request is sent again after a transient answer and after a connection that breaks", async () => {
  let requests = 0;
  const url = await start((request, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503).end("busy");
    else if (requests === 2) request.socket.destroy();
    else response.end("done");
  });
  expect(await get(url)).toEqual({ status: 200, text: "done" });
  expect(requests).toBe(3);
});

test("a request is sent four times at most, and other answers are returned at once", async () => {
  let requests = 0;
  const url = await start((_, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 400 : 503).end("no");
  });
  expect(await get(url)).toEqual({ status: 400, text: "no" });
  expect(requests).toBe(1);
  expect(await get(url)).toEqual({ status: 503, text: "no" });
  expect(requests).toBe(5);
});

test("a redirect is not followed, so that no credentials go to another address", async () => {
  let elsewhere = 0;
  const other = await start((_, response) => {
    elsewhere += 1;
    response.end();
  });
  const url = await start((_, response) => response.writeHead(307, { Location: other.href }).end());
  expect(await errorOf(get(url))).toMatchObject({ code: "network", message: expect.stringContaining("redirect") });
  expect(elsewhere).toBe(0);
});

test("an aborted request throws the error of its signal, also while it waits", async () => {
  const controller = new AbortController();
  const url = await start((_, response) => {
    response.writeHead(503).end();
    controller.abort();
  });
  await expect(get(url, controller.signal)).rejects.toThrow(/abort/i);
});

test("a service that cannot be reached, or that breaks each connection, is named with a remedy", async () => {
  const closed = createTcpServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const address = closed.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  closed.close();
  await once(closed, "close");
  expect(await errorOf(get(new URL(`http://127.0.0.1:${port}`)))).toMatchObject({
    code: "network",
    message: expect.stringMatching(
      `^Shop at 127.0.0.1:${port} cannot be reached \\(.+\\)\\. Check the address and the network\\.$`,
    ),
  });
  const url = await start((request) => request.socket.destroy());
  expect(await errorOf(get(url))).toMatchObject({
    code: "network",
    message: expect.stringMatching(/was lost .+ Try again\.$/),
  });
});

test("a server that does not speak TLS is an error of the address", async () => {
  const url = await start((_, response) => response.end());
  url.protocol = "https:";
  expect(await errorOf(get(url))).toMatchObject({
    code: "config",
    message: expect.stringMatching(
      /^The TLS connection to Shop at .+ failed .+ Check the address and the certificate\.$/,
    ),
  });
});

test("an answer that is too long is not read to its end", async () => {
  let [sent, isCut] = [0, false];
  const url = await start((_, response) => {
    response.on("close", () => {
      isCut = true;
    });
    const part = Buffer.alloc(1_000_000, "x");
    const write = () => {
      while (!isCut && sent < 1_000) {
        sent += 1;
        if (!response.write(part)) break;
      }
    };
    response.on("drain", write);
    write();
  });
  expect(await errorOf(get(url))).toMatchObject({
    code: "invalid_request",
    message: "Shop answered with more than 100 MB. Ask for less at a time.",
  });
  await expect.poll(() => isCut).toBe(true);
  expect(sent).toBeLessThan(200);
});

test("an answer says how long to wait, unless that is longer than the service is waited for", async () => {
  let requests = 0;
  const url = await start((_, response) => {
    requests += 1;
    if (requests === 1) response.writeHead(503, { "Retry-After": "0" }).end();
    else response.writeHead(503, { "Retry-After": "3600" }).end("later");
  });
  const patient = { ...service, waitsMs: [1, 1, 1], maxWaitMs: 5_000 };
  const answer = await sendRest({ method: "GET", url, headers: {} }, patient);
  expect(answer).toEqual({ status: 503, text: "later", retryAfterMs: 3_600_000 });
  expect(requests).toBe(2);
});

test("an answer that is longer than its limit is an error, and the rest of it is not read", async () => {
  const url = await start((_, response) => response.end("x".repeat(3_000_000)));
  const limited = { ...service, maxBytes: 1_000_000 };
  expect(await errorOf(sendRest({ method: "GET", url, headers: {} }, limited))).toMatchObject({
    code: "invalid_request",
    message: "Shop answered with more than 1 MB. Ask for less at a time.",
  });
});
