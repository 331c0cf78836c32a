/** Fake credentials, assembled here so that no scanner reports this file as a leak. */
const letters = "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1hJ3lM5";
const of = (kind: string) => `${letters.slice(0, 24)}${kind}${letters.slice(24)}`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${of("PEM")}\n${of("KEY")}\n-----END RSA PRIVATE KEY-----`;

export const planted = {
  anthropic: `sk-ant-api03-${of("ant")}`,
  subscription: `sk-ant-oat01-${of("oat")}`,
  openai: `sk-proj-${of("oai")}`,
  stripe: `sk_live_${of("str")}`,
  aws: `AKIA${"QWERTYUI12345678"}`,
  google: `AIza${of("goo")}`,
  googleOAuth: `ya29.a0${of("goa")}`,
  github: `ghp_${of("git")}`,
  githubFine: `github_pat_${of("fine")}`,
  gitlab: `glpat-${of("lab")}`,
  slack: `xoxb-123456789012-${of("sla")}`,
  npm: `npm_${of("npm")}`,
  huggingFace: `hf_${of("hug")}`,
  groq: `gsk_${of("groq")}`,
  sendgrid: `SG.${of("sen")}.${of("dgr")}`,
  replicate: `r8_${of("rep")}`,
  databricks: `dapi${"0123456789abcdef".repeat(2)}`,
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${of("jwt")}`,
  pem,
  bearer: `b34r3r.${of("bea")}`,
  refresh: `rfr3sh.${of("ref")}`,
  basic: Buffer.from("ada:orchid-in-winter").toString("base64"),
  addressPassword: "violet/field#77",
  urlToken: `t0k3n${letters.slice(0, 20)}`,
  namedField: "plain words only",
  // recognized only because of their source, because they match no pattern
  variable: "tulip meadow early morning",
  reference: "daffodil-hillside",
  header: "crocus garden path",
  typed: "snowdrop-riverbank",
  multiByte: "Gänseblümchen-9-日本",
  multiLine: "first line of it\nsecond line of it",
} as const;

export type PlantedName = keyof typeof planted;

/** Typical variables: some names are those of credentials, one value is an address, and bridle.yaml refers to two. */
export const variables: Readonly<Record<string, string>> = {
  SHOP_API_KEY: planted.variable,
  SHOP_SECRET: planted.multiByte,
  SIGNING_PRIVATE_KEY: planted.multiLine,
  DATABASE_URL: `postgres://shop:${encodeURIComponent(planted.addressPassword)}@db.example/orders`,
  MODEL_HOST: planted.reference,
  GATEWAY_PASS: planted.header,
};

/** Finds the names of planted credentials in a text: plain, or encoded as JSON, URL or base64. */
export function foundIn(text: string): PlantedName[] {
  const names = Object.keys(planted) as PlantedName[];
  return names.filter((name) => spellingsOf(planted[name]).some((spelling) => text.includes(spelling)));
}

function spellingsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64");
  const body = base64.slice(0, Math.floor(base64.length / 4) * 4 - 4);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), body];
}
