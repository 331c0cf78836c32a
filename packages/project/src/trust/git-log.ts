/**
 * Checks whether git may have brought files from somebody else, using the log of HEAD that git keeps on this machine. Does not start git.
 * A clone or a pull cannot bring such a log.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { commonFolder, findRepository, readRegularFileSync } from "@bridle/core";
import { areStashes, type Reset } from "./git-stash.ts";

const maxLogBytes = 50_000_000;

interface Move {
  readonly from: string;
  readonly to: string;
  /** The time in seconds since 1970. */
  readonly at: number;
  /** The message of the entry, such as `commit: Say more`. */
  readonly what: string;
}

/** Returns the current position in the log: the number of moves and the last commit; empty before the first move. */
export function currentPlace(folder: string): string {
  const moves = movesOf(folder) ?? [];
  return placeOf(moves, moves.length);
}

function placeOf(moves: readonly Move[], count: number): string {
  return count === 0 ? "" : `${count} ${moves[count - 1]?.to}`;
}

/**
 * Explains in a clause why content may come from somebody else: git or a similar program has brought something since that position in
 * the log. Undefined if there were only commits on this machine.
 */
export function findArrival(folder: string, place: string): string | undefined {
  const other = findOtherSystem(folder);
  if (other !== undefined) return `${other} may have brought it`;
  const moves = movesOf(folder);
  if (moves === undefined) return "git keeps no log of its changes";
  const isWhole = /^0*$/.test(moves[0]?.from ?? "");
  if (place === "" && !isWhole) return "git removed old entries from its log";
  const count = Number(place.split(" ")[0]);
  if (moves.length < count || placeOf(moves, count) !== place) return "git changed its log";
  const arrival = findForeignMove(moves, count, folder);
  if (arrival !== undefined) return `git brought in other commits since then (${arrival.what.split(":")[0]})`;
  return isUnfinished(folder) ? "git has not finished a merge or something similar" : undefined;
}

/** Finds the first move since that position that may have brought something. */
function findForeignMove(moves: readonly Move[], count: number, folder: string): Move | undefined {
  const moved = moves.slice(count).filter((move) => !isOwnMove(move));
  const arrival = moved.find((move) => !isResetInPlace(move));
  if (arrival !== undefined || moved.length === 0) return arrival;
  const earlier = moves.slice(0, count).filter(isResetInPlace);
  return areStashes(moved.map(toReset), earlier.map(toReset), objectsOf(folder)) ? undefined : moved[0];
}

/**
 * Files that git keeps during a command that brings the work of others, for example while a conflict is open. `REBASE_HEAD` is not in
 * the list, because git leaves it behind.
 */
const unfinishedWork = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "BISECT_LOG",
  "SQUASH_MSG",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
];

function isUnfinished(folder: string): boolean {
  const found = findRepository(folder);
  return found !== undefined && unfinishedWork.some((name) => existsSync(join(found.gitFolder, name)));
}

/** Whether a move brings nothing from others. A move to the same commit changes no file, except that a reset can keep files of a merge. */
function isOwnMove({ from, to, what }: Move): boolean {
  return isOwnCommit(what) || (from === to && !what.startsWith("reset:"));
}

/** Whether a move may be a reset that a stash caused. Unlike a reset by the user, it cannot keep the files of a merge that it ends. */
function isResetInPlace({ from, to, what }: Move): boolean {
  return from === to && what === "reset: moving to HEAD";
}

function toReset({ to: commit, at }: Move): Reset {
  return { commit, at };
}

function objectsOf(folder: string): string {
  return join(commonFolder(findRepository(folder)?.gitFolder ?? ""), "objects");
}

/** Whether a move is a commit by the user. A merge, a pull, a rebase, a cherry-pick or a checkout may bring the work of others. */
function isOwnCommit(what: string): boolean {
  return /^commit(?: \((?:initial|amend)\))?: /.test(what);
}

/** Reads the moves of HEAD, the oldest first; undefined if git was used but kept no log. */
function movesOf(folder: string): Move[] | undefined {
  const found = findRepository(folder);
  if (found === undefined) return [];
  try {
    const text = readRegularFileSync(join(found.gitFolder, "logs", "HEAD"), maxLogBytes).toString("utf8");
    return text.split("\n").flatMap((line) => {
      const [, from = "", to = "", at = "", what = ""] =
        /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*?(\d*)(?: [+-]\d{4})?(?:\t(.*))?$/.exec(line) ?? [];
      return to === "" ? [] : [{ from, to, at: Number(at), what }];
    });
  } catch {
    const names = ["packed-refs", "reftable", "commondir", "FETCH_HEAD", "ORIG_HEAD"];
    const isUsed = names.some((name) => existsSync(join(found.gitFolder, name))) || hasBranch(found.gitFolder);
    return isUsed ? undefined : [];
  }
}

function hasBranch(gitFolder: string): boolean {
  try {
    return readdirSync(join(gitFolder, "refs", "heads")).length > 0;
  } catch {
    return false;
  }
}

/** Finds another version control system, whose log Bridle does not read. */
function findOtherSystem(folder: string): string | undefined {
  const found = [".jj", ".hg", ".svn", ".pijul", "_darcs"].find((name) => existsSync(join(folder, name)));
  if (found !== undefined) return found;
  return dirname(folder) === folder ? undefined : findOtherSystem(dirname(folder));
}
