import { z } from "zod";

export const manifestName = "manifest.json";

/** The table of contents of a bundle. */
export const manifestSchema = z.strictObject({
  bundle: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The run or the session; the project alone if the event log is empty. */
  of: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["run", "session"]), id: z.string() }),
    z.strictObject({ kind: z.literal("project") }),
  ]),
  /** How each of its runs ended. */
  runs: z.array(z.strictObject({ runId: z.string(), stopReason: z.string().nullable(), error: z.string().nullable() })),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.number(), sha256: z.string() })),
  leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});
export type Manifest = z.output<typeof manifestSchema>;
