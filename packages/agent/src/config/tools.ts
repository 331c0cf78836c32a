/** The schema of `tools`, made from the registered kinds of tools. */
import type { ToolKind } from "@bridle/protocol";
import { z } from "zod";
import type { toolKinds } from "../tool-kinds/registry.ts";

/** One entry of `tools`, of any kind that Bridle has. */
export type ToolConfig = z.output<(typeof toolKinds)[number]["schema"]>;

/** One entry of `tools` before parsing. */
type ToolInput = z.input<(typeof toolKinds)[number]["schema"]>;

/** Tool kinds of other products, and what to write instead. */
export const agentsInstead =
  "write an entry with type: agent and the other agent's file. On Claude Code, claude.agents defines subagents";

const unsupportedKinds = {
  prompt: "write a function tool that asks a model, or a skill with the text",
  subagent: agentsInstead,
  hosted:
    "the provider would run it, where no rule of yours applies. Use an MCP server, or on Claude Code claude.web_search",
  skill: "write the text to SKILL.md in a folder, and name that folder in skills",
} as const;

/** Creates the schema of one entry of `tools`, of any of these kinds. */
export function createToolSchema(kinds: readonly ToolKind[]): z.ZodType<ToolConfig, ToolInput> {
  const schemas = [
    ...kinds.map(({ schema, summary, example }) => schema.meta({ description: summary, examples: [example] })),
    ...Object.entries(unsupportedKinds).map(refusedKind),
  ];
  const [first, ...rest] = schemas;
  if (first === undefined) throw new Error("There are no kinds of tools.");
  // The type is that of the registered kinds, although tests may add kinds.
  return z.discriminatedUnion("type", [first, ...rest]) as unknown as z.ZodType<ToolConfig, ToolInput>;
}

function refusedKind([type, remedy]: readonly [type: string, remedy: string]): z.ZodObject {
  return z
    .looseObject({ type: z.literal(type).describe(`Not supported: ${type}: ${remedy}.`) })
    .check(({ value, issues }) => {
      const message = `is ${type}, which is not supported: ${remedy}.`;
      issues.push({ code: "custom", input: value, path: ["type"], message });
    });
}
