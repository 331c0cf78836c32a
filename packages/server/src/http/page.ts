/** A file of the page, as the build has made it. */
export interface PageFile {
  readonly contentType: string;
  readonly body: Uint8Array;
  /** Whether its path has a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
}

/** The files of the page by their paths, such as `/` and `/assets/main-1a2b.js`. A map, so that no request names a file of the disk. */
export type WebPage = ReadonlyMap<string, PageFile>;

/** Rule S9: nothing from elsewhere, no scripts in the text, no frames around it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'", // rows of long lists have their position there
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const features = ["camera", "microphone", "geolocation", "usb", "serial", "hid", "payment", "display-capture", "midi"];

export function pageHeaders({ contentType, body, isImmutable }: PageFile): Readonly<Record<string, string>> {
  return {
    "content-type": contentType,
    "content-length": `${body.byteLength}`,
    "cache-control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "content-security-policy": contentSecurityPolicy,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": features.map((name) => `${name}=()`).join(", "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}
