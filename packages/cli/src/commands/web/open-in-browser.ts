import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeFolders, spawnProgram } from "@bridle/app/programs";

interface OpenOptions {
  /** A folder that only this user can read. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  onFailure(): void;
}

/**
 * Opens a link that contains a secret. All users of a machine can see the arguments of programs, so the browser is given a file that only
 * this user can read, and that redirects to the link. Dispose the result to remove the file.
 */
export function openInBrowser(link: string, { folder, environment, platform, onFailure }: OpenOptions): Disposable {
  const file = join(folder, "open-page.html");
  makeFolders(folder);
  rmSync(file, { force: true }); // an earlier start may have left it, or it may be a link to elsewhere
  writeFileSync(file, leadingTo(link), { mode: 0o600, flag: "wx" });
  const [command, ...words] = openingCommand(pathToFileURL(file).href, platform);
  const opener = spawnProgram("browser", [command, words], {
    stdio: "ignore",
    detached: true,
    env: environmentOfBrowser(environment),
  });
  opener.on("error", onFailure);
  opener.on("exit", (code) => {
    if (code !== 0 && code !== null) onFailure();
  });
  opener.unref();
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** Returns the program that opens an address in the user's browser. */
function openingCommand(address: string, platform = process.platform): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", address];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return ["xdg-open", address];
}

/** Returns the variables that a browser needs to find its user and screen. API keys and database credentials are not passed on. */
function environmentOfBrowser(environment: OpenOptions["environment"]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => browserVariables.test(name)));
}

const browserVariables =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|SHELL|BROWSER|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_.*|DBUS_.*|DESKTOP_SESSION|GNOME_.*|KDE_.*|LANG|LC_.*|TMPDIR|TEMP|TMP|SystemRoot|windir|USERPROFILE|APPDATA|LOCALAPPDATA|ProgramFiles.*|ProgramData)$/i;

function leadingTo(link: string): string {
  const address = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Bridle</title>
<p><a href="${address}">Open the page</a></p>
</html>
`;
}
