import { setTimeout } from "node:timers/promises";
import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { defineTool, silentLogger } from "@bridle/protocol";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ClientBackend } from "../src/calls/client-backend.ts";
import { defaultServerLimits } from "../src/limits.ts";
import { ClientConnection } from "../src/protocol/client-connection.ts";

const count = defineTool({
  name: "count",
  description: "Counts.",
  input: z.object({}),
  annotations: { readOnly: true },
  async execute(_input, { progress }) {
    progress("one");
    return "done";
  },
});

test("a result is sent after the progress of its call, also if a message takes its time", async () => {
  const backend = new ClientBackend();
  const runtime = createAgentRuntime({ backend, models: {}, eventLog: createMemoryEventLog() });
  const caller = { name: "tests", transport: "stdio", writes: false } as const;
  const connection = new ClientConnection(
    caller,
    { tools: [count] },
    {
      name: "test",
      version: "1.2.3",
      runtime,
      backend,
      limits: defaultServerLimits,
      hasStructured: false,
      logger: silentLogger,
    },
  );
  const client = new Client({ name: "test-client", version: "7" });
  onTestFinished(async () => {
    await client.close();
    await connection.close();
    await runtime.close();
  });
  const [own, other] = InMemoryTransport.createLinkedPair();
  const send = other.send.bind(other);
  other.send = async (message, options) => {
    if ("method" in message && message.method === "notifications/progress") await setTimeout(100);
    await send(message, options);
  };
  await connection.createServer().connect(other);
  await client.connect(own);
  const messages: unknown[] = [];
  await client.callTool({ name: "count" }, { onprogress: ({ message }) => messages.push(message) });
  expect(messages).toEqual(["one"]);
});
