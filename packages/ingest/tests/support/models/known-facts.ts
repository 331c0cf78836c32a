import type { Corpus, StatedFact } from "../corpus/corpus.ts";
import { unwantedKinds } from "../corpus/planted-facts.ts";
import type { KnownFact } from "./corpus-model.ts";

/** Returns a function that finds the wanted facts of a corpus in a text. */
export function wantedFactsOf(corpus: Corpus): (text: string) => readonly KnownFact[] {
  const sayings = allSayings(corpus).filter(({ fact }) => !unwantedKinds.has(fact.kind));
  const known = [...new Map(sayings.map((each) => [each.text, toKnown(each)])).values()];
  return (text) => known.filter((fact) => text.includes(fact.text));
}

/** Returns a function that finds all facts of a corpus in a text, including those that must not become a claim. */
export function allFactsOf(corpus: Corpus): (text: string) => readonly KnownFact[] {
  const known = [...new Map(allSayings(corpus).map((each) => [each.text, toKnown(each)])).values()];
  return (text) => known.filter((fact) => text.includes(fact.text));
}

function allSayings({ facts }: Corpus): readonly StatedFact[] {
  return facts.flatMap((fact) => fact.sayings.map((saying) => ({ ...saying, fact })));
}

export function toKnown({ text, fact: { subject, topic, category, tables } }: StatedFact): KnownFact {
  return { text, subject, topic, category, ...(tables && { tables }) };
}

const manyForm = /The \w+ of [\w-]+ closes \d+ minutes before departure\./g;

/** Finds the facts of `manyItems` in a text. */
export function manyFacts(text: string): readonly KnownFact[] {
  return (text.match(manyForm) ?? []).map((found) => ({
    text: found,
    subject: found.split(" closes")[0] ?? "",
    topic: "closing",
    category: "rule",
  }));
}
