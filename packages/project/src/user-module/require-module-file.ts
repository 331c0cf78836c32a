import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ConfigError, suggestion, systemErrorCode } from "@bridle/protocol";
import type { UserModule } from "./user-module.ts";

/** Throws ConfigError if `path` is not a readable file. */
export function requireModuleFile({ file, kind, where, field }: UserModule, path: string): void {
  const found = readKind(path);
  if (found === "file") return;
  const message =
    found === "folder"
      ? `The ${kind} ${file} is a folder. Name a module in it ${where}.`
      : found === "ENOENT" || found === "ENOTDIR"
        ? `The ${kind} ${file} does not exist. Correct the path ${where}.${nearTo(path)}`
        : `The ${kind} ${file} cannot be read (${found}). Allow reading it, or correct the path ${where}.`;
  throw new ConfigError(message, { field });
}

/** Returns `file`, `folder`, or the code of the error. */
function readKind(path: string): string {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return "folder";
    if (!found.isFile()) return "not a regular file";
    accessSync(path, constants.R_OK);
    return "file";
  } catch (error) {
    return systemErrorCode(error);
  }
}

function nearTo(path: string): string {
  try {
    return suggestion(basename(path), readdirSync(dirname(path)));
  } catch {
    return "";
  }
}
