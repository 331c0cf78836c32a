/** A faithful model that reads the sentences of random documents. It runs without a host, and can be disturbed. */
import { sha256 } from "@bridle/core";
import { NetworkError, noUsage, OverloadedError, silentLogger, UsageLimitError } from "@bridle/protocol";
import { relations } from "../../../src/curation/pair-questions.ts";
import type { IngestModels, LoopCall, LoopEnd, ObjectCall } from "../../../src/models/ingest-models.ts";
import { passagesIn } from "../models/prompts.ts";
import type { Disturbance } from "./random-history.ts";
import { readSentence, type Sentence, sentencesIn } from "./sentences.ts";

export class SentenceModel implements IngestModels {
  calls = 0;
  /** The documents and pairs of statements in the model's requests. */
  readonly passages = new Set<string>();
  readonly pairs: (readonly [string, string])[] = [];
  readonly #relate: (pair: AskedSentences) => object;
  #disturbance: Disturbance = { kind: "none", after: 0 };
  #stop: () => void = () => undefined;

  /** A lying model compares statements at random, but always in the same way. */
  constructor({ isLying }: { readonly isLying: boolean }) {
    this.#relate = isLying ? relateAtRandom : relate;
  }

  modelOf(): string {
    return "of sentences";
  }

  /** Forgets earlier requests. */
  reset(): void {
    this.passages.clear();
    this.pairs.length = 0;
  }

  /** Makes the model fail, or call `stop`, after a number of calls, until the next call of `disturb`. */
  disturb(disturbance: Disturbance, stop: () => void = () => undefined): void {
    this.calls = 0;
    [this.#disturbance, this.#stop] = [disturbance, stop];
  }

  async object<T>({ stage, prompt, schema, signal }: ObjectCall<T>) {
    this.#begin(signal);
    const isSilent = this.#disturbance.kind === "silent" && this.calls > this.#disturbance.after;
    const answer = this.#answer(stage, prompt);
    const given = isSilent ? withoutAnswers(answer) : answer;
    return { object: schema.parse(given), usage: noUsage };
  }

  async loop({ prompt, tools, signal }: LoopCall): Promise<LoopEnd> {
    this.#begin(signal);
    const propose = tools.find(({ name }) => name === "propose_claim");
    for (const { name, text } of this.#read(prompt)) {
      for (const sentence of sentencesIn(text)) {
        await propose?.execute(
          { passage: name, quote: sentence.text, ...statementOf(sentence) },
          {
            signal,
            runId: "run",
            callId: "call",
            projectDir: "/",
            environment: {},
            logger: silentLogger,
            progress: () => undefined,
          },
        );
      }
    }
    return { stopReason: "natural", steps: 2, usage: noUsage };
  }

  #begin(signal: AbortSignal): void {
    this.calls += 1;
    const { kind, after } = this.#disturbance;
    if (this.calls <= after) return;
    if (kind === "overloaded") throw this.calls % 2 === 0 ? new OverloadedError("529") : new NetworkError("reset");
    if (kind === "limit") throw new UsageLimitError("The usage window five_hour is used up.");
    if (kind === "stopped") {
      this.#stop();
      signal.throwIfAborted();
    }
  }

  #answer(stage: string, prompt: string): Readonly<Record<string, readonly object[]>> {
    if (stage === "triage") return { passages: this.#read(prompt).map(sortPassage), instructions: [] };
    if (stage === "light") return { candidates: this.#read(prompt).flatMap(copyFacts) };
    if (stage === "topics") return { answers: questionsIn(prompt).map((question) => ({ question, page: "none" })) };
    return {
      answers: this.#pairsIn(prompt).map((pair) => ({ ...pair, ...this.#relate(pair), difference: "They differ." })),
    };
  }

  #read(prompt: string) {
    const passages = passagesIn(prompt);
    for (const { text } of passages) this.passages.add(/^Document: (\S+ \S+)/.exec(text)?.[1] ?? text);
    return passages;
  }

  #pairsIn(prompt: string) {
    return Array.from(
      prompt.matchAll(/^(q\d+)\na: \[[^\]]*\] (.*)\nb: \[[^\]]*\] (.*)$/gm),
      ([, question = "", a = "", b = ""]) => {
        this.pairs.push([a, b]);
        return { question, a, b };
      },
    );
  }
}

function sortPassage({ name, text }: { readonly name: string; readonly text: string }): object {
  const decision = sentencesIn(text).length === 0 ? "skip" : text.includes("Rain fell hard") ? "full" : "light";
  return { passage: name, decision, reason: "It is so." };
}

function copyFacts({ name, text }: { readonly name: string; readonly text: string }): readonly object[] {
  const scores = { durability: 1, authority: 1, reuse: 1, novelty: 1, risk: 0 };
  return sentencesIn(text).map((sentence) => ({
    passage: name,
    quote: sentence.text,
    ...statementOf(sentence),
    ...scores,
  }));
}

function statementOf({ text, subject, topic }: Sentence) {
  return { statement: text, subject, topic, category: "rule", tables: [] };
}

interface AskedSentences {
  readonly a: string;
  readonly b: string;
}

function relate({ a, b }: AskedSentences) {
  const [ours, theirs] = [readSentence(a), readSentence(b)];
  const isOneFact = ours !== undefined && ours.fact === theirs?.fact;
  const isConflict = isOneFact && ours.value !== theirs.value;
  return { relation: isConflict ? "conflict" : isOneFact ? "same" : "different", cannotBothBeTrue: isConflict };
}

function relateAtRandom({ a, b }: AskedSentences) {
  const digit = Number.parseInt(sha256(JSON.stringify([a, b].sort())).slice(0, 2), 16);
  return { relation: relations[digit % relations.length] ?? "same", cannotBothBeTrue: digit % 2 === 0 };
}

function questionsIn(prompt: string): readonly string[] {
  return Array.from(prompt.matchAll(/^(q\d+)$/gm), ([, question = ""]) => question);
}

/** Omits every second answer. The reply counts as an answer, so the omitted facts are not requested again. */
function withoutAnswers(answer: Readonly<Record<string, readonly object[]>>): object {
  return Object.fromEntries(
    Object.entries(answer).map(([key, list]) => [
      key,
      key === "candidates" ? list : list.filter((_, index) => index % 2 === 1),
    ]),
  );
}
