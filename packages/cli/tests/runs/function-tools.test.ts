/** Tests function tools of an agent file, in the real command. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

let place: Place;
beforeAll(async () => {
  place = await createPlace();
});
afterAll(() => place.remove());

/** Writes an agent file with one tool, the export `lookup` of a module in the agent's own folder. */
async function agentWith(name: string, code: string): Promise<string> {
  const folder = join(place.project, name);
  await mkdir(folder);
  await writeFile(join(folder, "tools.ts"), code);
  const tool = "{ type: function, name: look, file: tools.ts, function: lookup }";
  await writeFile(join(folder, "agent.yaml"), `name: a\ninstructions: { inline: x }\ntools:\n  - ${tool}\n`);
  return `${name}/agent.yaml`;
}

test.concurrent.each([
  [
    "throws",
    '\n\nthrow new Error("no database");\n',
    /tools\.ts:3:7: the module threw while it was loaded: no database\./,
  ],
  [
    "fails later during its import",
    'setTimeout(() => { throw new Error("later"); }, 1);\nawait new Promise((r) => setTimeout(r, 500));\nexport const lookup = 1;\n',
    /tools\.ts:1:26: the module threw while it was loaded: later\./,
  ],
  ["never-finishes", "await new Promise(() => {});\n", /tools\.ts: the module never finishes loading/],
  ["cannot-be-read", "const a = 1;\nconst b: = 2;\n", /tools\.ts:2: the module cannot be read: /],
])("a module that %s is reported with its position and exit code 3", async (name, code, sentence) => {
  const command = startCommand(["agent", "show", await agentWith(name, code)], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toMatch(sentence);
  expect(command.stderr()).not.toContain("report this");
});

test("a module in any folder may import bridle and zod", async () => {
  const code = `import { defineTool } from "bridle";
import { z } from "zod";
export const lookup = defineTool({ name: "x", description: "Looks.", input: z.object({}), execute: async () => "" });
`;
  const command = startCommand(["agent", "show", "--json", await agentWith("imports", code)], place);
  expect(await command.ended).toBe(0);
  expect(JSON.parse(command.stdout())).toMatchObject({ tools: [{ name: "look", description: "Looks." }] });
});
