/** The scripted model of `bridle context demo --ingest`. It reads like a careful person, and knows only the demo's documents. */
import type { RehearsedModel, RehearsedRequest, StepInput } from "@bridle/rehearsal";
import type { DemoFact } from "./demo-company.ts";

interface Passage {
  readonly name: string;
  readonly text: string;
}

const scores = { durability: 0.9, authority: 0.8, reuse: 0.8, novelty: 0.7, risk: 0.3 };

export class DemoReader {
  readonly #facts: readonly DemoFact[];

  constructor(facts: readonly DemoFact[]) {
    this.#facts = facts;
  }

  readonly answer: RehearsedModel = (request) => {
    const step = this.#step(request);
    return step && { ...step, usage: { input: tokensOf(request), output: tokensOf(step) } };
  };

  /** Answers a stage of ingest. The stage's instructions identify the stage. */
  #step(request: RehearsedRequest): StepInput | undefined {
    const { system, user } = request;
    if (system.includes("You sort passages")) return { object: this.#triage(passagesIn(user)) };
    if (system.includes("You copy facts")) return { object: { candidates: this.#copy(passagesIn(user)) } };
    if (system.includes("You read passages")) return this.#propose(request);
    if (system.includes("You compare statements")) return answers(user, (pair) => ({ relation: this.#relate(pair) }));
    if (system.includes("contradict each other")) return answers(user, (pair) => this.#contradict(pair));
    if (system.includes("You sort topics")) return answers(user, () => ({ page: "none" }));
    const pairs = passagesIn(user).map(({ name }) => ({ pair: name, says: "yes" }));
    return system.includes("You check whether quotes") ? { object: { pairs } } : undefined;
  }

  /** Marks passages that name tables for close reading. Passages without a fact are skipped. */
  #triage(passages: readonly Passage[]): object {
    const decided = passages.map((passage) => {
      const facts = this.#in(passage);
      const decision = facts.length === 0 ? "skip" : facts.some(({ tables }) => tables.length > 0) ? "full" : "light";
      return { passage: passage.name, decision, reason: `${facts.length} facts` };
    });
    return { passages: decided, instructions: [] };
  }

  #copy(passages: readonly Passage[]): readonly object[] {
    return passages.flatMap((passage) => this.#in(passage).map((fact) => ({ ...toClaim(passage, fact), ...scores })));
  }

  #propose({ user, step }: RehearsedRequest): StepInput {
    if (step > 1) return { say: "Done." };
    const claims = passagesIn(user).flatMap((passage) => this.#in(passage).map((fact) => toClaim(passage, fact)));
    return { calls: claims.map((claim) => ({ call: "propose_claim", with: claim })) };
  }

  #in({ text }: Passage): readonly DemoFact[] {
    return this.#facts.filter(({ fact }) => text.includes(fact));
  }

  #relate(pair: string): string {
    const [a, b] = this.#facts.filter(({ fact }) => pair.includes(fact));
    if (a === undefined || b === undefined) return "different";
    if (a.same !== undefined && a.same === b.same) return "same";
    return a.against !== undefined && a.against === b.against ? "conflict" : "different";
  }

  #contradict(pair: string): object {
    return { cannotBothBeTrue: this.#relate(pair) === "conflict", difference: "The numbers differ." };
  }
}

/** Estimates tokens, at about four characters per token. */
function tokensOf(value: object): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

function toClaim({ name }: Passage, { fact, subject, topic, category, tables }: DemoFact): Record<string, unknown> {
  return { passage: name, quote: fact, statement: fact, subject, topic, category, tables };
}

/** Finds the passages in a prompt. Their tags contain digits that are derived from the texts. */
function passagesIn(prompt: string): readonly Passage[] {
  const found = prompt.matchAll(/<(p\d+)-([0-9a-f]{8})>\n([\s\S]*?)\n<\/\1-\2>/g);
  return Array.from(found, ([, name = "", , text = ""]) => ({ name, text }));
}

/** Answers each numbered question of a prompt. */
function answers(prompt: string, answer: (text: string) => object): StepInput {
  const found = prompt.matchAll(/^(q\d+)\n((?:(?!q\d+$|<\/).*\n?)*)/gm);
  return { object: { answers: Array.from(found, ([, question = "", text = ""]) => ({ question, ...answer(text) })) } };
}
