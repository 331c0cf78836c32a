import { z } from "zod";

const phase = z.object({
  /** The milliseconds from the start to the last report of the phase, and the CPU time until then. */
  endMs: z.number(),
  cpuMs: z.number(),
  /** How often progress was reported, and the longest time without a report. */
  reports: z.number(),
  maxMs: z.number(),
  last: z.string(),
  /** The process's peak memory in the phase, and the longest time in which nothing else could run. */
  peakBytes: z.number(),
  blockedMs: z.number(),
  /** The longest time in which nothing else could run, as CPU time of the thread, because other processes do not lengthen CPU time. */
  blockedCpuMs: z.number(),
});

export const scanFigures = z.object({
  seconds: z.number(),
  /** The figure of the scanning process, without a server. */
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
