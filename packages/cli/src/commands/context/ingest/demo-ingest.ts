/** `bridle context demo --ingest`: turns documents into knowledge with sources, with a scripted model. */
import { join, resolve } from "node:path";
import { type IngestDemo, writeIngestDemo } from "@bridle/app/demo";
import { type IngestedContext, ingestContext, isWholeIngest } from "@bridle/app/ingest";
import { explainKnowledge, listContradictions } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { trustEverything } from "@bridle/app/trust";
import { scanContext } from "@bridle/app/warehouses";
import type { Cli, ProjectCli } from "../../../command/cli.ts";
import { exitCodes } from "../../../command/exit-codes.ts";
import { ownCommand, quoted } from "../../../command/own-command.ts";
import { Interruption, reportInterrupt } from "../../../terminal/interruption.ts";
import type { Page } from "../../../terminal/page.ts";
import { ProgressLine } from "../../../terminal/progress-line.ts";
import { stdoutPage } from "../../../terminal/stdout-page.ts";
import { formatContradiction } from "../../knowledge/format-contradiction.ts";
import { formatWhy } from "../../knowledge/format-why.ts";
import { formatScan } from "../format-scan.ts";
import { formatIngest } from "./format-ingest.ts";
import { formatWrittenKinds } from "./format-written-kinds.ts";
import { formatIngestProgress } from "./ingest-progress.ts";

/**
 * Runs ingest on the demo's project. `home` is a folder that is removed afterwards. The project is written there, unless `output` names
 * another folder.
 */
export async function runIngestDemo(output: string | undefined, home: string, cli: Cli): Promise<number> {
  const folder = output === undefined ? join(home, "roaster") : resolve(cli.cwd, output);
  const demo = await writeIngestDemo(folder, cli);
  const isolated = { ...cli, environment: demo.environment(home), trust: trustEverything };
  const opened = await withProject({ projectDir: folder }, isolated);
  const code = await showIngest(demo, opened);
  if (output !== undefined) await demo.trust();
  if (code === exitCodes.natural) cli.stdout.write(formatNextStep(output, cli));
  return code;
}

const introduction = `A coffee roaster: a database, forty wiki pages, a dbt project, LookML, a log of queries.

$ bridle context scan
`;

async function showIngest(demo: IngestDemo, cli: ProjectCli): Promise<number> {
  const page = stdoutPage(cli);
  const interruption = new Interruption(cli);
  try {
    cli.stdout.write(introduction);
    const effects = { signal: interruption.signal, onProgress: () => {}, onReport: () => {} };
    const { scans } = await scanContext({}, cli, effects);
    cli.stdout.write(scans.map((scan) => formatScan(scan, page)).join(""));
    cli.stdout.write("\n$ bridle context ingest\n");
    const report = await ingestDocuments(demo, cli, interruption.signal);
    cli.stdout.write(formatIngest(report, page, cli.stdout));
    cli.stdout.write(formatWrittenKinds(report));
    cli.stdout.write(`\n$ bridle context why ${demo.explained}\n`);
    cli.stdout.write(formatWhy(await explainKnowledge(demo.explained, cli), page));
    cli.stdout.write("\n$ bridle context review\n");
    cli.stdout.write(await describeContradictions(cli, page));
    return isWholeIngest(report) ? exitCodes.natural : exitCodes.otherwise;
  } catch (error) {
    if (interruption.interrupt === undefined) throw error;
    return reportInterrupt("The demo was", interruption.interrupt, cli);
  } finally {
    interruption.dispose();
  }
}

async function describeContradictions(cli: ProjectCli, page: Page): Promise<string> {
  const { contradictions } = await listContradictions(cli);
  const texts = contradictions.map((each) => {
    const ids = each.claims.map(({ id }) => id);
    return formatContradiction(each, ids, page);
  });
  return texts.join("\n");
}

async function ingestDocuments({ model }: IngestDemo, cli: ProjectCli, signal: AbortSignal): Promise<IngestedContext> {
  const progress = new ProgressLine(cli.stderr, cli.environment);
  try {
    const selection = { choices: { rehearse: model } };
    return await ingestContext(selection, cli, {
      signal,
      onProgress: (state) => progress.show((elapsedMs) => formatIngestProgress(state, elapsedMs)),
    });
  } finally {
    progress.stop();
  }
}

function formatNextStep(output: string | undefined, cli: Cli): string {
  const command = cli.stdout.command ?? ownCommand(cli);
  const first = output === undefined ? `  ${command} context demo --ingest --output roaster\n` : "";
  return `
Everything but the model's words is real. Read the pages, change a document,
and let your own Claude Code login read it again:

${first}  cd ${quoted(output ?? "roaster")} && ${command} context ingest
`;
}
