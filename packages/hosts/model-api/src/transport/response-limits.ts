/** Limits how much a host may send in one response, so that it cannot fill the memory. Bytes are counted after decompression. */
import { BackendCrashError } from "@bridle/protocol";
import type { Address } from "./transport-options.ts";

/**
 * The limits in bytes. The body of an error response is cut at its limit, which does not count as a failure. Real answers stay far below
 * the other limits.
 */
const limits = { error: 16_000_000, line: 16_000_000, total: 256_000_000 } as const;

const newline = 10;

/** Counts the bytes of one response's body. */
export class ResponseLimits {
  readonly #address: Address;
  readonly #isError: boolean;
  readonly #hasLines: boolean;
  #total = 0;
  #line = 0;

  constructor({ ok, headers }: Response, address: Address) {
    this.#address = address;
    this.#isError = !ok;
    this.#hasLines = headers.get("content-type")?.includes("text/event-stream") ?? false;
  }

  /**
   * Returns the part of the next chunk to keep, and whether the body ends with this part. Throws BackendCrashError for an answer beyond a
   * limit.
   */
  accept(chunk: Uint8Array): { readonly kept: Uint8Array; readonly isEnd: boolean } {
    const before = this.#total;
    this.#total += chunk.length;
    if (this.#isError) return { kept: chunk.subarray(0, limits.error - before), isEnd: this.#total >= limits.error };
    const end = chunk.lastIndexOf(newline);
    this.#line = end < 0 ? this.#line + chunk.length : chunk.length - end;
    if (this.#total > limits.total) throw this.#refuse("an answer", limits.total);
    if (this.#hasLines && this.#line > limits.line) throw this.#refuse("a line", limits.line);
    return { kept: chunk, isEnd: false };
  }

  #refuse(part: string, limit: number): BackendCrashError {
    const { backend, baseUrl } = this.#address;
    return new BackendCrashError(
      `The backend ${backend} sent ${part} of more than ${limit / 1_000_000} MB (${baseUrl}). Try again, or use another host.`,
    );
  }
}
