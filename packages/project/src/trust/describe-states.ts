/** Formats the effects of files as lines of text. */
import {
  type EffectKind,
  type EffectSummary,
  effectKinds,
  type FolderEffect,
  type LoadedFileChange,
  type TrustedState,
} from "@bridle/protocol";

const titles: Readonly<Record<EffectKind, string>> = {
  runs: "runs",
  "skips-questions": "no questions",
  sends: "sends",
  reads: "reads",
};

const width = Math.max(...Object.values(titles).map(({ length }) => length)) + 2;

/** Lists the effects of each file, one on each line. After a change, new effects begin with + and former effects with -. */
export function formatStates(states: readonly TrustedState[]): string {
  return states.map(formatState).join("\n");
}

function formatState({ path, effects, added, former, isChanged, changes = [] }: TrustedState): string {
  const now = effectKinds.flatMap((kind) => effects.filter((effect) => effect.kind === kind));
  const sign = (effect: FolderEffect) => (isChanged && added.includes(effect) ? "+ " : "  ");
  const lines = now.map((effect) => `${sign(effect)}${formatEffect(effect)} (${escapeHidden(effect.field)})`);
  const gone = isChanged ? former.map((effect) => `- ${formatEffect(effect)}`) : [];
  return [escapeHidden(path), ...lines, ...gone, ...changes.slice(0, maxChanges).flatMap(formatChange)].join("\n");
}

const maxChanges = 10;

/** Formats a change. The lines of the difference are behind a gutter, because the file's author chose their text. */
function formatChange({ path, reason, difference }: LoadedFileChange): string[] {
  const why = reason === undefined ? "" : `: ${escapeHidden(reason)}`;
  const title = `~ ${"changed".padEnd(width)}${escapeHidden(path)}${why}`;
  return [title, ...difference.map((line) => `│ ${line}`)];
}

/** Formats an effect on one line. Characters that a screen would hide or interpret are escaped. */
export function formatEffect({ kind, subject }: EffectSummary): string {
  return `${titles[kind].padEnd(width)}${escapeHidden(subject)}`;
}

/** Replaces control, format, bidirectional, tag and other invisible characters with escapes, so that the line shows its real content. */
export function escapeHidden(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
