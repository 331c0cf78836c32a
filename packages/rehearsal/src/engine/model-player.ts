/** Plays a model that is a function: it returns each answer, instead of a script. */
import { getErrorMessage, isBridleError } from "@bridle/protocol";
import { defineScript } from "../script/define.ts";
import type { StepInput } from "../script/schema.ts";
import { toAnswer } from "./answer.ts";
import type { RehearsedConversation, ToolResult } from "./conversation.ts";
import { isCorrection, uncorrected } from "./corrections.ts";
import type { Play, Player } from "./play.ts";

/** A request to a model that is a function; the same for every protocol. */
export interface RehearsedRequest {
  readonly system: string;
  /** The newest user message, without tool results and texts that the host added. */
  readonly user: string;
  /** The number of the newest user message; the first is 1. */
  readonly message: number;
  /** The number of the answer to this message; the first is 1. */
  readonly step: number;
  /** The results of the newest answer's calls, in their order. */
  readonly results: readonly ToolResult[];
  /** Every tool result of the conversation, oldest first. */
  readonly allResults: readonly ToolResult[];
  /** The names of the request's tools, as the caller declared them. */
  readonly tools: readonly string[];
}

/**
 * A model that is a function. Returns a step as in a script, without `times` and `forever`, or undefined without an answer, which fails the
 * rehearsal. Templates are not filled. Contract: a request may come again, after a fault or from a client that did not get the answer.
 */
export type RehearsedModel = (request: RehearsedRequest) => StepInput | undefined | Promise<StepInput | undefined>;

const [leaveAsIs] = uncorrected.steps;

/**
 * Creates a player that calls a function for each step. If the function throws or returns an invalid step, the failure names the message
 * and the step.
 */
export function createModelPlayer(model: RehearsedModel): Player {
  return async (conversation) => {
    const position = { turn: conversation.turn, step: conversation.answers.length + 1 };
    const refuse = (reason: string): Play => ({
      kind: "mismatch",
      ...position,
      reason: `The model in code, message ${position.turn}, step ${position.step}: ${reason}`,
    });
    try {
      const input = isCorrection(conversation) ? "leave" : await model(toRehearsedRequest(conversation));
      if (input === undefined) return refuse('it returned no step. Return one, such as { say: "Hello" }.');
      const step = input === "leave" ? leaveAsIs : toStep(input);
      if (step === undefined) return refuse("it returned no step.");
      const found = { kind: "step", turn: position.turn, step: { ...step, number: position.step } } as const;
      if (step.act.kind !== "answer") return found;
      return { ...found, answer: toAnswer(step.act.content, conversation, { isLiteral: true }) };
    } catch (error) {
      return refuse(
        isBridleError(error) ? `its step is wrong. ${error.message}` : `it threw. ${getErrorMessage(error)}`,
      );
    }
  };
}

function toStep(input: StepInput) {
  return defineScript({ rehearsal: 1, turns: [{ steps: [input] }] }, "step").turns[0]?.steps[0];
}

function toRehearsedRequest(conversation: RehearsedConversation): RehearsedRequest {
  const { system, user, turn, answers, results, offered } = conversation;
  const ownName = (name: string) => name.replace(/^mcp__bridle__/, "");
  const own = (result: ToolResult): ToolResult => ({ ...result, tool: ownName(result.tool) });
  return {
    system,
    user,
    message: turn,
    step: answers.length + 1,
    tools: offered.map(ownName),
    results: (answers.at(-1)?.results ?? []).map(own),
    allResults: results.map(own),
  };
}
