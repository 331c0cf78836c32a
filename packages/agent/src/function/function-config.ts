import { z } from "zod";

/** What a function promises about itself; the names of the core's annotations in the spelling of YAML. */
const annotations = z
  .strictObject({
    read_only: z.boolean().optional().describe("Changes nothing: calls may run side by side."),
    destructive: z.boolean().optional().describe("May remove or overwrite what cannot be brought back."),
    idempotent: z.boolean().optional().describe("A second call with the same input changes nothing more."),
    open_world: z.boolean().optional().describe("Reaches beyond this machine and its data."),
  })
  .describe("What the function promises, for rules and modes; each one given here counts over the module's own.");

const parameter = z
  .looseObject({
    type: z.unknown().optional().describe("A type of JSON Schema, such as string, number, integer, boolean."),
    description: z.string().optional().describe("What it means, for the model."),
    required: z
      .union([z.boolean(), z.array(z.string())])
      .optional()
      .describe("Whether a call has to give it. Default true, and false where there is a default."),
    default: z.unknown().optional().describe("What the function gets where a call leaves it out."),
  })
  .describe("A JSON Schema of one parameter.");

/** A tool that is a function of a TypeScript or JavaScript module. */
export const functionToolConfig = z.strictObject({
  type: z.literal("function").describe("A function of a TypeScript or JavaScript module."),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "has to be 1 to 64 letters, digits, _ or -")
    .describe("What the model and rules call it, whatever the module does."),
  description: z.string().min(1).optional().describe("What it does, for the model. Default: what the module says."),
  file: z.string().min(1).describe("The module; the path is from the folder of this file."),
  function: z.string().min(1).describe('The name of the export; "default" for the default one.'),
  parameters: z
    .record(z.string(), parameter)
    .optional()
    .describe("The input of a function that does not describe it itself: each parameter by name, as JSON Schema."),
  annotations: annotations.optional(),
});

export type FunctionToolConfig = z.infer<typeof functionToolConfig>;
