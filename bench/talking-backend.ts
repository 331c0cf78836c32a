import type { Backend, BackendEvent, TurnContext } from "@bridle/protocol";

/** Creates an in-memory backend that answers with these pieces of text, one after another. */
export function createTalkingBackend(pieces: Iterable<string>): Backend {
  return {
    id: "talking",
    account: "talking",
    features: {
      structuredOutput: false,
      history: false,
      parts: ["text"],
      maxOutputTokens: false,
      sampling: false,
      costBudget: false,
      builtins: {},
      promptCaching: [],
      maxResultChars: Number.POSITIVE_INFINITY,
      degraded: [],
    },
    open: async () => ({
      promptContext: { implicitSources: [], hostAdds: [] },
      turn: async (_input, host) => talk(host, pieces),
      close: async () => {},
    }),
    checkAuth: async () => ({ ok: true, mode: "none", detail: "in memory" }),
    close: async () => {},
  };
}

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function talk(host: TurnContext, pieces: Iterable<string>): { reason: "natural" } {
  host.emit({ type: "step.started" });
  for (const text of pieces) host.emit({ type: "text.delta", text } satisfies BackendEvent);
  host.emit({ type: "step.finished", usage });
  return { reason: "natural" };
}
