import type { ContextFileProblem } from "../files/file-problem.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import type { Wiki } from "../wiki/wiki.ts";
import type { CallerScopes } from "./caller-scopes.ts";
import type { CallerOptions } from "./context-options.ts";
import type { DataWiki } from "./context-parts.ts";
import { checkCaller } from "./option-checks.ts";

const checkList = checkCaller("wiki.list");
const checkFind = checkCaller("wiki.find");

export class OpenedWiki implements DataWiki {
  readonly #wiki: Wiki;
  readonly #scopes: CallerScopes;

  constructor(wiki: Wiki, scopes: CallerScopes) {
    this.#wiki = wiki;
    this.#scopes = scopes;
  }

  list(options: CallerOptions = {}): readonly ContextPage[] {
    checkList(options);
    return this.#wiki.list(this.#scopes.scopeOf(options).isVisible);
  }

  find(name: string, options: CallerOptions = {}): ContextPage | undefined {
    checkFind(options);
    return this.#wiki.find(name, this.#scopes.scopeOf(options).isVisible);
  }

  all(): readonly ContextPage[] {
    return this.#wiki.all();
  }

  get problems(): readonly ContextFileProblem[] {
    return this.#wiki.problems();
  }
}
