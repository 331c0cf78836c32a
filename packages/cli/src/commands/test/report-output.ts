import { claimOutput, type OutputFile, UsageError } from "@bridle/app";
import { compareWithPrevious, type ReportForm, report, type TestRun } from "@bridle/app/tests";
import { z } from "zod";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import type { Flags } from "../../command/command.ts";
import { printSentence } from "../../terminal/print-sentence.ts";

const forms = ["json", "markdown", "junit", "html"] as const satisfies readonly ReportForm[];

/** The flags that select a report and its destination. */
export const reportFlags = {
  report: {
    flag: "--report <form>",
    description: `print a report instead: ${forms.join(", ")}; json is the same as --json`,
    value: z.enum(forms),
  },
  output: {
    flag: "--output <file>",
    description:
      "write the report to this file, replacing it; without --report, the file extension selects the form; --json also prints the document",
    value: z.string().min(1),
    expected: "a file",
  },
  json: { flag: "--json", description: "print everything as JSON", value: z.boolean(), excludes: ["report"] },
} satisfies Flags;

interface ReportFlagValues {
  readonly report?: ReportForm | undefined;
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The reports of a test run. With `--json`, the document is printed on standard output even if another report is written to a file. */
export interface ReportOutput {
  /** The report that is printed on standard output in place of all other text. */
  readonly printed?: ReportForm | undefined;
  readonly file?: (Pick<OutputFile, "write"> & { readonly name: string; readonly form: ReportForm }) | undefined;
}

/** Checks the destination of a report before the work for it. Throws UsageError and ConfigError. */
export async function readReportOutput(
  { report, output, json }: ReportFlagValues,
  { cwd, stdout }: Pick<Cli, "cwd" | "stdout">,
): Promise<ReportOutput | undefined> {
  const printed = json ? "json" : output === undefined ? report : undefined;
  if (output !== undefined) {
    const form = report ?? formOfExtension(output, json ? "json" : undefined);
    const file = await claimOutput(output, { cwd, flag: "--output", force: true });
    return { printed, file: { name: output, form, write: (content) => file.write(content) } };
  }
  if (printed === "html" && stdout.isTTY) {
    throw new UsageError("An HTML page cannot be shown on a terminal. Write it to a file with --output report.html.");
  }
  return printed === undefined ? undefined : { printed };
}

const extensions: readonly [RegExp, ReportForm][] = [
  [/\.json$/i, "json"],
  [/\.(md|markdown)$/i, "markdown"],
  [/\.xml$/i, "junit"],
  [/\.html?$/i, "html"],
];

function formOfExtension(file: string, otherwise: ReportForm | undefined): ReportForm {
  const form = extensions.find(([extension]) => extension.test(file))?.[1] ?? otherwise;
  if (form !== undefined) return form;
  throw new UsageError(
    `The extension of ${file} selects no report. Add --report ${forms.join("|")}, or use .json, .md, .xml or .html.`,
  );
}

/** Prints and writes the reports of a run. `text` is printed on standard output, unless a report is. */
export async function giveReports(
  run: TestRun,
  output: ReportOutput | undefined,
  text: () => string,
  cli: ProjectCli,
): Promise<void> {
  const { printed, file } = output ?? {};
  cli.stdout.write(printed === undefined ? text() : await makeReport(run, printed, cli));
  if (file === undefined) return;
  await file.write(await makeReport(run, file.form, cli));
  printSentence(`Report: ${file.name}`, printed === undefined ? cli.stdout : cli.stderr);
}

/** Creates the report of a run. The HTML page also shows the changes since the previous run. */
async function makeReport(run: TestRun, form: ReportForm, cli: ProjectCli): Promise<string> {
  return report(run, form, { previous: form === "html" ? await compareWithPrevious(run, cli) : undefined });
}
