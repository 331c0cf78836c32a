/**
 * Whether files may have come from somebody else by git, from the log of HEAD that git keeps on this machine. Git itself is not
 * started, and the log is no part of what a clone or a pull brings.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readRegularFileSync } from "@bridle/core";
import { findRepository } from "./git-repository.ts";

const maxLogBytes = 50_000_000;

interface Move {
  readonly from: string;
  readonly to: string;
  /** Such as `commit: Say more`. */
  readonly what: string;
}

/** The commit that the folder is at; empty if there is none. */
export function currentCommit(folder: string): string {
  return movesOf(folder)?.at(-1)?.to ?? "";
}

/**
 * Why content may be somebody else's, as a clause, if git or a similar program brought anything since that commit; undefined if
 * there were only commits of this machine.
 */
export function findArrival(folder: string, commit: string): string | undefined {
  const other = findOtherSystem(folder);
  if (other !== undefined) return `${other} may have brought it`;
  const moves = movesOf(folder);
  if (moves === undefined) return "git keeps no log of what it did";
  const known = commit === "" ? -1 : moves.findLastIndex(({ to }) => to === commit);
  if (commit !== "" && known < 0) return "git changed its log";
  const arrival = moves.slice(known + 1).find(({ from, to, what }) => from !== to && !isOwnCommit(what));
  return arrival && `git brought other commits since (${arrival.what.split(":")[0]})`;
}

/** A merge, a pull, a rebase, a cherry-pick or a checkout brings what somebody else may have written. */
function isOwnCommit(what: string): boolean {
  return /^commit(?: \((?:initial|amend)\))?: /.test(what);
}

/** The moves of HEAD, the oldest first; undefined if git was used but kept no log. */
function movesOf(folder: string): Move[] | undefined {
  const found = findRepository(folder);
  if (found === undefined) return [];
  try {
    const text = readRegularFileSync(join(found.gitFolder, "logs", "HEAD"), maxLogBytes).toString("utf8");
    return text.split("\n").flatMap((line) => {
      const [, from = "", to = "", what = ""] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t?(.*)$/.exec(line) ?? [];
      return to === "" ? [] : [{ from, to, what }];
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

/** Programs whose logs are not read. */
function findOtherSystem(folder: string): string | undefined {
  const found = [".jj", ".hg", ".svn", ".pijul", "_darcs"].find((name) => existsSync(join(folder, name)));
  if (found !== undefined) return found;
  return dirname(folder) === folder ? undefined : findOtherSystem(dirname(folder));
}
