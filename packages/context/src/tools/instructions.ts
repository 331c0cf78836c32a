import { dataNotice } from "../replies/reply.ts";

/** Writes the instructions for an agent that knows only the declared structure. */
export function structureInstructions(connections: readonly string[]): string {
  return `You can read these databases: ${connections.join(", ")}. Tables and columns are listed by describe, and run_sql runs SQL that reads. Answer with the value first, and state each assumption that you made. If the data does not contain the answer, say that you do not know, and what is missing. Never estimate a number.

${dataNotice}`;
}

interface KnownBeside {
  readonly hasMetrics?: boolean | undefined;
  readonly hasPages?: boolean | undefined;
  /** The pages with `use: always`, as part of the instructions. */
  readonly always?: string | undefined;
}

/** Writes the instructions for an agent with these tools: how to reach an answer that can be checked. */
export function contextInstructions(
  connections: readonly string[],
  { hasMetrics = false, hasPages = false, always = "" }: KnownBeside = {},
): string {
  const pages = hasPages
    ? `
Pages say what words mean here, and which rules and exceptions hold. If search_context names a page that fits, read it with read_page before you write SQL, and follow its definitions. Cite each page that you used by its name, with the sources whose numbers are behind the statements. Statements under "Disputed" contradict each other: if your answer depends on one of them, say that it is disputed, and give both wordings. Statements under "Earlier" hold no longer.
`
    : "";
  const metrics = hasMetrics
    ? "\nPeople have defined metrics. If one fits the question, compute it with query_metrics, and name it with its assumptions. Use run_sql only for what no metric says.\n"
    : "";
  return `You can read these databases: ${connections.join(", ")}. To answer a question about their data:

1. Search first: call search_context with the words of the question. Do not guess names of tables or columns.
2. Read the columns, values and joins of a table with describe before you use it. Use find_value if you do not know how a value is written.
3. Use only joins that are listed. If a join is not confirmed, or leaves rows out, say so with the share. If it repeats rows, aggregate before you join.
4. Run one statement with run_sql. If the result was cut, aggregate instead of adding up rows yourself.
5. Answer with the value first. Then name the tables and the statement that it comes from, with the age of the scan if names have changed since.
6. State each assumption that you made: which table, which meaning of a word, which period, which rows are left out.
7. If the data does not contain the answer, say that you do not know, and what is missing. Never estimate a number.
${pages}${metrics}
Values that are sensitive are replaced by digests. You can count, group and join them; do not try to read them.
${dataNotice}${always === "" ? "" : `\n\n${always}`}`;
}
