/** Checks the features that a request needs. Each function throws UnsupportedFeatureError before anything is sent. */
import {
  type Backend,
  type ConversationSpec,
  type HistoryPart,
  type HostSettings,
  type Message,
  suggestion,
  UnsupportedFeatureError,
} from "@bridle/protocol";

export function requireBuiltins(backend: Backend, builtins: readonly string[]): void {
  const known = Object.keys(backend.features.builtins);
  for (const name of builtins) {
    if (known.includes(name)) continue;
    const hint = known.length === 0 ? "It has none. Pass your own tools." : suggestion(name, known).trim();
    throw new UnsupportedFeatureError(backend.id, `built-in tool named "${name}"`, hint);
  }
}

export function requireHostSettings({ id, features }: Backend, settings: HostSettings = {}): void {
  const known = features.hostSettings ?? [];
  for (const name of Object.keys(settings)) {
    if (known.includes(name)) continue;
    const hint = known.length === 0 ? "It has none." : suggestion(name, known).trim() || `It has ${known.join(", ")}.`;
    throw new UnsupportedFeatureError(id, `backend setting named "${name}"`, hint);
  }
}

export function requireFeatures({ id, features }: Backend, spec: ConversationSpec, messages: readonly Message[]): void {
  if (spec.outputSchema && !features.structuredOutput) {
    throw new UnsupportedFeatureError(id, "structured output", "Use generateText, or another backend.");
  }
  if (spec.history.length > 0 && !features.history) {
    throw new UnsupportedFeatureError(id, "history from messages", "Put the earlier messages into one prompt text.");
  }
  if (spec.maxOutputTokens !== undefined && !features.maxOutputTokens) {
    throw new UnsupportedFeatureError(id, "limit on output tokens", "Leave maxOutputTokens out.");
  }
  if (spec.maxCostUsd !== undefined && !features.costBudget) {
    throw new UnsupportedFeatureError(id, "cost budget", "Use maxTotalTokens instead of maxCostUsd.");
  }
  const taken = [...features.parts, "tool-call", "tool-result"];
  const part = findPart([...spec.history, ...messages.slice(-1)], ({ type }) => !taken.includes(type));
  if (part) {
    const hint = `It takes ${features.parts.join(", ")}.`;
    throw new UnsupportedFeatureError(id, `prompt parts of type ${part.type}`, hint);
  }
}

function findPart(
  messages: readonly { readonly content: readonly HistoryPart[] }[],
  isWanted: (part: HistoryPart) => boolean,
): HistoryPart | undefined {
  for (const { content } of messages) {
    const part = content.find(isWanted);
    if (part) return part;
  }
  return undefined;
}
