import type { OpenedContext } from "@bridle/context";
import { IngestRuns, openProjectIngest, type ProjectIngest } from "@bridle/data";
import { ingestStartTool, ingestStatusTool, rememberTool } from "@bridle/data/tools";
import type { Project } from "@bridle/project";
import type { AnyTool } from "@bridle/protocol";

/** The tools of a server that change the project's knowledge or show the progress of an ingest. */
export class KnowledgeTools {
  readonly #project: Project;
  readonly #context: OpenedContext;
  readonly #runs: IngestRuns;
  #opened: Promise<ProjectIngest> | undefined;

  /** `signal` stops a running ingest. */
  constructor(project: Project, context: OpenedContext, signal: AbortSignal) {
    this.#project = project;
    this.#context = context;
    this.#runs = new IngestRuns(() => this.#open(), signal);
  }

  /** Returns the tools for a caller. Empty for a caller with a scope, because memory and ingest cover the whole project. */
  of({ scope }: { readonly scope?: unknown }): readonly AnyTool[] {
    if (scope !== undefined) return [];
    const sources = Object.keys(this.#project.settings.context.sources);
    return [
      rememberTool({ scope: "project", by: "a person, through an MCP client", openIngest: () => this.#open() }),
      ...(sources.length === 0 ? [] : [ingestStartTool(this.#runs, sources), ingestStatusTool(this.#runs)]),
    ];
  }

  /** Resolves when an ingest that was started has ended. */
  async close(): Promise<void> {
    await this.#runs.close();
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  #open(): Promise<ProjectIngest> {
    this.#opened ??= openProjectIngest(this.#project, { context: this.#context });
    return this.#opened;
  }
}
