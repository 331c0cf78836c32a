/**
 * The form of an agent's file. This one definition is what files are checked against, what `bridle agent schema` prints
 * and what the reference is made from.
 */

import { policySchema } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";
import { z } from "zod";
import { claudeConfig } from "../claude/claude-config.ts";
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
      claude: claudeConfig.exactOptional(),
      observability: observabilityConfig.exactOptional(),
      evaluations: evaluationsSchema.exactOptional(),
      test_cases: testCasesSchema.exactOptional(),
      tool_filtering: refused(
        "the model is offered every tool of the file. Name fewer tools, or take some of a server with its key tools.",
      ),
      deployment: refused("agents run where the command or your program runs. Put that into a container of your own."),
      openai: refused("limits are set in execution, and rules over tools in policy."),
    })
    .check(({ value: { claude, execution }, issues }) => {
      if (claude?.max_turns === undefined || execution?.max_steps === undefined) return;
      const message = "says the same as claude.max_turns. Keep one of them.";
      issues.push({ code: "custom", input: execution, path: ["execution", "max_steps"], message });
    })
    .describe("An agent: what it is told, what it may call, and by what rules.");
}

export const agentSchema = createAgentSchema(toolKinds);

/** The content of an agent's file. */
export type AgentConfig = z.output<typeof agentSchema>;
