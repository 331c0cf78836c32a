/** The path prefix of the server, such as `/agents`, or an empty string. The page's files are in `assets/` below it. */
export const basePath = readBasePath();

function readBasePath(): string {
  const own = new URL(import.meta.url).pathname;
  return own.includes("/assets/") ? own.slice(0, own.lastIndexOf("/assets/")) : "";
}
