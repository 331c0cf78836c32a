/** Finds words that restrict the meaning of a sentence: conditions, exceptions, quantifiers, comparisons and units. Pure. */
import { statementWords } from "./statement-words.ts";

/** Words with the same meaning, in several languages. */
type Senses = readonly (readonly [sense: string, words: string])[];

/** Words of conditions. Sentences with different conditions apply to different cases. */
const conditions: Senses = [
  [
    "unless",
    "unless|es sei denn|außer wenn|sofern nicht|à moins que|sauf si|a menos que|a no ser que|a meno che|tenzij",
  ],
  ["until", "until|till|bis|jusqu['’]à|hasta que|até que|finché|totdat"],
  [
    "only if",
    "only (?:if|when|for|in|on|with|after|before)|if and only if|nur (?:wenn|falls|bei|für)|seulement si|uniquement (?:si|pour)|solo (?:si|cuando|para)|somente se|solo se|alleen als",
  ],
  [
    "if",
    "(?<!only |even )(?:if|when|whenever|provided(?: that)?|as long as|in case|once)|wenn|falls|sofern|sobald|lorsque|quand|cuando|siempre que|quando|als|zodra",
  ],
];
const exceptions: Senses = [
  [
    "except",
    "except(?:ing)?|excepted|other than|apart from|aside from|with the exception of|save for|but not|excluding|ausgenommen|außer(?! wenn)|mit ausnahme|abgesehen von|sauf(?! si)|excepté|à l['’]exception|hormis|excepto|salvo|a excepción|exceto|tranne|eccetto|behalve|uitgezonderd",
  ],
];
const quantifiers: Senses = [
  [
    "all",
    "all|every|each|always|everyone|everything|any|alle[rnsm]?|jede[rnsm]?|immer|tous|toutes|chaque|toujours|todos|todas|cada|siempre|sempre|tutti|tutte|ogni",
  ],
  [
    "most",
    "most(?! recent)|mostly|majority|usually|typically|generally|meist(?:ens)?|die meisten|la plupart|généralement|mayoría|generalmente|maioria|maggior parte",
  ],
  [
    "some",
    "some|several|sometimes|occasionally|certain|einige|manche|manchmal|quelques|certains|parfois|algunos|algunas|a veces|alguns|às vezes|alcuni|alcune",
  ],
  ["few", "few|rarely|seldom|wenige|selten|peu de|rarement|pocos|raramente|poucos|pochi"],
  ["half", "half|hälfte|moitié|mitad|metade|metà"],
];
const comparisons: Senses = [
  [
    "at least",
    "at least|minimum of|no (?:less|fewer) than|or more|mindestens|au moins|al menos|pelo menos|almeno|minstens",
  ],
  [
    "at most",
    "at most|maximum of|no more than|or (?:less|fewer)|up to|höchstens|maximal|au plus|como máximo|no máximo|al massimo|hoogstens",
  ],
  [
    "more than",
    "(?<!no )(?:more than|over|above|greater than|exceeds?|exceeding)|mehr als|plus de|más de|mais de|più di|meer dan",
  ],
  ["less than", "(?<!no )(?:less than|fewer than|under|below)|weniger als|unter|moins de|menos de|meno di|minder dan"],
  ["about", "about|approximately|roughly|around|nearly|almost|ungefähr|etwa|circa|environ|aproximadamente|cerca de"],
];

/** Units. Each line lists the forms of one unit. */
const units: readonly string[] = [
  "milliseconds?|ms|millisekunden?|millisecondes?|milisegundos?",
  "seconds?|secs?|sekunden?|secondes?|segundos?|secondi|secondo",
  "minutes?|mins?|minuten?|minutos?|minuti|minuto",
  "hours?|hrs?|stunden?|heures?|horas?|ore|ora|uur",
  "(?:business|working|work) days?|workdays?|arbeitstagen?|werktagen?|jours ouvr(?:és|ables)|días (?:hábiles|laborables)",
  "(?:calendar )?days?|tagen?|tag|jours?|días?|dias?|giorni|giorno|dagen",
  "weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken",
  "months?|monaten?|monat|mois|mes(?:es)?|mesi|maanden",
  "quarters?|quartalen?|quartal|trimestres?|trimestri",
  "years?|jahren?|jahr|années?|ans?|años?|anos?|anni|anno|jaar",
  "percentage points?|pp|prozentpunkten?|points de pourcentage|puntos porcentuales",
  "percent|per cent|%|prozent|pour cent|por ciento|por cento|per cento|procent",
  "eur|euros?|€",
  "usd|dollars?|\\$",
  "gbp|pounds? sterling|£",
  "cents?|pence",
  "milligrams?|mg",
  "grams?|gramm|g",
  "kilograms?|kilos?|kg",
  "tons?|tonnes?|tonnen",
  "millimet(?:er|re)s?|mm",
  "centimet(?:er|re)s?|cm",
  "kilomet(?:er|re)s?|km",
  "miles?|mi",
  "met(?:er|re)s?|m",
  "kilobytes?|kb",
  "megabytes?|mb",
  "gigabytes?|gb",
  "thousand|tausend|mille|mil",
  "million|millionen|millions|millones|milhões|milioni|mio",
  "billion|milliarden?|milliards?|bilhões|miliardi|bn",
];

const unitForms = units.map((forms) => new RegExp(`^[\\s-]*(?:${forms})(?![\\p{L}\\p{N}])`, "iu"));
const currencyBefore = /(?:([€$£])|(?<![\p{L}])(eur|usd|gbp))\s*$/iu;
const currencies: ReadonlyMap<string, number> = new Map(
  ["€", "eur", "$", "usd", "£", "gbp"].map((sign) => [sign, unitForms.findIndex((form) => form.test(sign))]),
);

const [conditionForms, exceptionForms, quantifierForms, comparisonForms] = [
  conditions,
  exceptions,
  quantifiers,
  comparisons,
].map((senses) =>
  senses.map(([sense, words]) => ({
    sense,
    form: new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, "iu"),
  })),
);

type Forms = typeof conditionForms;

function sensesIn(text: string, forms: Forms = []): ReadonlySet<string> {
  return new Set(forms.filter(({ form }) => form.test(text)).map(({ sense }) => sense));
}

/** A difference between a statement and its source sentence. `refused`: the statement is refused. `asked`: a model has to confirm it. */
export interface ChangedOperators {
  readonly kind: "refused" | "asked";
  readonly reason: string;
}

/**
 * Compares a statement with the matching part of a sentence. Conditions, exceptions and units must be the same. A quantifier or comparison
 * must not be replaced with another. If the statement adds or omits one, a model has to confirm it.
 */
export function findChangedOperators(statement: string, sentence: string): ChangedOperators | undefined {
  const part = relevantPart(statement, sentence);
  for (const [forms, what] of [
    [conditionForms, "condition"],
    [exceptionForms, "exception"],
  ] as const) {
    const [own, other] = [sensesIn(statement, forms), sensesIn(part, forms)];
    const lost = [...other].find((sense) => !own.has(sense));
    const added = [...own].find((sense) => !other.has(sense));
    if (lost !== undefined)
      return refused(`The statement leaves out the ${what} "${lost}" of the quote. State the whole sentence.`);
    if (added !== undefined) return refused(`The quote does not have the ${what} "${added}". Keep its words.`);
  }
  const unit = findOtherUnit(statement, part);
  if (unit !== undefined) return refused(`The quote has another unit after ${unit}. Keep its words.`);
  for (const forms of [quantifierForms, comparisonForms]) {
    const [own, other] = [sensesIn(statement, forms), sensesIn(part, forms)];
    const added = [...own].find((sense) => !other.has(sense));
    const lost = [...other].find((sense) => !own.has(sense));
    if (added !== undefined && lost !== undefined)
      return refused(`The quote contains "${lost}" and not "${added}". Keep its words.`);
    if (added !== undefined || lost !== undefined)
      return { kind: "asked", reason: `Only one of the quote and the statement contains "${added ?? lost}".` };
  }
  return undefined;
}

/** Finds a condition or exception directly before or after a statement, in the same sentence. */
export function findLeftOutCondition(before: string, after: string): string | undefined {
  for (const text of [before, after])
    for (const forms of [exceptionForms, conditionForms]) {
      const [sense] = sensesIn(text, forms);
      if (sense !== undefined) return sense;
    }
  return undefined;
}

/** Whether the words directly before a statement restrict its amount: "most" before "riders pay". */
export function endsWithAmount(before: string): boolean {
  const last = before.trim().split(/\s+/u).slice(-2).join(" ");
  return sensesIn(last, quantifierForms).size + sensesIn(last, comparisonForms).size > 0;
}

function refused(reason: string): ChangedOperators {
  return { kind: "refused", reason };
}

/**
 * Returns those clauses of a sentence that share words with a statement. Splits only at semicolons, colons and words such as "and" or
 * "but", so that a condition or exception stays with its clause.
 */
function relevantPart(statement: string, sentence: string): string {
  const wanted = new Set(statementWords(statement));
  const clauses = sentence.split(/[;:]\s|,?\s(?:and|but|und|aber|et|mais|y|pero|e|mas|ma)\s/u);
  const kept = clauses.filter((clause) => {
    const words = statementWords(clause);
    return words.filter((word) => wanted.has(word)).length * 2 >= Math.min(words.length, wanted.size);
  });
  return kept.length === 0 ? sentence : kept.join(" ; ");
}

/** Finds the numbers in a text, each with the unit before or after it. Leaves out numbers without a unit. */
function quantitiesIn(text: string): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const { 0: number, index } of text.matchAll(/\d+(?:[.,\u00a0]\d+)*/g)) {
    const after = text.slice(index + number.length, index + number.length + 30);
    const sign = currencyBefore.exec(text.slice(Math.max(0, index - 5), index));
    const unit = unitForms.findIndex((form) => form.test(after));
    const known = found.get(number) ?? new Set();
    if (unit >= 0) known.add(unit);
    const currency = sign && currencies.get((sign[1] ?? sign[2] ?? "").toLowerCase());
    if (currency !== undefined && currency !== null) known.add(currency);
    found.set(number, known);
  }
  return found;
}

function findOtherUnit(statement: string, sentence: string): string | undefined {
  const [own, other] = [quantitiesIn(withDigits(statement)), quantitiesIn(withDigits(sentence))];
  for (const [number, unitsOfNumber] of own) {
    const known = other.get(number);
    if (known === undefined) continue;
    const isOther = [...unitsOfNumber].some((unit) => !known.has(unit)) && known.size > 0;
    if (isOther) return number;
  }
  return undefined;
}

const digits = new Map(
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, at) => [word, String(at + 1)]),
);

function withDigits(text: string): string {
  return text.replaceAll(/[a-z]+/gi, (word) => digits.get(word.toLowerCase()) ?? word);
}
