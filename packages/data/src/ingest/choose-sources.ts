/** Chooses the sources of one run: those in `context.sources`, and those given by their path. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { sha256 } from "@bridle/core";
import type { IngestSource, SourceServices } from "@bridle/ingest";
import type { Settings } from "@bridle/project";
import { ConfigError, suggestion } from "@bridle/protocol";

export interface SourceChoice {
  /** Names in `context.sources`, paths, and `-` for the standard input. Default: all of `context.sources`. */
  readonly wanted?: readonly string[] | undefined;
  /** Relative paths are resolved against this folder. Default: the folder of the project. */
  readonly cwd?: string | undefined;
  readonly settings: Settings;
  readonly services: SourceServices;
  readonly signal?: AbortSignal | undefined;
}

/** The name of the source in `context.sources`. A source that is ingested by its path never has a name from there. */
const configuredName = /^[A-Za-z][A-Za-z0-9_-]*$/;
const isAddress = /^[a-z]{2,10}:\/\//i;

/** Opens sources. Reads only standard input and the names of files. Throws ConfigError if a source cannot be used. */
export async function chooseSources(choice: SourceChoice): Promise<readonly IngestSource[]> {
  return new ChosenSources(choice).open();
}

type Places = Pick<Settings, "projectDir"> & { readonly context: Pick<Settings["context"], "sources"> };

/**
 * Returns the names of stored sources that still exist: those in `context.sources`, texts, and paths that exist or may exist again. Facts
 * from all other sources are removed.
 */
export function livingSources(stored: readonly string[], { projectDir, context }: Places): readonly string[] {
  return stored.filter((name) => {
    if (configuredName.test(name)) return Object.hasOwn(context.sources, name);
    return presenceOf(name, projectDir) !== "gone";
  });
}

/**
 * Returns sources whose path does not exist now but may not have been deleted: it may be on a share that is not mounted, or in a folder
 * that the user may not read.
 */
function awaySources(stored: readonly string[], { projectDir }: Pick<Places, "projectDir">): readonly string[] {
  return stored.filter((name) => !configuredName.test(name) && presenceOf(name, projectDir) === "away");
}

/** Returns sources that report that they are unavailable. */
export function openAwaySources(
  stored: readonly Pick<IngestSource, "name" | "type">[],
  places: Pick<Places, "projectDir">,
): readonly IngestSource[] {
  const types = new Map(stored.map(({ name, type }) => [name, type]));
  return awaySources([...types.keys()], places).map((name) => {
    const parent = dirname(pathOf(name, places.projectDir));
    const message = `${name} cannot be found, and its folder is empty, missing or unreadable, so its earlier statements were kept. Make ${parent} readable. If it is gone for good, run "bridle context ingest --remove" with its name.`;
    return unusableSource(name, types.get(name) ?? "", new ConfigError(message));
  });
}

function pathOf(name: string, projectDir: string): string {
  return resolve(projectDir, name.replace(/ \([a-z_]+\)$/, ""));
}

function presenceOf(name: string, projectDir: string): "there" | "away" | "gone" {
  const path = pathOf(name, projectDir);
  if (name.startsWith("text:") || /[*?{}[\]]/.test(name) || existsSync(path)) return "there";
  const isInside = !relative(projectDir, path).startsWith("..");
  return isInside ? presenceInside(path) : isFilled(dirname(path)) ? "gone" : "away";
}

/** Whether a missing path was deleted. Within the project, a missing folder was deleted with its contents. */
function presenceInside(path: string): "away" | "gone" {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) return presenceInside(parent);
  return namesIn(parent) === undefined ? "away" : "gone";
}

/** Whether a folder has content. The mount point of a share is empty while the share is not mounted. */
function isFilled(folder: string): boolean {
  return (namesIn(folder)?.length ?? 0) > 0;
}

/** Lists a folder. Undefined if it cannot be read. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

class ChosenSources {
  readonly #choice: SourceChoice;
  readonly #sources = new Map<string, IngestSource>();

  constructor(choice: SourceChoice) {
    this.#choice = choice;
  }

  async open(): Promise<readonly IngestSource[]> {
    const { wanted = [], settings } = this.#choice;
    const all = Object.keys(settings.context.sources);
    const isAll = wanted.length === 0;
    for (const name of isAll ? all : wanted) {
      const configured = this.#findConfigured(name);
      if (configured !== undefined) await this.#openConfigured(configured, isAll);
      else await this.#openPath(name);
    }
    return [...this.#sources.values()];
  }

  /** Finds a source by its name or its path. */
  #findConfigured(name: string): string | undefined {
    const { sources } = this.#choice.settings.context;
    if (Object.hasOwn(sources, name)) return name;
    const path = this.#absolute(name);
    const { projectDir } = this.#choice.settings;
    return Object.entries(sources).find(
      ([, entry]) => typeof entry.path === "string" && resolve(projectDir, entry.path) === path,
    )?.[0];
  }

  /** Opens a source. If all sources are wanted, one that cannot be opened does not prevent the others from being read. */
  async #openConfigured(name: string, isAll: boolean): Promise<void> {
    const { settings, services } = this.#choice;
    const entry = settings.context.sources[name];
    try {
      requireVariables(name, settings);
      const { createSource } = await import("@bridle/ingest");
      this.#sources.set(name, await createSource(name, entry, services));
    } catch (error) {
      if (!isAll || !(error instanceof ConfigError)) throw error;
      this.#sources.set(name, unusableSource(name, entry?.type ?? "", error));
    }
  }

  async #openPath(path: string): Promise<void> {
    const { settings, services, signal } = this.#choice;
    const { createSource, recogniseSources } = await import("@bridle/ingest");
    if (path === "-") return this.#openInput();
    this.#refuseMisspelt(path);
    const given = isAddress.test(path) ? path : this.#inProject(path);
    for (const { name, settings: found } of await recogniseSources(given, settings.projectDir, signal)) {
      const own = "path" in found && found.path !== undefined ? nameOfPath(found.path, name) : name;
      this.#sources.set(own, await createSource(own, found, services));
    }
  }

  /** Opens the text from standard input. Each text is a separate source, so that the next one does not replace it. */
  async #openInput(): Promise<void> {
    const { createSource } = await import("@bridle/ingest");
    const { services } = this.#choice;
    if (services.readInput === undefined)
      throw new ConfigError("There is no standard input. Pipe in a text, or name a file.");
    const text = await services.readInput();
    if (text.trim() === "") throw new ConfigError("The standard input is empty. Pipe in a text.");
    const name = `text:${sha256(text).slice(0, 8)}`;
    this.#sources.set(name, await createSource(name, { type: "text", text }, services));
  }

  /** Refuses a word that is neither a source nor a path, because it is probably a misspelled source. */
  #refuseMisspelt(path: string): void {
    const names = Object.keys(this.#choice.settings.context.sources);
    if (!configuredName.test(path) || existsSync(this.#absolute(path))) return;
    const remedy = names.length === 0 ? "Name a path, or add it under context.sources in bridle.yaml." : "";
    const hint = suggestion(path, names) || ` ${remedy || `There are: ${names.join(", ")}.`}`;
    throw new ConfigError(`There is no source and no path ${path}.${hint}`, { field: "context.sources" });
  }

  #absolute(path: string): string {
    const { cwd, settings } = this.#choice;
    return resolve(cwd ?? settings.projectDir, path);
  }

  #inProject(path: string): string {
    const absolute = this.#absolute(path);
    const way = relative(this.#choice.settings.projectDir, absolute);
    if (way === "") return ".";
    return way.startsWith("..") || isAbsolute(way) ? absolute : way.replaceAll("\\", "/");
  }
}

function nameOfPath(path: string, recognised: string): string {
  const [kind = ""] = / \([a-z_]+\)$/.exec(recognised) ?? [];
  return `${configuredName.test(path) ? `./${path}` : path}${kind}`;
}

function requireVariables(name: string, { absent, positions, namespace }: Settings): void {
  const holder = `context.sources.${name}.`;
  const variables = Object.entries(absent).flatMap(([path, names]) => (path.startsWith(holder) ? names : []));
  if (variables.length === 0) return;
  const field = holder.slice(0, -1);
  const position = positions[field];
  const inNamespace = "Pass it in the option environment. A namespace gets no credentials from this process.";
  throw new ConfigError(
    `The source ${name} needs ${[...new Set(variables)].join(" and ")}, which the environment does not have. ${namespace === undefined ? "Set it." : inNamespace}`,
    { field, ...(position && { position }) },
  );
}

function unusableSource(name: string, type: string, error: ConfigError): IngestSource {
  return {
    name,
    type,
    // biome-ignore lint/correctness/useYield: it has nothing to give
    async *fetch() {
      throw error;
    },
  };
}
