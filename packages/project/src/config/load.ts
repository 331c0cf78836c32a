import { readFile } from "node:fs/promises";
import { ConfigError } from "@bridle/protocol";
import { codeOf } from "../error-code.ts";
import { type ProjectPlace, shownPath, type Whereabouts } from "./locate.ts";
import type { ParsedConfig } from "./parse.ts";
import { noPlaces } from "./places.ts";
import { configSchema } from "./schema.ts";

export interface LoadedProject extends ProjectPlace, ParsedConfig {}

/** Reads the project's settings; without a `bridle.yaml` they are the defaults. Throws ConfigError. */
export async function loadProject(
  place: ProjectPlace,
  { cwd, environment }: Pick<Whereabouts, "cwd" | "environment">,
): Promise<LoadedProject> {
  if (place.configFile === undefined)
    return { ...place, config: configSchema.parse({}), values: [], typed: [], ...noPlaces };
  const file = shownPath(place.configFile, cwd);
  const text = await readText(place.configFile, file);
  const { parseConfig } = await import("./parse.ts"); // with the YAML parser, which most runs do not need
  return { ...place, ...parseConfig(text, file, environment) };
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ConfigError(`the file cannot be read (${codeOf(cause)}). Make it readable, or remove it.`, {
      position: { file },
      cause,
    });
  }
}
