/**
 * Returns a string that is equal for connections that see the same rows: the place, the account and the rules, without the password. The
 * string contains tokens and keys, because these identify the account.
 */
export function identifyConnection(settings: Readonly<Record<string, unknown>> = {}): string {
  const entries = Object.entries(settings).filter(([key]) => !isPassword(key));
  return JSON.stringify(
    entries.map(([key, value]) => [key, typeof value === "string" ? withoutPassword(value) : value]),
  );
}

function withoutPassword(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.password = "";
  for (const key of [...url.searchParams.keys()]) if (isPassword(key)) url.searchParams.delete(key);
  return url.href;
}

function isPassword(key: string): boolean {
  return /pass(?:word|phrase)$/i.test(key);
}
