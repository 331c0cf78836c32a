import fc from "fast-check";

/** A realistic document, with words in several scripts. */
export interface GeneratedDocument {
  readonly sections: readonly GeneratedSection[];
}

interface GeneratedSection {
  readonly depth: number;
  readonly title: string;
  readonly parts: readonly GeneratedPart[];
}

type GeneratedPart =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly code: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

const word = fc.constantFrom(
  ..."refund order Müller naïve 12.50 A-1001 e.g. user_id Παραγγελία επιστροφή 注文番号 返品ポリシー заказ הזמנה 🙂 x².".split(
    " ",
  ),
);
const words = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((all) => all.join(" "));
const longWord = fc.integer({ min: 200, max: 4000 }).map((length) => "loremipsum".repeat(Math.ceil(length / 10)));

const part: fc.Arbitrary<GeneratedPart> = fc.oneof(
  fc.record({ kind: fc.constant("paragraph" as const), text: fc.oneof(words(40), words(600), longWord) }),
  fc.record({ kind: fc.constant("list" as const), items: fc.array(words(12), { minLength: 1, maxLength: 30 }) }),
  fc.record({
    kind: fc.constant("code" as const),
    code: fc
      .array(words(8), { minLength: 1, maxLength: 80 })
      .map((lines) => lines.map((line) => `  ${line};`).join("\n")),
  }),
  fc.record({
    kind: fc.constant("table" as const),
    rows: fc.array(fc.array(words(3), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 60 }),
  }),
);

export const generatedDocument: fc.Arbitrary<GeneratedDocument> = fc.record({
  sections: fc.array(
    fc.record({
      depth: fc.integer({ min: 1, max: 4 }),
      title: words(5),
      parts: fc.array(part, { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

export function toMarkdown({ sections }: GeneratedDocument): string {
  const texts = sections.flatMap(({ depth, title, parts }) => [
    `${"#".repeat(depth)} ${title}`,
    ...parts.map(partToMarkdown),
  ]);
  return `${texts.join("\n\n")}\n`;
}

function partToMarkdown(given: GeneratedPart): string {
  switch (given.kind) {
    case "paragraph":
      return given.text;
    case "list":
      return given.items.map((item) => `- ${item}`).join("\n");
    case "code":
      return `\`\`\`js\n${given.code}\n\`\`\``;
    case "table": {
      const [head, ...rows] = given.rows.map((row) => `| ${row.join(" | ")} |`);
      return [head, "| --- | --- | --- |", ...rows].join("\n");
    }
  }
}

export function toHtml({ sections }: GeneratedDocument): string {
  const body = sections.map(
    ({ depth, title, parts }) => `<h${depth}>${title}</h${depth}>${parts.map(partToHtml).join("")}`,
  );
  return `<!doctype html><html><head><style>p { color: red }</style></head><body><div>${body.join("\n")}</div></body></html>`;
}

function partToHtml(given: GeneratedPart): string {
  switch (given.kind) {
    case "paragraph":
      return `<p>${given.text}</p>`;
    case "list":
      return `<ul>${given.items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
    case "code":
      return `<pre><code>${given.code}</code></pre>`;
    case "table":
      return `<table>${given.rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</table>`;
  }
}

/** Returns every word of a document in reading order. */
export function wordsOf({ sections }: GeneratedDocument): string[] {
  return sections
    .flatMap(({ title, parts }) => [title, ...parts.map(textOfPart)])
    .flatMap((text) => text.split(/\s+/))
    .filter(Boolean);
}

function textOfPart(given: GeneratedPart): string {
  switch (given.kind) {
    case "paragraph":
      return given.text;
    case "list":
      return given.items.join(" ");
    case "code":
      return given.code;
    case "table":
      return given.rows.flat().join(" ");
  }
}
