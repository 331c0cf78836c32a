/** Rules for combinations of fields. Each rule names the wrong field and the remedy. */
import type { z } from "zod";

type Fields = Readonly<Record<string, unknown>>;
interface Turn {
  readonly when?: Fields | undefined;
  readonly steps: readonly Fields[];
}

const contentFields = ["think", "say", "call", "calls", "object", "oversized_bytes", "dimensions"];
const refusalFields = ["reset", "html", "status"];

/** Whether the step returns a complete answer of the model. If not, the client must send the request again. */
export function leavesAnswer(step: Fields): boolean {
  return isSet(step, "cut") || isSet(step, "stall") ? false : contentFields.some((field) => isSet(step, field));
}

export function checkStep(step: Fields, context: z.RefinementCtx): void {
  const problems = [...problemsOfKind(step), ...rivals(step, stepRivals), ...missingPartners(step)];
  for (const problem of problems) addProblem(context, problem);
}

export function checkCall(call: Fields, context: z.RefinementCtx): void {
  for (const problem of rivals(call, callRivals)) addProblem(context, problem);
}

export function checkTurn({ when, steps }: Turn, context: z.RefinementCtx): void {
  const refuse = (index: number, message: string) =>
    context.addIssue({ code: "custom", path: ["steps", index], message });
  const endless = steps.findIndex((step) => isSet(step, "forever"));
  if (endless >= 0 && endless < steps.length - 1)
    refuse(endless + 1, `never reached, because the step before it repeats without end. Move it up, or use "times"`);
  const answers = steps.flatMap((step, index) => (leavesAnswer(step) ? [index] : []));
  if (when !== undefined && isSet(when, "step") && answers[1] !== undefined)
    refuse(
      answers[1],
      `never reached, because "when: { step }" is true for only one answer. Remove the step or the condition`,
    );
}

interface InvalidRequest {
  readonly field?: string;
  readonly message: string;
}

function addProblem(context: z.RefinementCtx, { field, message }: InvalidRequest): void {
  context.addIssue({ code: "custom", path: field === undefined ? [] : [field], message });
}

function problemsOfKind(step: Fields): InvalidRequest[] {
  const content = [...contentFields, "stall", "cut"].filter((field) => isSet(step, field));
  const refusals = refusalFields.filter((field) => isSet(step, field));
  const problems: InvalidRequest[] = [];
  if (content.length === 0 && refusals.length === 0 && !isSet(step, "limit"))
    problems.push({
      message: "the step does nothing. Add an answer (say, call, object, …) or a fault (status, reset, …)",
    });
  if (content[0] !== undefined && refusals[0] !== undefined)
    problems.push(clash(content[0], refusals[0], "A step either answers or fails: split it into two steps"));
  if (refusals[0] === "reset" && refusals[1] !== undefined)
    problems.push(clash(refusals[1], "reset", "A reset connection carries no answer: keep one"));
  return problems;
}

type Rivals = readonly (readonly [field: string, rival: string])[];

const callRivals: Rivals = [["with_text", "with"]];
const stepRivals: Rivals = [
  ...callRivals,
  ["cut", "stall"],
  ["oversized_bytes", "say"],
  ["object", "call"],
  ["object", "calls"],
  ["times", "forever"],
  ["chunk_bytes", "split_utf8"],
];

function rivals(fields: Fields, pairs: Rivals): InvalidRequest[] {
  return pairs
    .filter(([field, rival]) => isSet(fields, field) && isSet(fields, rival))
    .map(([field, rival]) => clash(field, rival, "Keep one"));
}

function missingPartners(step: Fields): InvalidRequest[] {
  const partners: [string, string[]][] = [
    ["with", ["call"]],
    ["with_text", ["call"]],
    ["custom", ["call"]],
    ["error_type", ["status", "limit"]],
    ["message", ["status", "limit"]],
  ];
  return partners
    .filter(([field, needed]) => isSet(step, field) && !needed.some((name) => isSet(step, name)))
    .map(([field, [needed]]) => ({ field, message: `"${field}" needs "${needed}". Add it` }));
}

function clash(field: string, rival: string, remedy: string): InvalidRequest {
  return { field, message: `"${field}" cannot be combined with "${rival}". ${remedy}` };
}

function isSet(fields: Fields, name: string): boolean {
  return fields[name] !== undefined && fields[name] !== false;
}
