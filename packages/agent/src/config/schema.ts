/**
 * The form of an agent's file. This one definition is what files are checked against, what `bridle agent schema` prints
 * and what the reference is made from.
 */

import { agentBlocks, policySchema } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { z } from "zod";
import { observabilityConfig } from "../observability/observability-config.ts";
import { skillsConfig } from "../skills/skills-config.ts";
import { toolKinds } from "../tool-kinds.ts";
import { embeddingProviderSchema } from "./embedding-provider.ts";
import { executionSchema } from "./execution.ts";
import { refused, text } from "./fields.ts";
import { instructionsSchema } from "./instructions.ts";
import { evaluationsSchema } from "./metrics.ts";
import { modelSchema } from "./model.ts";
import { testCasesSchema } from "./test-cases.ts";
import { createToolSchema } from "./tools.ts";

/** The blocks that only one host understands, such as `claude`. */
const hostBlocks: Readonly<Record<string, z.ZodExactOptional<z.ZodType>>> = Object.fromEntries(
  agentBlocks().map(({ block }) => [block.key, block.schema.exactOptional()]),
);

/** The schema of a file whose tools are of these kinds. */
export function createAgentSchema(kinds: readonly ToolKind[]) {
  return z
    .strictObject({
      name: text("The name of the agent, which is a label of its runs."),
      description: text("What it is for, in a sentence.").exactOptional(),
      author: text("Who wrote it.").exactOptional(),
      model: modelSchema.exactOptional().describe("The model and its host. Default: the settings in bridle.yaml."),
      instructions: instructionsSchema,
      tools: z
        .array(createToolSchema(kinds))
        .max(50)
        .exactOptional()
        .describe("What the model may call, and nothing else."),
      skills: skillsConfig.exactOptional(),
      policy: policySchema
        .exactOptional()
        .describe("Rules over the calls of tools. They decide; what bridle.yaml denies stays denied."),
      response_format: z
        .union([z.string().min(1), z.record(z.string(), z.unknown()), z.null()])
        .exactOptional()
        .describe(
          "A JSON Schema of the type object, or a file with it: every answer is an object that fits. null: text.",
        ),
      embedding_provider: embeddingProviderSchema.exactOptional(),
      execution: executionSchema.exactOptional(),
      ...hostBlocks,
      observability: observabilityConfig.exactOptional(),
      evaluations: evaluationsSchema.exactOptional(),
      test_cases: testCasesSchema.exactOptional(),
      tool_filtering: refused(
        "the model is offered every tool of the file. Name fewer tools, or take some of a server with its key tools.",
      ),
      deployment: refused("agents run where the command or your program runs. Put that into a container of your own."),
      openai: refused("limits are set in execution, and rules over tools in policy."),
    })
    .check(({ value, issues }) => {
      for (const { block } of agentBlocks()) {
        const [holder, field] = block.sameLimit?.field ?? ["", ""];
        const key = block.sameLimit?.key ?? "";
        const [inBlock, inAgent] = [valueAt(value, [block.key, key]), valueAt(value, [holder, field])];
        if (inBlock === undefined || inAgent === undefined) continue;
        const message = `says the same as ${block.key}.${key}. Keep one of them.`;
        issues.push({ code: "custom", input: valueAt(value, [holder]), path: [holder, field], message });
      }
    })
    .describe("An agent: what it is told, what it may call, and by what rules.");
}

export const agentSchema = createAgentSchema(toolKinds);

/** The content of an agent's file. */
export type AgentConfig = z.output<typeof agentSchema>;

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return typeof value === "object" && value !== null ? valueAt(Reflect.get(value, key), rest) : undefined;
}
