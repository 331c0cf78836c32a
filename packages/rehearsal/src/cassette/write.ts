import { Document, isScalar, Scalar, visit } from "yaml";
import type { Cassette } from "./cassette.ts";

export interface CassetteHeader {
  /** When the runs were recorded. */
  readonly at: Date;
  /** Programs and their versions, such as `{ Bridle: "0.1.0" }`. */
  readonly versions?: Readonly<Record<string, string>>;
}

/** Writes a cassette as YAML: a script that you can play and edit, with a description in comments at the top. */
export function writeCassette(cassette: Cassette, header: CassetteHeader): string {
  const document = new Document(cassette.script, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (isScalar<unknown>(node) && typeof node.value === "string" && isUnusual(node.value))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return `${formatHeader(cassette, header)}\n${document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })}`;
}

/** Whether a plain or literal scalar would change the text. */
function isUnusual(text: string): boolean {
  return /[^\n\P{C}]|[\u2028\u2029\ufeff]/u.test(text) || /^\s|[^\S\n]\n|\s$/.test(text) || !text.isWellFormed();
}

function formatHeader({ runs, backends, models, warnings }: Cassette, { at, versions = {} }: CassetteHeader): string {
  const on = [backends.join(", "), ...(models.length > 0 ? [models.join(", ")] : [])].join(" with ");
  const by = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const lines = [
    `A cassette: the answers of the model in ${runs === 1 ? "one run" : `${runs} runs`} on ${on}.`,
    `Recorded ${at.toISOString()}${by.length === 0 ? "" : ` by ${by.join(", ")}`}. Credentials were replaced by [secret …].`,
    "It is a rehearsal script: play it with bridle run --rehearse, or serve it with bridle rehearse.",
    ...warnings.map((warning) => `Differs from the run: ${warning}.`),
  ];
  return lines.map((line) => `# ${line.replaceAll(/[\p{C}\u2028\u2029]+/gu, " ")}\n`).join("");
}
