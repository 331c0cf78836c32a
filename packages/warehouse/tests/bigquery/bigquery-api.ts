/** The requests that BigQuery's API accepts, according to its reference. */
import { verify } from "node:crypto";
import { z } from "zod";

const int64 = z.string().regex(/^\d{1,19}$/);
const jobReference = z.strictObject({
  projectId: z.literal("shop-data"),
  jobId: z.string().regex(/^[a-zA-Z0-9_-]{1,1024}$/),
  location: z.string().optional(),
});
const label = z.string().regex(/^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u);

/** The body of `jobs.insert` for a query. Unknown keys are refused. */
export const insertBody = z.strictObject({
  jobReference,
  configuration: z.strictObject({
    dryRun: z.boolean(),
    jobTimeoutMs: int64,
    labels: z.record(label, label),
    query: z.strictObject({
      query: z.string().min(1),
      useLegacySql: z.literal(false),
      priority: z.enum(["INTERACTIVE", "BATCH"]),
      maximumBytesBilled: int64,
    }),
  }),
});

/** The parameters of each method, by a pattern for its path under the project. */
const methods: readonly (readonly [RegExp, string, z.ZodType])[] = [
  [/^\/jobs$/, "POST", z.strictObject({})],
  [/^\/jobs\/[^/]+\/cancel$/, "POST", z.strictObject({ location: z.string().optional() })],
  [
    /^\/queries\/[^/]+$/,
    "GET",
    z.strictObject({
      location: z.string().optional(),
      maxResults: int64,
      pageToken: z.string().optional(),
      timeoutMs: int64.optional(),
      "formatOptions.useInt64Timestamp": z.literal("true"),
    }),
  ],
  [/^\/datasets$/, "GET", z.strictObject({ maxResults: int64.optional(), pageToken: z.string().optional() })],
  [/^\/datasets\/[^/]+\/tables$/, "GET", z.strictObject({ maxResults: int64, pageToken: z.string().optional() })],
  [
    /^\/datasets\/[^/]+\/tables\/[^/:]+$/,
    "GET",
    z.strictObject({ view: z.enum(["BASIC", "STORAGE_STATS", "FULL"]).optional() }),
  ],
  [/^\/datasets\/[^/]+\/tables\/[^/:]+:testIamPermissions$/, "POST", z.strictObject({})],
];

/** Returns why the API would refuse a request because of its form alone; undefined if the API would accept it. */
export function findFault(method: string, path: string, query: URLSearchParams, type: string): string | undefined {
  const found = methods.find(([form]) => form.test(path));
  if (found === undefined) return `There is no method for ${path}.`;
  if (found[1] !== method) return `The method for ${path} is ${found[1]}.`;
  if (method === "POST" && !type.startsWith("application/json")) return "A body must be JSON.";
  const parsed = found[2].safeParse(Object.fromEntries(query));
  return parsed.success ? undefined : `Invalid parameters: ${z.prettifyError(parsed.error)}`;
}

const claimsSchema = z.strictObject({
  iss: z.literal("reader@shop-data.iam.gserviceaccount.com"),
  scope: z.literal("https://www.googleapis.com/auth/bigquery"),
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/** Returns why the service gives no access token for a signed token; undefined if it gives one. */
export function findTokenFault(form: URLSearchParams, address: string, publicKey: string): string | undefined {
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return "Unsupported grant type.";
  const [header = "", claims = "", signature = ""] = form.get("assertion")?.split(".") ?? [];
  const content = Buffer.from(`${header}.${claims}`);
  if (!verify("sha256", content, publicKey, Buffer.from(signature, "base64url"))) return "Invalid JWT Signature.";
  const { data } = claimsSchema.safeParse(JSON.parse(Buffer.from(claims, "base64url").toString()));
  const now = Date.now() / 1_000;
  if (data === undefined || data.aud !== address) return "Invalid JWT.";
  if (data.iat > now + 60 || data.exp < now || data.exp - data.iat > 3_600)
    return "Invalid JWT: not a short-lived token.";
  return undefined;
}
