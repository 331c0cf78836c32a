import type { OpenApproval } from "@bridle/protocol";
import { harmless } from "../run/harmless.ts";
import { callLines, paragraph } from "./question-lines.ts";

/** A question in a list: its id, what is asked, since when, and whether its run waits. */
export function formatApproval(approval: OpenApproval, width: number): string {
  const { id, runId, sessionId, askedAt, alive } = approval;
  const since = `${new Date(askedAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const place = sessionId === undefined ? `run ${runId}` : `run ${runId} of session ${sessionId}`;
  const state = alive ? "it waits" : "it is over";
  const lines = [
    { text: harmless(id) },
    ...callLines(approval, width, { rest: "--json shows them" }),
    ...paragraph(`asked ${since}; ${place}, ${state}`, width),
  ];
  return lines.map(({ text }) => `${text}\n`).join("");
}
