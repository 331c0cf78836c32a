/** A model for tests that compares statements with a given function, and an in-memory answer store. */
import { BridleError, noUsage } from "@bridle/protocol";
import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { ClaimSource } from "../claims/claim.ts";
import type { AnswerStore } from "../models/answers.ts";
import type { IngestModels, ObjectCall } from "../models/ingest-models.ts";
import type { StatementBody } from "../sources/candidate.ts";
import type { CurateOptions } from "./curate-claims.ts";
import type { Relation } from "./pair-questions.ts";

export interface CuratorScript {
  /** The relation between two statements. Default: different. */
  readonly relation?: ((a: string, b: string) => Relation | string) | undefined;
  /** Whether the two statements contradict each other. Default: they do. */
  readonly conflict?: ((a: string, b: string) => boolean) | undefined;
  /** The page that the model chooses for a topic. Default: none. */
  readonly page?: ((topic: string, pages: readonly string[]) => string) | undefined;
  /** Changes the output of a call, or throws. */
  readonly distort?:
    | ((call: { readonly stage: string; readonly number: number }, object: unknown) => unknown)
    | undefined;
}

export class ScriptedCurator implements IngestModels {
  readonly calls: { readonly stage: string; readonly prompt: string; readonly questions: number }[] = [];
  readonly #script: CuratorScript;

  constructor(script: CuratorScript = {}) {
    this.#script = script;
  }

  modelOf(): string {
    return "scripted";
  }

  async object<T>({ stage, prompt, schema }: ObjectCall<T>) {
    const questions = [...prompt.matchAll(/^(q\d+)\n(.*)\n(.*)$/gm)].map(
      ([, question = "", first = "", second = ""]) => ({
        question,
        a: first.replace(/^\w+: (\[[^\]]*\] )?/, ""),
        b: second.replace(/^\w+: (\[[^\]]*\] )?/, ""),
      }),
    );
    this.calls.push({ stage, prompt, questions: questions.length });
    const answers = questions.map(({ question, a, b }) => ({ question, ...this.#answer(stage, a, b) }));
    const { distort } = this.#script;
    const object = distort ? distort({ stage, number: this.calls.length }, { answers }) : { answers };
    const parsed = schema.safeParse(object);
    if (!parsed.success) throw new BridleError("structured_output", "The model returned no valid object.");
    return { object: parsed.data, usage: noUsage };
  }

  loop(): never {
    throw new Error("Nothing here needs a loop.");
  }

  #answer(stage: string, a: string, b: string): object {
    const { relation = () => "different", conflict = () => true, page = () => "none" } = this.#script;
    if (stage === "curate") return { relation: relation(a, b) };
    if (stage === "topics") return { page: page(a, b.split(", ")) };
    return { cannotBothBeTrue: conflict(a, b), difference: "They differ." };
  }
}

export class MemoryAnswers implements AnswerStore {
  readonly values = new Map<string, unknown>();

  read(key: string): unknown {
    return this.values.get(key);
  }

  write(answers: Parameters<AnswerStore["write"]>[0]): void {
    for (const { key, value } of answers) this.values.set(key, value);
  }
}

/** Returns options with a scripted model. */
export function curatorOptions(script: CuratorScript = {}, more: Partial<CurateOptions> = {}): CurateOptions {
  return {
    models: new ScriptedCurator(script),
    answers: new MemoryAnswers(),
    signal: new AbortController().signal,
    decisions: {},
    pages: [],
    ...more,
  };
}

/** Creates a candidate with a statement that its item contains word for word. */
export function stated(
  statement: string,
  source: Partial<ClaimSource> = {},
  body: Partial<StatementBody> = {},
): CheckedCandidate {
  const subject =
    body.subject ??
    statement.split(/ (?:is|are|costs?|has|have|includes?|must|when|runs?) /)[0]?.slice(0, 120) ??
    statement;
  return {
    body: { kind: "statement", subject, statement, topic: "facts", category: "definition", tables: [], ...body },
    source: {
      source: "notion",
      item: `${statement.slice(0, 20)}.md`,
      version: "v1",
      title: "A page",
      authority: "document",
      updatedAt: "2026-03-01",
      quote: statement,
      start: 0,
      end: statement.length,
      wording: statement,
      origin: "extraction",
      ...source,
    },
  };
}
