import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { TestEvent } from "../result/test-event.ts";
import { whileWriting } from "./file-failures.ts";

/** A file of events, open for writing. */
export interface LogFile {
  /**
   * Contract: returns when the event is on disk as one line. Throws a StoreError where it could not be written; nothing
   * of it counts then, and the next append may succeed.
   */
  append(event: TestEvent): void;
  close(): void;
}

/** Opens a file of which the first `length` bytes count; `wx` makes it, and it must not be there. */
export function openLogFile(path: string, flag: "wx" | "r+", length = 0): LogFile {
  const file = whileWriting(path, () => openSync(path, flag, 0o600));
  let end = length;

  function cut(): void {
    ftruncateSync(file, end);
  }

  function write(line: Buffer): void {
    cut(); // what an earlier write left of a line, here or in a process that was killed
    for (let written = 0; written < line.length; ) {
      written += writeSync(file, line, written, line.length - written, end + written);
    }
    fsyncSync(file);
  }

  return {
    append(event) {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      try {
        whileWriting(path, () => write(line));
      } catch (error) {
        tryTo(cut);
        throw error;
      }
      end += line.length;
    },
    close: () => closeSync(file),
  };
}

/** The line counts for readers only when it ends; where it cannot be taken back now, the next write does. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch {}
}
