import { asLine, fenceLines } from "@bridle/context";
import type { IngestReport } from "@bridle/ingest";
import {
  type AnyTool,
  defineTool,
  InvalidRequestError,
  omitUndefined,
  suggestion,
  type ToolOutput,
} from "@bridle/protocol";
import { z } from "zod";
import type { IngestRunState, IngestRuns } from "./ingest-runs.ts";

const waitSeconds = z
  .int()
  .min(0)
  .max(600)
  .optional()
  .describe("Wait so long for the end, with progress. Default: 0, the state at once.");

/** Creates a tool that starts an ingest of `context.sources`. The ingest continues if the call or the connection ends. */
export function ingestStartTool(runs: IngestRuns, sources: readonly string[]): AnyTool {
  return defineTool({
    name: "ingest_start",
    description: `Read the documents of the project's sources (${sources.join(", ")}), and write their statements about the data on pages, with the models of the project. This can take long and cost money. It continues in the background: ask for its state with ingest_status.`,
    input: z.object({
      sources: z.array(z.string()).min(1).optional().describe("Names of sources. Default: all."),
      dry_run: z.boolean().optional().describe("Write no file. Default: false."),
      wait_seconds: waitSeconds,
    }),
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    async execute({ sources: wanted = sources, dry_run: dryRun, wait_seconds: seconds = 0 }, { signal, progress }) {
      // With paths, a client could read every file on this machine.
      const unknown = wanted.find((name) => !sources.includes(name));
      if (unknown !== undefined) {
        const remedy = suggestion(unknown, sources) || ` There are: ${sources.join(", ")}.`;
        throw new InvalidRequestError(`There is no source ${unknown}.${remedy}`);
      }
      const isRunning = (await runs.status()).state === "running";
      if (!isRunning) await runs.start({ sources: wanted, dryRun });
      await follow(runs, seconds, { signal, progress });
      const state = describeRun(await runs.status());
      return isRunning
        ? { ...state, markdown: `An ingest is in progress already, so none was started.\n${state.markdown}` }
        : state;
    },
  });
}

/** Creates a tool that shows the progress of the newest ingest. */
export function ingestStatusTool(runs: IngestRuns): AnyTool {
  return defineTool({
    name: "ingest_status",
    description: "The progress or result of the newest ingest: stage, calls, tokens, cost, and counts of findings.",
    input: z.object({ wait_seconds: waitSeconds }),
    annotations: { readOnly: true, idempotent: true },
    async execute({ wait_seconds: seconds = 0 }, { signal, progress }) {
      await follow(runs, seconds, { signal, progress });
      return describeRun(await runs.status());
    },
  });
}

async function follow(
  runs: IngestRuns,
  seconds: number,
  { signal, progress }: { readonly signal: AbortSignal; progress(message: string): void },
): Promise<void> {
  if (seconds === 0) return;
  await runs.wait(
    seconds * 1000,
    ({ stage, done, total, calls, tokens }) =>
      progress(`${stage}: ${done} of ${total}, ${calls} calls, ${tokens} tokens`),
    signal,
  );
}

function describeRun({ state, startedAt, progress, report, reason }: IngestRunState): ToolOutput {
  const numbers = report && countReport(report);
  const structured = omitUndefined({ state, startedAt, progress, reason, ...numbers });
  const lines = [
    ...(startedAt === undefined ? [] : [`started: ${startedAt}`]),
    ...Object.entries(omitUndefined({ ...progress, ...numbers })).map(
      ([key, value]) => `${key}: ${asLine(JSON.stringify(value), 600)}`,
    ),
    ...(reason === undefined ? [] : [`reason: ${asLine(reason, 600)}`]),
  ];
  const sentences = {
    none: "Nothing has been ingested yet.",
    running: "The ingest is running. Ask again for its state, with wait_seconds to wait.",
    ended: "The ingest has ended.",
    failed: "The ingest failed. What it finished is kept, and the next one continues.",
    died: "The process that performed the ingest is gone. What it finished is kept, and the next one continues.",
  };
  const markdown = [sentences[state], ...(lines.length === 0 ? [] : [fenceLines(lines)])].join("\n");
  return { markdown, structured, ...(state === "failed" && { isError: true }) };
}

/** Describes the report in numbers. Contains no text from documents. */
function countReport(report: IngestReport) {
  const { stages, files } = report;
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    result: report.state,
    ended: report.ended,
    claims: report.claims,
    added: report.added.length,
    changed: report.changed.length,
    evicted: report.evicted.length,
    contested: report.contested.length,
    rejected: report.rejected.length,
    unfinished: report.unfinished.length,
    calls: sum(stages.map(({ calls }) => calls)),
    tokens: sum(stages.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
    files: files.map(({ file, change }) => `${file} (${change})`),
  };
}
