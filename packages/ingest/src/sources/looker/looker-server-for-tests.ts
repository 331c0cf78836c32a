/** A loopback server that simulates Looker's API 4.0: a login with a form, models, explores, and paginated searches. */
import { isPlainObject } from "@bridle/protocol";
import { type ApiCall, type ApiReply, type ApiServer, startApiServer } from "../testing/api-server-for-tests.ts";

export const lookerSecret = "looker_secret_for_tests_0123";

export interface TestLooker {
  readonly explores: Map<string, Record<string, unknown>>;
  readonly dashboards: Record<string, unknown>[];
  readonly looks: Record<string, unknown>[];
  readonly tokens: Set<string>;
}

export async function startLooker(): Promise<{ readonly server: ApiServer; readonly looker: TestLooker }> {
  const looker: TestLooker = { explores: new Map(), dashboards: [], looks: [], tokens: new Set() };
  return { looker, server: await startApiServer((call) => answer(call, looker)) };
}

export const tripsExplore = {
  name: "trips",
  label: "Trips",
  description: "Each trip with its rider.",
  view_name: "trips",
  sql_table_name: "main.trips",
  fields: {
    dimensions: [
      { name: "trips.id", type: "number", sql: `\${TABLE}.id `, primary_key: true },
      { name: "trips.status", type: "string", sql: `\${TABLE}.status`, description: 'State, such as "done".' },
      { name: "trips.started_date", type: "date_date", sql: `\${TABLE}.started_at`, dimension_group: "trips.started" },
      { name: "trips.started_week", type: "date_week", sql: `\${TABLE}.started_at`, dimension_group: "trips.started" },
      { name: "riders.id", type: "number", sql: `\${TABLE}.id`, primary_key: true },
    ],
    measures: [
      {
        name: "trips.completed",
        type: "count",
        sql: null,
        filters: [{ field: "trips.status", condition: "done" }],
        description: "Trips that ended.",
      },
      { name: "trips.hidden_sql", type: "sum", sql: null, description: "Sum of fares in cents." },
    ],
  },
  joins: [
    {
      name: "riders",
      relationship: "many_to_one",
      type: "left_outer",
      sql_on: `\${trips.rider_id} = \${riders.id} `,
      sql_table_name: "main.riders",
    },
  ],
};

function answer(call: ApiCall, looker: TestLooker): ApiReply {
  const path = call.path.replace("/api/4.0", "");
  if (path === "/login") return login(call, looker);
  const [, token = ""] = /^token (.+)$/.exec(call.headers.authorization ?? "") ?? [];
  if (!looker.tokens.has(token)) return { status: 401, json: { message: "Requires authentication." } };
  if (path === "/lookml_models")
    return {
      json: inParts(
        [
          {
            name: "shop",
            explores: [...looker.explores.keys(), "hidden"].map((name) => ({ name, hidden: name === "hidden" })),
          },
        ],
        call,
      ),
    };
  if (path === "/dashboards/search") return { json: inParts(looker.dashboards, call) };
  if (path === "/looks/search") return { json: inParts(looker.looks, call) };
  const [, explore] = /^\/lookml_models\/shop\/explores\/(.+)$/.exec(path) ?? [];
  const [, kind, id] = /^\/(dashboards|looks)\/(.+)$/.exec(path) ?? [];
  const found = explore
    ? looker.explores.get(explore)
    : (kind === "looks" ? looker.looks : looker.dashboards).find((each) => String(each.id) === id);
  return found === undefined ? { status: 404, json: { message: "Not found" } } : { json: found };
}

function login({ method, body, query }: ApiCall, { tokens }: TestLooker): ApiReply {
  const isRight =
    method === "POST" &&
    query.size === 0 &&
    isPlainObject(body) &&
    body.client_id === "key" &&
    body.client_secret === lookerSecret;
  if (!isRight) return { status: 404, json: { message: "Not found" } };
  const token = `token-${tokens.size + 1}`;
  tokens.add(token);
  return { json: { access_token: token, token_type: "Bearer", expires_in: 3600 } };
}

function inParts(all: readonly unknown[], { query }: ApiCall): readonly unknown[] {
  const offset = Number(query.get("offset") ?? 0);
  return all.slice(offset, offset + Number(query.get("limit") ?? all.length));
}
