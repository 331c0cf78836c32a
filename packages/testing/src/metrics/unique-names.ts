/**
 * Makes the names unique: with their thresholds if these are given and differ, or else with a number.
 *
 * @example
 * uniqueNames([{ name: "bleu", threshold: 0.3 }, { name: "bleu", threshold: 0.6 }]) // ["bleu (0.3)", "bleu (0.6)"]
 * uniqueNames([{ name: "bleu" }, { name: "bleu" }]) // ["bleu", "bleu #2"]
 */
export function uniqueNames(
  metrics: readonly { readonly name: string; readonly threshold?: number | undefined }[],
): string[] {
  const names = metrics.map(({ name, threshold }) => {
    const same = metrics.filter((other) => other.name === name);
    const differ = new Set(same.map((other) => other.threshold)).size > 1;
    return differ && threshold !== undefined ? `${name} (${threshold})` : name;
  });
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} #${number}`;
    taken.add(unique);
    return unique;
  });
}
