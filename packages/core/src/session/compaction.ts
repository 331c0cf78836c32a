/** Ways to make a history shorter. The events that it was derived from stay on record. */
import type { HistoryMessage, HistoryPart } from "../history-message.ts";

/**
 * `drop-tool-results` leaves long results of tools out, `summarise` has the model condense all but the newest turn, and
 * `none` leaves a history as it is, however long.
 */
export type Compaction = "none" | "drop-tool-results" | "summarise";

/** Shorter results stay: to say that they were left out would take as long. */
const shortResult = 200;

/** The history without its long results, or undefined where it has none. */
export function dropToolResults(history: readonly HistoryMessage[]): readonly HistoryMessage[] | undefined {
  if (!history.some(({ content }) => content.some(isLong))) return undefined;
  return history.map(({ role, content }) => ({ role, content: content.map(shorten) }));
}

/**
 * The history with all but its newest turn as one message that condenses it, or undefined where it is one turn only.
 * `ask` puts a question to a model and rejects with a BridleError.
 */
export async function summarise(
  history: readonly HistoryMessage[],
  ask: (prompt: string) => Promise<string>,
): Promise<readonly HistoryMessage[] | undefined> {
  const newest = history.findLastIndex(({ role, content }) => role === "user" && !content.some(isResult));
  if (newest <= 0) return undefined;
  const [older, kept] = [history.slice(0, newest), history.slice(newest)];
  const summary = await ask(`${question}\n\n<conversation>\n${readable(older)}\n</conversation>`);
  const text = `What was said and done before, in short:\n\n${summary}`;
  return [{ role: "user", content: [{ type: "text", text }] }, ...kept];
}

const question =
  "Condense this conversation between a user and an assistant, so that the assistant can go on from your words alone. " +
  "Keep goals, decisions, names, numbers, and what was found out and done; leave out what led nowhere.";

function readable(history: readonly HistoryMessage[]): string {
  return (dropToolResults(history) ?? history)
    .flatMap(({ role, content }) => content.map((part) => `${role}: ${describe(part)}`))
    .join("\n\n");
}

function describe(part: HistoryPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return `(calls ${part.tool} with ${JSON.stringify(part.input)})`;
    case "tool-result":
      return `(result: ${part.output})`;
    case "image":
    case "file":
      return `(${part.type}: ${part.mediaType})`;
  }
}

function shorten(part: HistoryPart): HistoryPart {
  if (!isLong(part) || part.type !== "tool-result") return part;
  return { ...part, output: `[This result of ${part.output.length} characters was left out to make room.]` };
}

function isLong(part: HistoryPart): boolean {
  return part.type === "tool-result" && part.output.length > shortResult;
}

function isResult({ type }: HistoryPart): boolean {
  return type === "tool-result";
}
