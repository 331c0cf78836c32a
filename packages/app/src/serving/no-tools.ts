import type { Policy } from "@bridle/protocol";

const id = "server:no-tools-run";

/** A policy that refuses every call, for servers that run no tools. */
export const noTools: Policy = {
  id,
  snapshot: JSON.stringify(id),
  evaluate: () => ({
    decision: "deny",
    rule: id,
    reason: "This server runs no tools. Do not repeat the call; answer without it, or say what you would need it for.",
  }),
};
