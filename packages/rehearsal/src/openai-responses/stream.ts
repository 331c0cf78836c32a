import { hasContent, type ScriptAnswer } from "../engine/answer.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import { type NamedValue, namedEvent, type SsePart } from "../protocol/sse.ts";
import type { Ending } from "../script/script.ts";
import { toItemEvents } from "./item-events.ts";
import { type ResponseOptions, toResponsesOutput } from "./output.ts";
import { toOpening, toResponse } from "./response.ts";

/** Yields the server-sent events of a streamed answer, each with its number. */
export function* toResponsesEvents(
  answer: ScriptAnswer,
  options: ResponseOptions,
  ending: Ending,
): Generator<StreamEvent> {
  let sequence_number = 0;
  for (const { value, isPiece } of toParts(answer, options, ending)) {
    yield namedEvent({ value: { ...value, sequence_number }, isPiece });
    sequence_number += 1;
  }
}

function* toParts(answer: ScriptAnswer, options: ResponseOptions, ending: Ending): Generator<SsePart<NamedValue>> {
  if (ending !== "whole" && !hasContent(answer)) return;
  const response = toOpening(answer, options);
  yield { value: { type: "response.created", response }, isPiece: false };
  yield { value: { type: "response.in_progress", response }, isPiece: false };
  const output = toResponsesOutput(answer, options);
  for (const [index, item] of output.entries()) {
    const { opening, pieces, closing } = toItemEvents(item, index);
    yield* opening;
    yield* pieces;
    if (ending !== "whole" && index === output.length - 1) return;
    yield* closing;
  }
  const end = toResponse(answer, options);
  yield { value: { type: `response.${end.status}`, response: end }, isPiece: false };
}
