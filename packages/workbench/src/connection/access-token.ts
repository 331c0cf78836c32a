/** The token is stored only in this tab's session storage. Cookies would also be sent to other servers of this machine. */
const key = "bridle.token";
let kept: string | undefined;

/** Removes the token from the URL, so that it does not appear in the history or in copied links, and keeps it for this tab. */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  if (token !== "") keepToken(token);
}

export function readToken(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? kept;
  } catch {
    return kept;
  }
}

/** Stores the access token from text that the user pasted: either the token or the whole URL that contains it. */
export function keepToken(pasted: string): void {
  const inAddress = /#token=([^&\s]+)/.exec(pasted)?.[1];
  kept = inAddress ?? pasted.trim();
  try {
    sessionStorage.setItem(key, kept);
  } catch {
    // this browser forbids storage: a reload loses the token
  }
}
