/** Ways to compact a history. The session's events stay in the log. */
import { cutText, type HistoryMessage, type HistoryPart } from "@bridle/protocol";
import { hasImages } from "../tools/result-images.ts";

/** Shorter results stay, because the note that would replace them is as long. */
const shortResult = 200;

/** Returns the history without its long results, or undefined if it has none. */
export function dropToolResults(history: readonly HistoryMessage[]): readonly HistoryMessage[] | undefined {
  if (!history.some(({ content }) => content.some(isLong))) return undefined;
  return history.map(({ role, content }) => ({ role, content: content.map(shorten) }));
}

/**
 * Drops long results during a run, when the model has not seen the newest results. The newest results stay whole if they are at most half
 * of all results; otherwise only their beginning and end stay. Returns undefined if nothing can be left out.
 */
export function makeRoomWithin(history: readonly HistoryMessage[]): readonly HistoryMessage[] | undefined {
  const [older, newest] = [history.slice(0, -1), history.slice(-1)];
  const unseen = charsOfResults(newest);
  const isMost = unseen * 2 > charsOfResults(older) + unseen;
  const rest = dropToolResults(older);
  const kept = isMost ? newest.map(cutResults) : newest;
  if (!rest && !newest.some(({ content }) => isMost && content.some(isCuttable))) return undefined;
  return [...(rest ?? older), ...kept];
}

/**
 * Replaces all but the newest turn with a summary. Returns undefined if there is only one turn. `ask` sends a prompt to a model and rejects
 * with a BridleError.
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
      return `(result: ${part.output}${part.images ? ` ${images(part.images.length)}` : ""})`;
    case "image":
    case "file":
      return `(${part.type}: ${part.mediaType})`;
  }
}

function shorten(part: HistoryPart): HistoryPart {
  if (!isLong(part) || part.type !== "tool-result") return part;
  const { images: shown = [], ...rest } = part;
  const size = [`${part.output.length} characters`, ...(shown.length > 0 ? [images(shown.length)] : [])].join(" and ");
  return { ...rest, output: `[This result of ${size} was left out to make room.]` };
}

function images(count: number): string {
  return count === 1 ? "an image" : `${count} images`;
}

/** How many characters are kept of a truncated result that the model has not seen. */
const unseenResult = 2_000;

function cutResults({ role, content }: HistoryMessage): HistoryMessage {
  return { role, content: content.map(cutResult) };
}

function cutResult(part: HistoryPart): HistoryPart {
  const cut = part.type === "tool-result" ? cutText(part.output, unseenResult) : undefined;
  if (!cut || part.type !== "tool-result") return part;
  const gap = `[${cut.omitted} of ${part.output.length} characters were left out here to make room.]`;
  return { ...part, output: `${cut.head}\n\n${gap}\n\n${cut.tail}` };
}

function isCuttable(part: HistoryPart): boolean {
  return part.type === "tool-result" && part.output.length > unseenResult;
}

function charsOfResults(history: readonly HistoryMessage[]): number {
  const parts = history.flatMap(({ content }) => content);
  return parts.reduce((chars, part) => chars + charsOfResult(part), 0);
}

/** An image takes about as much of the window as this many characters. */
const charsOfImage = 6_000;

function charsOfResult(part: HistoryPart): number {
  return part.type === "tool-result" ? part.output.length + charsOfImage * (part.images?.length ?? 0) : 0;
}

function isLong(part: HistoryPart): boolean {
  return part.type === "tool-result" && (part.output.length > shortResult || hasImages(part));
}

function isResult({ type }: HistoryPart): boolean {
  return type === "tool-result";
}
