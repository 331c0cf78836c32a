import { setImmediate } from "node:timers/promises";
import type { Redactor } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { readDecidedValues } from "./decided-values.ts";
import type { TarFile } from "./tar.ts";

/** The bytes that are searched at once. Between two parts, timers and signals are handled. */
const partBytes = 1024 * 1024;

/** The bytes that two parts share, so that no credential is divided. */
const sharedBytes = 64 * 1024;

/** More positions help nobody. */
const mostPositions = 1000;

/**
 * The positions of credentials as `file:line`, also in the names of files. Never the credentials themselves. A text that only
 * looks like a credential is accepted if it was an input of a tool call: the audit trail shows what ran. Known credentials
 * are never accepted.
 */
export async function findSecrets(
  files: readonly TarFile[],
  redactor: Redactor,
  events: readonly RunEvent[] = [],
): Promise<string[]> {
  const accepted = listAccepted(events, redactor);
  const found: string[] = [];
  for (const { path, content } of files) {
    const shown = redactor.text(path);
    if (shown !== path) found.push(`the name ${shown}`);
    for (const line of await findLines(content, redactor, accepted)) found.push(`${shown}:${line}`);
    if (found.length > mostPositions) break;
  }
  return found.slice(0, mostPositions);
}

/** The numbers of the lines on which a credential begins. */
async function findLines(content: Uint8Array, redactor: Redactor, accepted: readonly string[]): Promise<Set<number>> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const lines = new Set<number>();
  let line = 1;
  for (let at = 0; at < bytes.length && lines.size <= mostPositions; at += partBytes) {
    if (at > 0) await setImmediate();
    const text = bytes.toString("utf8", Math.max(0, at - sharedBytes), at + partBytes);
    const linesBefore = countLines(bytes, Math.max(0, at - sharedBytes), at);
    let [counted, breaks] = [0, 0];
    for (const position of findPositions(text, redactor, accepted)) {
      breaks += text.slice(counted, position).split("\n").length - 1;
      counted = position;
      lines.add(line - linesBefore + breaks);
    }
    line += countLines(bytes, at, at + partBytes);
  }
  return lines;
}

function findPositions(text: string, { search, text: redact }: Redactor, accepted: readonly string[]): number[] {
  if (search === undefined) return redact(text) === text ? [] : [0];
  const open = search(text).findings.filter(
    ({ start, end, known }) => known || !isAccepted(text.slice(start, end), accepted),
  );
  return open.slice(0, mostPositions).map(({ start }) => start);
}

function countLines(bytes: Buffer, start: number, end = bytes.length): number {
  let count = 0;
  for (let at = bytes.indexOf(10, start); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Sorted texts that look like credentials, in the inputs of tool calls and in what people decided about. */
function listAccepted(events: readonly RunEvent[], { search }: Redactor): string[] {
  if (search === undefined) return [];
  const texts = events.flatMap(readDecidedValues).flatMap((text) => [text, JSON.stringify(text)]);
  const found = texts.flatMap((text) => search(text).findings.map(({ start, end }) => text.slice(start, end)));
  return [...new Set(found)].toSorted(compareCodes);
}

/** Whether a text is accepted. The texts for people shorten long inputs, so it may also be the beginning of one. */
function isAccepted(text: string, accepted: readonly string[]): boolean {
  let [low, high] = [0, accepted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodes(accepted[middle] ?? "", text) < 0) low = middle + 1;
    else high = middle;
  }
  return accepted[low]?.startsWith(text) ?? false;
}

function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
