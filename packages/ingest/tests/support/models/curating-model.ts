import type { RehearsedModel, RehearsedRequest, StepInput } from "@bridle/rehearsal";
import type { Corpus } from "../corpus/corpus.ts";
import type { PlantedFact } from "../corpus/planted-facts.ts";
import { CorpusModel } from "./corpus-model.ts";
import { wantedFactsOf } from "./known-facts.ts";

/** Two statements to compare. */
interface AskedPair {
  readonly question: string;
  readonly a: string;
  readonly b: string;
}

/** A model that reads a corpus like `CorpusModel`, and knows which statements have the same meaning and which contradict each other. */
export class CuratingModel {
  readonly #reader: CorpusModel;
  readonly #factOf = new Map<string, PlantedFact>();

  constructor(corpus: Corpus) {
    this.#reader = new CorpusModel(wantedFactsOf(corpus));
    for (const fact of corpus.facts) for (const { text } of fact.sayings) this.#factOf.set(text, fact);
  }

  readonly answer: RehearsedModel = (request) => this.step(request);

  step(request: RehearsedRequest): StepInput | undefined {
    const { system, user } = request;
    if (system.includes("You compare statements")) {
      return {
        object: { answers: pairsIn(user).map((pair) => ({ question: pair.question, relation: this.relation(pair) })) },
      };
    }
    if (system.includes("You check whether statements")) {
      const answers = pairsIn(user).map((pair) => ({
        question: pair.question,
        cannotBothBeTrue: this.relation(pair) === "conflict",
        difference: "They differ.",
      }));
      return { object: { answers } };
    }
    if (system.includes("You sort topics")) {
      return {
        object: { answers: [...user.matchAll(/^(q\d+)$/gm)].map(([question]) => ({ question, page: "none" })) },
      };
    }
    return this.#reader.step(request);
  }

  relation({ a, b }: AskedPair): string {
    const [ours, theirs] = [this.#factOf.get(a), this.#factOf.get(b)];
    if (ours === undefined || ours !== theirs) return "different";
    return ours.kind.includes("contradiction") ? "conflict" : "same";
  }
}

function pairsIn(prompt: string): readonly AskedPair[] {
  return Array.from(
    prompt.matchAll(/^(q\d+)\na: \[[^\]]*\] (.*)\nb: \[[^\]]*\] (.*)$/gm),
    ([, question = "", a = "", b = ""]) => ({ question, a, b }),
  );
}
