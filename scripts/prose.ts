/** Prints how often the measured words occur per 10,000 words, by kind of text. */
import { measuredWords, rate, readProse } from "../tests/support/prose.ts";

const rows = Object.entries(readProse()).map(([place, text]) => {
  const words = text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
  const rates = Object.entries(measuredWords).map(([word, pattern]) => [word, rate(text, pattern).toFixed(1)]);
  return [place, { words, ...Object.fromEntries(rates) }];
});
console.table(Object.fromEntries(rows));
