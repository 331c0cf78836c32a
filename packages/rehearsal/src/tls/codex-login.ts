import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fakeAccount } from "../openai/chatgpt-endpoints.ts";

const yearInSeconds = 365 * 24 * 60 * 60;

/**
 * Writes a fake ChatGPT login into a folder of Codex, so that it sends `authorization: Bearer …` as with a real login. The
 * tokens are valid only in a rehearsal. Use a temporary folder, because a login in it is overwritten. Returns the file.
 */
export async function writeFakeCodexLogin(codexHome: string): Promise<string> {
  await mkdir(codexHome, { recursive: true });
  const file = join(codexHome, "auth.json");
  await writeFile(file, `${JSON.stringify(fakeCodexLogin(Date.now()), undefined, 2)}\n`, { mode: 0o600 });
  return file;
}

function fakeCodexLogin(now: number) {
  const account = {
    chatgpt_account_id: fakeAccount,
    chatgpt_plan_type: "plus",
    chatgpt_user_id: "user-of-rehearsal",
  };
  const claims = {
    email: "rehearsal@example.com",
    exp: Math.floor(now / 1000) + yearInSeconds,
    "https://api.openai.com/auth": account,
  };
  return {
    OPENAI_API_KEY: null,
    tokens: {
      id_token: toJwt(claims),
      access_token: toJwt({ ...claims, sub: "rehearsal-access" }),
      refresh_token: "rehearsal-refresh",
      account_id: account.chatgpt_account_id,
    },
    last_refresh: new Date(now).toISOString(),
  };
}

/** An unsigned token: Codex reads only its claims. */
function toJwt(claims: object): string {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
  return [encode({ alg: "none", typ: "JWT" }), encode(claims), encode("rehearsal")].join(".");
}
