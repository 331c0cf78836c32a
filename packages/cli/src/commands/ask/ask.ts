import { withProject } from "@bridle/app/project";
import { type AnsweredQuestion, type AskedQuery, askQuestion, type QuestionPlan } from "@bridle/app/warehouses";
import { z } from "zod";
import { defineCommand } from "../../command-line/command.ts";
import { projectFlags } from "../../command-line/project-flags.ts";
import { indentLines, type Page } from "../../terminal/page.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { readPrompt } from "../run/read-prompt.ts";
import { runAndPrint } from "../run/run-and-print.ts";

const { role, model, policy, mode, steps, backend, auth, rehearse, timeout } = agentFlags;

export const askCommand = defineCommand({
  description: `Let an agent answer a question about your data. It searches what the scan found, reads tables, and runs SQL that
reads. After the answer, the statements that it is based on are printed. Run bridle context scan first.`,
  operand: { name: "question", description: 'the question; "-" reads it from standard input' },
  flags: {
    connection: {
      flag: "--connection <name>",
      description: "the connection that the agent may read (default: all)",
      value: z.string().min(1),
      expected: "the name of a connection",
    },
    ...{ role, model, policy, mode, steps, backend, auth, rehearse, timeout },
    json: { flag: "--json", description: "print the answer, its statements and the run as JSON", value: z.boolean() },
    ...projectFlags,
  },
  examples: ['bridle ask "What did we sell by category in 2025, net of refunds?"', 'bridle ask "How many customers?" --json'],
  async run({ operand, flags }, cli) {
    const { connection, json, projectDir, namespace, trust: _trust, envFile: _envFile, ...choices } = flags;
    const prompt = await readPrompt(operand, cli.stdin);
    const opened = await withProject({ projectDir, namespace }, cli);
    const question: QuestionPlan = { ...choices, connection, prompt };
    let answered: AnsweredQuestion | undefined;
    const code = await runAndPrint({ ...choices, prompt, tools: [] }, json ? "none" : "text", opened, async (_plan, context, effects) => {
      answered = await askQuestion(question, context, effects);
      return answered.result;
    });
    if (answered && json) {
      const { result, queries } = answered;
      printJson({ answer: result.text, queries, run: result }, cli.stdout);
    } else if (answered) cli.stdout.write(formatQueries(answered.queries, stdoutPage(cli)));
    return code;
  },
});

/** The statements of an answer, so that a person can check it. */
export function formatQueries(queries: readonly AskedQuery[], page: Page): string {
  const sources = queries.filter(({ ok }) => ok);
  if (sources.length === 0) return `\n${page.paint("dim", "No statement was run for this answer, so it is not based on the data.")}\n`;
  return sources.map((query) => `\n${formatQuery(query, page)}`).join("");
}

function formatQuery({ connection, sql, rows, tables = [] }: AskedQuery, page: Page): string {
  const title = `SQL on ${connection}${tables.length > 0 ? `, from ${tables.join(", ")}` : ""}${rows === undefined ? "" : ` (${rows} rows)`}:`;
  const lines = [...indentLines(toPrintable(title), "", page).map((line) => page.paint("dim", line)), ...indentLines(toPrintable(sql), "  ", page)];
  return lines.map((line) => `${line}\n`).join("");
}
