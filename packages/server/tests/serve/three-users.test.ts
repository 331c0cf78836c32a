import { Agent, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { newUserToken } from "../../src/http/tokens/access-token.ts";
import { lines } from "../support/send-raw.ts";
import { startServedProcess } from "../support/served-process.ts";

/**
 * The maximum duration of each request of the third user during the attacks of the others, and the strength of the attacks. In
 * `npm test`, the machine also runs other tests.
 */
const [boundMs, repetitions, turns] = isSoak ? [8000, 50, 5] : [20_000, 20, 3];

const opened = new Set<Socket>();

afterEach(() => {
  for (const socket of opened) socket.destroy();
  opened.clear();
});

interface Place {
  readonly port: number;
  readonly token: string;
}

/** Keeps a connection open: reopens it whenever the server closes it, and sends this text first each time. */
function insist(port: number, text: string): void {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  opened.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => {
    if (opened.delete(socket)) setTimeout(() => insist(port, text), 200).unref();
  });
  socket.pause(); // reads nothing, and does not notice that the server has closed its side
  if (text !== "") socket.write(text);
}

function requestText({ port, token }: Place, path: string, accept = "application/json"): string {
  const host = `Host: 127.0.0.1:${port}`;
  return lines(`GET /api/v1${path} HTTP/1.1`, host, `Authorization: Bearer ${token}`, `Accept: ${accept}`);
}

/** Opens 1,100 connections that send nothing, 200 that never complete their first line, and 100 that send requests without a token. */
function beStranger(port: number): void {
  for (let index = 0; index < 1100; index += 1) insist(port, "");
  for (let index = 0; index < 200; index += 1) insist(port, "GET /api/v1/status HTTP/1.1\r\nX-Slow: ");
  const refused = requestText({ port, token: "wrong" }, "/status");
  for (let index = 0; index < 100; index += 1) insist(port, refused.repeat(repetitions));
}

/** Exceeds all limits of the server: streams, large unread replies, many concurrent requests, and endless reading. */
function beWorstUser(place: Place): void {
  for (let index = 0; index < 400; index += 1) {
    insist(place.port, requestText(place, "/stream?topics=approvals,runs", "text/event-stream"));
  }
  for (let index = 0; index < 400; index += 1)
    insist(place.port, requestText(place, "/sessions/full-session/events?limit=1000"));
  for (let index = 0; index < 400; index += 1) insist(place.port, requestText(place, "/status").repeat(repetitions));
  for (let index = 0; index < 20; index += 1) void readWithoutEnd(place);
}

async function readWithoutEnd(place: Place): Promise<void> {
  while (opened.size > 0) await send(place, "GET", "/status").catch(() => {});
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Sends a request over a new connection, like a program that has just started. Rejects after the maximum duration. */
function send({ port, token }: Place, method: string, path: string, json?: unknown): Promise<Answer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const agent = new Agent({ keepAlive: false });
    const sent = httpRequest({ agent, port, host: "127.0.0.1", method, path: `/api/v1${path}`, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => {
        text += String(chunk);
      });
      reply.on("error", reject);
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text, ms: performance.now() - begun }));
    });
    sent.setTimeout(boundMs, () => sent.destroy(new Error(`${method} ${path} took more than ${boundMs} ms.`)));
    sent.on("error", reject);
    sent.end(json === undefined ? undefined : JSON.stringify(json));
  });
}

/** Reads a stream of a session until an event of this type arrives. */
function streamUntil({ port, token }: Place, session: string, type: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    const path = `/api/v1/sessions/${session}/events`;
    const sent = httpRequest({ agent: false, port, host: "127.0.0.1", path, headers }, (reply) => {
      let text = "";
      reply.on("data", (chunk) => {
        text += String(chunk);
        if (!text.includes(`event: ${type}\n`)) return;
        sent.destroy();
        resolve(performance.now() - begun);
      });
      reply.on("end", () => reject(new Error(`The stream ended with ${reply.statusCode}: ${text.slice(0, 300)}`)));
    });
    sent.setTimeout(boundMs, () => sent.destroy(new Error(`${type} took more than ${boundMs} ms.`)));
    sent.on("error", reject);
    sent.end();
  });
}

async function untilFound<T>(find: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + boundMs;
  while (Date.now() < end) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing was found within ${boundMs} ms.`);
}

test("a stranger and a viewer who do their worst do not keep a third user from a status, a run, a stream and an answer", {
  timeout: 240_000,
}, async () => {
  const [vera, tom] = [newUserToken(), newUserToken()];
  const users = `serve:
  users:
    vera: { tokenHash: "${vera.tokenHash}", role: viewer }
    tom: { tokenHash: "${tom.tokenHash}", role: operator }
`;
  const cwd = await createFolder({ ...deskFiles, "bridle.yaml": `${deskFiles["bridle.yaml"]}${users}` });
  const server = await startServedProcess(cwd);
  const port = Number(new URL(server.url).port);
  const third: Place = { port, token: tom.token };
  for (let index = 0; index < 20; index += 1) {
    await send(third, "POST", "/sessions/full-session/runs?wait=1", { prompt: `Hello. ${"x".repeat(2000)}` });
  }

  beStranger(port);
  beWorstUser({ port, token: vera.token });
  await new Promise((resolve) => setTimeout(resolve, 3000));

  const took: Record<string, number> = {};
  for (let turn = 0; turn < turns; turn += 1) {
    const session = `order-${turn}`;
    const status = await send(third, "GET", "/status");
    expect(status.status).toBe(200);
    const started = await send(third, "POST", `/sessions/${session}/runs`, { prompt: "Where is my order?" });
    expect([started.status, started.text]).toEqual([202, expect.stringContaining("runId")]);
    const asked = await streamUntil(third, session, "approval.requested");
    const { id, inputHash } = await untilFound(async () => {
      const { approvals } = JSON.parse((await send(third, "GET", "/approvals")).text);
      return approvals.find((each: { readonly session: string }) => each.session === session);
    });
    const answered = await send(third, "POST", `/approvals/${id}/answer`, { decision: "allow", inputHash });
    expect([answered.status, answered.text]).toEqual([200, expect.stringContaining('"accepted":true')]);
    const ended = await streamUntil(third, session, "run.finished");
    for (const [what, ms] of Object.entries({
      status: status.ms,
      run: started.ms,
      asked,
      answer: answered.ms,
      ended,
    })) {
      took[what] = Math.max(took[what] ?? 0, ms);
    }
  }
  for (const ms of Object.values(took)) expect(ms).toBeLessThan(boundMs);
  expect(server.errors()).not.toMatch(/out of memory|uncaught/i);
});
