/** Finds the sources that the user removes: those ingested by a path, or from standard input. */
import { relative, resolve } from "node:path";
import type { Settings } from "@bridle/project";
import { ConfigError, suggestion } from "@bridle/protocol";

interface StoredSource {
  readonly name: string;
  readonly type: string;
}

export interface RemovalChoice {
  /** Names of sources as shown by the status, or paths. */
  readonly wanted: readonly string[];
  /** The known sources. */
  readonly stored: readonly StoredSource[];
  /** Relative paths are resolved against this folder. Default: the folder of the project. */
  readonly cwd?: string | undefined;
  readonly settings: Pick<Settings, "projectDir"> & { readonly context: Pick<Settings["context"], "sources"> };
}

/** The kinds of sources for remembered facts and handwritten pages, which are removed in other ways. */
const ownTypes: readonly string[] = ["memory", "pages"];

/** Returns the names of the sources to remove. Throws ConfigError if a source is not known, or is in `context.sources`. */
export function findRemovedSources({ wanted, stored, cwd, settings }: RemovalChoice): ReadonlySet<string> {
  const known = stored.filter(({ type }) => !ownTypes.includes(type));
  const names = known.map(nameOf);
  const { projectDir, context } = settings;
  const found = wanted.flatMap((name) => {
    const path = resolve(cwd ?? projectDir, name);
    const own = names.includes(name) ? [name] : known.filter((each) => pathOf(each, projectDir) === path).map(nameOf);
    const configured = [name, ...own].find((each) => Object.hasOwn(context.sources, each));
    if (configured !== undefined) throw new ConfigError(inSettings(configured), { field: "context.sources" });
    if (own.length > 0) return own;
    const removable = names.filter((each) => !Object.hasOwn(context.sources, each));
    throw new ConfigError(unknown(name, removable, relative(projectDir, path)));
  });
  return new Set(found);
}

/** Returns the path that a source was named by. A folder with several kinds of files is stored as several sources. */
function pathOf({ name, type }: StoredSource, projectDir: string): string | undefined {
  if (name.startsWith("text:")) return undefined;
  const ending = ` (${type})`;
  return resolve(projectDir, name.endsWith(ending) ? name.slice(0, -ending.length) : name);
}

function nameOf({ name }: StoredSource): string {
  return name;
}

function inSettings(name: string): string {
  return `The source ${name} is in context.sources. Remove it there. The next ingest then removes the statements that no other source supports.`;
}

function unknown(name: string, removable: readonly string[], path: string): string {
  if (removable.length === 0) return `There is no source ${name} to remove. Nothing was ingested by its path.`;
  const hint = suggestion(name, removable) || suggestion(path, removable);
  return `There is no source ${name} to remove.${hint || ` There are: ${removable.join(", ")}.`}`;
}
