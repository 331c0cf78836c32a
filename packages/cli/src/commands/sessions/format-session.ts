import { formatInput } from "@bridle/app";
import type { EntryRow, RunRow, SessionView } from "@bridle/app/sessions";
import { counted, listCost, totalTokens } from "@bridle/protocol";
import { fitLine } from "../../terminal/fit-line.ts";
import { formatLabels, formatMinute, indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";
import { formatCallingSession } from "./format-sessions.ts";

/** The width of `[12] `. The text of a step is indented by it, to follow the step's number. */
const margin = "     ";
/** The maximum lengths of a tool's input and result. The JSON contains them in full. */
const maxToolLength = 200;

/** Formats a session as text: each run with its numbered steps, then open questions, then the totals. */
export function formatSession(view: SessionView, page: Page): string {
  const { id, forkedFrom, labels, entries, runs } = view;
  const origin = [...(forkedFrom === null ? [] : [`forked from ${forkedFrom}`]), ...formatCallingSession(view)];
  const byRun = Map.groupBy(entries, ({ run }) => run);
  const lines = [
    ...title(`Session ${[id, ...origin, ...formatLabels(labels)].join(", ")}`, page),
    ...(byRun.get(null) ?? []).flatMap((entry) => entryLines(entry, undefined, page)),
    ...runs.flatMap((run, index) => runLines(run, index, byRun.get(run.id) ?? [], page)),
    ...openLines(view, page),
    "",
    ...indentLines(totalsOf(view), "", page),
  ];
  return `${lines.join("\n")}\n`;
}

function title(text: string, page: Page): string[] {
  return indentLines(toPrintable(text), "", page).map((line) => page.paint("bold", line));
}

function runLines(run: RunRow, index: number, own: readonly EntryRow[], page: Page): string[] {
  const { startedAt, backend, model } = run;
  const facts = [
    `Run ${index + 1}`,
    formatMinute(startedAt),
    ...(backend === null ? [] : [`${backend} ${model ?? ""}`]),
  ];
  return [
    "",
    ...title(facts.join(", "), page),
    ...own.flatMap((entry, at) => entryLines(entry, own[at - 1]?.step, page, run)),
    ...endLines(run, page),
  ];
}

/** Formats an entry. `shown` is the step number that the previous line belongs to. */
function entryLines(entry: EntryRow, shown: number | undefined, page: Page, run?: RunRow): string[] {
  const { kind, step, text = "" } = entry;
  if (kind === "user") return [...behind("> ", text, page), ""];
  if (kind === "history") return indentLines(historyWords(entry), "", page).map((line) => page.paint("dim", line));
  const mark = step === undefined || step === shown ? margin : `[${step}] `.padEnd(margin.length);
  if (kind === "tool") return toolLines(entry, mark, page, run);
  const whole = entry.complete ? text : `${text} (broke off)`;
  const lines = behind(mark, kind === "reasoning" ? `(thinking) ${whole}` : whole, page);
  return kind === "reasoning" ? lines.map((line) => page.paint("dim", line)) : lines;
}

function behind(mark: string, text: string, page: Page): string[] {
  const [first = "", ...rest] = indentLines(toPrintable(text).trimEnd(), " ".repeat(mark.length), page);
  return [`${mark}${first.slice(mark.length)}`.trimEnd(), ...rest];
}

function toolLines(entry: EntryRow, mark: string, page: Page, run?: RunRow): string[] {
  const room = Math.min(page.width - margin.length, maxToolLength);
  const called = fitLine(`→ ${entry.tool ?? "tool"} ${formatInput(entry.input)}`.trimEnd(), room);
  const [colour, outcome] = outcomeOf(entry, run);
  const nested = (entry.nested ?? []).map(({ run, session }) =>
    page.paint("dim", fitLine(`  see ${session === null ? `run ${run}` : `session ${session}`}`, room)),
  );
  const lines = [...nested, page.paint(colour, fitLine(outcome, room))];
  return [`${mark}${page.paint("cyan", called)}`, ...lines.map((line) => `${margin}${line}`)];
}

function outcomeOf({ state, output = "" }: EntryRow, run?: RunRow): ["green" | "red" | "yellow", string] {
  const isOpen = run !== undefined && run.stopReason === null;
  switch (state) {
    case "succeeded":
      return ["green", `✓ ${output}`];
    case "failed":
      return ["red", `✗ ${output}`];
    case "denied":
      return ["red", `✗ denied: ${output}`];
    case "waiting":
      return ["yellow", "… waits for an answer"];
    case "answered":
      return ["yellow", "… answered, but not sent to the model yet"];
    case "running":
      return [
        "yellow",
        isOpen ? "… running" : "? the run ended during the call: whether it had an effect is not known",
      ];
    default:
      return ["yellow", isOpen ? "… not started yet" : "– not executed"];
  }
}

function historyWords({ reason, messages = 0 }: EntryRow): string {
  const of = counted(messages, "message");
  return reason === "forked"
    ? `(begins with ${of} of the old session)`
    : `(${reason}: from here on the model gets ${of} instead)`;
}

function endLines({ stopReason, error }: RunRow, page: Page): string[] {
  if (stopReason === "natural") return [];
  const why = stopReason === null ? "In progress." : `Ended: ${error ?? stopReason}`;
  return indentLines(toPrintable(why), "", page).map((line) =>
    page.paint(stopReason === null ? "yellow" : "red", line),
  );
}

function openLines({ pendingApprovals }: SessionView, page: Page): string[] {
  const open = pendingApprovals.flatMap(({ id, tool, input }) => {
    const call = fitLine(`${tool} ${formatInput(input)}`, maxToolLength);
    return indentLines(`Waits for an answer: ${call} (${id})`, "", page);
  });
  return open.length === 0 ? [] : ["", ...open.map((line) => page.paint("yellow", line))];
}

function totalsOf({ totals: { runs, steps, toolCalls, usage, cost, nested } }: SessionView): string {
  const own = [
    counted(runs, "run"),
    counted(steps, "step"),
    counted(toolCalls, "tool call"),
    counted(totalTokens(usage), "token"),
    ...listCost(cost),
  ].join(", ");
  if (nested === undefined) return own;
  const called = [counted(nested.runs, "run"), counted(totalTokens(nested.usage), "token"), ...listCost(nested.cost)];
  return `${own}; agents that it called: ${called.join(", ")}`;
}
