import { readResultName } from "@bridle/core";
import type { EventOf, Operation, PromptMessage, RunEvent, RunResult, Usage } from "@bridle/protocol";
import { z } from "zod";

/** One user message, and everything that the host returned for it. */
export interface Exchange {
  readonly operation: Operation;
  readonly prompt: PromptMessage;
  /** The number of the message in its conversation; the first user message is 1. */
  readonly message: number;
  readonly system: SystemText;
  readonly moves: readonly Move[];
  /** The end of the run. Set only on the run's last exchange. */
  readonly end?: RunEnd | undefined;
}

/** The system prompt. Empty if the event log does not contain it. */
export interface SystemText {
  readonly static: string;
  readonly dynamic: string;
}

export interface RunEnd {
  readonly result: RunResult;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** What the host did in one step: an answer of the model, or a failed attempt. */
export type Move = AnswerMove | FaultMove;

export interface AnswerMove {
  readonly kind: "answer";
  readonly texts: readonly string[];
  readonly thoughts: readonly string[];
  readonly calls: readonly RecordedCall[];
  readonly usage?: Usage | undefined;
  /** Whether the answer broke off: the request was sent again, or the last text is incomplete. */
  readonly isPartial: boolean;
}

interface FaultMove {
  readonly kind: "fault";
  /** Missing if the connection failed. */
  readonly status?: number | undefined;
}

export interface RecordedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Reads a stored text of the event log by its id. */
export type ReadArtifact = (id: string) => string | undefined;

/** Reads the exchanges with a host from the events of one run, in order. */
export function readExchanges(events: readonly RunEvent[], readArtifact: ReadArtifact): Exchange[] {
  const [start] = events;
  if (start?.type !== "run.started") return [];
  const starts = events.flatMap(({ type }, index) => (type === "model.input" ? [index] : []));
  const earlier = findCutResults(events);
  let before = 0;
  return starts.flatMap((from, order) => {
    const own = events.slice(from, starts[order + 1]);
    const [input] = own;
    const prompt = input?.type === "model.input" ? input.messages.at(-1) : undefined;
    if (input?.type !== "model.input" || prompt === undefined) return [];
    before += input.messages.filter(({ role }) => role === "user").length;
    const finished = own.find((event) => event.type === "run.finished");
    return {
      operation: start.operation,
      prompt,
      message: before,
      system: readSystem(readArtifact(input.artifact)),
      moves: readMoves(own, earlier),
      end: finished && { result: finished.result, at: finished.time },
    };
  });
}

const inputSchema = z.looseObject({ system: z.object({ static: z.string(), dynamic: z.string() }) });

function readSystem(artifact: string | undefined): SystemText {
  const parsed = artifact === undefined ? undefined : inputSchema.safeParse(JSON.parse(artifact));
  return parsed?.success ? parsed.data.system : { static: "", dynamic: "" };
}

/** The answer that is being read. Its last text is open until the event with the complete text. */
interface OpenAnswer {
  kind: "answer";
  texts: string[];
  thoughts: string[];
  openText: string;
  openThought: string;
  calls: RecordedCall[];
  usage?: Usage;
  isVoid: boolean;
}

function readMoves(events: readonly RunEvent[], cutResults: CutResults): Move[] {
  const moves: (OpenAnswer | FaultMove)[] = [];
  let answer: OpenAnswer | undefined;
  let isStepOpen = false;

  function begin(): OpenAnswer {
    const begun: OpenAnswer = {
      kind: "answer",
      texts: [],
      thoughts: [],
      openText: "",
      openThought: "",
      calls: [],
      isVoid: false,
    };
    moves.push(begun);
    return begun;
  }

  /**
   * Adds a failed attempt. If it happened during a step, the events of the step so far are discarded, and later events belong to another
   * answer.
   */
  function addFault({ status }: EventOf<"retry.scheduled">): void {
    const broken = answer;
    answer = undefined;
    if (broken && isStepOpen && (status !== undefined || isEmpty(broken))) moves.splice(moves.indexOf(broken), 1);
    else if (broken && (isStepOpen || (status === undefined && isOpen(broken)))) {
      broken.isVoid = true;
      return;
    }
    moves.push({ kind: "fault", status });
  }

  for (const event of events) {
    if (event.type === "step.started") {
      answer = begin();
      isStepOpen = true;
    } else if (event.type === "retry.scheduled") addFault(event);
    else if (answerParts.has(event.type)) {
      if (isStepOpen) answer ??= begin();
      if (answer !== undefined) takePart(answer, event, cutResults);
      if (event.type === "step.finished") isStepOpen = false;
    }
  }
  return moves.map((move) => (move.kind === "answer" ? closeAnswer(move) : move));
}

const answerParts: ReadonlySet<RunEvent["type"]> = new Set([
  "text.delta",
  "text.completed",
  "reasoning.delta",
  "reasoning.completed",
  "tool.requested",
  "step.finished",
] as const);

function takePart(answer: OpenAnswer, event: RunEvent, cutResults: CutResults): void {
  switch (event.type) {
    case "text.delta":
      answer.openText += event.text;
      break;
    case "text.completed":
      answer.texts.push(event.text);
      answer.openText = "";
      break;
    case "reasoning.delta":
      answer.openThought += event.text;
      break;
    case "reasoning.completed":
      answer.thoughts.push(event.text);
      answer.openThought = "";
      break;
    case "tool.requested":
      answer.calls.push({ tool: event.tool, input: withoutNewestId(event, cutResults) });
      break;
    case "step.finished":
      answer.usage = event.usage;
  }
}

function isEmpty(answer: OpenAnswer): boolean {
  return !isOpen(answer) && answer.texts.length + answer.thoughts.length === 0;
}

function isOpen({ openText, openThought }: OpenAnswer): boolean {
  return openText !== "" || openThought !== "";
}

function closeAnswer(answer: OpenAnswer): AnswerMove {
  const { openText, openThought, texts, thoughts, calls, usage, isVoid } = answer;
  return {
    kind: "answer",
    texts: openText === "" ? texts : [...texts, openText],
    thoughts: openThought === "" ? thoughts : [...thoughts, openThought],
    calls,
    usage,
    isPartial: isVoid || isOpen(answer),
  };
}

/** The ids of calls with truncated results, with the position of each result in the run. */
type CutResults = readonly { readonly callId: string; readonly seq: number }[];

function findCutResults(events: readonly RunEvent[]): CutResults {
  return events.flatMap((event) =>
    event.type === "tool.finished" && event.artifact !== undefined ? [{ callId: event.callId, seq: event.seq }] : [],
  );
}

/**
 * Removes the id of the newest cut result from a call's input. Call ids differ in every run, and the newest cut result can be read without
 * an id.
 */
function withoutNewestId({ tool, input, seq }: EventOf<"tool.requested">, cutResults: CutResults): unknown {
  const newest = cutResults.findLast((result) => result.seq < seq)?.callId;
  const parsed = z.looseObject({ id: z.literal(newest) }).safeParse(input);
  if (tool !== readResultName || newest === undefined || !parsed.success) return input;
  const { id: _, ...rest } = parsed.data;
  return rest;
}
