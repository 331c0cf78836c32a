/** `bridle metrics import`: writes models of another tool as files in `context/models`. */
import type { OpenedContext } from "@bridle/context";
import {
  type ImportFinding,
  importMetricModels,
  metricFormats,
  type PlaceModel,
  recogniseFormats,
} from "@bridle/metric-formats";
import { ConfigError, suggestion } from "@bridle/protocol";
import type { SemanticModel } from "@bridle/semantic";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { chooseConnections } from "../warehouses/choose-connections.ts";
import { withKnowledge } from "../warehouses/open-knowledge.ts";
import { planFiles, writeFiles } from "./imported-files.ts";
import { readImportFiles } from "./read-import-files.ts";

/** The formats that can be imported, by name. */
export const metricImportFormats: readonly string[] = metricFormats.map(({ id }) => id);

const counted = {
  dimensions: z.int(),
  measures: z.int(),
  metrics: z.int(),
  joins: z.int(),
  segments: z.int(),
};

export const importedMetricsSchema = z.strictObject({
  /** The format, such as `metricflow`. */
  format: z.string(),
  files: z
    .array(
      z.strictObject({
        model: z.string(),
        /** The path relative to the project. */
        file: z.string(),
        change: z.enum(["new", "replaced", "unchanged"]),
        text: z.string(),
      }),
    )
    .readonly(),
  /** Whether the files were written. */
  written: z.boolean(),
  /** Whether the models were compared with the tables of a scan. */
  compared: z.boolean(),
  findings: z
    .array(
      z.strictObject({
        kind: z.enum(["refused", "changed"]),
        subject: z.string(),
        reason: z.string(),
        file: z.string(),
        line: z.int().nullable(),
      }),
    )
    .readonly(),
  /** Properties in the files that were dropped because they affect no number. */
  notNeeded: z.array(z.strictObject({ key: z.string(), count: z.int() })).readonly(),
  counts: z.strictObject({ models: z.int(), ...counted, refused: z.int(), changed: z.int() }),
});
export type ImportedMetrics = z.output<typeof importedMetricsSchema>;

export interface ImportMetricsOptions {
  /** The format. Default: the format of the files, if there is only one. */
  readonly from?: string | undefined;
  /** The connection of the models. Default: the connection with a scan that contains the table. */
  readonly connection?: string | undefined;
  /** The schema for tables that the files name without a schema. */
  readonly schema?: string | undefined;
  /** Whether existing files may be replaced. */
  readonly force?: boolean | undefined;
  /** Whether nothing is written. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Reads the models of another tool, and writes them to `context/models`. They are compared with the scan. Definitions that refer to
 * a missing column are rejected, along with everything that depends on them.
 *
 * @throws ConfigError if the path cannot be read, the format is ambiguous, or a file already exists.
 */
export async function importMetrics(
  path: string,
  options: ImportMetricsOptions,
  context: ProjectContext,
): Promise<ImportedMetrics> {
  if (options.connection !== undefined) chooseConnections(options.connection, context);
  const { format, files, findings: unread } = await readSource(path, options.from, context.cwd);
  const { connection, schema } = options;
  const { projectDir, connections } = context.project;
  return withKnowledge(context, async (opened) => {
    const tables = new ScannedTables(opened, connection !== undefined || connections.length > 1);
    const imported = importMetricModels(format, files, {
      connection,
      schema,
      placeModel: (model) => tables.place(model),
    });
    const planned = await planFiles(imported.models, projectDir);
    if (!options.dryRun) await writeFiles(planned, projectDir, options.force ?? false);
    return importedMetricsSchema.parse({
      format: format.id,
      files: planned.map(({ model, ...file }) => ({ model: model.name, ...file })),
      written: !options.dryRun,
      compared: tables.areKnown,
      notNeeded: Object.entries(imported.notNeeded ?? {}).map(([key, count]) => ({ key, count })),
      ...report([...unread, ...imported.findings], imported.models),
    });
  });
}

async function readSource(path: string, from: string | undefined, cwd: string) {
  const named = metricFormats.find(({ id }) => id === from);
  if (from !== undefined && !named)
    throw new ConfigError(
      `There is no format ${from}.${suggestion(from, metricImportFormats)} Formats: ${metricImportFormats.join(", ")}.`,
      {},
    );
  const endings = (named ? [named] : metricFormats).flatMap((format) => format.endings);
  const read = await readImportFiles(path, cwd, endings);
  const [found, other] = named ? [named] : recogniseFormats(read.files);
  if (found && !other) return { format: found, ...read };
  const [first] = read.findings;
  if (!found && read.files.length === 0 && first) throw new ConfigError(`${first.subject}: ${first.reason}`, {});
  const what = other ? `${path} has files of several formats` : `${path} has no models of a known format`;
  throw new ConfigError(`${what}. Name the format with --from: ${metricImportFormats.join(", ")}.`, {});
}

/** The scanned tables, for models of another tool. */
class ScannedTables {
  readonly #opened: OpenedContext;
  readonly #namesConnection: boolean;

  constructor(opened: OpenedContext, namesConnection: boolean) {
    this.#opened = opened;
    this.#namesConnection = namesConnection;
  }

  /** Whether a scan found tables. Independent of whether a model was placed. */
  get areKnown(): boolean {
    return this.#opened.knowledge.connections().some(({ tables }) => tables > 0);
  }

  place(model: SemanticModel): ReturnType<PlaceModel> {
    const placed = this.#opened.metrics.place(model);
    if (placed === undefined || typeof placed === "string") return placed;
    const { connection, ...rest } = placed.model;
    return { columns: placed.columns, model: this.#namesConnection ? placed.model : rest };
  }
}

function report(
  findings: readonly ImportFinding[],
  models: readonly SemanticModel[],
): Pick<ImportedMetrics, "findings" | "counts"> {
  const countOf = (kind: ImportFinding["kind"]) => findings.filter((each) => each.kind === kind).length;
  const sum = (key: "dimensions" | "measures" | "metrics" | "joins" | "segments") =>
    models.reduce((total, model) => total + (model[key]?.length ?? 0), 0);
  return {
    findings: findings.map(({ kind, subject, reason, position: { file, line = null } }) => ({
      kind,
      subject,
      reason,
      file,
      line,
    })),
    counts: {
      models: models.length,
      dimensions: sum("dimensions"),
      measures: sum("measures"),
      metrics: sum("metrics"),
      joins: sum("joins"),
      segments: sum("segments"),
      refused: countOf("refused"),
      changed: countOf("changed"),
    },
  };
}
