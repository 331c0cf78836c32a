/** Sentences about the places of an invented port. Each states one value of a fact, in one of several wordings. */

/**
 * The meaning of a sentence: `value` is one of the possible values of `fact`. Sentences about the same fact with different values
 * contradict each other.
 */
interface Meaning {
  readonly fact: number;
  readonly value: number;
}

export interface Sentence extends Meaning {
  readonly text: string;
  readonly subject: string;
  readonly topic: string;
}

/** The subjects, few enough that documents often agree or contradict each other. */
const subjects = ["north pier", "south pier", "ferry lounge", "cargo ramp"];

type Form = (subject: string, value: number) => readonly string[];

const minutes = [7, 12, 30];
const teams = ["harbour", "lighthouse", "customs"];

/** The facts about a subject, whose values differ in a number, a word or a negation. */
const forms: readonly Form[] = [
  (subject, value) => [
    `The ${subject} closes ${minutes[value]} minutes before departure.`,
    `${minutes[value]} minutes before departure, the ${subject} closes.`,
    `Before departure, the ${subject} closes early, by ${minutes[value]} minutes.`,
  ],
  (subject, value) => [
    `The ${teams[value]} team looks after the ${subject}.`,
    `The ${subject} is looked after by the ${teams[value]} team.`,
    `Whoever needs the ${subject} asks the ${teams[value]} team, which looks after it.`,
  ],
  (subject, value) => [
    `Dogs are ${value === 0 ? "" : "not "}welcome on the ${subject}.`,
    `The ${subject} ${value === 0 ? "welcomes" : "does not welcome"} dogs.`,
    `On the ${subject}, dogs of passengers are ${value === 0 ? "" : "not "}welcome.`,
  ],
];

/** The number of facts, and the number of wordings of each value. */
export const sizes = { facts: subjects.length * forms.length, wordings: 3 };

export function valuesOf(fact: number): number {
  return fact % forms.length === 2 ? 2 : 3;
}

export function sentenceOf(fact: number, value: number, wording: number): Sentence {
  const subject = subjects[Math.floor(fact / forms.length)] ?? "";
  const text = forms[fact % forms.length]?.(subject, value)[wording] ?? "";
  return { fact, value, text, subject, topic: subject.split(" ").at(-1) ?? subject };
}

const known = new Map(
  Array.from({ length: sizes.facts }, (_, fact) =>
    Array.from({ length: valuesOf(fact) }, (_, value) =>
      Array.from({ length: sizes.wordings }, (_, wording) => sentenceOf(fact, value, wording)),
    ),
  )
    .flat(2)
    .map((sentence) => [sentence.text, sentence]),
);

/** Parses a sentence; undefined if it is not one of these. */
export function readSentence(text: string): Sentence | undefined {
  return known.get(text);
}

/** Returns the sentences of a text with one sentence per line. */
export function sentencesIn(text: string): readonly Sentence[] {
  return text.split("\n").flatMap((line) => readSentence(line.trim()) ?? []);
}
