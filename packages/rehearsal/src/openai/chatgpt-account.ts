/** The account of the fake ChatGPT login, and its tokens. */
export const fakeAccount = "account-of-rehearsal";

/** The tokens of a login. They are valid only in a rehearsal. */
export interface FakeTokens {
  readonly id_token: string;
  readonly access_token: string;
  /** Can be exchanged for the next tokens, only once. */
  readonly refresh_token: string;
}

const yearInSeconds = 365 * 24 * 60 * 60;

/** @param series The number of the token set, from 1. Each refresh returns the next set. */
export function fakeTokens(now: number, series = 1): FakeTokens {
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
    id_token: toJwt(claims),
    access_token: toJwt({ ...claims, sub: `rehearsal-access-${series}` }),
    refresh_token: `${refreshPrefix}${series}`,
  };
}

const refreshPrefix = "rehearsal-refresh-";

/** Returns the tokens for a refresh token, or `undefined` if the refresh token does not come from a rehearsal. */
export function refreshedTokens(refreshToken: string, now: number): FakeTokens | undefined {
  const series = refreshToken.startsWith(refreshPrefix) ? Number(refreshToken.slice(refreshPrefix.length)) : 0;
  return series > 0 ? fakeTokens(now, series + 1) : undefined;
}

/** Returns an unsigned token, because Codex reads only the claims. */
function toJwt(claims: object): string {
  const encode = (part: object | string) =>
    Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
  return [encode({ alg: "none", typ: "JWT" }), encode(claims), encode("rehearsal")].join(".");
}
