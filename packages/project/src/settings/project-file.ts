import { join } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { type ProjectLocation, shownPath } from "../config/locate.ts";
import type { ParsedConfig } from "../config/parse.ts";
import { type ConfigInput, configSchema } from "../config/schema.ts";
import type { Environment } from "../config/variables.ts";

import { mergeRules } from "./merge-rules.ts";

/** The source of the settings. The parser is loaded only if there are settings. */
interface Source {
  /** The text of the file, if the project has a file. */
  readonly text?: string;
  parse(environment: Environment): ParsedConfig;
}

/**
 * A `bridle.yaml` in memory. The file is read once, and parsed again only for another environment, because an agent or a namespace may have
 * other variables.
 */
export class ProjectFile {
  readonly location: ProjectLocation;
  /** The folder that paths in messages are relative to. */
  readonly cwd: string;
  readonly #source: Source | undefined;
  #latest: { readonly environment: Environment; readonly parsed: ParsedConfig } | undefined;

  /** The file as it was first read, without later rules: the version that a user may have trusted. */
  readonly asRead: ProjectFile;

  private constructor(location: ProjectLocation, cwd: string, source: Source | undefined, asRead?: ProjectFile) {
    this.asRead = asRead ?? this;
    this.location = location;
    this.cwd = cwd;
    this.#source = source;
  }

  /** Reads the file, unless the program has its content. Throws ConfigError if the file cannot be read. */
  static open(location: ProjectLocation, cwd: string, config?: ConfigInput): Promise<ProjectFile> {
    return config === undefined ? ProjectFile.#read(location, cwd) : ProjectFile.#of(config, location, cwd);
  }

  static async #read(location: ProjectLocation, cwd: string): Promise<ProjectFile> {
    if (location.configFile === undefined) return new ProjectFile(location, cwd, undefined);
    const shown = shownPath(location.configFile, cwd);
    return ProjectFile.ofText(await readText(location.configFile, shown), location, cwd);
  }

  /** Parses a string that the file does not contain, or does not contain yet. */
  static async ofText(text: string, location: ProjectLocation, cwd: string): Promise<ProjectFile> {
    const shown = shownPath(location.configFile ?? join(location.projectDir, "bridle.yaml"), cwd);
    const { parseConfig } = await import("../config/parse.ts"); // loads the YAML parser, which most runs do not need
    return new ProjectFile(location, cwd, {
      text,
      parse: (environment) => parseConfig(text, shown, environment),
    });
  }

  static async #of(config: ConfigInput, { projectDir }: ProjectLocation, cwd: string): Promise<ProjectFile> {
    const { parseConfigObject } = await import("../config/parse.ts");
    return new ProjectFile({ projectDir }, cwd, { parse: (environment) => parseConfigObject(config, environment) });
  }

  /** Returns the file with the rules of a later version. */
  withRulesOf(later: ProjectFile): ProjectFile {
    const { text } = this;
    return new ProjectFile(
      this.location,
      this.cwd,
      {
        ...(text !== undefined && { text }),
        parse: (environment) => mergeRules(this.asRead.parse(environment), later.parse(environment)),
      },
      this.asRead,
    );
  }

  /** The text of the file; undefined if the project has none. */
  get text(): string | undefined {
    return this.#source?.text;
  }

  /** Parses the settings with these variables; returns the defaults without a file. Throws ConfigError. */
  parse(environment: Environment): ParsedConfig {
    if (this.#source === undefined) return defaults();
    if (this.#latest && isSame(this.#latest.environment, environment)) return this.#latest.parsed;
    const parsed = this.#source.parse(environment);
    this.#latest = { environment, parsed };
    return parsed;
  }
}

function defaults(): ParsedConfig {
  return { config: configSchema.parse({}), values: [], typed: [], positions: {}, written: {}, absent: {} };
}

function isSame(one: Environment, other: Environment): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    throw new ConfigError(`the file cannot be read (${systemErrorCode(cause)}). Make it readable, or remove it.`, {
      position: { file },
      cause,
    });
  }
}
