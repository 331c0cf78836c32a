import { z } from "zod";
import { toolName } from "../../config/fields.ts";
import { isPython } from "../../python/is-python.ts";

/** The annotations of a function, named as in YAML. */
const annotations = z
  .strictObject({
    read_only: z.boolean().optional().describe("The function changes nothing, so calls can run in parallel."),
    destructive: z
      .boolean()
      .optional()
      .describe("The function can permanently remove or overwrite data. Default: true, unless read_only."),
    idempotent: z.boolean().optional().describe("A second call with the same input has no further effect."),
    open_world: z
      .boolean()
      .optional()
      .describe("The function uses systems outside this machine. Default: true, unless read_only."),
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
    default: z.unknown().optional().describe("The value for calls without the parameter."),
  })
  .describe("The JSON Schema of one parameter.");

/** A tool that is a function in a TypeScript or JavaScript module, or in a Python file. */
const fields = z.strictObject({
  type: z.literal("function").describe("A function in a TypeScript or JavaScript module, or in a Python file."),
  name: toolName(),
  description: z
    .string()
    .min(1)
    .optional()
    .describe("A description of the function for the model. Default: the description in the module."),
  file: z.string().min(1).describe("The module. Relative to this file's folder."),
  function: z.string().min(1).describe('The name of the export, or "default" for the default export.'),
  runtime: z
    .enum(["node", "python"])
    .optional()
    .describe("python runs the function in a Python file in a separate process. Default: by the extension of file."),
  python: z
    .string()
    .min(1)
    .optional()
    .describe("The program that runs a Python file, such as .venv/bin/python. Default: python3."),
  env: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/, "must be a name of letters, digits and _"), z.string())
    .optional()
    .describe("Variables for a Python file. It gets only these, and the ones that every process needs to start."),
  parameters: z
    .record(z.string(), parameter)
    .optional()
    .describe(
      "The input of the function, if its module does not describe it: a JSON Schema for each parameter, by name.",
    ),
  annotations: annotations.optional(),
});

export const functionToolConfig = fields.superRefine((config, context) => {
  for (const key of ["python", "env"] as const) {
    if (config[key] === undefined || isPython(config)) continue;
    const message =
      "is only for Python files. A module runs in the process of Bridle, and reads process.env. Remove it.";
    context.addIssue({ code: "custom", path: [key], message });
  }
});

export type FunctionToolConfig = z.infer<typeof functionToolConfig>;
