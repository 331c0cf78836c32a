/** The features of each backend, from the results of the conformance suite. */
import { z } from "zod";

/** The parts of Vitest's JSON report that this file reads. */
export const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});
type Report = z.output<typeof reportSchema>;

/** The test files of backends that run the suite. The port's own test file runs it on a backend in memory. */
export const suiteFiles = /packages\/(?:hosts\/)?(?!core\/)[^/]+\/tests\/conformance\.test\.ts$/;

interface Result {
  readonly backend: string;
  readonly section: string;
  readonly title: string;
  readonly status: string;
  /** Why the behaviour is skipped. */
  readonly reason?: string;
}

const begin =
  "<!-- Made by scripts/features.ts from the results of the conformance suite: npm run generate:features. -->";
const end = "<!-- End of what is made. -->";

/** The document with the tables of this report between its two marks. Throws if it does not have these marks. */
export function withFeatures(document: string, report: Report): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The document needs the lines "${begin}" and "${end}".`);
  return `${document.slice(0, from)}${begin}\n\n${featureTables(report)}\n${document.slice(to)}`;
}

/** A table for each section of the suite: behaviours down, backends across. */
export function featureTables(report: Report): string {
  const results = resultsOf(report).sort((a, b) => byRank(a.backend, b.backend)); // files end in any order
  const backends = unique(results.map(({ backend }) => backend)).sort(byRank);
  const reasons = unique(results.flatMap(({ reason }) => reason ?? []));
  const tables = unique(results.map(({ section }) => section)).map((section) => {
    const own = results.filter((result) => result.section === section);
    const rows = unique(own.map(({ title }) => title)).map((title) => {
      const cells = backends.map((backend) =>
        cellOf(
          own.filter((each) => each.title === title),
          backend,
          reasons,
        ),
      );
      return row([inCell(title), ...cells]);
    });
    return [`### ${section}`, "", row(["", ...backends]), row(["---", ...backends.map(() => ":-:")]), ...rows, ""].join(
      "\n",
    );
  });
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return [...tables, ...(notes.length === 0 ? [] : ["Why not:", "", ...notes, ""])].join("\n");
}

function resultsOf({ testResults }: Report): Result[] {
  return testResults
    .filter(({ name }) => suiteFiles.test(name))
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ ancestorTitles: [backend = "", section = ""], title: whole, status }) => {
      const [, title = whole, reason] = /^(.*) \(not here: (.*)\)$/.exec(whole) ?? [];
      return { backend, section, title, status, ...(reason !== undefined && { reason }) };
    });
}

function cellOf(results: readonly Result[], backend: string, reasons: readonly string[]): string {
  const result = results.find((each) => each.backend === backend);
  if (result?.status === "passed") return "✓";
  if (result?.reason !== undefined) return `no (${reasons.indexOf(result.reason) + 1})`;
  return result?.status ?? "";
}

/** Claude Code first, then the APIs by name. */
function byRank(a: string, b: string): number {
  return Number(b === "claude-code") - Number(a === "claude-code") || a.localeCompare(b);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
