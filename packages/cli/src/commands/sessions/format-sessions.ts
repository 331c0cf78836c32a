import type { SessionList, SessionRow } from "@bridle/app/sessions";
import { counted } from "@bridle/protocol";
import { fitLine } from "../../terminal/fit-line.ts";
import { formatLabels, formatMinute, indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable } from "../../terminal/printable.ts";

const indent = "  ";

/** Formats the list as text: the id, the result and the beginning of each session. */
export function formatSessions({ sessions }: SessionList, page: Page): string {
  return sessions.map((session) => `${formatRow(session, page).join("\n")}\n`).join("");
}

/** Formats the last line of an incomplete list. */
export function formatOlder(shown: number, page: Page): string {
  return `${page.paint("dim", fitLine(`There are older sessions. --last ${shown * 20} lists more, --json all.`, page.width))}\n`;
}

function formatRow(session: SessionRow, page: Page): string[] {
  const { id, firstWords } = session;
  const facts = toPrintable(factsOf(session).join(", "));
  const fits = id.length + indent.length + facts.length <= page.width;
  const title = page.paint("bold", id);
  const words =
    firstWords === null ? [] : [page.paint("dim", indent + fitLine(firstWords, page.width - indent.length))];
  return fits ? [`${title}${indent}${facts}`, ...words] : [title, ...indentLines(facts, indent, page), ...words];
}

/** Names the origin of a session that a tool call in another run started. */
export function formatCallingSession({
  parentSession,
  parentRun,
}: Pick<SessionRow, "parentSession" | "parentRun">): string[] {
  if (parentRun === null) return [];
  return [parentSession === null ? `called by the run ${parentRun}` : `called by ${parentSession}`];
}

function factsOf({ lastAt, runs, inProgress, backend, model, labels, forkedFrom, ...parent }: SessionRow): string[] {
  return [
    formatMinute(lastAt),
    counted(runs, "run"),
    ...(inProgress ? ["in progress"] : []),
    ...(backend === null ? [] : [`${backend} ${model ?? ""}`.trimEnd()]),
    ...(forkedFrom === null ? [] : [`forked from ${forkedFrom}`]),
    ...formatCallingSession(parent),
    ...formatLabels(labels),
  ];
}
