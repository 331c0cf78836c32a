import type { OpenedContext, ScanProgress, ScanReport } from "@bridle/context";
import { isBridleError, type Logger, silentLogger } from "@bridle/protocol";
import type { ProjectContext } from "../context/project-context.ts";
import { chooseConnections } from "./choose-connections.ts";
import { openDataContext } from "./open-data-context.ts";
import { type ScannedContext, scannedContextSchema } from "./scan-schema.ts";
import { type DescribeChoices, openTableDescriptions, type TableDescriptions } from "./write-descriptions.ts";

/** The progress of the scan of one connection, and of its descriptions. */
export interface ConnectionProgress extends Omit<ScanProgress, "phase"> {
  readonly connection: string;
  readonly phase: ScanProgress["phase"] | "descriptions";
}

export interface ScanEffects {
  readonly signal: AbortSignal;
  /** The log of the model that describes tables. Default: no log. */
  readonly logger?: Logger | undefined;
  onProgress(progress: ConnectionProgress): void;
  /** Called when the scan of a connection has ended. */
  onReport(report: ScanReport): void;
}

export interface ScanSelection {
  /** The name of a connection. Default: all connections, one after another. */
  readonly connection?: string | undefined;
  /** Whether to measure every table again. Default: only tables that have changed. */
  readonly refresh?: boolean | undefined;
  /** Whether a model describes the tables afterwards. Default: no model is called. */
  readonly describe?: DescribeChoices | undefined;
}

/**
 * Scans connections of the project, one after another. A connection that fails does not stop the others.
 *
 * @throws ConfigError if the connection does not exist or the project has no model; StoppedError if `signal` was aborted. The next scan
 * then continues the work.
 */
export async function scanContext(
  selection: ScanSelection,
  context: ProjectContext,
  effects: ScanEffects,
): Promise<ScannedContext> {
  await context.project.requireTrust();
  const names = chooseConnections(selection.connection, context);
  const { describe } = selection;
  const { logger = silentLogger } = effects;
  const opened = await openDataContext(context, {
    isRehearsed: describe?.rehearse !== undefined,
    logger,
    embedder: "none",
  });
  let model: TableDescriptions | undefined;
  try {
    model = describe && (await openTableDescriptions(describe, context, { logger }));
    return await scanAll(names, { ...selection, opened, model }, context, effects);
  } finally {
    await model?.close();
    await opened.close();
  }
}

interface OpenScan extends ScanSelection {
  readonly opened: OpenedContext;
  readonly model: TableDescriptions | undefined;
}

async function scanAll(
  names: readonly string[],
  open: OpenScan,
  context: ProjectContext,
  effects: ScanEffects,
): Promise<ScannedContext> {
  const scans: ScannedContext["scans"][number][] = [];
  const failed: { connection: string; problem: string }[] = [];
  for (const name of names) {
    try {
      const report = await scanConnection(name, open, context, effects);
      effects.onReport(report);
      const onProgress = (progress: { connection: string; done: number; total: number }) =>
        effects.onProgress({ ...progress, phase: "descriptions" });
      const descriptions = await open.model?.write(name, open.opened, { signal: effects.signal, onProgress });
      scans.push({ ...report, ...(descriptions && { descriptions }) });
    } catch (error) {
      if (effects.signal.aborted || !isBridleError(error) || names.length === 1) throw error;
      failed.push({ connection: name, problem: error.message });
    }
  }
  return scannedContextSchema.parse({ scans, failed });
}

function scanConnection(
  name: string,
  { opened, refresh }: OpenScan,
  { project }: ProjectContext,
  { signal, onProgress }: ScanEffects,
): Promise<ScanReport> {
  const { queries, minutes, seconds, sampleRows } = project.settings.context.scan;
  return opened.scan(name, {
    budget: { queries, timeMs: minutes === undefined ? undefined : minutes * 60_000 },
    sampleRows,
    signal,
    refresh,
    statementTimeoutMs: seconds === undefined ? undefined : seconds * 1000,
    onProgress: (progress) => onProgress({ ...progress, connection: name }),
  });
}
