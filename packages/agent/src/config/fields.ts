/** Kinds of value that many fields of an agent's file have. */
import { z } from "zod";

export const text = (what: string) => z.string().trim().min(1).describe(what);
export const file = (what: string) => z.string().min(1).describe(`${what} A path is from the folder of this file on.`);
export const flag = (what: string) => z.boolean().describe(what);
export const share = (what: string) => z.number().min(0).max(1).describe(what);
export const wholeFrom = (least: number, what: string) => z.int().min(least).describe(what);
export const address = (what: string) => z.url({ protocol: /^https?$/ }).describe(what);

/** A field of other tools that we do not have: whatever it says, `remedy` tells what to do. */
export function refused(remedy: string) {
  return z
    .unknown()
    .refine(() => false, { error: `is not supported: ${remedy}` })
    .exactOptional()
    .describe(`Not supported: ${remedy}`);
}
