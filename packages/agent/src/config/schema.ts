/** The schema of an agent file. Files are checked against it, `bridle agent schema` prints it, and the reference is generated from it. */

import { policySchema } from "@bridle/core";
import { agentBlocks } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { z } from "zod";
import { toolKinds } from "../tool-kinds/registry.ts";
import { embeddingProviderSchema } from "./embedding-provider.ts";
import { executionSchema } from "./execution.ts";
import { file, refused, text } from "./fields.ts";
import { instructionsSchema } from "./instructions.ts";
import { evaluationsSchema } from "./metrics.ts";
import { modelSchema } from "./model.ts";
import { observabilityConfig } from "./observability-config.ts";
import { skillsConfig } from "./skills-config.ts";
import { testCasesSchema } from "./test-cases.ts";
import { createToolSchema } from "./tools.ts";

/** The blocks that only one host understands, such as `claude`. */
const hostBlocks: Readonly<Record<string, z.ZodExactOptional<z.ZodType>>> = Object.fromEntries(
  agentBlocks().map(({ block }) => [block.key, block.schema.exactOptional()]),
);

/** Creates the schema of a file with tools of these kinds. */
export function createAgentSchema(kinds: readonly ToolKind[]) {
  return z
    .strictObject({
      name: text("The name of the agent, which is also a label of its runs."),
      description: text("The purpose of the agent, in one sentence.").exactOptional(),
      author: text("The author of the agent.").exactOptional(),
      model: modelSchema.exactOptional().describe("The model and its host. Default: the settings in bridle.yaml."),
      instructions: instructionsSchema,
      tools: z
        .array(createToolSchema(kinds))
        .max(50)
        .exactOptional()
        .describe("The only tools that the model may call."),
      skills: skillsConfig.exactOptional(),
      policy: policySchema
        .exactOptional()
        .describe(
          "Rules for tool calls. They take precedence over bridle.yaml, but calls that bridle.yaml denies stay denied.",
        ),
      response_format: z
        .union([z.string().min(1), z.record(z.string(), z.unknown()), z.null()])
        .exactOptional()
        .describe(
          "A JSON Schema of type object, or a file with one. Every answer is then an object that matches it. OpenAI's form { type: json_schema, json_schema: { name, schema } } also works. null: answers are text.",
        ),
      embedding_provider: embeddingProviderSchema.exactOptional(),
      execution: executionSchema.exactOptional(),
      ...hostBlocks,
      observability: observabilityConfig.exactOptional(),
      evaluations: evaluationsSchema.exactOptional(),
      test_cases: testCasesSchema.exactOptional(),
      test_cases_file: file(
        "A file with the test cases, instead of test_cases: YAML or JSON (the list itself, or a mapping with the key test_cases), JSON Lines (.jsonl), or CSV with one column for each key of a case.",
      ).exactOptional(),
      tool_filtering: z
        .looseObject({ enabled: z.boolean().exactOptional() })
        .exactOptional()
        .describe(
          "Not supported: has no effect, and Bridle shows a warning. Remove it. The model gets every tool in the file, so list fewer tools, or select a server's tools with the key tools of its entry.",
        ),
      deployment: refused(
        "an agent runs in the process of the command or your program. Run that process in your own container.",
      ),
      openai: refused("set limits in execution, and rules for tools in policy."),
    })
    .check(({ value, issues }) => {
      for (const { path, message } of [...twiceGivenCases(value), ...sameLimits(value)]) {
        issues.push({ code: "custom", input: valueAt(value, path.slice(0, -1)), path, message });
      }
    })
    .describe("An agent: its instructions, its tools and its rules.");
}

interface Conflict {
  readonly path: string[];
  readonly message: string;
}

function twiceGivenCases(value: object): Conflict[] {
  if (!("test_cases" in value) || !("test_cases_file" in value)) return [];
  return [{ path: ["test_cases_file"], message: "cannot be combined with test_cases. Keep one of them." }];
}

/** Finds limits that the host's block also sets. */
function sameLimits(value: object): Conflict[] {
  return agentBlocks().flatMap(({ block }) => {
    const path = [...(block.sameLimit?.field ?? ["", ""])];
    const key = block.sameLimit?.key ?? "";
    if (valueAt(value, [block.key, key]) === undefined || valueAt(value, path) === undefined) return [];
    return [{ path, message: `sets the same limit as ${block.key}.${key}. Keep one of them.` }];
  });
}

export const agentSchema = createAgentSchema(toolKinds);

/** The content of an agent file before parsing. */
export type AgentInput = z.input<typeof agentSchema>;

/** The content of an agent file, with its defaults. */
export type AgentConfig = z.output<typeof agentSchema>;

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return typeof value === "object" && value !== null ? valueAt(Reflect.get(value, key), rest) : undefined;
}
