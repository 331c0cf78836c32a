/** The token is in this tab's storage only: cookies would also reach other servers of this machine. */
const key = "bridle.token";
let kept: string | undefined;

/** Takes the token out of the address, so that it is in no history and no link that is copied, and keeps it for this tab. */
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
    // this browser forbids storage: the token is gone with a reload
  }
}
