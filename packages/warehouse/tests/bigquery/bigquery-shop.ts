import type { ApiField, BigQueryServer } from "./bigquery-server.ts";

const orderFields: readonly ApiField[] = [
  { name: "id", type: "INTEGER", mode: "REQUIRED" },
  { name: "customer_id", type: "INTEGER", description: "who bought" },
  { name: "total", type: "NUMERIC", precision: "12", scale: "2" },
  {
    name: "lines",
    type: "RECORD",
    mode: "REPEATED",
    fields: [
      { name: "sku", type: "STRING" },
      { name: "price", type: "NUMERIC" },
    ],
  },
];

const customerFields: readonly ApiField[] = [
  { name: "id", type: "INTEGER", mode: "REQUIRED" },
  { name: "email", type: "STRING" },
  { name: "region", type: "STRING" },
];

/** Creates datasets with tables, a failing view, a view that the account may not read, and an entry for a table that no longer exists. */
export function addShop({ resources }: BigQueryServer): void {
  const place = (datasetId: string, tableId: string) => ({
    tableReference: { projectId: "shop-data", datasetId, tableId },
  });
  const add = (name: string, table: object) => {
    resources.set(`/datasets/shop/tables/${name}`, { ...place("shop", name), ...table });
    resources.set(`/datasets/shop/tables/${name}:testIamPermissions`, {});
  };
  resources.set("/datasets", {
    datasets: ["shop", "closed"].map((datasetId) => ({ datasetReference: { projectId: "shop-data", datasetId } })),
  });
  resources.set("/datasets/closed/tables", [403, "accessDenied", "Access Denied: Dataset shop-data:closed"]);
  resources.set("/datasets/shop/tables", {
    tables: ["orders", "customers", "latest", "external", "secret", "gone"].map((name) => place("shop", name)),
  });
  add("orders", {
    type: "TABLE",
    description: "What was sold",
    schema: { fields: orderFields },
    numRows: "3",
    numBytes: "300",
    lastModifiedTime: "1700000000000",
    timePartitioning: { type: "DAY", field: "placed", requirePartitionFilter: true },
    tableConstraints: {
      primaryKey: { columns: ["id"] },
      foreignKeys: [
        {
          name: "fk",
          referencedTable: { projectId: "shop-data", datasetId: "shop", tableId: "customers" },
          columnReferences: [{ referencingColumn: "customer_id", referencedColumn: "id" }],
        },
      ],
    },
  });
  add("customers", {
    type: "TABLE",
    schema: { fields: customerFields },
    numRows: "90000000",
    numBytes: "77",
    lastModifiedTime: "1700000000001",
    streamingBuffer: { estimatedRows: "1" },
  });
  const select = "SELECT c.* FROM `shop-data.shop.customers` AS c JOIN shop.orders AS o ON o.customer_id = c.id";
  const view = { query: select, useLegacySql: false };
  add("latest", { type: "VIEW", view, schema: { fields: customerFields }, numRows: "0", lastModifiedTime: "1" });
  add("external", { type: "EXTERNAL", schema: { fields: customerFields }, numRows: "0", lastModifiedTime: "1" });
  resources.set("/datasets/shop/tables/secret", [403, "accessDenied", "Access Denied: Table shop-data:shop.secret"]);
}
