import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  for (const [, file, content] of modules) await writeFile(join(place.project, file), content);
});
afterAll(() => place.remove());

const imports = 'import { defineTool } from "bridle";\nimport { z } from "zod";\n';
const tool = (name: string, input = "z.object({})") =>
  `defineTool({ name: "${name}", description: "A tool.", input: ${input}, execute: async () => "" })`;

const modules: [title: string, file: string, content: string, sentence: string | RegExp][] = [
  [
    "throws",
    "throws.ts",
    '\n\nthrow new Error("no database");\n',
    "throws.ts:3:7: the module threw while it was loaded: no database. Correct it, and run again.",
  ],
  [
    "imports a module that throws",
    "outer.ts",
    'import "./throws.ts";\nexport default [];\n',
    "throws.ts:3:7: the module threw while it was loaded: no database. Correct it, and run again.",
  ],
  [
    "throws no error",
    "text.mjs",
    'throw "a text";\n',
    'text.mjs: the module threw "a text" while it was loaded. Correct it, and run again.',
  ],
  [
    "is not TypeScript",
    "syntax.ts",
    "const a = 1;\nconst b: = 2;\n",
    /^syntax\.ts:2: the module cannot be read: .+ Correct it, and run again\.$/,
  ],
  [
    "is not JavaScript",
    "syntax.mjs",
    "const a = 1;\nconst b = = 2;\n",
    "syntax.mjs:2: the module cannot be read: Unexpected token '='. Correct it, and run again.",
  ],
  [
    "imports a missing module",
    "imports.ts",
    'import pg from "not-installed";\nexport default [pg];\n',
    /^imports\.ts: the module has an import that cannot be resolved: Cannot find package 'not-installed' /,
  ],
  [
    "has no default export",
    "nothing.ts",
    "export const tools = [];\n",
    'nothing.ts: the tools file has no default export. Write "export default [tool];".',
  ],
  [
    "exports one tool",
    "one.ts",
    `${imports}export default ${tool("search")};\n`,
    'one.ts: the default export is one tool (search), expected an array of tools. Write "export default [tool];".',
  ],
  [
    "exports a text",
    "string.ts",
    'export default "search";\n',
    'string.ts: the default export is a string, expected an array of tools. Write "export default [tool];".',
  ],
  [
    "exports no tools",
    "empty.ts",
    "export default [];\n",
    'empty.ts: the array of tools is empty. Write "export default [tool];".',
  ],
  [
    "has two names that become equal",
    "meet.ts",
    `${imports}export default [${tool("a b")}, ${tool("a_b")}];\n`,
    'meet.ts: "a b" and "a_b" meet: models see both as "a_b". Rename one of them.',
  ],
  [
    "has an input that is not an object",
    "input.ts",
    `${imports}export default [${tool("search", "z.string() as never")}];\n`,
    /^input\.ts: The tool "search" needs a Zod object as its input\./,
  ],
];

test.concurrent.each(modules)(
  "a tools module that %s is refused with exit code 3",
  async (_title, file, _content, sentence) => {
    const command = startCommand(["run", "--tools", file, "Hello"], place);
    expect(await command.ended).toBe(3);
    const line = command.stderr().trimEnd();
    expect(line).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
  },
);

test("a tools file that is missing is refused with the nearest name in its folder", async () => {
  await writeFile(join(place.project, "tools.ts"), "");
  const command = startCommand(["run", "--tools", "tool.ts", "Hello"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toBe(
    'The tools file tool.ts does not exist. Correct the path after --tools. Did you mean "tools.ts"?\n',
  );
});

test("a tools file that is a folder is refused in a sentence", async () => {
  const command = startCommand(["run", "--tools", ".", "Hello"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toBe("The tools file . is a folder. Name a module in it after --tools.\n");
});

test("a tools file that cannot be read is named as the user wrote it", async () => {
  await symlink("loop.ts", join(place.project, "loop.ts")); // no user can open a symlink loop, not even root
  const command = startCommand(["run", "--tools", "loop.ts", "Hello"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toBe(
    "The tools file loop.ts cannot be read (ELOOP). Allow reading it, or correct the path after --tools.\n",
  );
});
