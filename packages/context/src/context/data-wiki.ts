import type { ContextFileProblem } from "../files/file-problem.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import type { Wiki } from "../wiki/wiki.ts";
import type { CallerScopes } from "./caller-scopes.ts";
import type { CallerOptions } from "./context-options.ts";
import { checkCaller } from "./option-checks.ts";

const checkList = checkCaller("wiki.list");
const checkFind = checkCaller("wiki.find");

/** The pages of a data context, from `context/wiki`. */
export class DataWiki {
  readonly #wiki: Wiki;
  readonly #scopes: CallerScopes;

  /** Use `wiki` of an opened context instead. */
  constructor(wiki: Wiki, scopes: CallerScopes) {
    this.#wiki = wiki;
    this.#scopes = scopes;
  }

  /** Lists the pages that a caller may see, sorted by name. Pages with `use: never` are left out. */
  list(options: CallerOptions = {}): readonly ContextPage[] {
    checkList(options);
    return this.#wiki.list(this.#scopes.scopeOf(options).isVisible);
  }

  /** Finds a page by its name or title; undefined if the caller sees no such page. */
  find(name: string, options: CallerOptions = {}): ContextPage | undefined {
    checkFind(options);
    return this.#wiki.find(name, this.#scopes.scopeOf(options).isVisible);
  }

  /** Lists all pages of the project, including those that no agent sees. */
  all(): readonly ContextPage[] {
    return this.#wiki.all();
  }

  /** The problems in the files of the pages. */
  get problems(): readonly ContextFileProblem[] {
    return this.#wiki.problems();
  }
}
