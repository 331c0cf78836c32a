import type { Redactor } from "@bridle/core";
import type { TrustedState } from "@bridle/protocol";
import { formatEffect } from "../trust/describe-states.ts";
import { summarizeTrust } from "../trust/trust-schema.ts";
import { type Check, failed, passed } from "./check.ts";

/** Checks whether the folder's files may take effect. The list is redacted, because users share it. */
export function checkTrust(states: readonly TrustedState[], redactor: Redactor): Check {
  const identity = { id: "trust", title: "Trust", area: "configuration" } as const;
  const { isTrusted, effects } = summarizeTrust(states);
  if (effects.length === 0) return passed(identity, "bridle.yaml runs, sends and reads nothing that needs trust");
  const list = redactor.text(effects.map((effect) => formatEffect(effect).replace(/ {2,}/, ": ")).join("\n"));
  if (isTrusted) return passed(identity, list);
  const remedy = 'Read the files. If you know who wrote them, run "bridle trust".';
  return failed(identity, `not trusted, so no host was asked:\n${list}`, remedy);
}
