import { claimOutput, type OutputFile, UsageError } from "@bridle/app";
import { compareWithPrevious, type ReportForm, report, type TestRun } from "@bridle/app/tests";
import { z } from "zod";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import type { Flags } from "../../command/command.ts";

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
    description: "write the report to this file, replacing it; without --report, the file extension selects the form",
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

/** A report and its file. Without a file, the report is the only text on standard output. */
export interface ReportOutput {
  readonly form: ReportForm;
  readonly file?: (Pick<OutputFile, "write"> & { readonly name: string }) | undefined;
}

/** Checks where a report goes, before the work for it. Throws UsageError and ConfigError. */
export async function readReportOutput(
  { report, output, json }: ReportFlagValues,
  { cwd, stdout }: Pick<Cli, "cwd" | "stdout">,
): Promise<ReportOutput | undefined> {
  const form = json ? "json" : (report ?? (output === undefined ? undefined : formOfExtension(output)));
  if (form === undefined) return undefined;
  if (output !== undefined) {
    const file = await claimOutput(output, { cwd, flag: "--output", force: true });
    return { form, file: { name: output, write: (content) => file.write(content) } };
  }
  if (form === "html" && stdout.isTTY) {
    throw new UsageError("An HTML page cannot be shown on a terminal. Write it to a file with --output report.html.");
  }
  return { form };
}

const extensions: readonly [RegExp, ReportForm][] = [
  [/\.json$/i, "json"],
  [/\.(md|markdown)$/i, "markdown"],
  [/\.xml$/i, "junit"],
  [/\.html?$/i, "html"],
];

function formOfExtension(file: string): ReportForm {
  const found = extensions.find(([extension]) => extension.test(file));
  if (found) return found[1];
  throw new UsageError(
    `The extension of ${file} selects no report. Add --report ${forms.join("|")}, or use .json, .md, .xml or .html.`,
  );
}

/** The report of a run. The HTML page also shows the changes since the previous run. */
export async function makeReport(run: TestRun, form: ReportForm, cli: ProjectCli): Promise<string> {
  return report(run, form, { previous: form === "html" ? await compareWithPrevious(run, cli) : undefined });
}
