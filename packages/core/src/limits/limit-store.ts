/**
 * Stores the used-up window of an account in a file, so that the next process knows it.
 *
 * Reads and writes are synchronous: they are rare, and the window must be on disk before a run reports that it waits.
 */
import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Logger, silentLogger, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import { sha256 } from "../system/hash.ts";
import { createPrivateFolder, refuseLinks } from "../system/private-files.ts";
import { readTextFileSync } from "../system/read-text-file.ts";

const schema = z.object({ account: z.string(), window: z.string(), resetsAt: z.number() });

/** A used-up window; `resetsAt` in milliseconds since the epoch. */
export interface LimitState {
  window: string;
  resetsAt: number;
}

export interface LimitStore {
  read(now: number): LimitState | undefined;
  write(state: LimitState): void;
  clear(): void;
}

/** A failed read or write is only a warning, because a run is more important than the memory of a limit. */
export function createLimitStore(folder: string, account: string, logger: Logger = silentLogger): LimitStore {
  const path = fileOf(folder, account);

  function attempt(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      logger.warn({ path, error }, `the state of a usage limit could not be ${what}`);
    }
  }

  return {
    read: (now) => readLimitState(folder, account, { now, logger }),
    write: ({ window, resetsAt }) =>
      attempt("written", () =>
        replaceFile(folder, path, JSON.stringify({ account: sha256(account), window, resetsAt })),
      ),
    clear: () => attempt("removed", () => rmSync(path, { force: true })),
  };
}

/**
 * The window of an account that is still used up, if a process with this `limitsFolder` stored one. An invalid file is a
 * warning, and the next limit replaces it.
 *
 * @example readLimitState("/home/ada/.local/state/bridle/limits", backend.account)?.resetsAt
 */
export function readLimitState(
  folder: string,
  account: string,
  { now = Date.now(), logger = silentLogger }: { now?: number; logger?: Logger } = {},
): LimitState | undefined {
  const path = fileOf(folder, account);
  try {
    refuseLinks(path);
    const { window, resetsAt } = schema.parse(JSON.parse(readTextFileSync(path)));
    return resetsAt > now ? { window, resetsAt } : undefined;
  } catch (error) {
    if (!isMissing(error)) logger.warn({ path, error }, "the state of a usage limit could not be read");
    return undefined;
  }
}

/** Replaces a file atomically. If two processes write at once, the last one counts. */
function replaceFile(folder: string, path: string, content: string): void {
  createPrivateFolder(folder);
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

function fileOf(folder: string, account: string): string {
  return join(folder, `${sha256(account)}.json`);
}

function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === "ENOENT";
}
