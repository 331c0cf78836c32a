import type { RehearsedModel, RehearsedRequest, StepInput } from "@bridle/project";

/** A model that copies every sentence of a document, assigns all to one topic, and never considers two sentences the same. */
export class ReadingModel {
  /** The requests so far, identified by the beginning of their instructions. */
  readonly asked: string[] = [];
  /** Called before each answer. */
  onRequest: ((request: RehearsedRequest) => StepInput | undefined | Promise<StepInput | undefined>) | undefined;

  readonly answer: RehearsedModel = async (request) => {
    this.asked.push(request.system.slice(0, 20));
    return (await this.onRequest?.(request)) ?? this.#step(request);
  };

  #step({ system, user }: RehearsedRequest): StepInput {
    const passages = passagesIn(user);
    if (system.includes("You sort passages")) {
      const decided = passages.map(({ name }) => ({ passage: name, decision: "light", reason: "It has facts." }));
      return { object: { passages: decided, instructions: [] } };
    }
    if (system.includes("You copy facts"))
      return { object: { candidates: passages.flatMap(({ name, text }) => sentencesIn(text).map(toCandidate(name))) } };
    const answers = Array.from(user.matchAll(/^(q\d+)$/gm), ([question]) => ({
      question,
      relation: "different",
      page: "none",
      cannotBothBeTrue: false,
      difference: "They are about two things.",
    }));
    return { object: { answers } };
  }
}

function passagesIn(prompt: string) {
  const fenced = prompt.matchAll(/<(p\d+)-([0-9a-f]{8})>\n([\s\S]*?)\n<\/\1-\2>/g);
  return Array.from(fenced, ([, name = "", , text = ""]) => ({ name, text }));
}

const sentencesIn = (text: string) => text.split("\n").filter((line) => /^[A-Z].*\.$/.test(line));

const toCandidate = (passage: string) => (statement: string) => ({
  passage,
  statement,
  quote: statement,
  subject: statement.split(" ").slice(1, 3).join(" "),
  topic: "fares",
  category: "definition",
  tables: [],
  durability: 1,
  authority: 1,
  reuse: 1,
  novelty: 1,
  risk: 0,
});
