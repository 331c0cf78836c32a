/**
 * Prints how often the measured words occur per 10,000 words, by kind of text. With folders of other projects as arguments, also prints the
 * rates in their documents and comments: `npm run prose -- FOLDER …`.
 */
import { basename } from "node:path";
import { clumsyWords, measuredWords, rate, readProse, readProseOf } from "../tests/support/prose.ts";

const others = process.argv
  .slice(2)
  .flatMap((folder) =>
    Object.entries(readProseOf(folder)).map(([place, text]) => [`${basename(folder)}: ${place}`, text] as const),
  );
const texts = [...Object.entries(readProse()), ...others];
for (const patterns of [measuredWords, clumsyWords]) {
  const rows = texts.map(([place, text]) => {
    const words = text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
    const rates = Object.entries(patterns).map(([word, pattern]) => [word, rate(text, pattern).toFixed(1)]);
    return [place, { words, ...Object.fromEntries(rates) }];
  });
  console.table(Object.fromEntries(rows));
}
