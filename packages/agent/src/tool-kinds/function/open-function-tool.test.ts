import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolbox } from "@bridle/core";
import type { LoadModuleOptions } from "@bridle/project";
import type { AnyTool } from "@bridle/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "./call-for-tests.ts";
import { functionToolConfig } from "./function-config.ts";
import { openFunctionTool } from "./open-function-tool.ts";

let baseDir: string;
beforeAll(async () => {
  baseDir = await mkdtemp(join(tmpdir(), "bridle-function-"));
  await symlink(join(import.meta.dirname, "../../../../node_modules"), join(baseDir, "node_modules"));
  await mkdir(join(baseDir, "folder.ts"));
});
afterAll(() => rm(baseDir, { recursive: true, force: true }));

let count = 0;

/** Writes a module and opens its export `lookup`. */
async function open(code: string, config: object = {}, options: { file?: string } & LoadModuleOptions = {}) {
  const file = options.file ?? `module-${count++}.ts`;
  await writeFile(join(baseDir, file), code);
  const { file: _file, ...loading } = options;
  const { tools } = await openFunctionTool(parse({ file, ...config }), { baseDir, loading });
  const [tool] = tools;
  if (!tool) throw new Error("no tool");
  return tool;
}

function parse(config: object) {
  return functionToolConfig.parse({ type: "function", name: "lookup_order", function: "lookup", ...config });
}

const call = (tool: AnyTool, input: Record<string, unknown>) => callTool(tool, input, { projectDir: baseDir });

const declarationOf = (tool: AnyTool) => createToolbox([tool]).declarations[0];
const zod = 'import { z } from "zod";\n';
const order = { properties: { id: { type: "string" } }, required: ["id"] };

test("an export made with defineTool is the tool, with the name and the description of the agent file", async () => {
  const tool = await open(
    `${zod}export const lookup = { name: "find", description: "Finds.", input: z.object({ id: z.string() }),
     annotations: { readOnly: true }, timeoutMs: 5, execute: async ({ id }: { id: string }) => "found " + id };`,
    { description: "Looks up an order." },
  );
  expect(declarationOf(tool)).toMatchObject({
    name: "lookup_order",
    description: "Looks up an order.",
    inputSchema: order,
    annotations: { readOnly: true },
  });
  expect(tool.timeoutMs).toBe(5);
  expect(await call(tool, { id: "A-1" })).toBe("found A-1");
});

test("a function with a Zod input is a tool, with the description and annotations that it carries", async () => {
  const tool = await open(
    `${zod}export function lookup({ id }: { id: string }) { return "found " + id; }
     lookup.input = z.object({ id: z.string() });
     lookup.description = "Finds an order.";
     lookup.annotations = { readOnly: true };`,
  );
  expect(declarationOf(tool)).toMatchObject({
    description: "Finds an order.",
    inputSchema: order,
    annotations: { readOnly: true },
  });
  expect(await call(tool, { id: "A-1" })).toBe("found A-1");
});

test("a default export and an object without a name are accepted as tools", async () => {
  const tool = await open(
    `${zod}export default { description: "Finds.", input: z.object({}), execute: async () => "found" };`,
    { function: "default" },
  );
  expect(await call(tool, {})).toBe("found");
});

test("a plain function gets the parameters of the agent file: required, defaults, enums; anything else is a problem", async () => {
  const parameters = {
    id: { type: "string", description: "such as A-1001" },
    state: { enum: ["open", "closed"], default: "open" },
    lines: { type: "array", items: { type: "integer" }, required: false },
  };
  const tool = await open("export const lookup = (input: object) => input;", { description: "Finds.", parameters });
  expect(declarationOf(tool)?.inputSchema).toEqual({
    type: "object",
    properties: {
      id: { type: "string", description: "such as A-1001" },
      state: { enum: ["open", "closed"], default: "open" },
      lines: { type: "array", items: { type: "integer" } },
    },
    required: ["id"],
    additionalProperties: false,
  });
  if (!("problems" in tool.input)) throw new Error("is not described");
  expect(tool.input.problems({ id: "A-1", lines: [1] })).toEqual([]);
  expect(tool.input.problems({ state: "lost" })).toHaveLength(2);
  expect(tool.input.problems({ id: "A-1", other: 1 })).toHaveLength(1);
  expect(await call(tool, { id: "A-1" })).toMatchObject({ structured: { id: "A-1", state: "open" } });
});

test("the model gets a function's result as JSON, text and tool outputs unchanged, and programs get the original value", async () => {
  const parameters = {};
  const returning = (value: string) =>
    open(`export const lookup = () => (${value});`, { description: "Finds.", parameters });
  expect(await call(await returning('{ state: "shipped" }'), {})).toEqual({
    markdown: '{\n  "state": "shipped"\n}',
    structured: { state: "shipped" },
  });
  expect(await call(await returning('{ markdown: "**shipped**", structured: 1 }'), {})).toEqual({
    markdown: "**shipped**",
    structured: 1,
  });
  expect(await call(await returning('"shipped"'), {})).toBe("shipped");
  expect(await call(await returning("undefined"), {})).toBe("Done.");
});

test("annotations of the agent file override the module's, one at a time", async () => {
  const tool = await open(
    `${zod}export const lookup = { description: "Finds.", input: z.object({}),
     annotations: { readOnly: true, openWorld: true }, execute: async () => "" };`,
    { annotations: { read_only: false, destructive: true, idempotent: true } },
  );
  expect(tool.annotations).toEqual({ readOnly: false, openWorld: true, destructive: true, idempotent: true });
  const near = await open(
    `${zod}export const lookup = { description: "Finds.", input: z.object({}), execute: async () => "" };`,
    { annotations: { open_world: false } },
  );
  expect(near.annotations).toEqual({ openWorld: false });
});

const described = { description: "Finds.", parameters: {} };

test.each([
  [
    "throws",
    'throw new Error("no database");',
    {},
    /^module-\d+\.ts(:\d+)*: the module threw while it was loaded: no database\. Correct it/,
  ],
  [
    "is not valid TypeScript",
    "export const lookup: = 2;",
    {},
    /^module-\d+\.ts(:1)?(:\d+)?: the module (cannot be read|threw)/,
  ],
  ["imports a missing module", 'import "not-installed";', {}, /not-installed/],
  [
    "lacks the export",
    "export const lookupp = () => 1;",
    {},
    /: the module has no export named "lookup"\. Did you mean "lookupp"\?$/,
  ],
  [
    "lacks the export but has others",
    "export const refund = () => 1;",
    {},
    /no export named "lookup"\. It exports refund\.$/,
  ],
  ["exports nothing", "const lookup = 1;", {}, /no export named "lookup"\. It exports nothing\.$/],
  [
    "has no default export",
    "export const a = 1;",
    { function: "default" },
    /: the module has no default export\. It exports a\.$/,
  ],
  [
    "exports a text",
    'export const lookup = "x";',
    {},
    /: the export "lookup" is a string\. Export a function, or a tool/,
  ],
  [
    "exports an object that cannot be called",
    "export const lookup = {};",
    {},
    /is an object without execute\. Export a function/,
  ],
  [
    "exports an object without an input",
    "export const lookup = { execute() {} };",
    {},
    /has no input\. Write `input: z\.object/,
  ],
  [
    "has no input",
    "export const lookup = () => 1;",
    { description: "Finds." },
    /does not describe its input\. Write `lookup\.input = z\.object/,
  ],
  [
    "has no description",
    "export const lookup = () => 1;",
    { parameters: {} },
    /has no description\. Write `description`/,
  ],
  [
    "has an input that is not a Zod object",
    "export const lookup = () => 1; lookup.input = 3;",
    { description: "x" },
    /"lookup_order" needs a Zod object/,
  ],
  [
    "is described twice",
    `${zod}export const lookup = () => 1; lookup.input = z.object({});`,
    described,
    /describes its input itself\. Remove parameters\./,
  ],
  [
    "has a type of another language",
    "export const lookup = () => 1;",
    { ...described, parameters: { price: { type: "float" } } },
    /parameter price of lookup_order has the type "float", which JSON Schema does not have\. Write number\./,
  ],
  [
    "has a misspelt type",
    "export const lookup = () => 1;",
    { ...described, parameters: { id: { type: "strng" } } },
    /Did you mean "string"\?/,
  ],
  [
    "has a misspelt keyword",
    "export const lookup = () => 1;",
    { ...described, parameters: { id: { type: "string", maxlength: 3 } } },
    /parameter id has the keyword "maxlength", which is not supported/,
  ],
])("a function file that %s is refused with its path and the reason", async (_title, code, config, sentence) => {
  await expect(open(code, config)).rejects.toMatchObject({ code: "config", message: expect.stringMatching(sentence) });
});

test("loading a module that never finishes is aborted", async () => {
  await expect(open("await new Promise(() => {}); export const lookup = 1;", {}, { timeoutMs: 100 })).rejects.toThrow(
    /: the module never finishes loading: its top level awaits a promise that never settles/,
  );
});

test("an uncaught error while a module is loaded is reported as an error of the module", async () => {
  const onFault = (listener: (error: unknown) => void) => {
    const timer = setTimeout(() => listener(new Error("lost the database")), 20);
    return () => clearTimeout(timer);
  };
  await expect(open("await new Promise(() => {}); export const lookup = 1;", {}, { onFault })).rejects.toThrow(
    /the module threw while it was loaded: lost the database\. Correct it, and run again\./,
  );
});

test.each([
  ["tools.json", /^The function file tools\.json has the ending \.json, so it cannot be loaded\. Use one of \.ts,/],
  ["tools", /^The function file tools has no ending, so it cannot be loaded/],
  [
    "missing.ts",
    /^The function file missing\.ts does not exist\. Correct the path in "file" of the tool lookup_order\./,
  ],
  ["folder.ts", /^The function file folder\.ts is a folder\. Name a module in it in "file" of the tool lookup_order\./],
])("the function file %s is refused with a remedy", async (file, sentence) => {
  await expect(openFunctionTool(parse({ file }), { baseDir })).rejects.toMatchObject({
    code: "config",
    message: expect.stringMatching(sentence),
  });
});

test.each([
  ["name", "look up", /letters, digits/],
  ["funcion", "lookup", /funcion/],
])("the configuration refuses %s: %s", (key, value, sentence) => {
  const parsed = functionToolConfig.safeParse({
    type: "function",
    name: "a",
    file: "a.ts",
    function: "a",
    [key]: value,
  });
  expect(parsed.error?.message).toMatch(sentence);
});
