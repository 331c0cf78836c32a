/** Searches a text for credentials by their form, and watches a text in pieces for their beginnings. */
import { type Form, fieldForms, headerForms, keyForm, prefixForms } from "./credential-forms.ts";
import { markByLength, type SecretFinding } from "./finding.ts";

interface FormSet {
  readonly forms: readonly Form[];
  readonly begin: RegExp;
}

/** Combines all forms of a list into one expression with a group for each form. */
function toSet(forms: readonly Form[], flags: string): FormSet {
  return { forms, begin: new RegExp(forms.map(({ begin }, index) => `(?<f${index}>${begin})`).join("|"), flags) };
}

const sets: readonly FormSet[] = [toSet([...prefixForms, keyForm], "g"), toSet([...fieldForms, ...headerForms], "gi")];

/** The credentials that were found in a text by their form, and the position of one that may continue after the text's end. */
export interface FormSearch {
  readonly findings: readonly SecretFinding[];
  readonly open?: number | undefined;
}

/** Searches a text for everything that looks like a credential. The time is proportional to the length of the text. */
export function searchForms(text: string): FormSearch {
  const searches = sets.map((set) => searchSet(text, set));
  const open = searches.flatMap((search) => search.open ?? []);
  return {
    findings: searches.flatMap((search) => search.findings),
    ...(open.length > 0 && { open: Math.min(...open) }),
  };
}

function searchSet(text: string, { forms, begin }: FormSet): FormSearch {
  const findings: SecretFinding[] = [];
  const refusedUntil = forms.map(() => 0);
  let open: number | undefined;
  begin.lastIndex = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const from = begin.lastIndex;
    begin.lastIndex = match.index + 1;
    const { index, form } = matchedForm(forms, match);
    if (form === undefined || match.index < (refusedUntil[index] ?? 0) || !isNamed(form, match)) continue;
    const end = form.run(text, from);
    const run = text.slice(from, end);
    const start = form.isPart ? match.index : from;
    if (end === text.length) open = Math.min(open ?? start, start);
    const length = form.accept(run, text, end);
    if (length === 0) {
      refusedUntil[index] = from + (form.refused?.(run) ?? run.length);
      continue;
    }
    findings.push({ start, end: from + length, mark: markByLength(from + length - start), known: false });
    begin.lastIndex = from + length;
  }
  return { findings, open };
}

function matchedForm(
  forms: readonly Form[],
  { groups = {} }: RegExpExecArray,
): { index: number; form?: Form | undefined } {
  const index = forms.findIndex((_, at) => groups[`f${at}`] !== undefined);
  return { index, form: forms[index] };
}

function isNamed({ names }: Form, { groups = {} }: RegExpExecArray): boolean {
  return names === undefined || names(groups.double ?? groups.single ?? groups.php ?? "");
}

/** Forms with beginnings of at most `length` characters that end with a character that fits `last`. */
interface BeginningSet extends FormSet {
  readonly length: number;
  readonly last: RegExp;
}

function toBeginnings(forms: readonly Form[], flags: string, length: number, last: RegExp): BeginningSet {
  return { ...toSet(forms, flags), length, last };
}

/** The longest beginning of any form, in characters. */
export const maxBeginningLength = 280;

/** All forms, grouped by the length of their beginnings, because a short beginning needs fewer characters of context. */
const beginnings: readonly BeginningSet[] = [
  toBeginnings(prefixForms, "g", 16, /[\w./-]/),
  toBeginnings([keyForm], "g", 80, /-/),
  toBeginnings(headerForms, "gi", 120, /[\s:="'\\]/),
  toBeginnings(fieldForms, "gi", maxBeginningLength, /[:/"']/),
];

/** Whether the beginning of a form ends after the first `from` characters of a text. */
export function completesBeginning(text: string, from: number): boolean {
  const added = text.slice(from);
  return beginnings.some(({ forms, begin, length, last }) => {
    if (!last.test(added)) return false;
    begin.lastIndex = Math.max(0, from - length);
    for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
      const isNew = begin.lastIndex > from;
      begin.lastIndex = match.index + 1;
      const { form } = matchedForm(forms, match);
      if (isNew && form !== undefined && isNamed(form, match)) return true;
    }
    return false;
  });
}
