import { join } from "node:path";
import { silentLogger, TrustedFolder } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openTools } from "../src/opening/open-tools.ts";
import { mcpKind } from "../src/tool-kinds/mcp/mcp-kind.ts";
import { createAgentFixture } from "./agent-fixture.ts";

const module = `export const one = {
  description: "Finds an order.", input: { jsonSchema: { type: "object" }, problems: () => [] }, execute: async () => "",
};
export const two = one;
`;

/** Returns the source of the only tool of an agent file in a new folder. */
async function sourceOf(entry: string, folder?: string): Promise<{ source: string | undefined; folder: string }> {
  const fixture = await createAgentFixture({ "tools.mjs": module, "more.mjs": module });
  onTestFinished(() => fixture.close());
  const definition = await fixture.load(`name: a\ninstructions: { inline: Help. }\ntools: [${entry}]\n`);
  const baseDir = folder ?? fixture.folder;
  const context = { baseDir, projectDir: baseDir, stateDir: join(baseDir, ".bridle"), environment: {} };
  const opened = await openTools(definition, {
    ...context,
    logger: silentLogger,
    trusted: await TrustedFolder.require(undefined, []),
  });
  await opened.close();
  return { source: opened.entries[0]?.tools[0]?.source, folder: fixture.folder };
}

const entry = (file: string, exported: string, more = "") =>
  `{ type: function, name: find, file: ${file}, function: ${exported}${more} }`;

test("a tool of an agent has the same source each time that the same file is opened", async () => {
  const first = createAgentFixture({ "tools.mjs": module });
  const { folder } = await first;
  const opened = async (text: string) => (await sourceOf(text, folder)).source;
  const source = await opened(entry("tools.mjs", "one"));
  expect(source).toMatch(/^function one in tools\.mjs \([0-9a-f]{12}\)$/);
  expect(await opened(entry("tools.mjs", "one", ", description: Another."))).toBe(source);
  await (await first).close();
});

test.each([
  ["another file", "more.mjs", "one"],
  ["another export", "tools.mjs", "two"],
  ["the same file of another folder", "tools.mjs", "one"],
])("a tool of the same name in %s has another source", async (_title, file, exported) => {
  const original = await sourceOf(entry("tools.mjs", "one"));
  const other = await sourceOf(entry(file, exported));
  expect(other.source).not.toBe(original.source);
});

test("the source of an MCP server changes with what answers its calls, and with nothing else", () => {
  const server = { type: "mcp", name: "orders", command: "npx", args: ["-y", "orders"] };
  const origin = (parts: object) => JSON.stringify(mcpKind.origin?.(mcpKind.schema.parse({ ...server, ...parts })));
  const same = origin({});
  for (const parts of [{ timeout: 5 }, { description: "Orders." }, { tools: ["find"] }])
    expect(origin(parts)).toBe(same);
  const others = [{ command: "node" }, { args: ["-y", "orders@evil"] }, { env: { NODE_OPTIONS: "--import=./x.mjs" } }];
  for (const parts of others) expect(origin(parts)).not.toBe(same);
  const remote = { command: undefined, args: undefined, transport: "http" };
  expect(origin({ ...remote, url: "https://a.example/mcp" })).not.toBe(
    origin({ ...remote, url: "https://b.example/mcp" }),
  );
});
