import { type ProjectFile, readFileAgain, withRulesOf } from "@bridle/project";
import type { ProjectContext } from "../context/project-context.ts";

/**
 * The rules for new runs of a server: the rules at the server's start, until a user of the server changes them. All workspaces of the
 * server share them.
 */
export class ServedRules {
  #file: ProjectFile | undefined;

  /**
   * Makes new runs use the current rules of the file. Changes nothing if the new rules allow calls without a question that the
   * initial rules required. Throws ConfigError.
   */
  async adopt({ project }: Pick<ProjectContext, "project">): Promise<void> {
    if (project.settings.configFile === undefined) return;
    const file = await readFileAgain(project);
    if (withRulesOf(file, project) !== undefined) this.#file = file;
  }

  /** Returns a function for the current context: the given context, with the rules that apply now. */
  follow<C extends ProjectContext>(given: C): () => C {
    let latest = { file: this.#file, context: given };
    return () => {
      if (this.#file !== latest.file) latest = { file: this.#file, context: this.#apply(given) };
      return latest.context;
    };
  }

  #apply<C extends ProjectContext>(given: C): C {
    const project = this.#file && withRulesOf(this.#file, given.project);
    return project ? { ...given, project } : given;
  }
}
