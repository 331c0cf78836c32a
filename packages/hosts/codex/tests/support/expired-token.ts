import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Changes the made-up login in this home so that its access token has expired. */
export async function withExpiredToken(home: string): Promise<void> {
  const file = join(home, ".codex/auth.json");
  const login = JSON.parse(await readFile(file, "utf8"));
  const [head, claims = "", signature] = String(login.tokens.access_token).split(".");
  const expired = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), exp: 1_000_000_000 };
  login.tokens.access_token = [head, Buffer.from(JSON.stringify(expired)).toString("base64url"), signature].join(".");
  await writeFile(file, JSON.stringify(login));
}
