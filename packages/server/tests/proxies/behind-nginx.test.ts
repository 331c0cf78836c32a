import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { proxyName, skipsNginx, startNginx } from "../support/nginx.ts";
import { readUntil } from "../support/read-stream.ts";
import { serveDesk } from "../support/serve-desk.ts";

const name = "behind nginx (needs Debian's packages nginx and openssl)";

function toResponse(message: IncomingMessage): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const piece of message) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body);
}

test.skipIf(skipsNginx).each([
  ["", "/"],
  ["/agents", "/agents/"],
])(`${name}, with the base path "%s", a question is streamed at once and answered`, async (basePath, location) => {
  const desk = await serveDesk({ isBehindProxy: true, allowedHosts: [proxyName], basePath });
  const send = await startNginx(new URL(desk.url).origin, location);
  const api = `${basePath}/api/v1`;
  const authorization = `Bearer ${desk.token}`;
  const post = (path: string, json: unknown) =>
    send(path, { method: "POST", json, headers: { authorization, "content-type": "application/json" } });

  const started = await post(`${api}/sessions/one/runs`, { prompt: "Where is my order?" });
  const { runId } = JSON.parse(await text(started));
  expect(started).toMatchObject({ statusCode: 202, headers: { location: `${api}/runs/${runId}` } });

  const open = () => send(`${api}/sessions/one/events`, { headers: { authorization, accept: "text/event-stream" } });
  const asked = (await readUntil(toResponse(await open()), ({ event }) => event === "approval.requested")).at(-1);
  const { approvalId, inputHash } = JSON.parse(asked?.data ?? "");
  const answer = await post(`${api}/approvals/${approvalId}/answer`, { inputHash, decision: "allow" });
  expect(answer.statusCode, await text(answer)).toBe(200);
  const seen = await readUntil(toResponse(await open()), ({ event }) => event === "run.finished");
  expect(seen.map(({ id }) => id)).toEqual(seen.map((_, at) => String(at + 1)));
  const decided = seen.find(({ event }) => event === "approval.decided");
  expect(decided?.data).toContain("127.0.0.1"); // the address of nginx's client

  for (const [headers, status] of [
    [{}, 401],
    [{ authorization, origin: `https://${proxyName}` }, 200],
    [{ authorization, origin: "https://evil.example" }, 403],
    [{ authorization, host: "evil.example" }, 421],
    [{ authorization, host: "evil.example", "x-forwarded-host": proxyName }, 421],
  ] as const) {
    const response = await send(`${api}/status`, { headers });
    response.resume();
    expect(response.statusCode, JSON.stringify(headers)).toBe(status);
  }
});
