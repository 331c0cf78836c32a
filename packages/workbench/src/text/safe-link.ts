/** Returns the URL of a link in a text of a model or a tool, if it is safe: a web page or an e-mail address, but nothing executable. */
export function safeAddress(address: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)[\x21-\x7e\u00a1-\uffff]+$/i.test(address)) return undefined;
  try {
    const { href, username, password } = new URL(address);
    return username === "" && password === "" ? href : undefined; // user@host disguises where a link leads
  } catch {
    return undefined;
  }
}

/** Returns the host of a URL, for a user who decides whether to load something from there. */
export function hostOf(address: string): string | undefined {
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : undefined;
}
