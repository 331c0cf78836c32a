import type { ContextConnection, OpenContextOptions, OpenedContext } from "@bridle/context";
import type { Project, ProjectOptions } from "@bridle/project";
import { projectShape } from "@bridle/project/operations";
import { type Embedder, given, type Logger, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { DataContext } from "../ingest/data-context.ts";
import { openConnectionOf } from "./open-connection-of.ts";

export interface ProjectContextOptions {
  readonly logger?: Logger | undefined;
  /** The embedding model for the search. Default: the project's, if it has one. `none`: the search is only by words. */
  readonly embedder?: Embedder | "none" | undefined;
  /** Whether a script plays the model. No database is then reached over a network. Default: false. */
  readonly isRehearsed?: boolean | undefined;
}

export interface CreateContextOptions extends ProjectOptions, ProjectContextOptions {}

const checkOptions = optionsCheck<CreateContextOptions>("createContext", {
  ...projectShape,
  logger: given.object.optional(),
  embedder: z.union([z.literal("none"), given.port("embed")]).optional(),
  isRehearsed: given.flag.optional(),
});

/**
 * Opens the context of a project: the connections of its `bridle.yaml`, the files in `context/`, and the measured facts. Connects, scans
 * and ingests nothing before it is needed. Call `close()` when done.
 *
 * @throws ConfigError if a setting is wrong, FactsError if the facts database cannot be used.
 * @example
 * const context = await createContext();
 * await context.scan("warehouse");
 * const [best] = await context.search("revenue by country");
 * const { rows } = await context.sql("warehouse", "SELECT count(*) FROM orders");
 * await context.close();
 */
export async function createContext(options: CreateContextOptions = {}): Promise<DataContext> {
  checkOptions(options);
  const { openProject } = await import("@bridle/project"); // loaded only by programs that call it
  const project = await openProject(options);
  const { DataContext: Context } = await import("../ingest/data-context.ts");
  return openWith(project, options, (opened) => new Context(opened, project, options));
}

/** Opens the context of a project that is already open, without ingest. */
export async function openProjectContext(
  project: Project,
  options: ProjectContextOptions = {},
): Promise<OpenedContext> {
  const { openContext } = await import("@bridle/context");
  return openWith(project, options, openContext);
}

async function openWith<T>(
  project: Project,
  { logger, embedder: choice, isRehearsed = false }: ProjectContextOptions,
  open: (options: OpenContextOptions) => T,
): Promise<T> {
  const embedder = choice === "none" ? undefined : (choice ?? (await project.findEmbedder({ isRehearsed, logger })));
  const { projectDir, settings, folder: stateDir } = project;
  try {
    return open({
      projectDir,
      stateDir,
      logger,
      embedder,
      commit: project.commitPermission,
      environment: settings.environment,
      connections: project.connections.map(({ name }) => toConnection(project, name, isRehearsed)),
    });
  } catch (error) {
    await embedder?.close();
    throw error;
  }
}

function toConnection(project: Project, name: string, isRehearsed: boolean): ContextConnection {
  const { include, exclude } = scopeOf(project, name);
  return {
    name,
    scope: { include, exclude },
    settings: project.settings.context.connections[name],
    open: (signal) => openConnectionOf(project, name, { isRehearsed }, signal),
  };
}

function scopeOf({ settings }: Project, name: string): { include?: readonly string[]; exclude?: readonly string[] } {
  const entry = settings.context.connections[name];
  const [include, exclude] = [entry?.include, entry?.exclude];
  return { ...(isTexts(include) && { include }), ...(isTexts(exclude) && { exclude }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
