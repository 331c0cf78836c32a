/** Tests that a tool kind registers itself: each test adds one by its definition alone. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent, type ToolKind } from "@bridle/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { agentReference } from "../../../scripts/reference/agent.ts";
import { AgentFileError, agentJsonSchema, describeAgent, loadAgent, openAgent, shownConfig } from "../src/index.ts";
import { toolKinds } from "../src/tool-kinds/registry.ts";

const bellConfig = z.strictObject({
  type: z.literal("bell").describe("A bell that the model can ring."),
  name: z.string().describe("The name of the tool."),
  sound: z.enum(["ding", "dong"]).exactOptional().describe("The sound of the bell. Default: ding."),
  score: z.string().exactOptional().describe("A file with notes."),
  bell_key: z.string().exactOptional().describe("The key of the bell tower."),
});

const bellKind: ToolKind<typeof bellConfig> = {
  type: "bell",
  summary: "A bell.",
  schema: bellConfig,
  example: { type: "bell", name: "ring" },
  files: [{ path: ["score"], isBehaviour: true }],
  secrets: { keys: ["bell_key"] },
  describe: ({ sound = "ding" }) => `a bell that goes ${sound}`,
  retrieval: () => "text",
  needsEmbeddings: () => true,
  readSecretFiles: async () => [{ name: "score: PIN", value: "1234-5678" }],
  async open({ name, sound = "ding" }) {
    const ring = defineTool({
      name,
      description: "Rings the bell.",
      input: z.object({}),
      annotations: { readOnly: true },
      execute: async () => `${sound}!`,
    });
    return { tools: [ring], instructions: "Ring before you enter.", close: async () => {} };
  },
};

const kinds: readonly ToolKind[] = [...toolKinds, bellKind];
const file = (entry: string) =>
  `name: desk\ninstructions: { inline: Be kind. }\nembedding_provider: { provider: local, name: small }\ntools:\n  - { type: bell, name: ring, ${entry} }\n`;

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-kinds-"));
  await writeFile(join(cwd, "bridle.yaml"), "");
});
afterAll(() => rm(cwd, { recursive: true }));

async function load(entry = "sound: dong") {
  await writeFile(join(cwd, "agent.yaml"), file(entry));
  return loadAgent("agent.yaml", { cwd, environment: {}, toolKinds: kinds });
}

async function problemOf(entry: string): Promise<string> {
  const error = await load(entry).catch((thrown: unknown) => thrown);
  return error instanceof AgentFileError ? error.message : "";
}

describe("a kind of tool that is only a definition and one line in the registry", () => {
  test("is validated by its schema, with the position in the file", async () => {
    expect((await load()).config.tools).toEqual([{ type: "bell", name: "ring", sound: "dong" }]);
    expect(await problemOf("sound: dang")).toMatch(/^agent\.yaml:5:\d+: tools\.0\.sound .*ding/);
    expect(await problemOf("color: red")).toContain('unknown key "color"');
  });

  test("is an unknown type without its line in the registry", async () => {
    await writeFile(join(cwd, "agent.yaml"), file("sound: dong"));
    const loading = loadAgent("agent.yaml", { cwd, environment: {} });
    await expect(loading).rejects.toThrow(/tools\.0\.type is "bell"/);
  });

  test("has its files checked and its credentials redacted", async () => {
    expect(await problemOf("score: none.txt")).toContain("tools.0.score names none.txt, which does not exist.");
    const definition = await load("bell_key: K-1");
    expect(JSON.stringify(shownConfig(definition))).not.toContain("K-1");
    expect(definition.warnings).toEqual([
      expect.stringContaining("tools.0.bell_key is a credential in the file itself"),
    ]);
    expect(definition.values).toContainEqual({ value: "1234-5678", shown: "(tools.0.score: PIN)" });
  });

  test("is described by `agent show`", async () => {
    const { tools } = await describeAgent(await load(), { projectDir: cwd });
    expect(tools).toMatchObject([
      { name: "ring", kind: "bell", source: "a bell that goes dong", field: "tools.0", description: "Rings the bell." },
    ]);
  });

  test("is opened and called in a run", async () => {
    const backend = createMemoryBackend([{ steps: [{ calls: [{ tool: "ring", input: {} }] }, { say: "Done." }] }]);
    const agent = await openAgent(await load(), {
      projectDir: cwd,
      createRuntime: async () => createAgentRuntime({ backend, models: { default: "memory-1" }, projectDir: cwd }),
    });
    expect(agent.entries).toMatchObject([{ field: "tools.0", kind: "bell", retrieval: "text" }]);
    const events: RunEvent[] = [];
    for await (const event of agent.run("Ring.")) events.push(event);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool.finished", output: "dong!" }));
    expect(agent.request.system).toBe("Be kind.\n\nRing before you enter.");
    await agent.close();
  });

  test("is in the editor schema and on the reference page", () => {
    const schema = agentJsonSchema(kinds);
    expect(JSON.stringify(schema)).toContain("The key of the bell tower.");
    const page = agentReference(schema);
    expect(page).toContain("| `bell` | A bell. |");
    expect(page).toContain("| `tools[].sound` | `ding`, `dong` | `ding` | `bell`: The sound of the bell. |");
    expect(page).toContain("  - type: bell\n    name: ring\n");
  });
});

describe("every registered kind", () => {
  test.each(toolKinds)("$type has an example that its schema accepts, and that it can describe", (kind: ToolKind) => {
    const config = kind.schema.parse(kind.example);
    expect(config.type).toBe(kind.type);
    expect(kind.describe(config)).not.toBe("");
  });

  test("documents retrieve hits, and servers retrieve text if they are marked for it", () => {
    const [documents, server] = [
      kinds.find(({ type }) => type === "documents"),
      kinds.find(({ type }) => type === "mcp"),
    ];
    const config = (more: object) =>
      server?.schema.parse({ type: "mcp", name: "wiki", command: "wiki", ...more }) ?? {};
    expect(documents?.retrieval?.({ type: "vectorstore" })).toBe("hits");
    expect(server?.retrieval?.(config({ is_retrieval: true }))).toBe("text");
    expect(server?.retrieval?.(config({}))).toBeUndefined();
  });
});
