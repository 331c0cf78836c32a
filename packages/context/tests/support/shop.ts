import { DatabaseSync } from "node:sqlite";

/** Creates a database with undeclared keys, a declared key, and a column with e-mail addresses. */
export function createShop(file: string, customers = 60): void {
  using database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE customers (customer_id INTEGER, name TEXT, contact TEXT, city TEXT);
    CREATE TABLE products (product_id INTEGER PRIMARY KEY, title TEXT, price NUMERIC);
    CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, ordered_on DATE, note TEXT);
    CREATE TABLE order_lines (order_id INTEGER, line_no INTEGER, product_id INTEGER REFERENCES products (product_id), amount INTEGER);
    CREATE TABLE empty_one (id INTEGER, customer_id INTEGER);
  `);
  const insert = (table: string, values: readonly (number | string | null)[]) =>
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`).run(...values);
  database.exec("BEGIN");
  for (let n = 1; n <= customers; n++) {
    insert("customers", [100 + n, `Customer ${n}`, `person.${n}@mail-${n % 7}.example`, `City ${n % 9}`]);
  }
  for (let n = 1; n <= 40; n++) insert("products", [5000 + n * 3, `Product ${n}`, n * 1.25]);
  for (let n = 1; n <= 200; n++) {
    const day = `2024-${String((n % 12) + 1).padStart(2, "0")}-${String((n % 28) + 1).padStart(2, "0")}`;
    insert("orders", [90_000 + n, 101 + ((n * 7) % customers), day, n % 5 === 0 ? null : `note ${n % 17}`]);
    for (let line = 1; line <= 1 + (n % 4); line++) {
      insert("order_lines", [90_000 + n, line, 5000 + (((n * 11 + line * 5) % 40) + 1) * 3, (n + line) % 6]);
    }
  }
  database.exec("COMMIT");
}
