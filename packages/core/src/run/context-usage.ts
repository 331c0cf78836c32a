/** How full the model's context window is, derived from the events of a session. */
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
  /** Tokens, if the host reports them. */
  readonly contextWindow?: number;
  /** Tokens of the newest response, prompt and answer; missing once the history is another one. */
  readonly tokens?: number;
  /** Characters of results that came after it. */
  readonly unseen: number;
}

export const nothingMeasured: WindowMeter = { unseen: 0 };

/** The share of the window above which a history is compacted before it is sent. */
const defaultCompactAt = 0.85;

/** An estimate, for texts that no host has counted yet. */
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

/** One model of one backend: the same name may be another model elsewhere. */
export function modelKey(backend: string, model: string): string {
  return `${backend} ${model}`;
}

/** Undefined if there is room, or if the size of the window is unknown. */
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

/** Throws InvalidRequestError unless it is a share of a window. */
export function checkCompactAt(compactAt = defaultCompactAt): number {
  if (compactAt > 0 && compactAt <= 1) return compactAt;
  throw new InvalidRequestError(`compactAt is ${compactAt}, but must be a share of the window above 0, and 1 at most.`);
}
