import { isBridleError, omitUndefined, type ToolOutput } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/warehouse";
import { asLine } from "../replies/reply.ts";
import type { ToolBase } from "./tool-base.ts";

/** Writes the reply for a statement that did not run. The message may contain names from the warehouse. */
export function explainRefusal(base: ToolBase, connection: string, error: unknown): ToolOutput {
  if (!isBridleError(error)) throw error;
  if (error.code === "stopped") throw error;
  const reply = base.startReply([connection]);
  reply.addPart(asLine(error.message, 1200));
  const isRefused = error instanceof StatementRefusedError;
  reply.end(isRefused ? "The statement did not run. Correct it." : "The statement failed.");
  const [reason, nearest] = isRefused ? [error.reason, error.nearest] : [error.code, undefined];
  return { markdown: reply.toString(), structured: omitUndefined({ problem: reason, nearest }), isError: true };
}
