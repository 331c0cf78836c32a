import type { GateServices, ModelPartBody } from "../claims/gates/gate.ts";
import { answerKey } from "../models/answer-key.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { IngestKnowledge } from "./ingest-options.ts";

type DataChecks = Pick<GateServices, "checkModelPart" | "checkJoin">;

/**
 * Checks a join or a part of a model against the warehouse, and repeats the check only after something has changed, so that ingesting
 * unchanged sources sends no query. If the warehouse does not answer, the last result for the same join or part counts.
 */
export function rememberChecks(
  { checkModelPart, checkJoin, version }: IngestKnowledge,
  store: IngestStore,
): DataChecks {
  const checks = new RememberedChecks(store, version?.());
  return {
    ...(checkModelPart && {
      checkModelPart: (part, siblings, signal) => {
        const own = siblings.filter(({ model }: ModelPartBody) => model === part.model);
        return checks.ask(part, [part, own], () => checkModelPart(part, own, signal));
      },
    }),
    ...(checkJoin && { checkJoin: (join, signal) => checks.ask(join, join, () => checkJoin(join, signal)) }),
  };
}

class RememberedChecks {
  readonly #store: IngestStore;
  readonly #version: string | undefined;

  constructor(store: IngestStore, version: string | undefined) {
    this.#store = store;
    this.#version = version;
  }

  /**
   * Returns the problem of `body`; undefined if there is none. Stores the result for `asked` and the current version of the known facts.
   */
  async ask(body: unknown, asked: unknown, check: () => Promise<string | undefined>): Promise<string | undefined> {
    const last = answerKey("last check", body);
    const key = this.#version === undefined ? undefined : answerKey("check", this.#version, asked);
    const known = key === undefined ? undefined : this.#store.readCheck(key);
    if (known !== undefined) {
      this.#note(last, known);
      return asProblem(known);
    }
    const problem = await check();
    if (problem?.startsWith(unasked)) {
      const before = this.#store.readCheck(last);
      return before === undefined ? problem : asProblem(before);
    }
    for (const each of key === undefined ? [last] : [key, last]) this.#note(each, problem ?? "");
    return problem;
  }

  #note(key: string, problem: string): void {
    if (this.#store.readCheck(key) !== problem) this.#store.writeCheck(key, problem);
  }
}

function asProblem(stored: string): string | undefined {
  return stored === "" ? undefined : stored;
}

/** The start of the reason if the warehouse did not answer. Such a check is repeated. */
export const unasked = "The data cannot be asked about it";
