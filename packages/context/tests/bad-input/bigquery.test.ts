import { onTestFinished } from "vitest";
import { type BigQueryAnswer, BigQueryServer } from "../../../warehouse/tests/bigquery/bigquery-server.ts";
import { testBadInput } from "./bad-input.ts";
import { silent, startSilentServer } from "./silent-server.ts";

const names: BigQueryAnswer = { fields: [{ name: "city", type: "STRING" }], rows: [["Ulm"], ["Ulm"], ["Bonn"]] };
let latest: BigQueryServer;

/** Starts a loopback server with the tables `orders` and `notes`. */
async function serve(notes: BigQueryAnswer = names): Promise<Record<string, unknown>> {
  const server = await BigQueryServer.start((sql) => (sql.includes("`notes`") ? notes : names));
  onTestFinished(() => server.close());
  latest = server;
  const place = (tableId: string) => ({ tableReference: { projectId: "shop-data", datasetId: "shop", tableId } });
  const shop = { datasetReference: { projectId: "shop-data", datasetId: "shop" } };
  server.resources.set("/datasets", { datasets: [shop] });
  server.resources.set("/datasets/shop/tables", { tables: ["notes", "orders"].map(place) });
  for (const name of ["notes", "orders"]) {
    const schema = { fields: [{ name: "city", type: "STRING" }] };
    const size = { numRows: "3", numBytes: "30", lastModifiedTime: "1700000000000" };
    server.resources.set(`/datasets/shop/tables/${name}`, { ...place(name), type: "TABLE", schema, ...size });
  }
  return { type: "bigquery", project: "shop-data", token: "right", endpoint: server.endpoint };
}

testBadInput("bigquery", {
  "a wrong password": {
    config: async () => ({ ...(await serve()), token: "wrong" }),
    code: "authentication",
    message: /^BigQuery refuses the login of .* Renew it/,
  },
  "a host that accepts and never answers": {
    config: async () => ({ ...(await serve()), endpoint: `http://127.0.0.1:${await startSilentServer()}` }),
    ...silent,
  },
  "an unreachable host": {
    config: async () => ({ ...(await serve()), endpoint: "http://127.0.0.1:1" }),
    code: "network",
    message: /127\.0\.0\.1:1 cannot be reached/,
  },
  "a refused TLS connection": {
    config: async () => ({ ...(await serve()), endpoint: latest.endpoint.replace("http:", "https:") }),
    code: "config",
    message: /The TLS connection to BigQuery .* failed/,
  },
  "a missing schema": {
    config: async () => ({ ...(await serve()), include: ["shop", "sales"] }),
    tables: ["notes", "orders"],
    problem: /^There is no table that can be read in the schema sales\./,
  },
  "a table without permission": {
    async config() {
      const config = await serve();
      const refusal = [403, "accessDenied", "Access Denied: Table shop-data:shop.notes"];
      latest.resources.set("/datasets/shop/tables/notes", refusal);
      return config;
    },
    tables: ["orders"],
    problem: /Access Denied: Table shop-data:shop\.notes/,
  },
  "a view that fails": {
    config: () => serve({ error: [400, "invalidQuery", "Unrecognized name: gone at [1:8]"] }),
    tables: ["orders"],
    problem: /^Unrecognized name: gone at \[1:8\]\.$/,
  },
  "a locked database": "Readers of BigQuery wait for no lock.",
  "a connection that is lost in mid-scan": {
    config: () => serve(),
    tables: ["notes", "orders"],
    async cut() {
      let requests = 0;
      latest.intercept = (_, response) => {
        requests += 1;
        if (requests === 1) response.destroy();
        return requests === 1;
      };
    },
  },
  "a server that is too old": "BigQuery has one version.",
});
