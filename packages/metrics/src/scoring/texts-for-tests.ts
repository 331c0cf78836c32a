import fc from "fast-check";

/** One or more words from a small vocabulary, so that texts have words in common. */
export const sentence = fc
  .array(fc.constantFrom("desk", "lamp", "orders", "Ships", "30", "γάτα", "día"), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(" "));

export const anyText = fc.oneof(sentence, fc.string(), fc.string({ unit: "grapheme" }));
