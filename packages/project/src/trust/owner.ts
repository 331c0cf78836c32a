/** Rejects files of other users, because everybody who can write a file controls its content. */
import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "@bridle/protocol";
import type { ProjectLocation } from "../config/locate.ts";
import { bridleFolder } from "../namespace/folders.ts";
import { refuseForeignLink } from "./links.ts";

/** The user and group of this process. */
export interface OwnIds {
  readonly user: number;
  readonly group: number;
}

const writableByGroup = 0o020;
const writableByOthers = 0o002;
const sticky = 0o1000;

/** Returns the ids of this process; undefined on systems without user ids. */
export function ownIds(): OwnIds | undefined {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  return user === undefined || group === undefined ? undefined : { user, group };
}

/**
 * Explains in a predicate why a file could be another user's; undefined if it is this user's or the administrator's, or does not exist. The
 * folder counts too, because everybody who can write to the folder can replace the file.
 */
export function findOwnerFault(path: string, own: OwnIds | undefined = ownIds()): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (own === undefined || stats === undefined) return undefined;
  const target = stats.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : undefined;
  const folder = statSync(dirname(path));
  return (
    foreignOwner(stats, own) ??
    (target && faultOf(target, own)) ??
    (stats.isSymbolicLink() ? undefined : faultOf(stats, own)) ??
    (faultOf(folder, own) === undefined ? undefined : `is in a folder that ${faultOf(folder, own)}`)
  );
}

function faultOf(stats: Stats, own: OwnIds): string | undefined {
  const { mode, gid } = stats;
  const foreign = foreignOwner(stats, own);
  if (foreign !== undefined) return foreign;
  if (stats.isDirectory() && mode & sticky) return undefined;
  if (mode & writableByOthers) return "can be written by every user";
  if (mode & writableByGroup && gid !== own.group && gid !== 0) return `can be written by the group ${gid}`;
  return undefined;
}

function foreignOwner({ uid }: Stats, { user }: OwnIds): string | undefined {
  return uid === user || uid === 0 ? undefined : `belongs to another user (${uid})`;
}

/** Throws ConfigError if a file or folder of the project could be another user's. */
export function requireOwn(path: string, own?: OwnIds): void {
  const fault = findOwnerFault(path, own);
  if (fault === undefined) return;
  const remedy = "Change its owner or its permissions, or work in a folder of your own.";
  throw new ConfigError(`${path} ${fault}, so it is not used. ${remedy}`, { field: "projectDir" });
}

/** Throws ConfigError if the `bridle.yaml` or the state of a project could be another user's. */
export function requireOwnFiles({ projectDir, configFile }: ProjectLocation): void {
  if (configFile !== undefined) {
    refuseForeignLink(configFile);
    requireOwn(configFile);
  }
  requireOwn(bridleFolder({ projectDir }));
}
