import fc from "fast-check";
import { expect, test } from "vitest";
import { secretMarks } from "./finding.ts";
import { createRedactor, isCredentialName } from "./redactor.ts";

/** `npm run soak` sets a larger factor. */
const runs = { numRuns: 100 * Number(process.env.SOAK_FACTOR ?? 1) };

const plain = createRedactor();

/** Redacts, and shortens every mark to `[secret]`. */
const text = (given: string) => shortenMarks(plain.text(given));
const value = (given: unknown) => shortenMarks(plain.value(given));

function shortenMarks<T>(given: T): T {
  return JSON.parse(JSON.stringify(given).replaceAll(secretMarks, secretMark));
}

const secretMark = "[secret]";
const letters = "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1hJ3lM5";

/** Fake credentials, assembled here so that no scanner reports this file as a leak. */
const credentials: Readonly<Record<string, string>> = {
  anthropic: `sk-ant-api03-${letters}-AA`,
  "a subscription's token": `sk-ant-oat01-${letters}`,
  openai: `sk-proj-${letters}`,
  "older openai": `sk-${letters}`,
  stripe: `sk_live_${letters}`,
  aws: `AKIA${"ABCDEFGH12345678"}`,
  google: `AIza${letters}`,
  "google oauth": `ya29.a0${letters}`,
  github: `ghp_${letters}`,
  "github fine": `github_pat_${letters}`,
  gitlab: `glpat-${letters}`,
  slack: `xoxb-123456789012-${letters}`,
  npm: `npm_${letters}`,
  "hugging face": `hf_${letters}`,
  groq: `gsk_${letters}`,
  sendgrid: `SG.${letters}.${letters}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${letters}`,
  pem: `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`,
  "a pem in one line": `-----BEGIN PRIVATE KEY-----\\n${letters}\\n-----END PRIVATE KEY-----\\n`,
};

test.each(Object.entries(credentials))("%s is removed, and the text around it is kept", (_, credential) => {
  const found = text(`Use "${credential}" for it.`);
  expect(found.startsWith('Use "[secret]')).toBe(true);
  expect(found).not.toContain(letters);
  expect(found.endsWith('" for it.')).toBe(true);
});

test.each([
  ["Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [secret]"],
  ["bearer abcdefghijklmnop1", "bearer [secret]"],
  ["authorization: Basic dXNlcjpwYXNzd29yZA==", "authorization: Basic [secret]"],
  ['{"authorization":"token abcdefgh1234"}', '{"authorization":"[secret]"}'],
  ["postgres://shop:p4ss/w0rd@db.example/orders", "postgres://shop:[secret]@db.example/orders"],
  ["https://aB3dE5gH7jK9mN1pQ3sT5@git.example/x", "https://[secret]@git.example/x"],
  ["?access_token=abc123def&x=1", "?access_token=[secret]&x=1"],
  ['{"refresh_token": "abc123def"}', '{"refresh_token": "[secret]"}'],
  ["DB_PASSWORD=hunter2hunter2", "DB_PASSWORD=[secret]"],
])("%s keeps the text before the credential", (given, expected) => {
  expect(text(given)).toBe(expected);
});

test.each([
  "http://127.0.0.1:8080/path?mail=a@b.example",
  "https://example.com:443 and a@b.example",
  "A bearer of news came, and the password is required.",
  "task-oriented-programming-language",
  "See docs/sk-learn and eyJ.",
  "The basic authorization is: none",
])("%s is kept unchanged", (given) => {
  expect(text(given)).toBe(given);
});

test("in a value, keys and nested fields are redacted, and so is every value under a credential's name", () => {
  const given = { list: [{ [credentials.github as string]: credentials.jwt }], apiKey: "short", password: "x", n: 1 };
  expect(value(given)).toEqual({
    list: [{ [secretMark]: secretMark }],
    apiKey: secretMark,
    password: secretMark,
    n: 1,
  });
});

test("a short secret is removed only if it is the whole text", () => {
  const redactor = createRedactor({ secrets: ["opus", " "] });
  expect([redactor.text("opus"), redactor.text("a magnum opus")]).toEqual(["[secret: 4 characters]", "a magnum opus"]);
});

test("names of credentials are distinguished from other names", () => {
  const names = [
    "OPENAI_API_KEY",
    "apiKey",
    "clientSecret",
    "PGPASSWORD",
    "DB_PWD",
    "HF_TOKEN",
    "refresh_token",
    "DB_PASSWORD",
  ];
  expect(names.filter((name) => !isCredentialName(name))).toEqual([]);
  expect(
    ["max_tokens", "tokens", "key", "PATH", "nextPageToken", "secretary", "PWD", "OLDPWD", "password_policy"].filter(
      isCredentialName,
    ),
  ).toEqual([]);
});

test("values of the environment are secrets if their names are", () => {
  const { text } = createRedactor({ environment: { SHOP_API_KEY: "tulip tulip", SHOP_NAME: "Orchid House" } });
  expect(text("tulip tulip at Orchid House")).toBe(
    "[secret SHOP_API_KEY: 11 characters with spaces or symbols] at Orchid House",
  );
});

test("no known secret remains in any text or value, in any encoding", () => {
  const secret = fc.string({ minLength: 6, maxLength: 30, unit: "grapheme" }).filter((each) => each.trim().length > 5);
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(fc.string()), (secrets, around) => {
      fc.pre(secrets.every((each) => !"[secret: characters with spaces or symbols]".includes(each)));
      const redactor = createRedactor({ secrets });
      const planted = secrets.map((each, index) => `${around[index] ?? ""} ${each} ${JSON.stringify(each)}`);
      const rest = JSON.stringify(redactor.value({ planted, deep: [{ [planted[0] ?? ""]: planted }] }));
      const kept = rest.replaceAll(secretMarks, "\0");
      for (const each of secrets) expect(kept).not.toContain(JSON.stringify(each).slice(1, -1));
    }),
    runs,
  );
});

test("redacting twice changes nothing more", () => {
  const once = plain.text(Object.values(credentials).join("\n"));
  expect(plain.text(once)).toBe(once);
});

const known = createRedactor({ secrets: ["tulip ärger/9931?"] });
const spelt: Readonly<Record<string, string>> = {
  "as it is": "tulip ärger/9931?",
  "in JSON of JSON": JSON.stringify(JSON.stringify("tulip ärger/9931?")),
  "in JSON of ASCII letters": "tulip \\u00e4rger/9931?",
  "in an address": encodeURIComponent("tulip ärger/9931?"),
  "in a form": new URLSearchParams({ v: "tulip ärger/9931?" }).toString(),
  "in base64": Buffer.from("tulip ärger/9931?").toString("base64"),
  "in base64 after one letter": Buffer.from(":tulip ärger/9931?").toString("base64"),
  "in base64 between other texts": Buffer.from("me:tulip ärger/9931? and more").toString("base64url"),
};

test.each(Object.entries(spelt))("a known text is found %s", (_, spelling) => {
  expect(shortenMarks(known.text(`> ${spelling} <`))).toMatch(/^> .{0,6}\[secret\].{0,12} <$/);
});

test("the password of a URL in the environment is also found alone, encoded or decoded", () => {
  const environment = { DATABASE_URL: "postgres://shop:p%40ss-word@db.example/orders", DSN: "Server=x;Pwd=orchid-7;" };
  const { text } = createRedactor({ environment });
  expect(text("p@ss-word and p%40ss-word and orchid-7 for shop at db.example")).toBe(
    "[secret DATABASE_URL] and [secret DATABASE_URL] and [secret DSN] for shop at db.example",
  );
});

test("in JSON text the value under a credential's name is removed at any depth, but a reference is kept", () => {
  const inner = JSON.stringify({ password: "opensesame", user: "ali" });
  expect(text(inner)).toBe('{"password":"[secret]","user":"ali"}');
  expect(text(JSON.stringify({ body: inner }))).toBe(JSON.stringify({ body: text(inner) }));
  const reference = `{"apiKey": "$\{OPENAI_KEY_2024}"} apiKey: $\{OPENAI_KEY_2024}`;
  expect(text(reference)).toBe(reference);
});

test("the JSON of a redacted value contains nothing to redact", () => {
  const names = fc.constantFrom("next_page_token", "mysecret", "apiKey", "password", "headers", "x-api-key", "text");
  const texts = fc.oneof(fc.stringMatching(/^[a-z0-9_-]{1,24}$/), fc.constantFrom(...Object.values(credentials)));
  fc.assert(
    fc.property(fc.dictionary(names, fc.oneof(texts, fc.array(texts), fc.dictionary(names, texts))), (given) => {
      const clean = JSON.stringify(plain.value(given));
      expect(plain.text(clean)).toBe(clean);
    }),
    runs,
  );
});

test("a text attachment keeps the rest of its text; any other attachment with a credential is removed whole", () => {
  const data = (content: string) => Buffer.from(content).toString("base64");
  const part = (mediaType: string, content: string) => ({ type: "file", mediaType, data: data(content) });
  expect(value([part("text/plain", `key ${credentials.openai} end`)])).toEqual([
    part("text/plain", "key [secret: 44 characters] end"),
  ]);
  expect(known.value(part("application/pdf", "%PDF tulip ärger/9931?"))).toEqual(
    part("application/pdf", "[secret: 32 characters]"),
  );
});

test("the line break and the blanks after a known credential stay", () => {
  const { text } = createRedactor({ secrets: ["tulip-9931"] });
  expect(text("A=tulip-9931\n  B=1\n")).toBe("A=[secret: 10 characters]\n  B=1\n");
  expect(text("A=tulip\n  -9931\n  B=1\n")).toBe("A=[secret: 10 characters]\n  B=1\n");
});
