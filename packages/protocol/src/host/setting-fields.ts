import { z } from "zod";

const httpAddress = () => z.url({ protocol: /^https?$/ });

/** Schemas for values below `llm.provider` and `embeddings`. All values are optional. */
export const settingFields = {
  text: (description: string) => z.string().min(1).optional().describe(description),
  address: (description: string) => httpAddress().optional().describe(description),
  count: (description: string) => z.int().min(1).exactOptional().describe(description),
  /** The key of an account. The description names the variable that usually has the key. */
  key: (variable: string) => settingFields.text(`The key of the account that pays, such as \${${variable}}.`),
};

/** Schemas for values in an agent file. */
export const agentFields = {
  text: (description: string) => z.string().trim().min(1).describe(description),
  file: (description: string) => z.string().min(1).describe(`${description} Relative to this file's folder.`),
  flag: (description: string) => z.boolean().describe(description),
  /** The name of the tool that an entry defines, with at most `max` characters. */
  toolName: (max = 64) =>
    z
      .string()
      .regex(new RegExp(`^[A-Za-z0-9_-]{1,${max}}$`), `must be 1 to ${max} letters, digits, _ or -`)
      .describe("The name of the tool for the model and in rules."),
  share: (description: string) => z.number().min(0).max(1).describe(description),
  wholeFrom: (min: number, description: string) => z.int().min(min).describe(description),
  address: (description: string) => httpAddress().describe(description),
  /** A credential. The description names the variable that usually has the credential. */
  key: (variable: string) =>
    agentFields.text(`The key of the account that pays, such as \${${variable}}.`).exactOptional(),
  /** A field of another product that Bridle does not support. Every value is refused, with the remedy. */
  refused: (remedy: string) =>
    z
      .unknown()
      .refine(() => false, { error: `is not supported: ${remedy}` })
      .exactOptional()
      .describe(`Not supported: ${remedy}`),
};

/** Refuses a mapping with keys of more than one group, because the groups are alternatives. */
export function atMostOne(groups: readonly (readonly string[])[]): z.core.CheckFn<object> {
  return ({ value, issues }) => {
    const [first, second] = groups.flatMap((keys) => keys.find((key) => Reflect.get(value, key) !== undefined) ?? []);
    if (first === undefined || second === undefined) return;
    issues.push({
      code: "custom",
      input: value,
      path: [second],
      message: `cannot be combined with ${first}. Keep one.`,
    });
  };
}
