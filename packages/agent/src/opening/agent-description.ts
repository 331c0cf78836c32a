import { trustSchema } from "@bridle/project";
import { z } from "zod";

/** Annotations that the tool does not declare have their defaults. */
const annotation = z.boolean();

/** The output of `bridle agent show --json`. */
export const agentDescriptionSchema = z.strictObject({
  name: z.string(),
  file: z.string(),
  description: z.string().nullable(),
  author: z.string().nullable(),
  instructions: z.strictObject({
    version: z.string(),
    file: z.string().nullable(),
    author: z.string().nullable(),
    description: z.string().nullable(),
    tags: z.array(z.string()),
    firstLines: z.array(z.string()),
    characters: z.number(),
    /** The complete instructions; `null` if they are in a file of a folder that is not trusted. */
    text: z.string().nullable(),
  }),
  backend: z.string(),
  model: z.string().nullable(),
  settings: z.record(z.string(), z.number()),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.string(),
      source: z.string(),
      field: z.string(),
      description: z.string(),
      annotations: z.strictObject({
        readOnly: annotation,
        destructive: annotation,
        idempotent: annotation,
        openWorld: annotation,
      }),
      /** The description that the model gets; `null` if the tool was not opened. */
      inputSchema: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
  builtins: z.array(z.string()),
  policy: z.strictObject({ mode: z.string(), rules: z.number(), disabled: z.array(z.string()) }).nullable(),
  limits: z.strictObject({ steps: z.number(), seconds: z.number().nullable(), costUsd: z.number().nullable() }),
  answers: z.enum(["text", "object"]),
  testCases: z.number(),
  trust: trustSchema,
  /** The problems that prevent a run, each with its position. */
  problems: z.array(z.string()),
  warnings: z.array(z.string()),
});

/** The model, tools, rules and limits of an agent. */
export type AgentDescription = z.output<typeof agentDescriptionSchema>;
