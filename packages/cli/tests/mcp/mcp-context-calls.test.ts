/** Tests calls to a context's tools by a client of the official SDK: metrics, and statements that take long. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import type { Place } from "../support/command.ts";
import { callForText, createDataProject, listenWithTokens } from "./context-fixture.ts";
import { connectToCommand } from "./mcp-fixture.ts";

const orders = `name: orders
connection: shop
table: main.orders
measures: [{ name: number, agg: count }]
`;

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

let place: Place;
beforeAll(async () => {
  place = await createDataProject();
  await mkdir(join(place.project, "context/models"), { recursive: true });
  await writeFile(join(place.project, "context/models/orders.yaml"), orders);
});
afterAll(() => place?.remove());

test("a client computes metrics on both transports, within the scope of its token", async () => {
  const { client } = await connectToCommand(place);
  const tool = (await client.listTools()).tools.find(({ name }) => name === "query_metrics");
  expect(tool).toMatchObject({ annotations: { readOnlyHint: true }, inputSchema: { type: "object" } });
  const asked = { measures: ["orders.number"] };
  expect(await callForText(client, "query_metrics", asked)).toMatch(/\| 900 \|/);
  expect(await callForText(client, "query_metrics", {})).toContain("orders.number");
  const [all, limited] = ["a".repeat(40), "l".repeat(40)];
  const url = await listenWithTokens(place, [
    { name: "all", token: all },
    { name: "limited", token: limited, scope: { connections: ["shop"], exclude: ["main.orders"] } },
  ]);
  expect(await callForText(await connectOverHttp(url, all), "query_metrics", asked)).toMatch(/\| 900 \|/);
  const hidden = await connectOverHttp(url, limited);
  expect(await callForText(hidden, "query_metrics", asked)).not.toContain("900");
  expect(await callForText(hidden, "query_metrics", {})).not.toContain("orders.number");
});

/** Cancels the call at its first progress message. Resolves with that message. */
async function callUntilProgress(client: Client): Promise<string | undefined> {
  const caller = new AbortController();
  let shown: string | undefined;
  const onprogress = ({ message }: { readonly message?: string | undefined }) => {
    shown ??= message;
    caller.abort();
  };
  const call = { name: "run_sql", arguments: { connection: "shop", statement: endless } };
  await expect(client.callTool(call, { signal: caller.signal, onprogress })).rejects.toThrow();
  return shown;
}

test("a statement that takes long reports its progress on both transports, and a client can end it", async () => {
  const { client } = await connectToCommand(place);
  const token = "t".repeat(40);
  const overHttp = await connectOverHttp(await listenWithTokens(place, [{ name: "ada", token }]), token);
  for (const each of [client, overHttp]) {
    expect(await callUntilProgress(each)).toMatch(/^The statement runs on shop for \d+ s\.$/);
    const next = { connection: "shop", statement: "SELECT count(*) AS orders FROM orders" };
    expect(await callForText(each, "run_sql", next)).toContain("| 900 |");
  }
});
