import { z } from "zod";

/** The annotations of a function, in the spelling of YAML. */
const annotations = z
  .strictObject({
    read_only: z.boolean().optional().describe("The function changes nothing, so calls can run in parallel."),
    destructive: z
      .boolean()
      .optional()
      .describe("The function can remove or overwrite data for good. Default: true, unless read_only."),
    idempotent: z.boolean().optional().describe("A second call with the same input changes nothing more."),
    open_world: z
      .boolean()
      .optional()
      .describe("The function uses systems outside of this machine. Default: true, unless read_only."),
  })
  .describe("The annotations of the function, for rules and modes. A value here overrides the module's.");

const parameter = z
  .looseObject({
    type: z.unknown().optional().describe("A type of JSON Schema, such as string, number, integer or boolean."),
    description: z.string().optional().describe("The meaning of the parameter, for the model."),
    required: z
      .union([z.boolean(), z.array(z.string())])
      .optional()
      .describe("Whether every call needs the parameter. A parameter with a default is optional. Default: true."),
    default: z.unknown().optional().describe("The value that the function gets if a call leaves the parameter out."),
  })
  .describe("The JSON Schema of one parameter.");

/** A tool that is a function of a TypeScript or JavaScript module. */
export const functionToolConfig = z.strictObject({
  type: z.literal("function").describe("A function of a TypeScript or JavaScript module."),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -")
    .describe("The name of the tool for the model and in rules."),
  description: z
    .string()
    .min(1)
    .optional()
    .describe("A description of the function for the model. Default: the description in the module."),
  file: z.string().min(1).describe("The module. A relative path starts in the folder of this file."),
  function: z.string().min(1).describe('The name of the export, or "default" for the default export.'),
  parameters: z
    .record(z.string(), parameter)
    .optional()
    .describe("The input of a function whose module does not describe it: a JSON Schema for each parameter, by name."),
  annotations: annotations.optional(),
});

export type FunctionToolConfig = z.infer<typeof functionToolConfig>;
