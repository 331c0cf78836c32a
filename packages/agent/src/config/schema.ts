/**
 * The form of an agent's file. This one definition is what files are checked against, what `bridle agent schema` prints
 * and what the reference is made from.
 */
import { policySchema } from "@bridle/project";
import { z } from "zod";
import { text } from "./fields.ts";
import { instructionsSchema } from "./instructions.ts";
import { modelSchema } from "./model.ts";
import { toolSchema } from "./tools.ts";

export const agentSchema = z.strictObject({
  name: text("The name of the agent: a label of its runs."),
  description: text("What it is for, in a sentence.").exactOptional(),
  author: text("Who wrote it.").exactOptional(),
  model: modelSchema.exactOptional().describe("The model and its host. Default: the settings in bridle.yaml."),
  instructions: instructionsSchema,
  tools: z.array(toolSchema).max(50).exactOptional().describe("What the model may call."),
  policy: policySchema.exactOptional(),
});

/** What an agent's file says. */
export type AgentConfig = z.output<typeof agentSchema>;
