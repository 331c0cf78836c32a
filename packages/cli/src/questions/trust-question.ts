/** Formats the effects of files as rows of a screen, and the question whether to trust them. Pure. */
import { type EffectKind, effectKinds, type TrustedState } from "@bridle/protocol";
import { maxColumnsOf, splitRows } from "../terminal/columns.ts";
import { toPrintable } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";

const gutter = "│ ";

/**
 * Formats a list of effects as rows. A line that does not fit continues after a gutter, so that text that comes from the files cannot look
 * like another effect.
 */
export function effectRows(text: string, width: number): string[] {
  return toPrintable(text)
    .split("\n")
    .flatMap((line) => {
      const [first = ""] = splitRows(line, width, maxColumnsOf);
      const rest = line.slice(first.length);
      const rows = rest === "" ? [] : splitRows(rest, width - maxColumnsOf(gutter), maxColumnsOf);
      return [first, ...rows.map((row) => gutter + row)];
    });
}

/** Formats a refusal: a sentence, the list of effects, and a sentence with the remedy. Text that matches `whole` stays on one row. */
export function refusalRows(text: string, width: number, whole?: RegExp): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (index > 0 && index < lines.length - 1) return effectRows(line, width);
    const [first = "", ...rest] = wrap(line, width - maxColumnsOf(gutter), maxColumnsOf, whole);
    return [first, ...rest.map((row) => gutter + row)];
  });
}

/** Formats the question. Its last rows count the effects, because a long list scrolls away. `text` lists the effects. */
export function trustQuestionRows(states: readonly TrustedState[], text: string, width: number): string[] {
  const isChanged = states.some((state) => state.isChanged);
  const hasChanges = states.some(({ changes = [] }) => changes.length > 0);
  const changed = hasChanges
    ? "Files changed since you trusted this folder"
    : "This folder changed since you trusted it";
  const reason = isChanged ? changed : "You have not trusted this folder yet";
  const own = (sentence: string) => wrap(sentence, width, maxColumnsOf);
  return [
    ...own(`${reason}. Its files would do this:`),
    ...effectRows(text, width),
    ...own(`In all: ${countEffects(states)}.`),
    ...own("Trust these files? Only if you know who wrote them. [y/N]"),
  ];
}

const labels: Readonly<Record<EffectKind, string>> = {
  runs: "runs",
  "skips-questions": "skips questions",
  sends: "sends",
  reads: "reads",
};

/** Counts the effects, such as `runs: 1, sends: 2, reads: 5, variables: 3`. */
function countEffects(states: readonly TrustedState[]): string {
  const effects = states.flatMap((state) => state.effects);
  const counts = effectKinds.map((kind) => [labels[kind], effects.filter((effect) => effect.kind === kind).length]);
  const variables = new Set(effects.flatMap(({ kind, subject }) => (kind === "reads" ? variablesOf(subject) : [])));
  const changed = states.filter(({ isChanged }) => isChanged);
  const all = [
    ...counts,
    ["variables", variables.size],
    ["new", changed.flatMap(({ added }) => added).length],
    ["gone", changed.flatMap(({ former }) => former).length],
  ] as const;
  const shown = all.filter(([, count]) => count !== 0).map(([label, count]) => `${label}: ${count}`);
  return shown.join(", ") || "nothing";
}

/** Returns the names in the subject of an effect that reads variables, such as `the variables A, B`. */
function variablesOf(subject: string): string[] {
  const found = /^the variables? (\w+(?:, \w+)*)$/.exec(subject);
  const names = found ?? /^the credentials (\w+(?:, \w+)*) of the environment$/.exec(subject);
  return names?.[1]?.split(", ") ?? [];
}
