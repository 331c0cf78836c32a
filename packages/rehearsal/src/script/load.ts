import { readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { parseScript } from "./parse.ts";
import type { Script } from "./script.ts";

/** Reads a rehearsal script from a YAML file. Throws a `ConfigError` if the file is missing or invalid. */
export async function loadScript(path: string): Promise<Script> {
  return parseScript(await readText(path), path);
}

async function readText(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    const reason = systemErrorCode(error);
    const message = `The rehearsal script ${path} cannot be read (${reason}). Create it, or correct the path.`;
    throw new ConfigError(message, { cause: error });
  }
}
