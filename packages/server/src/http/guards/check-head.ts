import { RequestProblem } from "../problem.ts";
import { readSeen } from "./forwarded.ts";
import type { OwnNames } from "./own-names.ts";
import { oneValue, type RequestHead } from "./request-head.ts";

export interface HeadRules extends OwnNames {
  /** Whether the request is for the page, which browsers open without a token. */
  isPage(): boolean;
}

type Check = (head: RequestHead, rules: HeadRules) => RequestProblem | undefined;

/**
 * Checks the headers of a request before anything in it is trusted. Returns the first problem in the order of the checks, or
 * `undefined`.
 */
export function checkHead(head: RequestHead, rules: HeadRules): RequestProblem | undefined {
  for (const check of [checkVersion, checkTarget, checkHost, checkOrigin, checkFetchSite, checkMethod, checkUpgrade]) {
    const problem = check(head, rules);
    if (problem) return problem;
  }
  return undefined;
}

/** Returns the undecoded path of a request target. */
export function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

/** Rejects other HTTP versions, which Node.js's parser accepts although they have different rules for the rest of the request. */
const checkVersion: Check = ({ version }) => {
  if (version === "1.1" || version === "1.0") return undefined;
  return new RequestProblem(505, "other-version", "This server speaks HTTP/1.1. Send the request in this version.");
};

/** Rejects an absolute URL in the request line, because it would override `Host`. */
const checkTarget: Check = ({ target }) => {
  if (/^\/(?!\/)[\x21-\x7e]*$/.test(target) && !/[\\#]/.test(target)) return undefined;
  return new RequestProblem(
    400,
    "bad-target",
    "The first line of the request has no plain path. Send a path that begins with one /.",
  );
};

const checkHost: Check = (head, rules) => {
  const values = head.all("host");
  if (values.length !== 1 || values[0] === "") {
    return new RequestProblem(
      400,
      "bad-host",
      "The request needs the header Host exactly once, with the name of this server.",
    );
  }
  const sent = (values[0] ?? "").toLowerCase();
  const { host } = readSeen(head, rules);
  if (rules.hosts.has(sent) && rules.hosts.has(host)) return undefined;
  const message = "The header Host names another server. Start this one with --allow-host and the name in the address.";
  return new RequestProblem(421, "foreign-host", message);
};

const checkOrigin: Check = (head, rules) => {
  const values = head.all("origin");
  if (values.length === 0) return undefined;
  const { scheme, host } = readSeen(head, rules);
  const [origin = ""] = values;
  if (values.length === 1 && (origin === `${scheme}://${host}` || rules.origins.has(origin))) return undefined;
  const message =
    "The header Origin names a page of another server. Start this one with --allow-origin and its origin.";
  return new RequestProblem(403, "foreign-origin", message);
};

/** Checks the header that browsers set for requests from pages of other sites, even if they send no Origin. */
const checkFetchSite: Check = (head, rules) => {
  const values = head.all("sec-fetch-site");
  if (values.length === 0 || values.every((value) => value === "same-origin" || value === "none")) return undefined;
  if (rules.origins.has(oneValue(head, "origin") ?? "")) return undefined;
  if (isNavigation(head) && rules.isPage()) return undefined;
  return new RequestProblem(
    403,
    "foreign-site",
    "A page of another site sent this request. Open the page of this server itself.",
  );
};

function isNavigation(head: RequestHead): boolean {
  return head.method === "GET" && oneValue(head, "sec-fetch-mode") === "navigate";
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const checkMethod: Check = (head, rules) => {
  if (methods.includes(head.method) || isPreflight(head, rules)) return undefined;
  const message = `This server has no method ${head.method.slice(0, 20)}. It has ${methods.join(", ")}.`;
  return new RequestProblem(405, "method-not-allowed", message, {}, { allow: methods.join(", ") });
};

/** Whether the request is a CORS preflight from an origin passed to `--allow-origin`. */
export function isPreflight(head: RequestHead, { origins }: Pick<OwnNames, "origins">): boolean {
  const origin = oneValue(head, "origin");
  const asked = oneValue(head, "access-control-request-method");
  return head.method === "OPTIONS" && origin !== undefined && origins.has(origin) && asked !== undefined;
}

/** Rejects upgrades, except to HTTP/2, which Java clients offer with every request and a server may ignore. */
const checkUpgrade: Check = (head) => {
  if (head.all("upgrade").every((value) => value.toLowerCase() === "h2c")) return undefined;
  return new RequestProblem(
    426,
    "no-upgrade",
    "This server speaks no other protocol than HTTP/1.1. Send the request without Upgrade.",
  );
};
