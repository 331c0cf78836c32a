/** Finds lasting facts that the user states in a conversation. Used only if automatic capture is configured. Pure. */
import { normalForm } from "../claims/wording/read-wording.ts";

/** A message of a conversation. */
export interface SaidMessage {
  /** Only the user's messages are a source: no messages of a model or a tool, and no sentences that repeat such messages. */
  readonly role: "person" | "assistant" | "tool";
  readonly text: string;
}

const signals: readonly RegExp[] = [
  /\b(?:please )?(?:remember|note|keep in mind|for the record|from now on|going forward|as of|starting|since)\b/i,
  /\b(?:by|in) (?:our|the) (?:company|definition|convention|policy)\b/i,
  /\bwe (?:define|call|count|exclude|include|treat|never|always|use)\b/i,
  /\b(?:actually|no(?=,)|that is wrong|not quite)\b.*\b(?:is|are|means?|counts?|includes?|excludes?)\b/i,
  /\b(?:merk dir|ab jetzt|bei uns|à partir de maintenant|chez nous|a partir de ahora|de agora em diante)\b/i,
];

const maxSentences = 5;

/** Returns at most five sentences. Skips questions, quotations, code, repetitions of the conversation's own answers, and `known` facts. */
export function findMemorySignals(messages: readonly SaidMessage[], known: readonly string[] = []): readonly string[] {
  const ours = new Set([
    ...known.map(normalForm),
    ...messages.filter(({ role }) => role !== "person").flatMap(({ text }) => sentencesOf(text).map(normalForm)),
  ]);
  const sentences = messages
    .filter(({ role }) => role === "person")
    .flatMap(({ text }) => sentencesOf(withoutQuotations(text)));
  const found = sentences.filter(
    (sentence) =>
      !sentence.endsWith("?") &&
      saysSomething(withoutLead(sentence)) &&
      signals.some((signal) => signal.test(sentence)) &&
      !ours.has(normalForm(withoutLead(sentence))) &&
      !ours.has(normalForm(sentence)),
  );
  return [...new Map(found.map((sentence) => [normalForm(sentence), withoutLead(sentence)])).values()].slice(
    0,
    maxSentences,
  );
}

/** Words that ask to remember something without saying what. */
const asking =
  /(?<![\p{L}\p{N}])(?:please|pls|always|also|remember|note|keep|in|mind|make|sure|to|you|can|could|do|don't|forget|never|just|for|the|record|next|time|future|from|now|on|going|forward|later|that|this|it|these|those|one|what|i|said|told|and|ok|okay|yes|thanks|merk|dir|das|bitte|immer)(?![\p{L}\p{N}])/giu;

/** Whether a sentence contains a fact. `Please always remember that.` does not. */
function saysSomething(sentence: string): boolean {
  const rest = sentence.replaceAll(asking, " ").match(/\p{L}{2,}|\p{N}+/gu) ?? [];
  return rest.length >= 2;
}

/** Removes `Please remember that …`, which only introduces the fact. */
function withoutLead(sentence: string): string {
  const rest = sentence.replace(
    /^(?:please,? )?(?:always |also |just )?(?:remember|note|keep in mind)(?: that(?=\s+\p{L})|:|,)?\s+/iu,
    "",
  );
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function withoutQuotations(text: string): string {
  return text.replaceAll(/```[\s\S]*?(?:```|$)/g, " ").replaceAll(/^\s*>.*$/gm, " ");
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。])\s+|\n+/)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim())
    .filter((sentence) => sentence.length >= 12);
}
