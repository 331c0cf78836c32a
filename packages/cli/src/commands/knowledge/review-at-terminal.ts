import { listContradictions, type SettledContradiction, settleContradiction } from "@bridle/app/knowledge";
import type { ProjectCli } from "../../command/cli.ts";
import type { ReadLine } from "../../command/line-reader.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { formatContradiction, type ListedContradiction } from "./format-contradiction.ts";

const letters = "abcdefghijklmnoprtuvwxyz"; // without the letters of skip and quit

/** The user's answer to a question. */
type Typed = { readonly chosen: string } | "both" | "skip" | "quit" | undefined;

/** Shows the contradictions one by one, and writes each answer immediately. Resolves with the number of open ones. */
export async function reviewAtTerminal(
  cli: ProjectCli & { readonly readLine: ReadLine },
  signal: AbortSignal,
): Promise<number> {
  const { contradictions } = await listContradictions(cli);
  let open = contradictions.length;
  for (const [index, contradiction] of contradictions.entries()) {
    cli.stdout.write(`${index === 0 ? "" : "\n"}${index + 1} of ${contradictions.length}\n`);
    cli.stdout.write(formatContradiction(contradiction, labelsOf(contradiction), stdoutPage(cli)));
    if (!contradiction.isDecidable) continue;
    const typed = await ask(contradiction, cli, signal);
    if (typed === "quit") break;
    if (typed === "skip") continue;
    const [first] = contradiction.claims;
    const answer =
      typed === "both"
        ? { id: first?.id ?? "", decision: "both" as const }
        : { id: typed.chosen, decision: "chosen" as const };
    reportSettled(await settleContradiction(answer, cli), cli);
    open -= 1;
  }
  return open;
}

/** Reports the result in one sentence. */
export function reportSettled({ decision, file, commit, commitProblem }: SettledContradiction, cli: ProjectCli): void {
  const what = decision === "both" ? "All of them hold" : "The other ones do not hold";
  const where = commit === undefined ? file : `${file}, commit ${commit.slice(0, 10)}`;
  printSentence(`${what}: written to ${where}. The next "bridle context ingest" changes the pages.`, cli.stderr);
  if (commitProblem !== undefined) printSentence(`Not committed: ${commitProblem}`, cli.stderr);
}

async function ask(
  contradiction: ListedContradiction,
  { stderr, readLine }: { readonly stderr: ProjectCli["stderr"]; readonly readLine: ReadLine },
  signal: AbortSignal,
): Promise<Exclude<Typed, undefined>> {
  const labels = labelsOf(contradiction);
  for (;;) {
    stderr.write(`Which one holds? ${labels.join(", ")}, or both; s skips, q quits › `);
    const line = await readLine(signal);
    if (line === undefined) return "quit";
    const typed = parse(line.trim().toLowerCase(), contradiction);
    if (typed !== undefined) return typed;
    printSentence("Type one of these words and press Enter.", stderr);
  }
}

function parse(word: string, contradiction: ListedContradiction): Typed {
  if (word === "s" || word === "skip" || word === "") return "skip";
  if (word === "q" || word === "quit") return "quit";
  if (word === "both" || word === "all") return "both";
  const index = labelsOf(contradiction).indexOf(word);
  const chosen = contradiction.claims[index]?.id;
  return chosen === undefined ? undefined : { chosen };
}

/** Returns a letter for each side, or a number when the letters are used up. */
function labelsOf({ claims }: ListedContradiction): readonly string[] {
  return claims.map((_, index) => letters[index] ?? String(index + 1));
}
