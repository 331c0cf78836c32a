import { z } from "zod";

const httpAddress = () => z.url({ protocol: /^https?$/ });

/** Kinds of value that the keys of `llm.provider` and `embeddings` have. Any of them may be missing. */
export const settingFields = {
  text: (description: string) => z.string().min(1).optional().describe(description),
  address: (description: string) => httpAddress().optional().describe(description),
  count: (description: string) => z.int().min(1).exactOptional().describe(description),
  /** The key of an account, with the variable that usually holds it. */
  key: (variable: string) => settingFields.text(`The key of the account that pays, such as \${${variable}}.`),
};

/** Kinds of value that the fields of an agent's file have. */
export const agentFields = {
  text: (description: string) => z.string().trim().min(1).describe(description),
  file: (description: string) =>
    z.string().min(1).describe(`${description} A path is from the folder of this file on.`),
  flag: (description: string) => z.boolean().describe(description),
  share: (description: string) => z.number().min(0).max(1).describe(description),
  wholeFrom: (least: number, description: string) => z.int().min(least).describe(description),
  address: (description: string) => httpAddress().describe(description),
  /** A key that names the variable of a credential. */
  key: (variable: string) =>
    agentFields.text(`The key of the account that pays, such as \${${variable}}.`).exactOptional(),
  /** A field of other products that Bridle does not have. Every value is refused, and `remedy` says what to do instead. */
  refused: (remedy: string) =>
    z
      .unknown()
      .refine(() => false, { error: `is not supported: ${remedy}` })
      .exactOptional()
      .describe(`Not supported: ${remedy}`),
};

/** Refuses a mapping with keys of more than one group: they do the same thing, and one of them has to be chosen. */
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
