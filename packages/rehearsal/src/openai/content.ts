import { z } from "zod";

const part = z.looseObject({ type: z.string(), text: z.string().optional(), refusal: z.string().optional() });

/** What a message says: a text, or parts of which some are text. */
export const content = z.union([z.string(), z.array(part)]);

/** The text of a message; `undefined` and `null` are none. */
export function textOf(value: z.output<typeof content> | null | undefined): string {
  if (typeof value === "string") return value;
  return (value ?? []).flatMap(({ text, refusal }) => text ?? refusal ?? []).join("\n");
}
