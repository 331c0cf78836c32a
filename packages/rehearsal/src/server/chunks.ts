import type { Chunks } from "../script/script.ts";

/** Splits a string or bytes into chunks, without changing the data. */
export function* toChunks(data: string | Uint8Array, chunks: Chunks): Generator<Uint8Array> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  let start = 0;
  for (let end = 1; end < bytes.length; end++) {
    if (!endsChunk(bytes, start, end, chunks)) continue;
    yield bytes.subarray(start, end);
    start = end;
  }
  if (start < bytes.length) yield bytes.subarray(start);
}

function endsChunk(bytes: Uint8Array, start: number, end: number, chunks: Chunks): boolean {
  if (chunks === "events") return false;
  if (chunks === "inside-characters") return isContinuation(bytes[end]) && !isContinuation(bytes[end - 1]);
  return end - start >= chunks;
}

/** Whether the byte belongs to a multi-byte character but is not its first byte. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
