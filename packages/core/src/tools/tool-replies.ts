/** The replies that the model gets when a call is not executed. Each names the problem and the remedy. */

import { bullets, type JsonValue, type PolicyDecision, preview, suggestion } from "@bridle/protocol";
import type { ValueProblem } from "../schemas/check-value.ts";

export const runEnded = "The run has ended; the call was not executed.";
export const callIsOver = "The call is over, so nothing more may be done for it.";

export function notJson(tool: string, reason: string): string {
  return `The input of ${tool} is not JSON (${reason}). Call it again with a plain object.`;
}

export function unknownTool(name: string, names: readonly string[]): string {
  const offered = names.length === 0 ? "No tools are available." : `Available: ${names.join(", ")}.`;
  return `There is no tool ${preview(name)}.${suggestion(name, names)} ${offered}`;
}

export function badInput(tool: string, problems: readonly string[]): string {
  return `The input of ${tool} is not valid. Call it again with this corrected:\n${bullets(problems)}`;
}

/** Describes each problem in one line: path, expected value, received value. */
export function describeProblems(problems: readonly ValueProblem[]): readonly string[] {
  return problems.map(({ path, message, found }) => `${path || "(input)"}: ${message}; received ${preview(found)}`);
}

export function denied({ rule, reason }: Pick<PolicyDecision, "rule"> & Partial<PolicyDecision>): string {
  return `This call was not allowed (${rule}). ${reason ?? "Do not repeat it; continue without it."}`;
}

export function deniedByPerson(message: string | undefined): string {
  return `This call was not allowed by the person who was asked. ${message ?? "Do not repeat it; continue without it."}`;
}

export function notConfirmed(reason: string): string {
  const ended = /[.!?]$/.test(reason) ? reason : `${reason}.`; // a thrown message may not be a sentence
  return `This call was not executed. ${ended} Do not repeat it; continue without it.`;
}

export function editedHostTool(tool: string, input: JsonValue): string {
  return `This call was not executed. The person who was asked wants a different input. Call ${tool} with exactly this input: ${JSON.stringify(input)}`;
}

/** Returns the text before the result of a call if the user changed the call's input. */
export function changedInput(input: JsonValue): string {
  return `[A person changed the input of this call before it ran. It ran with: ${JSON.stringify(input)}]`;
}

/** Returns the text before the result of a call if the user allowed the call with a message to the model. */
export function personSays(message: string): string {
  return `[The person who allowed this call says: ${message}]`;
}
