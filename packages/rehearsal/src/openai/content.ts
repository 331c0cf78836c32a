import { z } from "zod";

const part = z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });

/** The content of a message: a string, or parts. */
export const content = z.union([z.string(), z.array(part)]);

/** Returns a message's text; empty for `undefined` and `null`. */
export function joinOpenAIText(value: z.output<typeof content> | null | undefined): string {
  if (typeof value === "string") return value;
  return (value ?? []).flatMap(({ text, refusal }) => text ?? refusal ?? []).join("\n");
}
