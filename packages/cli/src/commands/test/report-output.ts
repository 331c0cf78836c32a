import { type ReportForm } from "@bridle/testing";
import { type Cli } from "../../command-line/cli.ts";
import { type Flags } from "../../command-line/command.ts";
import { UsageError, claimOutput, type OutputFile } from "@bridle/app";
import { z } from "zod";

const forms = ["json", "markdown", "junit", "html"] as const satisfies readonly ReportForm[];

/** Which report is made, and where it goes. */
export const reportFlags = {
  report: {
    flag: "--report <form>",
    description: `print a report instead: ${forms.join(", ")}; json is what --json prints`,
    value: z.enum(forms),
  },
  output: {
    flag: "--output <file>",
    description: "write the report to this file, over one that is there; without --report its ending says which",
    value: z.string().min(1),
    expected: "a file",
  },
  json: { flag: "--json", description: "print everything as JSON", value: z.boolean(), excludes: ["report"] },
} satisfies Flags;

interface Wanted {
  readonly report?: ReportForm | undefined;
  readonly output?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A report that is wanted; without a file it is what goes to standard output, alone. */
export interface WantedReport {
  readonly form: ReportForm;
  readonly file?: OutputFile & { readonly name: string };
}

/** Finds out where a report can go, before anything is done for it. Throws UsageError and ConfigError. */
export async function readReport(
  { report, output, json }: Wanted,
  { cwd, stdout }: Pick<Cli, "cwd" | "stdout">,
): Promise<WantedReport | undefined> {
  const form = json ? "json" : (report ?? (output === undefined ? undefined : formOf(output)));
  if (form === undefined) return undefined;
  if (output !== undefined) {
    const file = await claimOutput(output, { cwd, flag: "--output", force: true });
    return { form, file: { ...file, name: output } };
  }
  if (form === "html" && stdout.isTTY) {
    throw new UsageError("A page of HTML is not for a terminal. Write it to a file with --output report.html.");
  }
  return { form };
}

const endings: readonly [RegExp, ReportForm][] = [
  [/\.json$/i, "json"],
  [/\.(md|markdown)$/i, "markdown"],
  [/\.xml$/i, "junit"],
  [/\.html?$/i, "html"],
];

function formOf(file: string): ReportForm {
  const found = endings.find(([ending]) => ending.test(file));
  if (found) return found[1];
  throw new UsageError(
    `${file} does not say what report it is to be. Add --report ${forms.join("|")}, or end it in .json, .md, .xml or .html.`,
  );
}
