/** `bridle context ingest`: turns sources into pages, models and notes about tables. */
import { extname } from "node:path";
import type { IngestRequest } from "@bridle/data";
import { formatReportHtml, formatReportMarkdown, type IngestReport } from "@bridle/ingest";
import type { ProjectContext } from "../context/project-context.ts";
import { UsageError } from "../context/usage-error.ts";
import { claimOutput, type OutputFile } from "../files/output-file.ts";
import { describeDifference } from "../files/text-edit.ts";
import { type IngestedContext, ingestedContextSchema } from "./ingested-schema.ts";
import { type IngestChoices, type IngestEffects, withIngest } from "./open-ingest.ts";

export interface IngestSelection
  extends Pick<IngestRequest, "sources" | "remove" | "only" | "dryRun" | "concurrency" | "budgetUsd" | "stepBudget"> {
  readonly choices: IngestChoices;
  /** The file for the report. Its ending selects HTML, Markdown or JSON. Default: no report. */
  readonly output?: string | undefined;
  /** Whether an existing report may be replaced. */
  readonly force?: boolean | undefined;
}

/** A proposed change to a file, for review by the user. */
export interface ProposedFile {
  readonly file: string;
  /** Lines that are removed and added. */
  readonly difference: readonly string[];
}

export interface IngestRunEffects extends IngestEffects, Pick<IngestRequest, "signal" | "onProgress" | "onStep"> {
  /** Whether a file may be written. Default: all are written. */
  readonly confirm?: ((file: ProposedFile) => Promise<boolean>) | undefined;
}

const formats: Readonly<Record<string, (report: IngestReport) => string>> = {
  ".html": formatReportHtml,
  ".md": formatReportMarkdown,
  ".json": (report) => `${JSON.stringify(report, null, 2)}\n`,
};

/**
 * Runs ingest once. If `signal` is aborted, the function resolves with the completed work.
 *
 * @throws UsageError for a report of an unknown kind; ConfigError if a setting or a source is wrong, or another ingest is in progress; a
 * BridleError of the warehouse.
 */
export async function ingestContext(
  { choices, output, force = false, ...request }: IngestSelection,
  context: ProjectContext,
  { confirm, signal, onProgress, onStep, ...effects }: IngestRunEffects,
): Promise<IngestedContext> {
  const file = output === undefined ? undefined : await claimReport(output, { cwd: context.cwd, force });
  return withIngest(choices, context, effects, async (ingest) => {
    const { report, files } = await ingest.run({
      ...request,
      cwd: context.cwd,
      signal,
      onProgress,
      onStep,
      choose: confirm && ((planned) => confirm(toProposed(planned))),
    });
    await file?.write(report);
    const differences = report.state === "planned" ? files.map(toProposed) : [];
    return ingestedContextSchema.parse({ ...report, differences });
  });
}

/** Checks that the report can be written, before any work on it. */
async function claimReport(output: string, options: { readonly cwd: string; readonly force: boolean }) {
  const format = formats[extname(output).toLowerCase()];
  if (format === undefined)
    throw new UsageError(`The report is HTML, Markdown or JSON. Name a file that ends in .html, .md or .json.`);
  const file: OutputFile = await claimOutput(output, { ...options, flag: "--output" });
  return { write: (report: IngestReport) => file.write(format(report)) };
}

function toProposed(planned: { file: string; before: string | undefined; after: string | undefined }): ProposedFile {
  const { file, before = "", after = "" } = planned;
  return { file, difference: describeDifference(before, after) };
}
