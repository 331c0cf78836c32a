import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUILTIN_TOOL_NAMES } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import { hostToolInputs, knownInputs } from "./host-tool-inputs.ts";

const sdk = dirname(fileURLToPath(import.meta.resolve("@anthropic-ai/claude-agent-sdk")));
const typings = readFileSync(join(sdk, "sdk-tools.d.ts"), "utf8");

/** Tools whose types have another name. */
const typeNames: Readonly<Record<string, string>> = { Edit: "FileEdit", Read: "FileRead", Write: "FileWrite" };

/** Returns the keys of the input's type. They are indented by two spaces, and those of nested types by more. */
function inputsInTypings(tool: string): string[] {
  const begin = `export interface ${typeNames[tool] ?? tool}Input {\n`;
  const from = typings.indexOf(begin);
  if (from < 0) return [];
  const body = typings.slice(from + begin.length, typings.indexOf("\n}", from));
  return [...body.matchAll(/^ {2}(?:"([^"]+)"|(\w+)|(\[))/gm)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "any other",
  );
}

test.each(Object.entries(knownInputs))("the inputs of %s are those of the installed SDK's typings", (tool, inputs) => {
  expect(inputs.toSorted()).toEqual(inputsInTypings(tool).toSorted());
});

test("the tools exist in the SDK, and an old name has the inputs of its new one", () => {
  const names: readonly string[] = BUILTIN_TOOL_NAMES;
  expect(Object.keys(knownInputs).filter((name) => !names.includes(name))).toEqual([]);
  expect(hostToolInputs.Task).toEqual(knownInputs.Agent);
  expect(hostToolInputs.PowerShell).toBeUndefined();
});
