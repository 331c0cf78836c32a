import { anthropicMessages } from "../anthropic/protocol.ts";
import type { Protocol } from "../protocol/protocol.ts";

/** Every protocol that the server speaks. The first also answers for paths that belong to none. */
export const protocols: readonly [Protocol, ...Protocol[]] = [anthropicMessages];

export function protocolFor(method: string, path: string): Protocol | undefined {
  return method === "POST" ? protocols.find((protocol) => protocol.path === path) : undefined;
}
