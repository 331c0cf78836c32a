import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectOverHttp } from "../../../mcp-server/tests/client-for-tests.ts";
import { type Place, startCommand, untilGone } from "../support/command.ts";
import { createToolProject, readEvents } from "./mcp-fixture.ts";

async function listen(place: Place, words: readonly string[] = []) {
  const command = startCommand(["mcp", "--http", ...words], place);
  onTestFinished(() => void command.child.kill("SIGKILL"));
  await command.shows("Send it in the header");
  const [url = ""] = /http:\/\/\S+\/mcp/.exec(command.stdout()) ?? [];
  return { command, url };
}

test("bridle mcp --http creates a token, serves the tools to its owner only, and ends with SIGTERM", async () => {
  const place = await createToolProject();
  const { command, url } = await listen(place);
  const file = join(place.project, ".bridle/mcp-tokens.json");
  const { tokens } = JSON.parse(await readFile(file, "utf8"));
  const client = await connectOverHttp(url, tokens[0].token);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "wait"]);
  expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toEqual({
    content: [{ type: "text", text: "The sum is 3." }],
  });
  await expect(connectOverHttp(url, "x".repeat(40))).rejects.toThrow("no valid token");
  command.child.kill("SIGTERM");
  expect(await command.ended).toBe(143);
  await untilGone(place, 60_000);
  expect(`${command.stdout()}${command.stderr()}`).not.toContain(tokens[0].token);
  const events = await readEvents(place);
  expect(events[0]).toMatchObject({ labels: { mcpCaller: "default", mcpTransport: "http" } });
  expect(JSON.stringify(events)).not.toContain(tokens[0].token);
});

test("only a token with writes calls tools that change something, and only with --allow-writes", async () => {
  const place = await createToolProject();
  const [reader, writer] = ["r".repeat(40), "w".repeat(40)];
  const content = {
    tokens: [
      { name: "reader", token: reader },
      { name: "writer", token: writer, writes: true },
    ],
  };
  await writeFile(join(place.project, "tokens.json"), JSON.stringify(content), { mode: 0o600 });
  const words = ["--token-file", "tokens.json"];
  const seen: unknown[] = [];
  for (const flags of [[], ["--allow-writes"]]) {
    const { command, url } = await listen(place, [...words, ...flags]);
    for (const token of [reader, writer]) {
      const client = await connectOverHttp(url, token);
      const { tools } = await client.listTools();
      const { isError = false } = await client.callTool({ name: "send_mail", arguments: { to: "ada" } });
      seen.push([tools.length, isError]);
    }
    command.child.kill("SIGTERM");
    await command.ended;
  }
  expect(seen).toEqual([
    [2, true],
    [2, true],
    [2, true],
    [3, false],
  ]);
});

test.each([
  ["an address that other machines reach", ["--host", "0.0.0.0"], "--allow-host"],
  ["a file of tokens that is no JSON", ["--token-file", "tools.ts"], "tools.ts"],
  ["a port that is none", ["--port", "70000"], "a port"],
])("bridle mcp --http with %s says so and ends", async (_title, words, sentence) => {
  const place = await createToolProject();
  const command = startCommand(["mcp", "--http", ...words], place);
  expect([2, 3]).toContain(await command.ended);
  expect(command.stderr()).toContain(sentence);
});

test("bridle mcp --http refuses a port that another server uses", async () => {
  const place = await createToolProject();
  const { url } = await listen(place);
  const command = startCommand(["mcp", "--http", "--port", new URL(url).port], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toContain("another program uses it");
});

test("a token with a scope is refused by tools that know no scope", async () => {
  const place = await createToolProject();
  const token = "s".repeat(40);
  const content = { tokens: [{ name: "sales", token, scope: { schemas: ["sales"] } }] };
  await writeFile(join(place.project, "tokens.json"), JSON.stringify(content), { mode: 0o600 });
  const command = startCommand(["mcp", "--http", "--token-file", "tokens.json"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toContain("The token sales has a scope");
});
