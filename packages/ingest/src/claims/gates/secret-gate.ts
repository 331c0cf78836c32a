import { removedMark } from "../../staging/remove-secrets.ts";
import type { Gate } from "./gate.ts";

/**
 * Refuses candidates about secrets. Secrets were removed before the text was stored, so a claim about one is empty or repeats a secret from
 * elsewhere.
 */
export const secretGate: Gate = {
  name: "secret",
  check({ candidate: { body }, quote, wording }, { removeSecrets }) {
    const texts = [wording, JSON.stringify(body)];
    if (texts.some((text) => removedMark.test(text)))
      return "It names a secret or sensitive value that was removed. Leave it out.";
    if (texts.some((text) => removeSecrets(text) !== text))
      return "It contains a secret or sensitive value. Leave it out.";
    const rest = quote.replaceAll(new RegExp(removedMark.source, "g"), "").trim();
    if (removedMark.test(quote) && rest.split(/\s+/).length < 6)
      return "The quote is about a secret that was removed. Leave it out.";
    return undefined;
  },
};
