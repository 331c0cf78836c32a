import { createAgentRuntime } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { expect, test } from "vitest";
import { ClientBackend } from "../calls/client-backend.ts";
import { defaultServerLimits } from "../limits.ts";
import { ClientConnection } from "../protocol/client-connection.ts";
import { HttpSession } from "./http-session.ts";

const caller = { name: "reader", transport: "http", writes: false } as const;

function createConnection(): ClientConnection {
  const backend = new ClientBackend();
  const runtime = createAgentRuntime({ backend, models: {} });
  const shared = {
    name: "test",
    version: "1",
    limits: defaultServerLimits,
    hasStructured: false,
    logger: silentLogger,
  };
  return new ClientConnection(caller, { tools: [] }, { ...shared, backend, runtime });
}

function createPing(): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
}

test("a session over HTTP is idle only when all of its responses are sent", async () => {
  let isClosed = false;
  const closed = Promise.withResolvers<void>();
  const session = await HttpSession.open({
    caller,
    connection: createConnection(),
    idleMs: 1,
    messageBytes: 1000,
    kept: { events: 10, bytes: 1000 },
    onClosed() {
      isClosed = true;
      closed.resolve();
    },
  });
  const first = await session.answer(createPing());
  const second = await session.answer(createPing());
  first.done();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isClosed).toBe(false);
  second.done();
  await closed.promise;
});
