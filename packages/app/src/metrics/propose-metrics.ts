/** `bridle metrics propose`: drafts models from the scan, with the values of their measures. */
import { join, resolve } from "node:path";
import { type GivenHistory, type ModelProposal, parseStatementLog } from "@bridle/context";
import { readTextFile } from "@bridle/core";
import { type AgentRuntime, ConfigError, type Logger, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { describeDifference } from "../files/text-edit.ts";
import { runtimeOptions } from "../runs/runtime-options.ts";
import { findTable } from "../warehouses/find-table.ts";
import { generateWithin } from "../warehouses/generate-within.ts";
import { openDataContext } from "../warehouses/open-data-context.ts";
import type { DescribeChoices } from "../warehouses/write-descriptions.ts";
import { type ImportedFile, planFiles, writeFiles } from "./imported-files.ts";

const texts = z.array(z.string()).readonly();
const usage = { statements: z.number(), runs: z.number() };

export const proposedMetricsSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string(),
        table: z.string(),
        /** The path relative to the project. */
        file: z.string(),
        /** Whether the file is new. If not, the draft only adds to the existing file. */
        isNew: z.boolean(),
        measures: z
          .array(
            z.object({
              name: z.string(),
              formula: z.string(),
              /** The value over all rows. */
              value: z.json(),
              /** How often recorded statements compute the measure: the number of distinct statements, and of their executions. */
              usage: z.object(usage).optional(),
              /** The column that the measure aggregates, as the scan measured it. */
              column: z
                .object({
                  rows: z.number(),
                  nulls: z.number(),
                  min: z.string().optional(),
                  max: z.string().optional(),
                })
                .optional(),
            }),
          )
          .readonly(),
        dimensions: texts,
        joins: texts,
        segments: z.array(z.object({ name: z.string(), filter: z.string(), rows: z.json() })).readonly(),
        /** Dimensions, segments and joins that statements use. */
        used: z
          .array(z.object({ kind: z.enum(["dimension", "segment", "join"]), name: z.string(), ...usage }))
          .readonly(),
        /** The lines that are removed and added. */
        difference: texts,
      }),
    )
    .readonly(),
  /** The query logs that were read. */
  history: z
    .array(z.object({ connection: z.string(), source: z.string(), ...usage, unread: z.number(), hidden: z.number() }))
    .readonly(),
  /** Omitted parts with the reasons. */
  notes: texts,
  /** The number of requests to a model, and their tokens. */
  calls: z.number(),
  tokens: z.number(),
  /** Tables with drafts that the model could not improve. */
  failed: z.array(z.object({ table: z.string(), reason: z.string() })).readonly(),
  /** Whether the files were written. */
  done: z.boolean(),
});
export type ProposedMetrics = z.output<typeof proposedMetricsSchema>;

export interface ProposeMetricsSelection {
  /** The name of a table, to draft models only for this table and those that it joins. Default: the tables with the most joins. */
  readonly table?: string | undefined;
  /** A file with statements that ran. Default: the statements that the engines remember. */
  readonly history?: string | undefined;
  /** Asks a model to choose the metrics and to write their names and descriptions. Default: no model is called. */
  readonly describe?: DescribeChoices | undefined;
  /** Whether to write nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface ProposeMetricsEffects {
  readonly signal: AbortSignal;
  readonly logger: Logger;
  onProgress(progress: { readonly done: number; readonly total: number }): void;
  /** Whether the user agrees to write the files. Called if there is a change. */
  confirm(proposed: Omit<ProposedMetrics, "done">): Promise<boolean>;
}

/**
 * Drafts models of the scanned tables, runs each measure, and writes the models to `context/models` if the user agrees. Existing models are
 * only extended.
 *
 * @throws ConfigError if nothing was scanned, a model is invalid, or a file has changed since it was read; InvalidRequestError if the table
 * does not exist; the BridleError of the warehouse, or of the language model if all calls to it fail.
 */
export async function proposeMetrics(
  { table, history: logFile, describe, dryRun = false }: ProposeMetricsSelection,
  context: ProjectContext,
  { signal, logger, onProgress, confirm }: ProposeMetricsEffects,
): Promise<ProposedMetrics> {
  await context.project.requireTrust();
  const history = logFile === undefined ? undefined : await readLog(logFile, context.cwd);
  const isRehearsed = describe?.rehearse !== undefined;
  const opened = await openDataContext(context, { isRehearsed, logger, embedder: "none" });
  let runtime: AgentRuntime | undefined;
  try {
    const id = table === undefined ? undefined : findTable(table, opened.knowledge).id;
    if (describe !== undefined)
      runtime = await context.createRuntime(runtimeOptions(describe, context, { logger, unattended: true }));
    const { tokens } = context.project.settings.context.scan;
    const generate = runtime && generateWithin(tokens, runtime);
    const { models, ...counts } = await opened.metrics.propose({
      table: id,
      history,
      generate,
      tokens,
      signal,
      onProgress,
    });
    const files = await fileEach(models, context.project.projectDir);
    const proposed = proposedMetricsSchema.omit({ done: true }).parse({ ...counts, models: files.map(toResult) });
    const done = files.length > 0 && !dryRun && (await confirm(proposed));
    signal.throwIfAborted();
    if (done) await writeAll(files, context.project.projectDir);
    return { ...proposed, done };
  } finally {
    await runtime?.close();
    await opened.close();
  }
}

async function readLog(file: string, cwd: string): Promise<GivenHistory> {
  const text = await readTextFile(resolve(cwd, file)).catch((cause: unknown) => {
    throw new ConfigError(`The query log ${file} cannot be read (${systemErrorCode(cause)}).`, {
      field: "history",
      cause,
    });
  });
  return { source: file, statements: parseStatementLog(file, text) };
}

interface FiledProposal {
  readonly proposal: ModelProposal;
  readonly file: string;
}

async function fileEach(proposals: readonly ModelProposal[], projectDir: string): Promise<readonly FiledProposal[]> {
  const added = proposals.filter(({ file }) => file === undefined);
  const planned = await planFiles(
    added.map(({ model }) => model),
    projectDir,
  );
  return proposals.map((proposal) => {
    const file = proposal.file ?? planned.find(({ model }) => model.name === proposal.model.name)?.file;
    return { proposal, file: file ?? `context/models/${proposal.model.name}.yaml` };
  });
}

function toResult({ proposal, file }: FiledProposal) {
  const { model, before, after, measures, dimensions, joins } = proposal;
  const { name, table = "" } = model;
  const { segments, used } = proposal;
  const difference = describeDifference(before, after);
  const parts = { measures, dimensions, joins, segments, used };
  return { name, table, file, isNew: proposal.file === undefined, ...parts, difference };
}

/** Throws ConfigError if a file has changed since the user reviewed the difference. */
async function writeAll(files: readonly FiledProposal[], projectDir: string): Promise<void> {
  const writes: ImportedFile[] = [];
  for (const { proposal, file } of files) {
    const { model, before, after } = proposal;
    const now = await readTextFile(join(projectDir, file)).catch(() => "");
    if (now !== before)
      throw new ConfigError(`${file} has changed since it was read. Nothing was written. Propose again.`, {
        field: file,
      });
    writes.push({ model, file, text: after, change: before === "" ? "new" : "replaced" });
  }
  await writeFiles(writes, projectDir, true);
}
