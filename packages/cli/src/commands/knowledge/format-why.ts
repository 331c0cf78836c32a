import type { ExplainedKey } from "@bridle/app/knowledge";
import { indentLines, type Page } from "../../terminal/page.ts";
import { toPrintable, toPrintableLine } from "../../terminal/printable.ts";
import { formatQuote } from "./format-quotes.ts";

type ExplainedClaim = ExplainedKey["claims"][number];

/** Explains a key: each claim with its quotes, the claims that contradict it, and the decision. */
export function formatWhy({ key, kind, claims }: ExplainedKey, page: Page): string {
  const head = `${page.paint("bold", toPrintableLine(key))}  ${kind ?? ""}`;
  const lines = claims.flatMap((claim) => ["", ...formatClaim(claim, page)]);
  return [head, ...lines].map((line) => `${line}\n`).join("");
}

function formatClaim(claim: ExplainedClaim, page: Page): readonly string[] {
  const { text, sources, conflicts, conflictReason, replaced, decision } = claim;
  const more = [
    ...conflicts.map(
      (other) => `contradicted by: ${other.text} (${other.id}, ${statuses[other.status] ?? other.status})`,
    ),
    ...(conflictReason === undefined ? [] : [`difference: ${conflictReason}`]),
    ...replaced.map((before) => `until ${before.endedAt.slice(0, 10)}: ${before.text} (${before.id})`),
    ...(decision === undefined ? [] : [`decision: ${decision}`]),
  ];
  return [
    ...indentLines(toPrintable(text), "", page),
    ...indentLines(toPrintable(stateOf(claim)), "  ", page).map((line) => page.paint("dim", line)),
    ...sources.flatMap((source) => formatQuote(source, page, noteOn(source))),
    ...more.flatMap((line) => indentLines(toPrintable(line), "  ", page)),
  ];
}

const statuses: Readonly<Record<string, string>> = {
  current: "holds",
  contested: "contested: review it with bridle context review",
  superseded: "replaced by something stronger or later",
  removed: "removed by a person",
  former: "no document states it any more",
};

function stateOf({ id, status, since, until, addedAt, endedAt, page }: ExplainedClaim): string {
  return [
    id,
    statuses[status] ?? status,
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === undefined ? [] : [`until ${until}`]),
    ...(addedAt === undefined ? [] : [`known since ${addedAt.slice(0, 10)}`]),
    ...(endedAt === undefined ? [] : [`ended ${endedAt.slice(0, 10)}`]),
    ...(page === undefined ? [] : [`on page ${page}`]),
  ].join(", ");
}

function noteOn({ state, version, start, end }: ExplainedClaim["sources"][number]): string {
  if (state === "decided") return "";
  const place = `, version ${version.slice(0, 10)}, characters ${start} to ${end}`;
  return state === "stored" ? place : `${place}: the quote is not in the stored text`;
}
