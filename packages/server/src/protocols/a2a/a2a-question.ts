/** Converts questions about calls, and their answers, to and from message parts. */
import { type EventOf, isPlainObject } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../../http/problem.ts";
import type { GivenAnswer } from "../shared/answer-questions.ts";
import { describeAsker, nameAsker } from "../shared/inner-questions.ts";
import type { Asked } from "../shared/run-pauses.ts";
import type { A2aMessage } from "./a2a-objects.ts";

/** Formats questions as a text for people and models, and as data for programs. */
export function toQuestionParts(asked: readonly Asked[]): A2aMessage["parts"] {
  const text = [...asked.map(describeQuestion), 'Answer with "allow" or "deny".'].join("\n\n");
  return [{ text }, ...asked.map((question) => ({ data: toData(question) }))];
}

function describeQuestion(asked: Asked): string {
  const { tool, reason, preview, problem, input } = asked;
  const about = [describeAsker(asked), problem, reason, preview ?? JSON.stringify(input)];
  return [`May ${tool} run?`, ...about].filter((text) => text !== undefined && text !== "").join("\n\n");
}

function toData(asked: Asked) {
  const { approvalId, tool, input, inputHash, rule, everyTime, preview, annotations } = asked;
  const agent = nameAsker(asked);
  const more = {
    ...(agent !== undefined && { agent }),
    ...(preview !== undefined && { preview }),
    ...(annotations && { annotations }),
  };
  return { approvalId, tool, input, inputHash, rule, everyTime, ...more };
}

/** Formats the answer to a question, even if it was not given through A2A. */
export function toAnswerParts({
  approvalId,
  decision,
  message,
  input,
}: EventOf<"approval.decided">): A2aMessage["parts"] {
  const more = { ...(message !== undefined && { message }), ...(input !== undefined && { input }) };
  return [{ data: { approvalId, decision, ...more } }];
}

const answerSchema = z.strictObject({
  approvalId: z.string(),
  decision: z.enum(["allow", "deny"]),
  message: z.string().optional(),
  /** The input that replaces the input of the call. */
  input: z.record(z.string(), z.unknown()).optional(),
});

interface PartOfMessage {
  readonly text?: string | undefined;
  readonly data?: unknown;
}

/**
 * Reads answers from data parts, by the id of the question. Returns `undefined` if no part is an answer. @throws RequestProblem if
 * an answer is malformed.
 */
export function readDataAnswers(parts: readonly PartOfMessage[]): ReadonlyMap<string, GivenAnswer> | undefined {
  const given = parts.flatMap(({ data }) => (isPlainObject(data) && "approvalId" in data ? [data] : []));
  if (given.length === 0) return undefined;
  return new Map(
    given.map((each) => {
      const parsed = answerSchema.safeParse(each);
      if (!parsed.success)
        throw notAnswer(`${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`);
      const { approvalId, decision, message, input } = parsed.data;
      const isEdit = decision === "allow" && input !== undefined;
      return [approvalId, { decision, ...(message !== undefined && { message }), ...(isEdit && { input }) }];
    }),
  );
}

/**
 * Reads a single word as the answer to all open questions, for clients that can send only text. If several questions are open, the
 * client may have seen only one of them, so the word must explicitly refer to all.
 *
 * @throws RequestProblem if the text is not an answer.
 */
export function readTextAnswers(
  parts: readonly PartOfMessage[],
  open: readonly string[],
): ReadonlyMap<string, GivenAnswer> {
  const text = parts.map((part) => part.text ?? "").join("\n");
  const [, word = "", all, rest = ""] = /^\s*(allow|deny)( all)?\b[.:,]?\s*(.*)$/is.exec(text) ?? [];
  const message = rest.trim();
  const isAllow = word.toLowerCase() === "allow";
  if (word === "" || (isAllow && message !== "")) throw notAnswer('it is neither "allow" nor "deny"');
  if (open.length > 1 && all === undefined)
    throw notAnswer(`${open.length} questions are open. Send "allow all" or "deny all" if you mean all of them`);
  const answer: GivenAnswer = isAllow
    ? { decision: "allow" }
    : { decision: "deny", ...(message !== "" && { message }) };
  return new Map(open.map((id) => [id, answer]));
}

function notAnswer(reason: string): RequestProblem {
  const remedy = 'Send the text "allow" or "deny", or a data part with approvalId and decision for each question.';
  return new RequestProblem(422, "invalid-answer", `The message does not answer the question: ${reason}. ${remedy}`);
}
