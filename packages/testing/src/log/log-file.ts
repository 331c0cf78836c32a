import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { refuseLinks } from "@bridle/core";
import type { TestEvent } from "../result/test-event.ts";
import { whileWriting } from "./file-failures.ts";

/** An event file that is open for writing. */
export interface LogFile {
  /**
   * Contract: returns when the event is on disk as one line. Throws a StoreError if the event cannot be written; no part of it is read
   * then, and the next append may succeed.
   */
  append(event: TestEvent): void;
  close(): void;
}

/** Opens a file with `length` valid bytes at its start. With `wx`, the file is created and must not exist. */
export function openLogFile(path: string, flag: "wx" | "r+", length = 0): LogFile {
  refuseLinks(path);
  const file = whileWriting(path, () => openSync(path, flag, 0o600));
  let end = length;

  function cut(): void {
    ftruncateSync(file, end);
  }

  function write(line: Buffer): void {
    cut(); // the rest of a line that an earlier write or a killed process left
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
        tryTo(cut); // removes an incomplete line now, or with the next write
        throw error;
      }
      end += line.length;
    },
    close: () => closeSync(file),
  };
}

/** Runs `work` and ignores errors. */
function tryTo(work: () => void): void {
  try {
    work();
  } catch {}
}
