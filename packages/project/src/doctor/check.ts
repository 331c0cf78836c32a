import { z } from "zod";

/** One thing that a run needs, and whether it is there. */
export const checkSchema = z.strictObject({
  id: z.string().describe("Stable, for machines."),
  title: z.string(),
  ok: z.union([z.boolean(), z.literal("skipped")]).describe("true with a remedy: it works, and there is a warning."),
  detail: z.string().describe("What was found. Names of credentials, never their values."),
  remedy: z.string().exactOptional().describe("What to do about it; every failed check and every warning has one."),
  area: z.enum(["configuration", "authentication", "backend"]).describe("What is at fault when the check fails."),
});
export type Check = z.output<typeof checkSchema>;

/** What `bridle doctor --json` prints. */
export const doctorSchema = z.strictObject({ ok: z.boolean(), checks: z.array(checkSchema) });

type Identity = Pick<Check, "id" | "title" | "area">;

export function passed(identity: Identity, detail: string): Check {
  return { ...identity, ok: true, detail };
}

/** What works, and should not stay as it is. */
export function warned(identity: Identity, detail: string, remedy: string): Check {
  return { ...identity, ok: true, detail, remedy };
}

export function failed(identity: Identity, detail: string, remedy: string): Check {
  return { ...identity, ok: false, detail, remedy };
}

export function skipped(identity: Identity, detail: string): Check {
  return { ...identity, ok: "skipped", detail };
}
