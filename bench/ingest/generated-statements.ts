/** Generates statements of an invented company with known paraphrases, the same ones every time. */

export interface GeneratedStatement {
  readonly subject: string;
  readonly statement: string;
  /** The number of the fact. Equal for statements with the same meaning. */
  readonly fact: number;
}

const nouns =
  "fare trip rider dock pass voucher refund battery bike zone tariff shift audit helmet deposit invoice partner campaign region depot signal repair claim ticket permit".split(
    " ",
  );
const kinds =
  "gross net active late early daily weekly night student company winter rain lost broken shared premium basic regional monthly yearly planned urgent open closed internal".split(
    " ",
  );
const actors = "finance support operations marketing legal sales product analytics".split(" ");
const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

interface FactForm {
  readonly subject: (noun: string) => string;
  readonly wordings: readonly ((subject: string, number: number, actor: string, other: string) => string)[];
}

const forms: readonly FactForm[] = [
  {
    subject: (noun) => noun,
    wordings: [
      (subject, number, actor) => `A ${subject} is settled by ${actor} within ${number} days.`,
      (subject, number, actor) => `Within ${number} days, ${actor} settles each ${subject}.`,
      (subject, number, actor) => `${actor} has ${numberWords[number] ?? number} days to settle a ${subject}.`,
    ],
  },
  {
    subject: (noun) => noun,
    wordings: [
      (subject, _, __, other) => `A ${subject} is never counted as a ${other}.`,
      (subject, _, __, other) => `${subject}s are not ${other}s.`,
      (subject, _, __, other) => `No ${other} is a ${subject}, whatever the report says.`,
    ],
  },
  {
    subject: (noun) => `cost of a ${noun}`,
    wordings: [
      (subject, number) => `The cost of a ${subject} is ${number} euro.`,
      (subject, number) => `A ${subject} has a cost of ${number} €.`,
      (subject, number) => `The cost is ${numberWords[number] ?? number} euros for every ${subject}.`,
    ],
  },
  {
    subject: (noun) => noun,
    wordings: [
      (subject, number, _, other) => `A ${subject} is the share of ${other}s in the last ${number} weeks.`,
      (subject, number, _, other) => `${subject}: share of all ${other}s of ${number} weeks.`,
      (subject, number, _, other) => `Of the last ${number} weeks, the share of ${other}s is called the ${subject}.`,
    ],
  },
];

/** Writes two wordings of every second fact, and one of the other facts. */
export function generateStatements(count: number): readonly GeneratedStatement[] {
  let state = 17;
  const next = (max: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * max);
  };
  const pick = (list: readonly string[]) => list[next(list.length)] ?? "";
  const made: GeneratedStatement[] = [];
  for (let fact = 0; made.length < count; fact += 1) {
    const form = forms[next(forms.length)] ?? forms[0];
    const noun = `${pick(kinds)} ${pick(kinds)} ${pick(nouns)}`;
    const values = [2 + next(60), pick(actors), `${pick(kinds)} ${pick(nouns)}`] as const;
    const used = fact % 2 === 0 ? [0, 1 + next(2)] : [next(3)];
    for (const wording of used) {
      const statement = form?.wordings[wording]?.(noun, ...values) ?? "";
      made.push({ subject: form?.subject(noun) ?? noun, statement, fact });
    }
  }
  return made.slice(0, count);
}
