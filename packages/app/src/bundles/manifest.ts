import { z } from "zod";
import type { BundleFile } from "./archive/spool-file.ts";

export const manifestName = "manifest.json";

/** The table of contents of a bundle. */
export const manifestSchema = z.strictObject({
  bundle: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The run or the session; only the project if the event log is empty. */
  of: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.enum(["run", "session"]), id: z.string() }),
    z.strictObject({ kind: z.literal("project") }),
  ]),
  /** How each of the newest runs ended. */
  runs: z.array(z.strictObject({ runId: z.string(), stopReason: z.string().nullable(), error: z.string().nullable() })),
  files: z.array(z.strictObject({ path: z.string(), bytes: z.number(), sha256: z.string() })),
  leftOut: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type LeftOut = Manifest["leftOut"];

interface ManifestSubject {
  readonly of: Manifest["of"];
  readonly at: Date;
  /** Runs of the bundle. `earlierRuns` is the number of runs before them. */
  readonly events: { readonly runs: Manifest["runs"]; readonly earlierRuns: number };
}

/** Creates the manifest of these files. */
export function createManifest(
  { of, at, events }: ManifestSubject,
  files: readonly BundleFile[],
  leftOut: LeftOut,
): Manifest {
  const { runs, earlierRuns } = events;
  const why = `the manifest lists the newest ${runs.length}; events.jsonl has all`;
  return {
    bundle: 1,
    madeAt: at.toISOString(),
    of,
    runs,
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    leftOut: earlierRuns === 0 ? leftOut : [...leftOut, { what: `the ends of ${earlierRuns} earlier runs`, why }],
  };
}
