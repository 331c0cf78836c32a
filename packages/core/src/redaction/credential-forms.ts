/** Patterns of credentials, and names of variables that have them. To support another vendor's keys, add a line to each list. */

/** A credential after a name such as `password=`. */
const namedForm =
  /(?<=(?:api[_-]?key|[_-]token|secret|secret[_-]?access[_-]?key|passw(?:or)?d|private[_-]?key)\\?["']?\s*[:=]\s*\\?["']?)(?!\$\{)(?=[^\s"'\\,;&]*\d)[^\s"'\\,;&]{8,}/gi;

/** Patterns that match a whole credential. Text that only precedes it is in a lookbehind. */
export const credentialForms: readonly RegExp[] = [
  // Blocks.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs,
  // Tokens with a recognisable form: JSON Web Tokens and encrypted ones, then vendors' keys by their prefix.
  /\beyJ[\w-]{8,}(?:\.[\w-]+){1,4}/g,
  /\bsk-[\w-]{16,}/g, // Anthropic, OpenAI, OpenRouter
  /\b(?:sk|rk|pk)_(?:live|test)_\w{10,}|\bwhsec_\w{16,}/g, // Stripe
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, // AWS
  /\bAIza[\w-]{30,}|\bya29\.[\w.-]{16,}|\bGOCSPX-[\w-]{16,}|\b1\/\/0[\w-]{20,}/g, // Google
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g, // GitHub, GitLab
  /\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/g, // Slack
  /\bnpm_\w{30,}|\bpypi-[\w-]{40,}|\bhf_\w{20,}|\br8_\w{20,}/g, // npm, PyPI, Hugging Face, Replicate
  /\bgsk_\w{20,}|\bxai-\w{20,}|\bpplx-\w{20,}|\bfw_\w{20,}/g, // Groq, xAI, Perplexity, Fireworks
  /\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_\w{32,}|\bshpat_\w{20,}|\bdapi[a-f0-9]{32}\b/g, // SendGrid, DigitalOcean, Shopify, Databricks
  // Credentials by the text before them.
  /(?<=\bbearer\s+)[\w.~+/-]{16,}=*/gi,
  /(?<=\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:[a-z]+\s+)?)[\w.~+/-]{8,}=*/gi,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:"'<>]*:)(?!\d+(?:[/?#\s]|$))[^\s"'<>]+(?=@)/gi,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[\w-]{20,}(?=@)/gi,
  namedForm,
];

/** Patterns of the end of a text that may be the beginning of a credential. */
const begunForms: readonly RegExp[] = [
  /-----[A-Z -]*$/,
  /\beyJ[\w.-]*$/,
  /\b(?:sk-|xox[a-z]-|xapp-|glpat-|pypi-|GOCSPX-|xai-|pplx-|AIza|1\/\/0)[\w-]*$/,
  /\b(?:(?:sk|rk|pk)_|whsec_|gh[pousr]_|github_pat_|npm_|hf_|r8_|gsk_|fw_|dop_v1_|shpat_|dapi)\w*$/,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]*$/,
  /\b(?:ya29|SG)\.[\w.-]*$/,
  /\bbearer\s+[\w.~+/-]*$/i,
  /\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:[a-z]+\s+)?[\w.~+/-]*$/i,
  /:\/\/[\w-]*$/,
  /:\/\/[^\s/?#@:"'<>]*:(?!\d+[/?#])[^\s"'<>]*$/,
  /(?:key|token|secret|passwd|password)\\*["']?\s*[:=]\s*\\*["']?[^\s"'\\,;&]*$/i,
];

/** How many characters at the end of a text may be the beginning of a credential; 0 for none. */
export function lengthOfBegunForm(text: string): number {
  const starts = begunForms.map((form) => text.search(form)).filter((start) => start >= 0);
  return starts.length === 0 ? 0 : text.length - Math.min(...starts);
}

const credentialName =
  /(?:(?:^|[_-])(?:api[_-]?key|(?:access|secret|private|account|subscription)[_-]?key|secrets?|passphrase|credentials?|authorization|(?:access|refresh|auth|bearer|oauth|session|id|api|bot|personal)[_-]?token)|passw(?:or)?d|[_-]pwd)$/i;

/** True for the name of a variable or field that holds a credential, such as `OPENAI_API_KEY` or `clientSecret`. */
export function isCredentialName(name: string): boolean {
  return credentialName.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")) || /^[A-Z0-9_]+_TOKEN$/.test(name);
}

/** Whether the value of a field or variable with this name counts as a credential. */
export function isNamedCredential(name: string, text: string): boolean {
  return text !== "" && (isCredentialName(name) || `${name}=${text}`.search(namedForm) === name.length + 1);
}

/** Members of JSON objects whose value is a text. The second pattern is for JSON within a string of JSON, at any depth. */
const members = [
  /(?<!\\)("([\w.-]+)"\s*:\s*")((?:[^"\\]|\\.)+)(?=")/g,
  /(\\+"([\w.-]+)\\+"\s*:\s*\\+")([^"\\]+)/g,
] as const;

/** Replaces values with a credential's name in JSON by `mark`, except references to variables. */
export function withoutNamedMembers(text: string, mark: string): string {
  if (!/"\s*:/.test(text)) return text;
  return members.reduce(
    (found, member) =>
      found.replaceAll(member, (whole: string, lead: string, name: string, value: string) =>
        isCredentialName(name) && !value.startsWith("${") ? lead + mark : whole,
      ),
    text,
  );
}
