import { z } from "zod";

/** The check of one requirement of runs: whether it is met, and the remedy. */
export const checkSchema = z.strictObject({
  id: z.string().describe("A stable id for programs."),
  title: z.string(),
  ok: z
    .union([z.boolean(), z.literal("skipped")])
    .describe("true with a remedy is a warning: the check passed, but something should change."),
  detail: z.string().describe("The finding. It names credentials, but never has their values."),
  remedy: z.string().exactOptional().describe("What to do. Every failed check and every warning has one."),
  area: z.enum(["configuration", "authentication", "backend"]).describe("The cause of the problem if the check fails."),
});
export type Check = z.output<typeof checkSchema>;

/** The output of `bridle doctor --json`. */
export const doctorSchema = z.strictObject({ ok: z.boolean(), checks: z.array(checkSchema) });

type Identity = Pick<Check, "id" | "title" | "area">;

export function passed(identity: Identity, detail: string): Check {
  return { ...identity, ok: true, detail };
}

/** Returns a check that passed with a warning. */
export function warned(identity: Identity, detail: string, remedy: string): Check {
  return { ...identity, ok: true, detail, remedy };
}

export function failed(identity: Identity, detail: string, remedy: string): Check {
  return { ...identity, ok: false, detail, remedy };
}

export function skipped(identity: Identity, detail: string): Check {
  return { ...identity, ok: "skipped", detail };
}
