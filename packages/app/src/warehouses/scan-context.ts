import { type ScanProgress, type ScanReport, scan } from "@bridle/context";
import { isBridleError } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { chooseConnections } from "./choose-connections.ts";
import { type OpenKnowledge, withKnowledge } from "./open-knowledge.ts";

/** The progress of the scan of one connection. */
export interface ConnectionProgress extends ScanProgress {
  readonly connection: string;
}

export interface ScanEffects {
  readonly signal: AbortSignal;
  onProgress(progress: ConnectionProgress): void;
  /** Called when the scan of a connection has ended. */
  onReport(report: ScanReport): void;
}

export interface ScanSelection {
  /** The name of a connection. Default: all connections, one after another. */
  readonly connection?: string | undefined;
  /** Measure every table again. Default: only tables that have changed. */
  readonly refresh?: boolean | undefined;
}

const drift = z.array(z.object({ kind: z.string(), subject: z.string(), detail: z.string() })).readonly();

export const scannedContextSchema = z.object({
  scans: z
    .array(
      z.object({
        connection: z.string(),
        tables: z.number(),
        columns: z.number(),
        measured: z.number(),
        joins: z.number(),
        review: z.number(),
        queries: z.number(),
        durationMs: z.number(),
        problems: z.array(z.object({ table: z.string(), problem: z.string() })).readonly(),
        missing: z.array(z.string()).readonly(),
        drift,
      }),
    )
    .readonly(),
  /** Connections that could not be scanned, each with the reason. */
  failed: z.array(z.object({ connection: z.string(), problem: z.string() })).readonly(),
});
export type ScannedContext = z.output<typeof scannedContextSchema>;

/**
 * Scans connections of the project, one after another. A connection that fails does not stop the others.
 *
 * @throws ConfigError if there is no such connection; StoppedError if `signal` was aborted, and the next scan continues.
 */
export function scanContext(
  { connection, refresh }: ScanSelection,
  context: ProjectContext,
  effects: ScanEffects,
): Promise<ScannedContext> {
  const names = chooseConnections(connection, context);
  return withKnowledge(context, async ({ facts, files }) => {
    const scans: ScanReport[] = [];
    const failed: { connection: string; problem: string }[] = [];
    for (const name of names) {
      try {
        const report = await scanConnection(name, { facts, files, refresh }, context, effects);
        effects.onReport(report);
        scans.push(report);
      } catch (error) {
        if (effects.signal.aborted || !isBridleError(error) || names.length === 1) throw error;
        failed.push({ connection: name, problem: error.message });
      }
    }
    return scannedContextSchema.parse({ scans, failed });
  });
}

async function scanConnection(
  name: string,
  { facts, files, refresh }: Pick<OpenKnowledge, "facts" | "files"> & Pick<ScanSelection, "refresh">,
  { project }: ProjectContext,
  { signal, onProgress }: ScanEffects,
): Promise<ScanReport> {
  const { queries, minutes, sampleRows } = project.settings.context.scan;
  const warehouse = await project.openWarehouse(name, { signal });
  try {
    return await scan(warehouse, facts, {
      budget: { queries, timeMs: minutes === undefined ? undefined : minutes * 60_000 },
      ...{ sampleRows, signal, refresh, decisions: files.read().joins },
      reconnect: () => project.openWarehouse(name, { signal }),
      onProgress: (progress) => onProgress({ ...progress, connection: name }),
    });
  } finally {
    await warehouse.close();
  }
}
