import { readFileSync } from "node:fs";
import { ConfigError } from "@bridle/core";
import { locateProject, type ProjectPlace, shownPath, type Whereabouts } from "./locate.ts";
import { type ParsedConfig, parseConfig } from "./parse.ts";
import { configSchema } from "./schema.ts";

export interface LoadedProject extends ProjectPlace, ParsedConfig {}

/** Finds and reads the project's settings; without a `bridle.yaml` they are the defaults. Throws ConfigError. */
export function loadProject(whereabouts: Whereabouts): LoadedProject {
  const place = locateProject(whereabouts);
  if (place.configFile === undefined) return { ...place, config: configSchema.parse({}), written: {} };
  const file = shownPath(place.configFile, whereabouts.cwd);
  return { ...place, ...parseConfig(readText(place.configFile, file), file, whereabouts.environment) };
}

function readText(path: string, file: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new ConfigError(`the file cannot be read (${reason}). Make it readable, or remove it.`, {
      position: { file },
      cause,
    });
  }
}
