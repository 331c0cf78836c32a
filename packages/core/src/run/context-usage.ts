/** Derives from the events of a session how full the model's context window is. */
import {
  type EventOf,
  InvalidRequestError,
  type Message,
  messageText,
  type RunEvent,
  totalTokens,
} from "@bridle/protocol";

/** The expected tokens of the next prompt, and the limit as a share of the window. */
export type ContextUsage = NonNullable<EventOf<"history.replaced">["measured"]>;

/** The measurements of the newest run's model. */
export interface WindowMeter {
  readonly asked?: string;
  /** The size of the window in tokens, if the host reports it. */
  readonly contextWindow?: number;
  /** The tokens of the newest prompt and answer. Missing after the history was replaced. */
  readonly tokens?: number;
  /** The characters of results that came after that answer. */
  readonly unseen: number;
}

export const nothingMeasured: WindowMeter = { unseen: 0 };

/** The share of the window above which a history is compacted before it is sent. */
const defaultCompactAt = 0.85;

/** An estimate for texts that no host has counted yet. */
const charsPerToken = 4;

/** Adds one event to the measurements. Pure. */
export function measureContext(meter: WindowMeter, event: RunEvent): WindowMeter {
  switch (event.type) {
    case "run.started": {
      const asked = modelKey(event.backend, event.model);
      return asked === meter.asked ? meter : { asked, unseen: 0 };
    }
    case "step.finished":
      return { ...meter, tokens: totalTokens(event.usage), unseen: 0 };
    case "tool.denied":
    case "tool.finished":
      return { ...meter, unseen: meter.unseen + event.output.length };
    case "usage.reported":
      return event.contextWindow === undefined ? meter : { ...meter, contextWindow: event.contextWindow };
    case "history.replaced": {
      const { tokens: _ofAnotherHistory, ...rest } = meter;
      return { ...rest, unseen: 0 };
    }
    default:
      return meter;
  }
}

/** Returns a key for one model of one backend, because another backend may use the same name for another model. */
export function modelKey(backend: string, model: string): string {
  return `${backend} ${model}`;
}

/** Returns the expected usage of the next prompt. Undefined if the prompt fits, or if the size of the window is unknown. */
export function projectContextUsage(
  { asked, contextWindow, tokens, unseen }: WindowMeter,
  next: { asked: string; prompt: readonly Message[]; compactAt: number },
): ContextUsage | undefined {
  if (asked !== next.asked || contextWindow === undefined || tokens === undefined) return undefined;
  const added = next.prompt.reduce((chars, message) => chars + messageText(message).length, unseen);
  const expected = tokens + Math.ceil(added / charsPerToken);
  if (expected <= contextWindow * next.compactAt) return undefined;
  return { tokens: expected, contextWindow, compactAt: next.compactAt };
}

/** Returns the share or its default. Throws InvalidRequestError if `compactAt` is not a share of a window. */
export function checkCompactAt(compactAt = defaultCompactAt): number {
  if (compactAt > 0 && compactAt <= 1) return compactAt;
  throw new InvalidRequestError(`compactAt is ${compactAt}, but must be a share of the window above 0, and 1 at most.`);
}
