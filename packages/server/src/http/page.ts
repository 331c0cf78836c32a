/** A built file of the page. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** The compressed content, by the name of the encoding. */
  readonly encoded: Readonly<Partial<Record<"br" | "gzip", Uint8Array>>>;
  /** Whether the file's path contains a hash of its content, so that the file never changes. */
  readonly isImmutable: boolean;
}

/** The page for browsers. A request can never select a file of the disk directly. */
export interface WebPage {
  /** The files, by their paths, such as `/assets/main-1a2b.js`. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The page at `/` and at the URL of every view, such as `/s/order-42`. */
  readonly index?: PageFile;
}

export const noPage: WebPage = { files: new Map() };

/** The first part of the URLs of views. The page itself finds the view. */
const views = /^\/(?:|(?:agents|s|inbox|tests|context|documents|rules|status)(?:\/[^?#]*)?)$/;

/** Finds the file at a path, which does not include the base path. */
export function findPageFile({ files, index }: WebPage, path: string): PageFile | undefined {
  return views.test(path) ? index : files.get(path);
}

/** Whether the path was opened in a browser, which shows a page rather than JSON. Scripts and programs do not request HTML. */
export function wantsPage(accept: string): boolean {
  return /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(accept);
}

/** Allows no external content, no inline scripts, and no embedding in frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'", // rows of long lists store their positions in inline styles
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types bridle-worker", // creates the URL of the worker that all tabs share
].join("; ");

const features = ["camera", "microphone", "geolocation", "usb", "serial", "hid", "payment", "display-capture", "midi"];

/** Builds the reply for a file: the headers, and the body in an encoding that the browser accepts. */
export function pageReply(
  { contentType, body, encoded, isImmutable }: PageFile,
  acceptEncoding: string,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } {
  const encoding = (["br", "gzip"] as const).find(
    (name) => encoded[name] !== undefined && accepts(acceptEncoding, name),
  );
  const sent = (encoding && encoded[encoding]) ?? body;
  return {
    body: sent,
    headers: {
      "content-type": contentType,
      "content-length": `${sent.byteLength}`,
      ...(encoding && { "content-encoding": encoding }),
      vary: "accept, accept-encoding, origin",
      "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      "content-security-policy": contentSecurityPolicy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": features.map((name) => `${name}=()`).join(", "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  };
}

function accepts(header: string, encoding: string): boolean {
  return header.split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
