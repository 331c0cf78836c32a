/** A loopback server that follows Metabase's API reference: cards, collections, snippets, databases, sessions and API keys. */
import { isPlainObject } from "@bridle/protocol";
import { type ApiCall, type ApiReply, type ApiServer, startApiServer } from "../testing/api-server-for-tests.ts";

export const metabaseKey = "mb_for_tests_0123456789abcdef";

export interface TestMetabase {
  readonly cards: Map<number, Record<string, unknown>>;
  readonly collections: Record<string, unknown>[];
  readonly snippets: Record<string, unknown>[];
  /** Sessions that are still valid. */
  readonly sessions: Set<string>;
}

export async function startMetabase(
  cards: readonly Record<string, unknown>[],
): Promise<{ readonly server: ApiServer; readonly metabase: TestMetabase }> {
  const metabase: TestMetabase = {
    cards: new Map(cards.map((card) => [Number(card.id), card])),
    collections: [{ id: "root", name: "Our analytics" }],
    snippets: [],
    sessions: new Set(),
  };
  return { metabase, server: await startApiServer((call) => answer(call, metabase)) };
}

export function nativeCard(
  id: number,
  name: string,
  query: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id,
    name,
    description: null,
    archived: false,
    type: "question",
    collection_id: null,
    database_id: 1,
    query_type: "native",
    dataset_query: { type: "native", database: 1, native: { query, "template-tags": {} } },
    updated_at: "2026-03-04T10:00:00Z",
    moderation_reviews: [],
    result_metadata: [],
    ...more,
  };
}

function answer(call: ApiCall, metabase: TestMetabase): ApiReply {
  if (call.path === "/api/session" && call.method === "POST") return login(call.body, metabase);
  const session = call.headers["x-metabase-session"];
  const isKnown =
    call.headers["x-api-key"] === metabaseKey || (typeof session === "string" && metabase.sessions.has(session));
  if (!isKnown) return { status: 401, text: "Unauthenticated" };
  if (call.path === "/api/card") return { json: [...metabase.cards.values()] };
  if (call.path === "/api/collection") return { json: metabase.collections };
  if (call.path === "/api/native-query-snippet") return { json: metabase.snippets };
  if (call.path === "/api/database") return { json: { data: [{ id: 1, name: "Shop", engine: "postgres" }], total: 1 } };
  if (call.path === "/api/dataset/native")
    return { json: { query: 'SELECT COUNT(*) AS "count" FROM "main"."trips"', params: null } };
  const [, id] = /^\/api\/card\/(\d+)$/.exec(call.path) ?? [];
  const card = metabase.cards.get(Number(id));
  return card === undefined ? { status: 404, text: "Not found." } : { json: card };
}

function login(body: unknown, metabase: TestMetabase): ApiReply {
  if (!isPlainObject(body) || body.password !== "right")
    return { status: 401, json: { errors: { password: "did not match stored password" } } };
  const id = `session-${metabase.sessions.size + 1}`;
  metabase.sessions.add(id);
  return { json: { id } };
}
