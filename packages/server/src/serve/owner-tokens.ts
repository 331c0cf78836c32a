import { type ServeUsers, serverOwner } from "@bridle/app/serving";
import { type AccessToken, hashToken } from "../http/tokens/access-token.ts";

/** Lists the tokens that a server accepts: the token that it prints, and the tokens of `serve.users`. */
export function acceptedTokens(ownerToken: string, users: ServeUsers): AccessToken[] {
  return [
    { name: serverOwner, role: "operator", namespace: undefined, hash: hashToken(ownerToken) },
    ...Object.entries(users).map(([name, { role, namespace, tokenHash }]) => ({
      name,
      role,
      namespace,
      hash: Buffer.from(tokenHash.replace("sha256:", ""), "hex"),
    })),
  ];
}
