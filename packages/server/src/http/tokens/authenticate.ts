import { oneValue, type RequestHead } from "../guards/request-head.ts";
import { RequestProblem } from "../problem.ts";
import { type AccessToken, bearerToken, findToken } from "./access-token.ts";
import type { WrongTokens } from "./wrong-tokens.ts";

/**
 * Finds the owner of a request's token. Only the `Authorization` header can contain the token. A valid token is accepted even from an
 * address that sent many wrong tokens, because all programs on a machine share an address, and one of them must not lock out the owner.
 *
 * @throws RequestProblem
 */
export function authenticate(
  head: RequestHead,
  {
    tokens,
    wrong,
    address,
  }: { readonly tokens: readonly AccessToken[]; readonly wrong: WrongTokens; readonly address: string },
): AccessToken {
  const token = bearerToken(oneValue(head, "authorization"));
  if (token === undefined) throw refusal("The request has no token. Send the header Authorization: Bearer TOKEN.");
  const found = findToken(token, tokens);
  if (found) return found;
  const waitMs = wrong.add(address);
  if (waitMs === undefined) throw refusal("The token is wrong. bridle serve prints the right one when it starts.");
  const seconds = Math.ceil(waitMs / 1000);
  const message = `This address sent too many wrong tokens. Try again in ${seconds} seconds.`;
  throw new RequestProblem(429, "too-many-tokens", message, { retryAfterMs: waitMs }, { "retry-after": `${seconds}` });
}

function refusal(message: string): RequestProblem {
  return new RequestProblem(401, "unauthorized", message, {}, { "www-authenticate": 'Bearer realm="bridle"' });
}
