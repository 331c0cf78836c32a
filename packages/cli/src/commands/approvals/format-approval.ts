import type { ListedApproval } from "@bridle/app/approvals";
import { callLines, paragraph } from "../../questions/question-lines.ts";
import { toPrintable } from "../../terminal/printable.ts";

/** Formats a waiting call in a list: its id, the call, the time of the question, and the state of its run. */
export function formatApproval(approval: ListedApproval, width: number): string {
  const { id, run, session, since, alive, tool, rule, input } = approval;
  const { reason, preview, problem, agent, callers } = approval;
  const asked = {
    tool,
    rule,
    input,
    annotations: approval.annotations ?? undefined,
    ...(agent !== null && { labels: { agent } }),
    reason: reason ?? undefined,
    preview: preview ?? undefined,
    problem: problem ?? undefined,
  };
  const owner = session === null ? `run ${run}` : `run ${run} of session ${session}`;
  const called = callers.length === 0 ? "" : `, called by ${callers.join(" and ")}`;
  const state = alive ? "which is waiting" : "which has ended";
  const lines = [
    { text: toPrintable(id) },
    ...callLines(asked, width, { remedy: "--json shows them" }),
    ...paragraph(`asked ${since.slice(0, 16).replace("T", " ")} UTC by ${owner}${called}, ${state}`, width),
  ];
  return lines.map(({ text }) => `${text}\n`).join("");
}
