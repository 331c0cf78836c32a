import type { ContextConnection, OpenContextOptions, OpenedContext } from "@bridle/context";
import type { Project, ProjectOptions } from "@bridle/project";
import { projectShape } from "@bridle/project/operations";
import { type Embedder, given, type Logger, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { DataContext } from "../ingest/data-context.ts";
import { openConnectionOf } from "./open-connection-of.ts";

export interface ProjectContextOptions {
  readonly logger?: Logger | undefined;
  /** The embedder of the search. Default: that of the project, if it has one. `none`: the search is by words only. */
  readonly embedder?: Embedder | "none" | undefined;
  /** Whether a script plays the model: then no database is reached over a network. Default: false. */
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
 * Opens the context of a project: the connections of its `bridle.yaml`, the files in `context/`, and the measured facts.
 * Nothing is connected, scanned or ingested before it is needed. Call `close()` when done.
 *
 * @throws ConfigError if a setting is wrong, FactsError if the database of facts cannot be used.
 * @example
 * const context = await createContext();
 * await context.scan("warehouse");
 * const [best] = await context.search("revenue by country");
 * const { rows } = await context.sql("warehouse", "SELECT count(*) FROM orders");
 * await context.close();
 */
export async function createContext(options: CreateContextOptions = {}): Promise<DataContext> {
  checkOptions(options);
  const { openProject } = await import("@bridle/project"); // a program pays for it when it is called
  const project = await openProject(options);
  const { DataContext: Context } = await import("../ingest/data-context.ts");
  return openWith(project, options, (opened) => new Context(opened, project, options));
}

/** The same for a project that is open, without ingest. */
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
