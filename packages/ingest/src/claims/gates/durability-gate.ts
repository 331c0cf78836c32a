import type { Gate } from "./gate.ts";

/**
 * Matches statements that are true for one day only, and somebody's tasks. A rule may mention today and tomorrow, but a sentence about a
 * person who acts on such a day is refused.
 */
const passing = new RegExp(
  [
    String.raw`\b(?:to-?do|fixme|action item)s?\s*:|^\W*(?:todo|fixme)\b`,
    String.raw`\b(?:yesterday|gestern|ontem|ayer|ieri|i går|igår)\b|вчера|昨日|昨天`,
    String.raw`\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week)|(?:last|next) week)\b[^.]{0,40}\b(?:i|we|he|she|they)\b|\b(?:i|we|he|she|they)\b[^.]{0,40}\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening))\b`,
    String.raw`\b(?:on |last |next |this )(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:there (?:is|are|was)|we\b|i\b|he\b|she\b|the team)`,
    String.raw`\b(?:will|is going to) (?:fix|look at|test|ask|check|book) (?:it|this|that|the)\b`,
  ].join("|"),
  "iu",
);

/** The minimum scores of a candidate, given by the model that wrote it. */
const min = { durability: 0.4, authority: 0.2, reuse: 0.2 };

export const durabilityGate: Gate = {
  name: "not_durable",
  check({ candidate: { origin, scores }, around, wording }) {
    if (origin === "projection" || origin === "person") return undefined;
    for (const [name, limit] of Object.entries(min)) {
      const score = scores?.[name as keyof typeof min];
      if (score !== undefined && score < limit) return `Its ${name} is ${score}, and less than ${limit}. Leave it out.`;
    }
    const found = passing.exec(wording) ?? passing.exec(around);
    return found === null ? undefined : `"${found[0].trim()}" is temporary. State a fact that holds in half a year.`;
  },
};
