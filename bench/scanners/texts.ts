/** A text of any size. */
export interface SizedText {
  readonly name: string;
  /** Returns a text of about this many bytes. */
  make(bytes: number): string;
}

/** Repeats the same characters between a beginning and an end. */
function repeated(name: string, unit: string, [begin, end]: readonly [string, string] = ["", ""]): SizedText {
  const unitBytes = Buffer.byteLength(unit);
  return { name, make: (bytes) => begin + unit.repeat(Math.max(1, Math.floor(bytes / unitBytes))) + end };
}

/** Writes a list of objects, as a tool returns it. */
const rows = '{"id":12,"name":"a name\\n here","path":"a/b/c","at":"2026-01-31T12:00:00Z"},\n';

/** Typical input, which every function gets. */
export const ordinary: readonly SizedText[] = [
  repeated("prose", "The quick brown fox jumps over the lazy dog, and then it rests for 12 minutes.\n"),
  repeated("Chinese", "快速的棕色狐狸跳过了懒狗，然后休息了十二分钟。\n"),
  { name: "JSON", make: (bytes) => `[${rows.repeat(Math.max(1, Math.floor(bytes / rows.length))).slice(0, -2)}]` },
];

/** Characters that many patterns begin with, repeat or end with. */
const common = {
  blanks: repeated("blanks between letters", " ", ["\na", "x"]),
  lines: repeated("line feeds before a letter", "\n", ["a", "x"]),
  marks: repeated("marks in the wrong order", "\u0301\u0323", ["a", ""]),
  quotes: repeated("quotation marks", '"'),
  backslashes: repeated("escaped quotation marks", '\\"'),
  digits: repeated("digits", "1234567890"),
  brackets: repeated("brackets", "["),
  graphemes: repeated("joined emoji", "👩‍💻"),
};

const credentials = [
  repeated("beginnings of tokens", "-eyJ"),
  repeated("fields without an end", '"password":"'),
  repeated("names without a value", "password="),
  repeated("addresses without a host", "a://b:"),
  repeated("beginnings of known credentials", "secret-valu"),
  repeated("percent-encoding", "%41"),
  repeated("entities", "&amp;"),
  repeated("wrapped lines", "ABCD\n"),
  repeated("base64", "QUJDRA+/"),
];

/** The input that may be slow for each kind of function. */
export const hostile = {
  redaction: [common.blanks, common.backslashes, common.quotes, ...credentials],
  screen: [common.blanks, common.lines, common.marks, common.graphemes, repeated("controls", "\u009b")],
  metrics: [common.blanks, common.marks, common.digits, repeated("groups of digits", "1,123."), common.lines],
  answers: [repeated("a fence without an end", "\n", ["```json", "x"]), common.brackets, common.backslashes],
  markdown: [
    common.brackets,
    common.blanks,
    common.lines,
    repeated("emphasis", "**_"),
    repeated("quotes in quotes", "> "),
    repeated("code marks", "`"),
    repeated("tables", "|a"),
    repeated("headings", "# a\n"),
    repeated("links", "[a]("),
  ],
  html: [
    common.blanks,
    repeated("elements without an end", "<b>x "),
    repeated("entities", "&lt;"),
    repeated("tags", "<"),
  ],
  rows: [common.quotes, repeated("separators", ","), repeated("empty lines", "\n"), common.brackets],
  templates: [
    repeated("paths of results", ".result", ["{{ x", " "]),
    repeated("opened braces", "{{"),
    repeated("blanks in braces", " ", ["{{", "x"]),
  ],
  notes: [repeated("notes without an end", "<system-reminder>")],
  code: [repeated("blanks after import", " ", ["import", "x"]), repeated("imports", 'from"./')],
  words: [common.marks, common.blanks, repeated("names with dots", "a.b_cD"), common.graphemes],
  names: [repeated("one long name", "a"), common.blanks, repeated("slashes", "/a ")],
  yaml: [repeated("lists in lists", "- ", ["a: ", ""]), repeated("keys", "k: v\n"), repeated("tags", "!", ["a: ", ""])],
} as const satisfies Readonly<Record<string, readonly SizedText[]>>;
