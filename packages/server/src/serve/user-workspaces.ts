import type { ProjectContext } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "@bridle/app/serving";

/** The workspaces of the users of a server: one for the project itself, and one for each namespace that is in use. */
export class UserWorkspaces {
  readonly #context: ProjectContext;
  readonly #options: WorkspaceOptions;
  readonly #opened = new Map<string | undefined, Promise<OpenWorkspace>>();
  #isClosed = false;

  constructor(context: ProjectContext, options: WorkspaceOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The workspace of a namespace, which is opened for its first request. */
  of(namespace: string | undefined): Promise<OpenWorkspace> {
    const opened = this.#opened.get(namespace) ?? this.#open(namespace);
    this.#opened.set(namespace, opened);
    opened.catch(() => this.#opened.delete(namespace));
    return opened;
  }

  /** Ends all runs, as a workspace does. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    const opened = await Promise.allSettled(this.#opened.values());
    await Promise.all(opened.map((each) => (each.status === "fulfilled" ? each.value.close(graceMs) : undefined)));
  }

  async #open(namespace: string | undefined): Promise<OpenWorkspace> {
    if (this.#isClosed) throw new Error("The server is closed.");
    const context = namespace === undefined ? this.#context : await withProject({ namespace }, this.#context);
    return openWorkspace(context, this.#options);
  }
}
