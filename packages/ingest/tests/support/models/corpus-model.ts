/** A rehearsed model that knows the planted facts, and finds them in the given passages. */
import type { RehearsedModel, RehearsedRequest, StepInput } from "@bridle/rehearsal";
import { type AskedPassage, passagesIn, stageOf } from "./prompts.ts";

/** A fact that a passage states. */
export interface KnownFact {
  readonly text: string;
  readonly subject: string;
  readonly topic: string;
  readonly category: string;
  readonly tables?: readonly string[];
}

/** A model's proposal. */
export interface Proposed extends KnownFact {
  readonly passage: string;
  readonly quote: string;
}

export class CorpusModel {
  readonly #factsIn: (text: string) => readonly KnownFact[];

  /** `factsIn` returns the facts that a text contains word for word. */
  constructor(factsIn: (text: string) => readonly KnownFact[]) {
    this.#factsIn = factsIn;
  }

  readonly answer: RehearsedModel = (request) => this.step(request);

  step(request: RehearsedRequest): StepInput | undefined {
    switch (stageOf(request)) {
      case "triage":
        return { object: this.sort(passagesIn(request.user)) };
      case "light":
        return { object: { candidates: this.extract(passagesIn(request.user)) } };
      case "unit":
        return this.work(request);
      case "verify":
        return { object: { pairs: passagesIn(request.user).map((pair) => this.prove(pair)) } };
      default:
        return undefined;
    }
  }

  sort(passages: readonly AskedPassage[]): object {
    return {
      passages: passages.map((passage) => ({ passage: passage.name, ...this.decide(passage) })),
      instructions: [],
    };
  }

  /** Reads facts about tables closely, and copies other facts. */
  decide({ text }: AskedPassage): { readonly decision: string; readonly reason: string } {
    const facts = this.#factsIn(text);
    if (facts.length === 0) return { decision: "skip", reason: "nothing durable" };
    const isClose = facts.some(({ tables = [] }) => tables.length > 0);
    return { decision: isClose ? "full" : "light", reason: `${facts.length} facts` };
  }

  extract(passages: readonly AskedPassage[]): readonly object[] {
    const scores = { durability: 0.9, authority: 0.8, reuse: 0.8, novelty: 0.7, risk: 0.3 };
    return passages.flatMap((passage) =>
      this.propose(passage).map(({ text, tables = [], ...rest }) => ({ ...rest, statement: text, tables, ...scores })),
    );
  }

  /** Proposes the facts in the prompt, then the facts in the passages that it has to read. */
  work({ user, step, results }: RehearsedRequest): StepInput {
    const texts = step === 1 ? [user] : results.map(({ text }) => text);
    const proposed = texts.flatMap(passagesIn).flatMap((passage) => this.propose(passage));
    const [, others = ""] = step === 1 ? (/Read the others .*: ([p\d, ]+)\./.exec(user) ?? []) : [];
    const reads = others
      .split(", ")
      .filter(Boolean)
      .map((passage) => ({ call: "read_source", with: { passage } }));
    const calls = [...proposed.map(toCall), ...reads];
    return calls.length === 0 ? { say: "Done." } : { calls };
  }

  propose(passage: AskedPassage): readonly Proposed[] {
    return this.#factsIn(passage.text).map((fact) => ({ ...fact, passage: passage.name, quote: fact.text }));
  }

  prove({ name }: AskedPassage): object {
    return { pair: name, says: "yes" };
  }

  facts(text: string): readonly KnownFact[] {
    return this.#factsIn(text);
  }
}

function toCall({ text: statement, ...rest }: Proposed): { call: string; with: object } {
  return { call: "propose_claim", with: { ...rest, statement } };
}
