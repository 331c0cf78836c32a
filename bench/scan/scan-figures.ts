import { z } from "zod";

const phase = z.object({
  /** Milliseconds since the start until the last report of the phase, and the CPU time until then. */
  endMs: z.number(),
  cpuMs: z.number(),
  /** How often progress was reported, and the longest time without a report. */
  reports: z.number(),
  maxMs: z.number(),
  last: z.string(),
  /** The peak memory of the process in the phase, and the longest time that nothing else could run. */
  peakBytes: z.number(),
  blockedMs: z.number(),
  /** The longest such time as CPU time of the thread. Other processes do not lengthen it. */
  blockedCpuMs: z.number(),
});

export const scanFigures = z.object({
  seconds: z.number(),
  /** Of the scanning process, without a server. */
  cpuSeconds: z.number(),
  peakBytes: z.number(),
  queries: z.number(),
  tables: z.number(),
  measured: z.number(),
  joins: z.number(),
  review: z.number(),
  drift: z.number(),
  problems: z.array(z.string()),
  phases: z.record(z.string(), phase),
});

export type ScanFigures = z.infer<typeof scanFigures>;
