/** The functions that read text from models, tools, hosts, documents or clones, each with input that may be slow for the function. */
import { createEventRedaction, createRedactor, redactContent } from "@bridle/core";
import {
  canonicalJson,
  cutText,
  nearest,
  showControls,
  showHidden,
  showHiddenInJson,
  showHiddenInProse,
} from "@bridle/protocol";
import { splitFrontMatter } from "../../packages/agent/src/config/front-matter.ts";
import { SecretFinder } from "../../packages/app/src/bundles/secrets/find-secrets.ts";
import { codeBlock } from "../../packages/app/src/bundles/texts/code-fence.ts";
import { fitOnLine } from "../../packages/app/src/text/one-line.ts";
import { itemLines } from "../../packages/cli/src/chat/item-lines.ts";
import { parseSlash } from "../../packages/cli/src/chat/slash/slash.ts";
import { createStyle } from "../../packages/cli/src/chat/style.ts";
import { parseTypedAnswer } from "../../packages/cli/src/questions/parse-answer.ts";
import { questionLines } from "../../packages/cli/src/questions/question-lines.ts";
import { splitRows } from "../../packages/cli/src/terminal/columns.ts";
import { fitLine } from "../../packages/cli/src/terminal/fit-line.ts";
import { wrap } from "../../packages/cli/src/terminal/wrap.ts";
import { readings, valuesAt } from "../../packages/core/src/approvals/input-readings.ts";
import { chunkDocument } from "../../packages/documents/src/chunk/chunk-document.ts";
import { parseDocument } from "../../packages/documents/src/parse/parse-document.ts";
import { termsOf } from "../../packages/documents/src/search/terms.ts";
import { paragraph, pdfDocument, wordDocument } from "../../packages/documents/tests/hostile-files.ts";
import { excelWorkbook, powerPoint, row, shape } from "../../packages/documents/tests/office-files.ts";
import { readArguments } from "../../packages/hosts/model-api/src/calls/check-call.ts";
import { classifyFailure } from "../../packages/hosts/shared/src/failures/classify-failure.ts";
import { parseObject } from "../../packages/hosts/shared/src/objects/parse-object.ts";
import { meteorTokens } from "../../packages/metrics/src/meteor/meteor-tokens.ts";
import { sentencesOf } from "../../packages/metrics/src/scoring/sentences.ts";
import { readAnswerValue } from "../../packages/metrics/src/structure/structured-answer.ts";
import { contains } from "../../packages/metrics/src/text/contains.ts";
import { numbersIn } from "../../packages/metrics/src/values/numbers-in.ts";
import { bleu } from "../../packages/metrics/src/wording/bleu.ts";
import { f1 } from "../../packages/metrics/src/wording/f1.ts";
import { rougeL } from "../../packages/metrics/src/wording/rouge.ts";
import { parseConfig } from "../../packages/project/src/config/parse.ts";
import { escapeHidden } from "../../packages/project/src/trust/describe-states.ts";
import { findUserPosition } from "../../packages/project/src/user-module/explain-failure.ts";
import { ownWords } from "../../packages/rehearsal/src/anthropic/host-notes.ts";
import { asLiteral } from "../../packages/rehearsal/src/engine/template.ts";
import { toPieces } from "../../packages/rehearsal/src/protocol/pieces.ts";
import { parseScript } from "../../packages/rehearsal/src/script/parse.ts";
import { html, write } from "../../packages/testing/src/report/html/markup.ts";
import { words } from "../../packages/testing/src/report/markdown-text.ts";
import { oneLine, visible } from "../../packages/testing/src/report/plain-text.ts";
import { xmlText } from "../../packages/testing/src/report/xml.ts";
import { readGitIndex, readModule } from "./as-files.ts";
import { hostile, type SizedText } from "./texts.ts";

export interface Scanner {
  /** Reads the text. An error because the text is invalid counts as the end of reading. */
  scan(text: string): unknown;
  readonly hostile: readonly SizedText[];
  /** The maximum size that the function reads in one call. Longer text is refused or cut before the call. */
  readonly max?: number;
}

const redactor = createRedactor({ secrets: Array.from({ length: 40 }, (_, index) => `secret-value-${index * 7919}`) });
const style = createStyle((_colour, text) => text);
const reference = "The quick brown fox jumps over 12 lazy dogs. ".repeat(5);
const approval = {
  id: "approval_1",
  runId: "run_1",
  callId: "c1",
  attempt: 1,
  tool: "Bash",
  inputHash: "h1",
  builtin: true,
  rule: "default",
  everyTime: false,
  annotations: { destructive: true },
};
const seen = { path: "$.text", lines: { from: 1, to: 1 } };

function redactStream(text: string, pieceLength: number): void {
  const redact = createEventRedaction(redactor);
  for (let at = 0; at < text.length; at += pieceLength)
    redact("run", { type: "text.delta", text: text.slice(at, at + pieceLength) });
}

function findInBundle(content: Buffer): readonly string[] {
  const finder = new SecretFinder(redactor, { has: () => false });
  finder.begin("events.jsonl");
  finder.add(content);
  finder.end();
  return finder.found;
}

function scanDocument(ending: string): Pick<Scanner, "scan"> {
  return { scan: (text) => parseDocument({ name: `a${ending}`, bytes: new TextEncoder().encode(text) }) };
}

/** Creates a Word document with a paragraph for each line. */
function inParagraphs(text: string): string {
  return text
    .split("\n")
    .map((line) => paragraph(xmlText(line)))
    .join("");
}

/** Creates an Excel sheet with a row for each line. */
function inRows(text: string): string {
  return text
    .split("\n")
    .map((line, index) => row(index + 1, [xmlText(line)]))
    .join("");
}

export const scanners: Readonly<Record<string, Scanner>> = {
  "redact a text": { scan: (text) => redactor.text(text), hostile: hostile.redaction },
  "redact known credentials": { scan: (text) => redactor.known?.text(text), hostile: hostile.redaction },
  "redact a JSON value": { scan: (text) => redactor.value({ text, list: [text] }), hostile: hostile.redaction },
  "redact stored content": { scan: (text) => redactContent(text, redactor), hostile: hostile.redaction },
  "redact a stream, 4 characters a piece": {
    scan: (text) => redactStream(text, 4),
    hostile: hostile.redaction,
    max: 1,
  },
  "redact a stream, 200 characters a piece": { scan: (text) => redactStream(text, 200), hostile: hostile.redaction },
  "find credentials in a bundle": {
    scan: (text) => findInBundle(Buffer.from(text)),
    hostile: hostile.redaction,
  },
  "show hidden characters": { scan: (text) => showHidden(text), hostile: hostile.screen },
  "show hidden characters in prose": { scan: showHiddenInProse, hostile: hostile.screen },
  "show hidden characters in JSON": { scan: showHiddenInJson, hostile: hostile.screen },
  "show control characters": { scan: showControls, hostile: hostile.screen },
  "cut a text": { scan: (text) => cutText(text, 40_000), hostile: hostile.screen },
  "lay out a question": {
    scan: (text) => questionLines({ ...approval, input: { text }, preview: text, reason: text }, 80),
    hostile: hostile.screen,
  },
  "split into rows": { scan: (text) => splitRows(text, 80), hostile: hostile.screen },
  "wrap at words": { scan: (text) => wrap(text, 80), hostile: hostile.screen },
  "fit on a line": { scan: (text) => [fitLine(text, 80), fitOnLine(text, 80)], hostile: hostile.screen },
  "lay out a prompt in chat": {
    scan: (text) =>
      itemLines({ kind: "user", message: { role: "user", content: text } }, { width: 80, style, isLive: false }),
    hostile: hostile.screen,
  },
  "lay out an answer in chat": {
    scan: (text) => itemLines({ kind: "text", text, complete: true, step: 1 }, { width: 80, style, isLive: false }),
    hostile: hostile.markdown,
  },
  "read a typed answer": {
    scan: (text) => [parseTypedAnswer(`y ${text}`, approval), parseSlash(`/a ${text}`)],
    hostile: hostile.names,
  },
  "suggest a name": { scan: (text) => nearest(text, ["search", "read_result", "send_mail"]), hostile: hostile.names },
  "canonical JSON": { scan: (text) => canonicalJson({ b: text, a: [text] }), hostile: hostile.redaction },
  "read an input for rules": {
    scan: (text) => valuesAt({ a: text }, "a").flatMap(({ value }) => readings(value)),
    hostile: hostile.words,
  },
  "read arguments of a call": {
    scan: (text) => readArguments(`{"a":${JSON.stringify(text)}}`),
    hostile: hostile.answers,
  },
  "read an object of an answer": { scan: parseObject, hostile: hostile.answers },
  "classify a failure": {
    scan: (message) => classifyFailure({ codes: [], message }),
    hostile: [...hostile.names, ...hostile.answers],
  },
  "read a Markdown document": { ...scanDocument(".md"), hostile: hostile.markdown },
  "read an HTML document": { ...scanDocument(".html"), hostile: hostile.html },
  "read a text document": { ...scanDocument(".txt"), hostile: [...hostile.screen, ...hostile.rows] },
  "read a Word document": {
    scan: (text) => parseDocument({ name: "a.docx", bytes: wordDocument(inParagraphs(text)) }),
    hostile: hostile.rows,
    max: 1,
  },
  "read an Excel document": {
    scan: (text) => parseDocument({ name: "a.xlsx", bytes: excelWorkbook({ sheets: { a: inRows(text) } }) }),
    hostile: hostile.rows,
    max: 1,
  },
  "read a PowerPoint document": {
    scan: (text) =>
      parseDocument({ name: "a.pptx", bytes: powerPoint([{ shapes: shape(text.split("\n").map(xmlText)) }]) }),
    hostile: hostile.rows,
    max: 1,
  },
  "read a PDF document": {
    scan: (text) => parseDocument({ name: "a.pdf", bytes: pdfDocument(text.replaceAll(/[()\\\r\n]/g, " ")) }),
    hostile: hostile.rows,
    max: 1,
  },
  "read a CSV document": { ...scanDocument(".csv"), hostile: hostile.rows },
  "read a JSON document": { ...scanDocument(".json"), hostile: hostile.rows },
  "read a JSON Lines document": { ...scanDocument(".jsonl"), hostile: hostile.rows },
  "split a document into passages": {
    scan: (text) => chunkDocument([{ kind: "paragraph", text, ...seen }], { overlapTokens: 50 }),
    hostile: hostile.words,
  },
  "split headings": {
    scan: (text) => chunkDocument(text.split("\n").map((line) => ({ kind: "heading", depth: 2, text: line, ...seen }))),
    hostile: hostile.markdown,
  },
  "terms of a search": { scan: termsOf, hostile: hostile.words },
  "front matter": { scan: (text) => splitFrontMatter(`---\n${text}`), hostile: hostile.markdown },
  "settings in YAML": { scan: (text) => parseConfig(text, "bridle.yaml", {}), hostile: hostile.yaml },
  "a script in YAML": { scan: (text) => parseScript(text), hostile: hostile.yaml },
  "a template of a script": { scan: asLiteral, hostile: hostile.templates },
  "pieces of a script": { scan: toPieces, hostile: hostile.words },
  "notes of the host": { scan: ownWords, hostile: hostile.notes },
  "a stack of a module": {
    scan: (stack) => findUserPosition({ name: "a", message: "", stack }, []),
    hostile: hostile.code,
  },
  "a block of code": { scan: codeBlock, hostile: hostile.markdown },
  "a report in HTML": { scan: (text) => write(html`<p>${text}</p>`), hostile: hostile.html },
  "a report in Markdown": { scan: words, hostile: hostile.markdown },
  "a line of a report": { scan: (text) => [visible(text), oneLine(text)], hostile: hostile.screen },
  "an effect of a file": { scan: escapeHidden, hostile: hostile.screen },
  "imports of a module": { scan: readModule, hostile: hostile.code },
  "an index of git": { scan: readGitIndex, hostile: hostile.screen },
  "a report in XML": { scan: xmlText, hostile: hostile.html },
  contains: { scan: (text) => contains(text, "tulip"), hostile: hostile.metrics },
  f1: { scan: (text) => f1(text, reference), hostile: hostile.metrics },
  bleu: { scan: (text) => bleu(text, reference), hostile: hostile.metrics },
  rougeL: { scan: (text) => rougeL(text, reference), hostile: hostile.metrics },
  "tokens of meteor": { scan: meteorTokens, hostile: hostile.metrics },
  numbers: { scan: numbersIn, hostile: hostile.metrics },
  sentences: { scan: sentencesOf, hostile: hostile.words },
  "the JSON of an answer": { scan: (answer) => readAnswerValue({ answer }), hostile: hostile.answers },
};
